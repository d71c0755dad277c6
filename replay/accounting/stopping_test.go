package accounting

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/ingest/tableau"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// stopped is a protocol of an experiment that a rule on released values stopped.
func stopped(policy, counter, epsilon string, horizon int64) *schemas.Protocol {
	p := protocol(policy, counter)
	p.Experiment.Stopping = schemas.StoppingReleased
	if epsilon != "" {
		p.Counter.Epsilon, p.Counter.Horizon = schemas.MustRational(epsilon), horizon
	}
	return p
}

// TestStoppingLedger is the ledger of one log by hand. Arms 0 1 0 0 were played;
// the reward of round 3 never became known, so that the stream of arm 0 has two
// rows and that of arm 1 one, and the last reward came after the last decision
// of the policy.
//
// Laplace: ε = 1/2 for each row that arrived. Binary, horizon 4, ε = 3/5: three
// levels, ε/3 = 1/5 for a node; of two rows the first leaf and the sum of both
// are released, so that the first row of arm 0 is in two, and its second and
// that of arm 1 in one. Exact: ∞. With a horizon of 1 the second row of arm 0 was never taken.
func TestStoppingLedger(t *testing.T) {
	inf := math.Inf(1)
	every := func(p *schemas.Protocol) *schemas.Protocol {
		p.Policy.Update = &schemas.Update{Every: 100}
		return p
	}
	fixed := func(p *schemas.Protocol) *schemas.Protocol {
		p.Experiment.Stopping = schemas.StoppingFixed
		return p
	}
	soft := stopped("softmax", "exact", "", 0)
	soft.Policy.Set("eta", 0.125)
	for _, c := range []struct {
		name          string
		p             *schemas.Protocol
		want          []float64
		epsilon, most float64
		note          string
	}{
		{"uniform × laplace", stopped("uniform", "laplace", "0.5", 0), []float64{.5, .5, 0, .5}, .5, .5, "charged with all that the declared counter released"},
		{"ucb × laplace", stopped("ucb", "laplace", "0.5", 0), []float64{.5, .5, 0, .5}, .5, .5, "never became known"},
		{"every 100", every(stopped("ucb", "laplace", "0.5", 0)), []float64{.5, .5, 0, .5}, .5, .5, "charged with all"},
		{"uniform × binary", stopped("uniform", "binary", "0.6", 4), []float64{.4, .2, 0, .2}, .6, .4, "charged with all"},
		{"uniform × exact", stopped("uniform", "exact", "", 0), []float64{inf, inf, 0, inf}, inf, inf, "no ε is known"},
		{"softmax × exact", soft, []float64{inf, inf, 0, inf}, inf, inf, "no ε is known"},
		{"overfull", stopped("uniform", "binary", "0.6", 1), []float64{.6, .6, 0, inf}, .6, inf, "more rows than the declared counter takes"},
		{"fixed, uniform", fixed(stopped("uniform", "laplace", "0.5", 0)), []float64{0, 0, 0, 0}, 0, 0, "nothing about them is released"},
		{"fixed, ucb", fixed(stopped("ucb", "laplace", "0.5", 0)), []float64{.5, .5, 0, 0}, .5, .5, "they cost nothing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := &history{arm: []int32{0, 1, 0, 0}, round: []int64{1, 2, 3, 4}, known: []int64{1, 2, tableau.NeverKnown, 4}}
			s := h.slice(t)
			d := declare(t, c.p)
			got := collect(t, s, func(visit func(int, []float64) error) error { return d.Costs(context.Background(), s, visit) })
			for i, want := range c.want {
				if !alike(schemas.Extended(got[i]), want) {
					t.Errorf("rows cost %v, want %v", got, c.want)
					break
				}
			}
			a, _, err := d.Account(context.Background(), s)
			if err != nil {
				t.Fatal(err)
			}
			if !alike(*a.EpsilonMechanism, c.epsilon) || !alike(*a.EpsilonRealized, c.most) {
				t.Errorf("ε %v, realised %v, want %v and %v", *a.EpsilonMechanism, *a.EpsilonRealized, c.epsilon, c.most)
			}
			if !strings.Contains(strings.Join(a.Notes, "\n"), c.note) {
				t.Errorf("no note says %q: %q", c.note, a.Notes)
			}
		})
	}
}

// alike reports whether a number is another, or that rounded up.
func alike(got schemas.Extended, want float64) bool {
	g := float64(got)
	return g == want || g >= want && g <= want*(1+1e-12) && want > 0
}

// TestStoppingUndeclared: of a rule that reads values of a counter that is not
// declared nothing is accounted for.
func TestStoppingUndeclared(t *testing.T) {
	h := &history{arm: []int32{0, 1, 0}, round: []int64{1, 2, 3}}
	p := stopped("uniform", "", "", 0)
	a, _, err := declare(t, p).Account(context.Background(), h.slice(t))
	if err != nil {
		t.Fatal(err)
	}
	if a.EpsilonMechanism != nil || a.EpsilonRealized != nil || a.SumSquaredCosts != nil || len(a.Levels) > 0 || !slices.Contains(a.Notes, "A rule that read released values stopped the experiment"+undeclaredReleases) {
		t.Errorf("%+v", a)
	}
}

// TestStoppingAgainstDefinition: a stopping rule is one more decision, after the
// last round, that reads every reward known by then. The ledger with it is that
// of a fixed log with one more round, of another arm, in which the policy
// learns.
func TestStoppingAgainstDefinition(t *testing.T) {
	outer := t
	rapid.Check(t, func(t *rapid.T) {
		h := drawHistory(t)
		h.batch, h.unit = nil, nil
		p := protocol("ucb", "hybrid")
		if rapid.Bool().Draw(t, "tree") {
			p = protocol("ucb", "tree")
			p.Counter.Epsilon, p.Counter.Horizon = schemas.MustRational("0.7"), 60
		}
		longer := &history{arm: append(slices.Clone(h.arm), 0), round: append(slices.Clone(h.round), h.round[len(h.round)-1]+1)}
		if h.known != nil {
			longer.known = append(slices.Clone(h.known), tableau.NeverKnown)
		}
		s := longer.slice(outer)
		want := collect(outer, s, func(visit func(int, []float64) error) error {
			return declare(t, p).Costs(context.Background(), s, visit)
		})[:len(h.arm)]
		p.Experiment.Stopping = schemas.StoppingReleased
		for _, policy := range []string{"ucb", "uniform"} {
			q := *p
			if policy == "uniform" {
				q.Policy = &schemas.Policy{Name: policy}
			}
			short := h.slice(outer)
			got := collect(outer, short, func(visit func(int, []float64) error) error {
				return declare(t, &q).Costs(context.Background(), short, visit)
			})
			if !slices.Equal(got, want) {
				t.Fatalf("%s: rows cost %v, want %v", policy, got, want)
			}
			m := mechanismOf(t, &q, arms())
			a, _, err := declare(t, &q).Account(context.Background(), short)
			if err != nil {
				t.Fatal(err)
			}
			if law := m.Released(); float64(*a.EpsilonMechanism) != law.Epsilon().Up() || float64(*a.RhoMechanism) != ledger.Concentrated(law) {
				t.Fatalf("ε %v, ρ %v", *a.EpsilonMechanism, *a.RhoMechanism)
			}
		}
	})
}
