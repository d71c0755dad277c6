package policy

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// counting counts the words that are taken.
type counting struct {
	rand.Source
	words int
}

func (c *counting) Uint64() uint64 {
	c.words++
	return c.Source.Uint64()
}

// A released sum counts as if it lay in [0, N]: outside, propensities are those
// of the end that is nearer.
func TestThompsonClampsReleasedSums(t *testing.T) {
	for name, build := range thompsons() {
		at := func(sum float64) []float64 {
			s, dst := NewState(2), make([]float64, 2)
			p := build(2, nil)
			s.Pulls, s.Sums = []int64{4, 4}, []float64{sum, 2}
			p.Observe(s, 0)
			p.Observe(s, 1)
			p.Propensities(s, dst)
			return dst
		}
		if diff := cmp.Diff(at(-3.7), at(0)); diff != "" {
			t.Errorf("%s, below 0:\n%s", name, diff)
		}
		if diff := cmp.Diff(at(11.5), at(4)); diff != "" {
			t.Errorf("%s, above N:\n%s", name, diff)
		}
		if low, mid, high := at(0)[0], at(2.25)[0], at(4)[0]; !(low < 0.5 && 0.5 < mid && mid < high) {
			t.Errorf("%s: %v, %v, %v", name, low, mid, high)
		}
	}
}

func thompsons() map[string]func(k int, src rand.Source) Policy {
	return map[string]func(k int, src rand.Source) Policy{
		"beta": func(k int, src rand.Source) Policy { return NewBetaThompson(k, BetaPrior{1, 1}, src) },
		"normal": func(k int, src rand.Source) Policy {
			return NewGaussianThompson(k, GaussianPrior{Mean: 0.5, Variance: 1, Noise: 0.25}, src)
		},
	}
}

// The posteriors themselves: Beta(α+S, β+N−S), and the normal one by hand:
// precision 1/2 + 3/0.5 = 6.5, mean (0.25/2 + 2/0.5)/6.5.
func TestThompsonPosteriors(t *testing.T) {
	s := NewState(1)
	s.Pulls[0], s.Sums[0] = 3, 2
	b := NewBetaThompson(1, BetaPrior{0.5, 2}, nil)
	b.Observe(s, 0)
	if b.a[0] != 2.5 || b.b[0] != 3 {
		t.Errorf("Beta(%v, %v), want Beta(2.5, 3)", b.a[0], b.b[0])
	}
	g := NewGaussianThompson(1, GaussianPrior{Mean: 0.25, Variance: 2, Noise: 0.5}, nil)
	g.Observe(s, 0)
	if mean, sd := 4.125/6.5, math.Sqrt(1/6.5); ulps(g.mean[0], mean) > 3 || ulps(g.sd[0], sd) > 3 {
		t.Errorf("Normal(%v, %v²), want Normal(%v, %v²)", g.mean[0], g.sd[0], mean, sd)
	}
}

// An arm that is not eligible takes nothing from the stream.
func TestThompsonDrawsForEligibleArmsOnly(t *testing.T) {
	for name, build := range thompsons() {
		all, some := &counting{Source: rand.NewPCG(1, 2)}, &counting{Source: rand.NewPCG(1, 2)}
		build(1, all).Select(NewState(1))
		s := NewState(3)
		s.Eligible = []bool{false, true, false}
		if arm := build(3, some).Select(s); arm != 1 || some.words != all.words || all.words == 0 {
			t.Errorf("%s: arm %d after %d words; one arm alone takes %d", name, arm, some.words, all.words)
		}
	}
}

// What is kept is dropped when an arm is observed and when other arms are
// eligible.
func TestThompsonForgetsPropensities(t *testing.T) {
	for name, build := range thompsons() {
		p, s := build(3, nil), NewState(3)
		ask := func() []float64 {
			dst := make([]float64, 3)
			p.Propensities(s, dst)
			return dst
		}
		first := ask()
		s.Pulls[2], s.Sums[2] = 5, 5
		p.Observe(s, 2)
		second := ask()
		s.Eligible = []bool{true, true, false}
		third := ask()
		s.Eligible[1] = false
		fourth := ask()
		s.Eligible = nil
		if d := farthest(first, []float64{1. / 3, 1. / 3, 1. / 3}); !(d < 1e-12) {
			t.Errorf("%s: at first %v", name, first)
		}
		if !(second[2] > 0.4) || third[2] != 0 || !(math.Abs(third[0]-0.5) < 1e-12) || fourth[0] != 1 || second[0] == third[0] {
			t.Errorf("%s: %v, %v, %v", name, second, third, fourth)
		}
		if diff := cmp.Diff(second, ask()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// One arm's update, by one reward, and the propensities of all, in runs that begin with rows
// of the arms, have twice as many and begin anew.
func BenchmarkPropensities(b *testing.B) {
	builds := thompsons()
	for name, build := range thompsons() {
		builds[name+", best two"] = func(k int, src rand.Source) Policy {
			p := build(k, src)
			switch p := p.(type) {
			case *BetaThompson:
				p.rule.top = true
			case *GaussianThompson:
				p.rule.top = true
			}
			return p
		}
	}
	for name, build := range builds {
		for _, k := range []int{5, 10, 50} {
			for _, rows := range []int64{0, 10, 100, 10_000} {
				b.Run(fmt.Sprintf("%s/K=%d/rows=%d", name, k, rows), func(b *testing.B) {
					pulls := make([]int64, k)
					for i := range pulls {
						pulls[i] = rows
					}
					benchmarkUpdates(b, build(k, nil), pulls)
				})
			}
		}
		b.Run(name+"/K=5/uneven", func(b *testing.B) {
			benchmarkUpdates(b, build(5, nil), []int64{1, 20, 300, 5000, 1_000_000})
		})
	}
}

func benchmarkUpdates(b *testing.B, p Policy, pulls []int64) {
	b.Helper()
	k := len(pulls)
	s, dst := NewState(k), make([]float64, k)
	begin := func(i int) {
		s.Pulls[i], s.Sums[i] = pulls[i], math.Round(float64(pulls[i])*(0.3+0.35*float64(i)/float64(k)))
		p.Observe(s, i)
	}
	for i := range pulls {
		begin(i)
	}
	for n := 0; b.Loop(); n++ {
		arm := n % k
		if s.Pulls[arm]++; s.Pulls[arm] > 2*pulls[arm]+2 {
			begin(arm)
		}
		if n%5 < 2 {
			s.Sums[arm]++
		}
		p.Observe(s, arm)
		p.Propensities(s, dst)
	}
}

// farthest returns the largest distance between two lists.
func farthest(a, b []float64) float64 {
	d := 0.0
	for i := range a {
		d = max(d, math.Abs(a[i]-b[i]))
	}
	return d
}
