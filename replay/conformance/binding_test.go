package conformance

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"banditaudit/ingest/tableau"
	"banditaudit/replay"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// bound is a run of 300 rounds over two arms, with what the policy saw where seen is
// true, and the propensities of all arms where known is.
func bound(t *testing.T, p *schemas.Protocol, rewards int, seen, known bool) (tableau.Schema, *tableau.Batch) {
	t.Helper()
	m, err := replay.Standard().New(p, arms())
	if err != nil {
		t.Fatal(err)
	}
	s := tableau.Schema{Arms: 2, Reward: [2]float64{0, 1}, Propensity: known, PropensityByArm: known, Experiments: []tableau.Range{{ID: "shop", Rows: 300}}}
	if seen {
		s.ReleasedByArm = 1
	}
	b := &tableau.Batch{}
	err = m.Bandit(replay.Seed(7), "shop", &paying{rand.New(rand.NewPCG(1, 4)), rewards}, 300, func(step *replay.Step) error {
		b.Experiment, b.Round, b.Arm, b.Reward = append(b.Experiment, 0), append(b.Round, step.Round), append(b.Arm, int32(step.Arm)), append(b.Reward, step.Reward)
		if known {
			b.Propensity, b.PropensityByArm = append(b.Propensity, step.Propensity), append(b.PropensityByArm, step.Propensities...)
		}
		if seen {
			b.ReleasedByArm = append(b.ReleasedByArm, step.Released...)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return s, b
}

// paying has rewards of so many different values in [0,1].
type paying struct {
	*rand.Rand

	values int
}

func (paying) Dim() int { return 0 }

func (paying) Context(int64, []float64) {}

func (p paying) Reward(_ int64, arm int) float64 {
	if p.Float64() < .2*float64(arm) {
		return 1
	}
	return float64(p.IntN(p.values)) / float64(p.values-1)
}

// rewritten sets the last n rewards of an arm that are not to already to it.
func rewritten(b *tableau.Batch, arm int, to float64, n int64) *tableau.Batch {
	out := *b
	out.Reward = slices.Clone(b.Reward)
	for i := len(out.Reward) - 1; i >= 0 && n > 0; i-- {
		if int(out.Arm[i]) == arm && out.Reward[i] != to {
			out.Reward[i] = to
			n--
		}
	}
	if n > 0 {
		panic("an arm has fewer rewards")
	}
	return &out
}

// What is said to pass passes: a log with as many rewards changed replays as the log
// did, by every kind of evidence.
func TestBindingIsALowerBound(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name        string
		policy      *schemas.Policy
		counter     string
		rewards     int
		seed        bool
		seen, known bool
		mode        string
		free        bool // more than the last rewards of an arm can be changed
	}{
		{"exact sums", ucb1(), "exact", 2, false, false, false, schemas.ModeSeed, true},
		{"exact sums, real rewards", ucb1(), "exact", 50, false, false, false, schemas.ModeSeed, false},
		{"exact sums that are logged", ucb1(), "exact", 2, false, true, false, schemas.ModeSeed, false},
		{"noise by its seed", ucb1(), "hybrid", 2, true, false, false, schemas.ModeSeed, true},
		{"noise by its seed, logged", ucb1(), "hybrid", 2, true, true, false, schemas.ModeSeed, false},
		{"released values", ucb1(), "hybrid", 2, false, true, false, schemas.ModeReleased, false},
		{"propensities", oftenGreedy(), "exact", 2, false, false, true, schemas.ModePropensity, true},
		{"propensities and a seed", oftenGreedy(), "exact", 2, true, false, true, schemas.ModeSeed, true},
		{"epochs", ucb1(), "epochs", 2, false, true, false, schemas.ModeReleased, true},
	} {
		p := &schemas.Protocol{Policy: tt.policy, Counter: &schemas.Counter{Name: tt.counter}, Reward: schemas.RewardSpec{Range: []float64{0, 1}}}
		if tt.counter != "exact" {
			p.Counter.Epsilon, p.Counter.Horizon = schemas.MustRational("0.2"), 300
		}
		s, b := bound(t, p, tt.rewards, tt.seen, tt.known)
		if tt.seed {
			seeded(p, 7)
		}
		out, _ := run(t, p, slice(t, s, b), nil)
		c := out.Conformance
		if c.Mode != tt.mode || c.Binding == nil || len(c.Binding.Arms) != 2 || c.Binding.Left != 0 {
			t.Errorf("%s: mode %s, %d of %d, binding %+v", tt.name, c.Mode, c.Matched, c.Rounds, c.Binding)
			continue
		}
		most := c.Binding.Most()
		if tt.free != (most != nil && max(most.Up.AtLeast, most.Down.AtLeast) > 2) {
			t.Errorf("%s: %+v", tt.name, c.Binding.Arms)
		}
		for _, x := range c.Binding.Arms {
			arm := slices.Index(arms(), x.Arm)
			for to, n := range []schemas.Changeable{x.Down, x.Up} {
				if !replays(t, p, s, rewritten(b, arm, float64(to), n.AtLeast)) {
					t.Errorf("%s: %+v of %s to %d do not pass", tt.name, n, x.Arm, to)
				}
			}
		}
	}
}

func oftenGreedy() *schemas.Policy {
	return &schemas.Policy{Name: "epsilon-greedy", Own: schemas.Values{"explore": 0.2}}
}

// replays reports whether a log is as the policy has it.
func replays(t *testing.T, p *schemas.Protocol, s tableau.Schema, b *tableau.Batch) bool {
	t.Helper()
	out, _ := run(t, p, slice(t, s, b), nil)
	return holds(&out.Conformance)
}

// By exact sums and in few rounds, the bound is what changing the last rewards one
// by one gives, as far as halving goes: half of the largest number before the first
// that does not pass, at least.
func TestBindingByHand(t *testing.T) {
	t.Parallel()
	p := &schemas.Protocol{Policy: ucb1(), Counter: &schemas.Counter{Name: "exact"}, Reward: schemas.RewardSpec{Range: []float64{0, 1}}}
	s, b := bound(t, p, 2, false, false)
	out, _ := run(t, p, slice(t, s, b), nil)
	for _, x := range out.Conformance.Binding.Arms {
		arm := slices.Index(arms(), x.Arm)
		for to, found := range []schemas.Changeable{x.Down, x.Up} {
			n := int64(0)
			for i, y := range b.Reward {
				n += int64(b2i(int(b.Arm[i]) == arm && y != float64(to)))
			}
			var pass []int64
			for m := n; m > 0; m /= 2 {
				if replays(t, p, s, rewritten(b, arm, float64(to), m)) {
					pass = append(pass, m)
				}
			}
			if found.Of != n || found.AtLeast > 0 && !slices.Contains(pass, found.AtLeast) || found.AtLeast == 0 && len(pass) > 0 && pass[len(pass)-1] == 1 {
				t.Errorf("%s to %d: %+v; of %d rewards these halves pass: %v", x.Arm, to, found, n, pass)
			}
		}
	}
}

// Where the log is long for what a round costs, nothing is measured, and nothing is
// read for it.
func TestBindingIsNotMeasuredAtLength(t *testing.T) {
	t.Parallel()
	b := &tableau.Batch{}
	const n, k = 50_000, 100
	labels := make([]string, k)
	for i := range labels {
		labels[i] = fmt.Sprint("a", i)
	}
	for i := range n {
		b.Experiment, b.Round, b.Arm, b.Reward = append(b.Experiment, 0), append(b.Round, int64(i+1)), append(b.Arm, int32(i%k)), append(b.Reward, 0)
	}
	p := &schemas.Protocol{Policy: &schemas.Policy{Name: "successive-elimination", Own: schemas.Values{"width": schemas.Values{"c": 2.0}}}, Counter: &schemas.Counter{Name: "exact"}, Reward: schemas.RewardSpec{Range: []float64{0, 1}}}
	d, err := Declare(replay.Standard(), p, labels)
	if err != nil {
		t.Fatal(err)
	}
	for _, rounds := range []int{n, 500} {
		short := &tableau.Batch{Experiment: b.Experiment[:rounds], Round: b.Round[:rounds], Arm: b.Arm[:rounds], Reward: b.Reward[:rounds]}
		book := &ledger.Disclosures{}
		out, err := d.Run(context.Background(), slice(t, tableau.Schema{Arms: k, Reward: [2]float64{0, 1}, Experiments: []tableau.Range{{ID: "even", Rows: int64(rounds)}}}, short), book, nil)
		if err != nil {
			t.Fatal(err)
		}
		x := out.Conformance.Binding
		if long := rounds == n; x == nil || long != (len(x.Arms) == 0) || x.Left+int64(len(x.Arms)) != k || long != (len(book.List()) == 1) {
			t.Errorf("%d rounds: %+v, booked %+v", rounds, x, book.List())
		}
	}
}
