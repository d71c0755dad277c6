package paper

import (
	"math"
	"slices"

	"banditaudit/analyze/stat/confseq"
	"banditaudit/analyze/stat/hypothesis"
	"banditaudit/analyze/stat/maxinfo"
	"banditaudit/cmd/banditlab/documents"
	"banditaudit/replay"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// Which arm is tested, and how.
const (
	mostPulled    = "most-pulled arm"
	leastPulled   = "least-pulled arm"
	naiveTest     = "naive p"
	correctedTest = "corrected p"
	sequenceTest  = "p of the confidence sequence"
)

func testNames() []string  { return []string{naiveTest, correctedTest, sequenceTest} }
func testedArms() []string { return []string{mostPulled, leastPulled} }

// testArena is an arena in which each run ends with tests of the mean ½ of the
// arms that were pulled most and least.
type testArena struct {
	arena

	law ledger.Law
}

func newTestArena(id, words string, p *schemas.Protocol, means []float64, rounds, runs int64) *testArena {
	a := &testArena{arena: arena{id: id, words: words, means: means, rounds: rounds, runs: runs, player: declare(p)}}
	if m, err := replay.Standard().New(p, p.Arms); err == nil { // else the player says why
		a.law = m.LawOver(rounds)
	}
	return a
}

// testOutcome is what replications add up to.
type testOutcome struct {
	rejects map[[2]string]*share
	below   map[[2]string]*levels
	regret  average
	best    share // runs in which the arm with the largest mean was pulled most
}

func newTestOutcome() *testOutcome {
	o := &testOutcome{rejects: map[[2]string]*share{}, below: map[[2]string]*levels{}}
	for _, arm := range testedArms() {
		for _, test := range testNames() {
			o.rejects[[2]string{arm, test}], o.below[[2]string{arm, test}] = new(share), new(levels)
		}
	}
	return o
}

func (o *testOutcome) fold(from *testOutcome) {
	for key, s := range o.rejects {
		s.merge(from.rejects[key])
		o.below[key].merge(from.below[key])
	}
	o.regret.merge(&from.regret)
	o.best.merge(&from.best)
}

// add counts the p-value of a test of an arm.
func (o *testOutcome) add(arm, test string, logP float64) {
	key := [2]string{arm, test}
	o.rejects[key].add(rejects(logP))
	o.below[key].add(logP)
}

// rate is the share of runs in which a test of an arm rejects.
func (o *testOutcome) rate(arm, test string) float64 { return o.rejects[[2]string{arm, test}].rate() }

// corrected is the larger rate of corrected rejections of the two arms.
func (o *testOutcome) corrected() float64 {
	return max(o.rate(mostPulled, correctedTest), o.rate(leastPulled, correctedTest))
}

func (a *testArena) play(r *runner) (*testOutcome, error) {
	best := slices.Max(a.means)
	r.rounds = a.rounds
	return replicate(r, a.runs, newTestOutcome, func(o *testOutcome, replication int64) error {
		p, err := a.player()
		if err != nil {
			return err
		}
		end, err := a.walk(r, p, replication, func(int64, []float64) {})
		if err != nil {
			return err
		}
		o.regret.add(a.lost(end.pulls, best))
		a.test(o, &end)
		return nil
	}, (*testOutcome).fold)
}

// test tests the arms of one run that were pulled most and least, of equal ones
// the first.
func (a *testArena) test(o *testOutcome, end *walked) {
	pulls := make([]int64, len(end.pulls))
	for i, n := range end.pulls {
		pulls[i] = int64(n)
	}
	most := slices.Index(pulls, slices.Max(pulls))
	// Alone: equal pulls are no choice.
	o.best.add(a.means[most] == slices.Max(a.means) && !slices.Contains(pulls[most+1:], pulls[most]))
	for name, arm := range map[string]int{mostPulled: most, leastPulled: slices.Index(pulls, slices.Min(pulls))} {
		n, x := pulls[arm], int64(end.sums[arm])
		if n == 0 {
			continue
		}
		naive := hypothesis.BinomialLogP(x, n, .5, hypothesis.TwoSided)
		o.add(name, naiveTest, naive)
		if costs := a.costs(arm, n, end.last); costs != nil {
			o.add(name, correctedTest, maxinfo.Renyi(costs).Apply(naive))
		}
		sequence := confseq.SequenceP(n, end.sums[arm]/float64(n), .5, confseq.Sequence{Hi: 1, K: len(pulls), LogAlpha: math.Log(.05)})
		o.add(name, sequenceTest, sequence)
	}
}

// costs returns the privacy losses of an arm's n rows on this path; nil for a policy whose
// losses have no bound.
func (a *testArena) costs(arm int, n int64, last int) []maxinfo.Level {
	if a.law == nil || a.law.Epsilon().Rat() == nil {
		return nil
	}
	return armCosts(a.law, arm, n, last)
}

// armCosts returns the privacy losses of an arm's n rows, rounded up. The reward of the last
// round, which is the last row of arm last, is used by no decision.
func armCosts(law ledger.Law, arm int, n int64, last int) []maxinfo.Level {
	read := n
	if arm == last {
		read--
	}
	var out []maxinfo.Level
	for _, l := range ledger.Account(law, []int64{n}, []int64{read}).Arms[0].Levels {
		out = append(out, maxinfo.Level{Cost: l.Cost.Up(), Rows: l.Rows})
	}
	return out
}

// setting describes the arena with what was measured.
func (a *testArena) setting(o *testOutcome) documents.PaperSetting {
	s := documents.PaperSetting{ID: a.id, Words: a.words, Arms: len(a.means), Rounds: a.rounds, Runs: a.runs}
	for _, arm := range testedArms() {
		for _, test := range testNames() {
			if rate := o.rejects[[2]string{arm, test}]; rate.runs > 0 {
				s.Measures = append(s.Measures, rate.measure("share of "+test+" ≤ .05, "+arm))
			}
		}
	}
	s.Measures = append(s.Measures, around("regret", o.regret.mean, o.regret.se()))
	if slices.Min(a.means) < slices.Max(a.means) {
		s.Measures = append(s.Measures, o.best.measure("runs that pulled the best arm most"))
	}
	return s
}
