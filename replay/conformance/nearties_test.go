package conformance

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"banditaudit/ingest/tableau"
	"banditaudit/replay"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// tenArms is a log of another program: ten arms, means moved by each reward as
// Q += (y − Q)/n, and a rule that takes from the indices an arm and the propensities
// of all, nil for none.
func tenArms(t *testing.T, seed uint64, rounds int, c float64, take func(t int, index []float64) (int, []float64)) *tableau.Slice {
	t.Helper()
	const k = 10
	draw := rand.New(rand.NewPCG(seed, 11))
	q, n, index := make([]float64, k), make([]float64, k), make([]float64, k)
	b := &tableau.Batch{}
	for r := 1; r <= rounds; r++ {
		for i := range q {
			index[i] = math.Inf(1)
			if n[i] > 0 {
				index[i] = q[i] + math.Sqrt(c*math.Log(float64(r))/n[i])
			}
		}
		arm, all := take(r, index)
		y := 0.0
		if draw.Float64() < .3+.05*float64(arm) {
			y = 1
		}
		n[arm]++
		q[arm] += (y - q[arm]) / n[arm]
		b.Experiment, b.Round, b.Arm, b.Reward = append(b.Experiment, 0), append(b.Round, int64(r)), append(b.Arm, int32(arm)), append(b.Reward, y)
		if all != nil {
			b.Propensity, b.PropensityByArm = append(b.Propensity, all[arm]), append(b.PropensityByArm, all...)
		}
	}
	return slice(t, tableau.Schema{
		Propensity: b.Propensity != nil, PropensityByArm: b.PropensityByArm != nil, Arms: k, Reward: [2]float64{0, 1},
		Experiments: []tableau.Range{{ID: "ten", Rows: int64(rounds)}},
	}, b)
}

// best is the first arm of the largest index.
func best(index []float64) int {
	arm := 0
	for i, v := range index {
		if v > index[arm] {
			arm = i
		}
	}
	return arm
}

func ucb(_ int, index []float64) (int, []float64) { return best(index), nil }

// windowed is the conformance of a log of ten arms with a policy by exact sums.
func windowed(t *testing.T, s *tableau.Slice, window string, policy *schemas.Policy) schemas.Conformance {
	t.Helper()
	p := &schemas.Protocol{Policy: policy, Counter: &schemas.Counter{Name: "exact"}, Reward: schemas.RewardSpec{Range: []float64{0, 1}}}
	policy.NearTies = schemas.MustRational(window)
	labels := make([]string, 10)
	for i := range labels {
		labels[i] = fmt.Sprint("a", i)
	}
	d, err := Declare(replay.Standard(), p, labels)
	if err != nil {
		t.Fatal(err)
	}
	out, err := d.Run(context.Background(), s, &ledger.Disclosures{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out.Conformance
}

func ucb1() *schemas.Policy {
	return &schemas.Policy{Name: "ucb", Own: schemas.Values{"width": schemas.Values{"c": 2.0}}}
}

// Means that are moved by each reward break ties in the last bit: without the
// window the log is another policy's, and with it every round matches.
func TestIncrementalMeansMatch(t *testing.T) {
	t.Parallel()
	exact, used := int64(0), int64(0)
	for seed := range uint64(5) {
		s := tenArms(t, seed, 2000, 2, ucb)
		without, with := windowed(t, s, "0", ucb1()), windowed(t, s, "2^-40", ucb1())
		exact += without.Rounds - without.Matched
		if m := without.FirstMismatch; without.NearTies != nil || m != nil && (m.Gap == nil || *m.Gap > 0x1p-40) {
			t.Errorf("log %d: %+v without a window, and %+v", seed, without.NearTies, m)
		}
		x := with.NearTies
		if with.Matched != with.Rounds || with.FirstMismatch != nil || x == nil {
			t.Fatalf("log %d: %d of %d match, first mismatch %+v", seed, with.Matched, with.Rounds, with.FirstMismatch)
		}
		used += x.Used
		if x.Used != without.Rounds-without.Matched || x.Used > x.Rounds || len(x.First) != int(min(mostTies, x.Used)) {
			t.Errorf("log %d: %+v, and %d rounds without a window", seed, x, without.Rounds-without.Matched)
		}
		if x.Used > 0 && !(*x.Largest <= 100*0x1p-52) {
			t.Errorf("log %d: rounding decides between indices that are apart by %g", seed, *x.Largest)
		}
	}
	if exact == 0 || used == 0 {
		t.Fatalf("%d rounds differ without a window, %d are used: the logs show nothing", exact, used)
	}
}

// Whoever takes another arm outside the window is found in that round, however
// close its index is; and a rule with a width of c that is 1 % larger in as many
// rounds as without a window.
func TestWindowIsNoLoophole(t *testing.T) {
	t.Parallel()
	for _, within := range []float64{1, 0.1, 1e-2, 1e-3} {
		least := math.Inf(1)
		s := tenArms(t, 7, 4000, 2, func(_ int, index []float64) (int, []float64) {
			arm := best(index)
			for i, v := range index {
				if gap := (index[arm] - v) / index[arm]; gap > 0x1p-40 && gap < within {
					least = min(least, gap)
					return i, nil
				}
			}
			return arm, nil
		})
		wide, none := windowed(t, s, "2^-40", ucb1()), windowed(t, s, "0", ucb1())
		if math.IsInf(least, 1) {
			t.Fatalf("no round with an index within %g of the largest", within)
		}
		if wide.FirstMismatch == nil || wide.Rounds-wide.Matched+wide.NearTies.Used != none.Rounds-none.Matched {
			t.Errorf("other arms within %g, the nearest by %g: %d and %d of %d match, %d within the window", within, least, wide.Matched, none.Matched, none.Rounds, wide.NearTies.Used)
		}
	}
	s := tenArms(t, 8, 4000, 2.02, ucb)
	wide, none := windowed(t, s, "2^-40", ucb1()), windowed(t, s, "0", ucb1())
	if wrong := wide.Rounds - wide.Matched; wrong < 100 || wrong+wide.NearTies.Used != none.Rounds-none.Matched {
		t.Errorf("c is 2.02 and not 2: %d rounds differ, %d within the window, %d without one", wrong, wide.NearTies.Used, none.Rounds-none.Matched)
	}
}

// Logged propensities of epsilon-greedy give the larger one to the arm whose mean
// came out larger.
func TestIncrementalMeansOfPropensities(t *testing.T) {
	t.Parallel()
	const k, explore = 10, 0.2
	used := int64(0)
	for seed := range uint64(5) {
		draw := rand.New(rand.NewPCG(seed, 12))
		s := tenArms(t, seed, 2000, 0, func(_ int, index []float64) (int, []float64) {
			greedy, all := best(index), make([]float64, k)
			for i := range all {
				all[i] = explore / k
			}
			all[greedy] += 1 - explore
			if draw.Float64() < explore {
				return draw.IntN(k), all
			}
			return greedy, all
		})
		policy := func() *schemas.Policy {
			return &schemas.Policy{Name: "epsilon-greedy", Own: schemas.Values{"explore": explore}}
		}
		without, with := windowed(t, s, "0", policy()), windowed(t, s, "2^-40", policy())
		if with.Matched != with.Rounds || with.Propensities.FirstMismatch != nil || with.NearTies.Used != without.Rounds-without.Matched {
			t.Errorf("log %d: %d of %d match, %+v; %d without a window", seed, with.Matched, with.Rounds, with.NearTies, without.Matched)
		}
		used += with.NearTies.Used
	}
	if used == 0 {
		t.Error("the window was used in no log")
	}
}

// Where ties are seeded, a log may have shared the greedy choice among any of those
// that tie here.
func TestSeededSharesOfNearTies(t *testing.T) {
	t.Parallel()
	const k = 10
	used := int64(0)
	for seed := range uint64(5) {
		draw := rand.New(rand.NewPCG(seed, 13))
		s := tenArms(t, seed, 2000, 2, func(r int, index []float64) (int, []float64) {
			most, all := index[best(index)], make([]float64, k)
			if r <= k {
				all[r-1] = 1
				return r - 1, all
			}
			var equal []int
			for i, v := range index {
				if v == most {
					equal = append(equal, i)
				}
			}
			for _, i := range equal {
				all[i] = 1 / float64(len(equal))
			}
			return equal[draw.IntN(len(equal))], all
		})
		policy := ucb1()
		policy.Ties = "seeded"
		out := windowed(t, s, "2^-40", policy)
		if out.Matched != out.Rounds {
			t.Errorf("log %d: %d of %d match; first %+v", seed, out.Matched, out.Rounds, out.FirstMismatch)
		}
		used += out.NearTies.Used
	}
	if used == 0 {
		t.Error("the window was used in no log")
	}
}
