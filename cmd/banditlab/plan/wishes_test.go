package plan

import (
	"slices"
	"strings"
	"testing"

	"banditaudit/cmd/banditlab/documents"
)

func estimateOf(lo, value, hi float64) documents.PlanEstimate {
	return documents.PlanEstimate{Value: value, Lo: lo, Hi: hi}
}

// table is a frontier of three ε and two mechanisms: power falls and regret
// falls with ε.
func table() []documents.PlanPoint {
	at := func(eps, bias, inflation float64, of ...documents.PlanOutcome) documents.PlanPoint {
		return documents.PlanPoint{Epsilon: eps, BiasBound: bias, Inflation: inflation, Mechanisms: of}
	}
	m := func(name string, power, regret documents.PlanEstimate) documents.PlanOutcome {
		return documents.PlanOutcome{Policy: name, Counter: "c", Power: &power, Regret: regret}
	}
	return []documents.PlanPoint{
		at(.1, .025, 2, m("a", estimateOf(.9, .95, 1), estimateOf(90, 100, 110)), m("b", estimateOf(.8, .9, .95), estimateOf(50, 60, 70))),
		at(.2, .05, 4, m("a", estimateOf(.7, .85, .9), estimateOf(40, 50, 60)), m("b", estimateOf(.5, .6, .7), estimateOf(20, 30, 40))),
		at(.5, .12, 9, m("a", estimateOf(0, .1, .2), estimateOf(10, 20, 30)), m("b", estimateOf(0, 0, .1), estimateOf(5, 6, 7))),
	}
}

func TestWishes(t *testing.T) {
	for _, c := range []struct {
		name   string
		wishes Wishes
		chosen int
		policy string // that meets them; "" where none does
		says   []string
	}{
		{"bias", Wishes{Bias: new(.06)}, 1, "b", []string{"ε = 0.2 is the largest", "at ε = 0.5, the next, the bias bound is 0.12, above 0.06"}},
		{"inflation", Wishes{Inflation: new(2.5)}, 0, "b", []string{"ε = 0.1", "4 times as large, above 2.5 times"}},
		{"power, by its interval", Wishes{Power: new(.75)}, 0, "b", []string{"the power of a on c is 0.85 [0.7, 0.9], whose interval begins below 0.75 (more --runs"}},
		{"power, of one only", Wishes{Power: new(.85)}, 0, "a", []string{"ε = 0.1"}},
		{"regret", Wishes{Regret: new(35.0)}, 2, "b", []string{"no larger one was tried"}},
		{"power and regret by one mechanism", Wishes{Power: new(.7), Regret: new(75.0)}, 1, "a", []string{"ε = 0.2"}},
		{"not by two", Wishes{Power: new(.85), Regret: new(75.0)}, -1, "", []string{"No ε", "at ε = 0.1, which comes nearest, the power of b on c is 0.9 [0.8, 0.95]"}},
		{"none", Wishes{Bias: new(.01)}, -1, "", []string{"No ε", "bias bound is 0.025"}},
	} {
		q := &Question{Rounds: 100, P: .05, Alpha: .05, Range: []float64{0, 1}, Wishes: c.wishes}
		p := &documents.Plan{Frontier: table(), Wishes: q.wishes()}
		by := make([]int, len(p.Frontier))
		for i := range p.Frontier {
			p.Frontier[i].Unmet, by[i] = unmet(&p.Frontier[i], p.Wishes)
		}
		got := choose(p.Frontier, true)
		if got != c.chosen {
			t.Errorf("%s: chose %d, want %d", c.name, got, c.chosen)
			continue
		}
		if got >= 0 && p.Frontier[got].Mechanisms[by[got]].Policy != c.policy {
			t.Errorf("%s: by %s, want %s", c.name, p.Frontier[got].Mechanisms[by[got]].Policy, c.policy)
		}
		for _, want := range c.says {
			if text := q.advice(p, got); !strings.Contains(text, want) {
				t.Errorf("%s: no %q in %q", c.name, want, text)
			}
		}
	}
}

// The limits of wishes that are closed in form are ε of the table, meet the
// wish, and hardly more than meet it.
func TestLimitsInTable(t *testing.T) {
	p := answer(t, Question{Rounds: 500, Wishes: Wishes{Bias: new(.03), Inflation: new(3.0)}})
	limit := *p.Wishes[1].EpsilonAt
	if bias := *p.Wishes[0].EpsilonAt; !(limit < bias) || *p.Epsilon != limit || !*p.Met {
		t.Fatalf("limits %g and %g, chose %v", bias, limit, *p.Epsilon)
	}
	i := slices.IndexFunc(p.Frontier, func(f documents.PlanPoint) bool { return f.Epsilon == limit })
	if got := p.Frontier[i].Inflation; got > 3 || got < 2.99 {
		t.Errorf("at the limit p grows %g times, want hardly less than 3", got)
	}
	if !slices.IsSortedFunc(p.Frontier, func(a, b documents.PlanPoint) int { return int(1e6 * (a.Epsilon - b.Epsilon)) }) {
		t.Error("the table is not in the order of ε")
	}
	if p.World != nil || p.Protocol != "" {
		t.Error("something was simulated")
	}
}

// One ε that was asked about is the plan's, whether or not it meets the wishes.
func TestOneEpsilon(t *testing.T) {
	p := answer(t, Question{Rounds: 500, Epsilons: literals("1"), Wishes: Wishes{Bias: new(.03)}})
	if *p.Epsilon != 1 || *p.Met || !strings.Contains(p.Advice, "does not meet every wish") {
		t.Errorf("%v, %v: %s", *p.Epsilon, *p.Met, p.Advice)
	}
	if p = answer(t, Question{Rounds: 500, Epsilons: literals("1", "2")}); p.Epsilon != nil || p.Met != nil || p.BiasBound != nil {
		t.Errorf("of two ε without a wish none is the plan's: %v", p.Epsilon)
	}
}

func TestGrid(t *testing.T) {
	for _, rounds := range []int64{1, 100, 20_000, 1 << 40} {
		grid := (&Question{Rounds: rounds}).grid()
		if n := len(grid); n < 5 || n > 25 {
			t.Errorf("%d rounds: %d values", rounds, n)
		}
		for i, e := range grid {
			if i > 0 && e.Rat().Cmp(grid[i-1].Rat()) <= 0 {
				t.Errorf("%d rounds: %s after %s", rounds, e, grid[i-1])
			}
		}
	}
}
