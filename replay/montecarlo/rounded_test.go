package montecarlo

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// written writes shares with so many decimals.
func written(q []float64, digits int) []float64 {
	out, scale := make([]float64, len(q)), math.Pow10(digits)
	for a, v := range q {
		out[a] = math.Round(v*scale) / scale
	}
	return out
}

// half is half a unit of the last of so many decimals, with room for dust.
func half(digits int) float64 { return 0.5/math.Pow10(digits) + 0x1p-50 }

// rounded are shares of n draws, written with so many decimals.
func rounded(src *rand.Rand, laws [][]float64, n, digits int) *Shares {
	s := NewShares(len(laws[0]), half(digits), Every)
	for u, p := range laws {
		s.Add(int64(u), written(multinomial(src, n, p), digits), p, 0)
	}
	return s
}

// Of honest logs of rounded shares each test rejects at most what its level allows,
// held against the number of draws or the fewest that can be written so. More than 2 of
// 150 logs have probability 5·10⁻⁴ at .001, which is above the level of the scores and of
// the two others together; seeds are fixed.
func TestRoundedSharesPass(t *testing.T) {
	t.Parallel()
	const logs = 50
	for _, n := range []int{100, 333, 999, 1000, 100_000, 3_000_000} {
		for _, digits := range []int{3, 4, 6} {
			src := rand.New(rand.NewPCG(uint64(n), uint64(digits)))
			for _, fewest := range []bool{false, true} {
				rejected, scores, above := 0, 0, 0
				for range logs {
					s, of := rounded(src, some(src, 20), n, digits), float64(n)
					if fewest {
						of, _ = Fewest(s.Rows(), s.Tau)
						s.Least = true
					}
					if of > float64(n) {
						above++
					}
					d, err := s.Redraw(t.Context(), of, Redraws)
					if err != nil {
						t.Fatal(err)
					}
					if w := s.Cells(of); w.Rejected() || d.P < TogetherLevel {
						rejected++
					}
					e := s.Estimate(s.Tau)
					for _, o := range s.Others(nil) {
						if math.Abs(o.Score.Z(e.Plain(), s.Tau)) > Critical(9, ScoreLevel) {
							scores++
							break
						}
					}
				}
				if rejected > 2 || scores > 2 || above > 0 {
					t.Errorf("N = %d, %d decimals, fewest %t: %d rejected, %d by scores, %d above N, of %d logs", n, digits, fewest, rejected, scores, above, logs)
				}
			}
		}
	}
}

// The estimate of N covers it at 95 %, and its lower end is no higher where decimals
// hide it.
func TestEstimateOfRounded(t *testing.T) {
	t.Parallel()
	const logs = 400
	for _, n := range []int{333, 10_000, 100_000, 10_000_000} {
		src, covered, hides := rand.New(rand.NewPCG(3, uint64(n))), 0, 0
		for range logs {
			s := rounded(src, some(src, 20), n, 3)
			e := s.Estimate(s.Tau)
			if e.Low <= float64(n) && float64(n) <= e.High {
				covered++
			}
			if math.IsInf(e.High, 1) {
				hides++
			}
		}
		if want := n > 1_000_000; covered < logs*92/100 || (hides == logs) != want || !want && hides > 0 {
			t.Errorf("N = %d: covered in %d, hidden in %d of %d logs", n, covered, hides, logs)
		}
	}
}

// Shares that stand still lean one way by their decimals alone: with room for these
// no score convicts them, and without it does.
func TestScoreHasRoomForDecimals(t *testing.T) {
	t.Parallel()
	src := rand.New(rand.NewPCG(1, 1))
	s := NewShares(2, half(3), Every)
	for u := range 300 {
		p := 0.3004 + 1e-6*float64(u%7)
		s.Add(int64(u), written(multinomial(src, 100_000_000, []float64{p, 1 - p}), 3), []float64{p, 1 - p}, 0)
	}
	e := s.Estimate(s.Tau)
	o := s.Others(nil)[0]
	if with, without := o.Score.Z(e.Plain(), s.Tau), o.Score.Z(e.Plain(), 0); with != 0 || math.Abs(without) < 10 {
		t.Errorf("z = %g with room, %g without", with, without)
	}
}

// The mean of the evidence is 1, by enumeration of all counts of some draws, and
// with room for decimals it is at most that.
func TestEvidenceByEnumeration(t *testing.T) {
	const n = 12
	p := []float64{.5, .3, .2}
	exact, loose := 0.0, 0.0
	for a := range n + 1 {
		for b := range n + 1 - a {
			x := []float64{float64(a), float64(b), float64(n - a - b)}
			ln, q := 0.0, make([]float64, 3)
			all, _ := math.Lgamma(n + 1)
			for i := range x {
				l, _ := math.Lgamma(x[i] + 1)
				ln += float64(x[i]*math.Log(p[i])) - l
				q[i] = x[i] / n
			}
			chance := math.Exp(all + ln)
			one := []cells{{merged: merged{q: q, p: p}, n: n, times: 1, room: []float64{0, 0, 0}}}
			exact += chance * math.Exp(evidence(one))
			one[0].room = []float64{.01, .01, .01}
			loose += chance * math.Exp(evidence(one))
		}
	}
	near(t, "the mean of the evidence", exact, 1, 1e-9)
	if !(loose < 1) || loose < .9 {
		t.Errorf("with room for decimals it is %g", loose)
	}
}

// A wrong number of draws is found without redraws, however many updates there are.
func TestWrongNumberIsFoundAtOnce(t *testing.T) {
	t.Parallel()
	src := rand.New(rand.NewPCG(4, 4))
	s := taken(src, some(src, 4000), 1000, 1)
	if d, err := s.Redraw(context.Background(), 2000, Redraws); err != nil || d.Redraws != 0 || d.P >= TogetherLevel {
		t.Errorf("%+v, %v", d, err)
	}
	if d, err := s.Redraw(context.Background(), 1000, Redraws); err != nil || d.P < TogetherLevel {
		t.Errorf("%+v, %v", d, err)
	}
}

// Multiples of 1/333 are told by 4 decimals, and by 3; those of 1/1000 are not told
// from shares of more draws with 3 decimals, nor all fewer ones ruled out.
func TestFewest(t *testing.T) {
	t.Parallel()
	src := rand.New(rand.NewPCG(6, 2))
	for _, digits := range []int{3, 4, 6} { // 0.8 of the decimals is no number of draws
		s := rounded(src, some(src, 400), 10_000_000, digits)
		if n, sure := Fewest(s.Rows(), s.Tau); sure || n > 0.8*math.Pow10(digits) {
			t.Errorf("%d decimals: %g, %t", digits, n, sure)
		}
	}
	for _, c := range []struct {
		n, digits int
		sure      bool
	}{{333, 3, true}, {333, 4, true}, {4999, 6, true}, {123_457, 6, true}, {1000, 3, false}, {100_000, 3, false}} {
		s := rounded(src, some(src, 20), c.n, c.digits)
		if n, sure := Fewest(s.Rows(), s.Tau); sure != c.sure || n > float64(c.n) || sure && n != float64(c.n) {
			t.Errorf("N = %d, %d decimals: %g, %t", c.n, c.digits, n, sure)
		}
	}
}

// The share of one of two arms gives that of the other with dust on it: rows in a row
// with the same share are one update, whichever arm was played.
func TestDustMakesNoUpdate(t *testing.T) {
	s, p := NewShares(2, 0x1p-50, Every), []float64{.31, .69}
	for row, q := range [][]float64{{.3, 1 - .3}, {1 - .7, .7}, {.3, .7}, {.301, .699}} {
		s.Add(int64(row), q, p, 0)
	}
	if all, _ := s.Updates(); all != 2 {
		t.Errorf("%d updates, want 2", all)
	}
	s = NewShares(2, half(4), Every) // .12345 of one arm and .87655 of the other, each rounded by itself
	s.Same = 2 * half(4)
	for row, q := range [][]float64{{.1234, .8766}, {.1235, .8765}, {.1234, .8766}, {.1241, .8759}} {
		s.Add(int64(row), q, p, 0)
	}
	if all, _ := s.Updates(); all != 2 {
		t.Errorf("%d updates of rounded shares, want 2", all)
	}
}

func ExampleFewest() {
	var rows [][]float64
	for _, x := range []float64{41, 57, 60, 71, 83, 96, 104, 117, 121, 138, 142, 155, 169, 174, 188, 197, 203, 211, 226, 239} {
		rows = append(rows, written([]float64{x / 333, 1 - x/333}, 3))
	}
	fmt.Println(Fewest(rows, 0.0005+0x1p-50))
	// Output: 333 true
}
