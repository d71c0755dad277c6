package plan

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"banditaudit/analyze"
	"banditaudit/analyze/stat/hypothesis"
	"banditaudit/cmd/banditlab/documents"
	"banditaudit/cmd/banditlab/world"
	"banditaudit/replay"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
	"banditaudit/schemas/param"
)

// pair is a policy and the counter that it reads.
type pair struct{ policy, counter string }

// catalogue lists the policies and counters that can be planned.
func (q *Question) catalogue() *replay.Catalogue {
	if q.Catalogue == nil {
		return analyze.Standard()
	}
	return q.Catalogue
}

// pairs are what is compared.
func (q *Question) pairs() ([]pair, error) {
	switch {
	case q.Policy == "" && q.On == "":
		return []pair{{"successive-elimination", "epochs"}, {"ucb", "hybrid"}}, nil
	case q.Policy == "" || q.On == "":
		return nil, errors.New("plan: --policy and --counter go together; give both, or neither for successive-elimination on epochs and ucb on hybrid")
	case q.On == schemas.CounterExact:
		return nil, faultf("counter", "exact sums have no ε to plan, and stand beside in any case; write epochs or hybrid")
	}
	return []pair{{q.Policy, q.On}}, nil
}

// set returns the parameters of a pair: the given ones, and the width √(ln t/2N) for
// rewards between 0 and 1, in place of the widths of simulate.
func (q *Question) set(p pair) map[string]string {
	out := map[string]string{}
	if kind := q.catalogue().Policy(p.policy); kind != nil && param.Find(kind.Keys, "width") != nil && !kind.Linear() {
		out["width"] = "{c: 0.5}"
	}
	maps.Copy(out, q.Set)
	if p.counter == schemas.CounterExact { // parameters of a noisy counter are none of it, nor is an allowance for noise
		maps.DeleteFunc(out, func(k, _ string) bool {
			return slices.Contains([]string{"horizon", "exponent", "sensitivity", "bonus"}, k)
		})
	}
	return out
}

// starter declares a pair at an ε.
func (q *Question) starter(p pair, epsilon string) world.Starter {
	st := world.Starter{
		Catalogue: q.catalogue(), ID: "planned", Policy: p.policy, Counter: p.counter, Epsilon: epsilon, Labels: world.DefaultLabels(q.Arms),
		Rounds: q.Rounds, World: world.Bernoulli, Set: q.set(p),
	}
	if q.SD > 0 {
		st.World = world.Beta
	}
	if p.counter == schemas.CounterExact {
		st.Epsilon = ""
	}
	return st
}

// setting is a mechanism in a world, simulated many times.
type setting struct {
	pair
	epsilon    float64 // +Inf for exact sums
	set        map[string]string
	mechanism  *replay.Mechanism
	law        ledger.Law
	spec       *world.Spec
	means      []float64 // on [0,1]
	best, null float64   // the largest mean, and the one that the test denies
	logAlpha   float64
	test       string // exact | t
	equal      bool   // all means are the one that the test denies
}

// newSetting builds the mechanism.
func (q *Question) newSetting(p pair, epsilon schemas.Rational, equal bool) (*setting, error) {
	if kind := q.catalogue().Policy(p.policy); kind != nil && kind.Linear() {
		return nil, faultf("policy", "%s chooses by contexts, and a plan simulates none; write ucb, or another without", p.policy)
	}
	st := q.starter(p, epsilon.String())
	doc, err := st.Declare("plan")
	if err != nil {
		return nil, refused(p, epsilon, err)
	}
	m, err := q.catalogue().New(&doc.Protocol, st.Labels)
	if err != nil {
		return nil, refused(p, epsilon, err)
	}
	s := &setting{pair: p, epsilon: epsilon.Float(), set: st.Set, mechanism: m, law: m.LawOver(q.Rounds), logAlpha: logOf(q.Alpha), test: q.test(), equal: equal}
	if err = s.plannable(epsilon); err != nil {
		return nil, err
	}
	s.null = q.unit(q.tested())
	for _, mean := range q.means() {
		if equal {
			mean = q.tested()
		}
		s.means = append(s.means, q.unit(mean))
	}
	s.best = slices.Max(s.means)
	s.spec = &world.Spec{Catalogue: q.catalogue(), Protocol: &doc.Protocol, Master: replay.Seed(q.Seed), World: st.World, Means: s.means, Rounds: q.Rounds}
	if q.SD > 0 {
		s.spec.Concentration = q.concentration()
	}
	if err := s.spec.Check(); err != nil {
		return nil, refused(p, epsilon, err)
	}
	return s, nil
}

// plannable refuses a mechanism for which ε is not what its rows cost at most.
func (s *setting) plannable(epsilon schemas.Rational) error {
	total := s.law.Epsilon()
	switch {
	case !s.mechanism.ReadsRewards():
		return faultf("policy", "%s reads no rewards, so that nothing is biased and there is no ε to plan; write ucb, or another that does", s.policy)
	case s.counter != schemas.CounterExact && (total.IsInf() || total.Rat().Cmp(epsilon.Rat()) > 0):
		const digits = 4
		return faultf("counter", "%s on %s costs ε = %s, not the %s of the counter; a plan takes mechanisms whose rows cost at most that, such as ucb on hybrid", s.policy, s.counter, total.Decimal(digits), epsilon)
	}
	return nil
}

// refused says which mechanism could not be built.
func refused(p pair, epsilon schemas.Rational, err error) error {
	name := p.policy + " on " + p.counter
	if !epsilon.IsZero() {
		name += " with ε = " + epsilon.String()
	}
	return fmt.Errorf("plan: %s: %w", name, err)
}

// unit takes a reward to [0,1].
func (q *Question) unit(y float64) float64 {
	return max(0, min(1, (y-q.Range[0])/q.width()))
}

// concentration returns the concentration of Beta rewards whose standard deviation at the mean
// ½ is the one that was asked for, at least 0.001.
func (q *Question) concentration() float64 {
	sd := q.SD / q.width()
	return max(.25/float64(sd*sd)-1, 1e-3)
}

// tested is the mean that the test denies of the arm that was pulled most: the
// largest that is below the best.
func (q *Question) tested() float64 {
	best := slices.Max(q.means())
	return slices.Max(slices.DeleteFunc(slices.Clone(q.means()), func(m float64) bool { return m == best }))
}

// stanza is the protocol of a chosen mechanism.
func (q *Question) stanza(p pair, epsilon schemas.Rational) (string, error) {
	st := q.starter(p, epsilon.String())
	st.Range, st.Seedless = q.Range, true
	st.Planned = &world.Planned{Mean: q.tested(), Alpha: q.Alpha}
	doc, err := st.Declare("plan")
	if err != nil {
		return "", refused(p, epsilon, err)
	}
	return string(doc.Source), nil
}

// The tests of a mean that are the defaults of a protocol: of rewards of 0 and 1,
// and of others.
const (
	testExact = "exact"
	testBets  = "bets"
)

// test is the name of the test that the protocol declares.
func (q *Question) test() string {
	if q.SD == 0 && q.Range[0] == 0 && q.Range[1] == 1 {
		return testExact
	}
	return testBets
}

// settings lists what was declared, by key.
func settings(set map[string]string) []documents.PlanSettings {
	var out []documents.PlanSettings
	for _, key := range slices.Sorted(maps.Keys(set)) {
		out = append(out, documents.PlanSettings{Key: key, Value: strings.TrimSpace(set[key])})
	}
	return out
}

// alternative of every test.
const alternative = hypothesis.TwoSided
