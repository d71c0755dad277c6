package paper

import (
	"math"
	"math/rand/v2"

	"banditaudit/analyze/stat/maxinfo"
	"banditaudit/analyze/stat/tail"
	"banditaudit/cmd/banditlab/documents"
	"banditaudit/replay/policy/bitexact"
)

const linearRounds = 500

// linearArena is the contextual experiment under one policy, with a z-test of
// the first coefficient of the arm that was pulled most, or least among those
// with at least 6 rows.
type linearArena struct {
	id, words string
	first     float64 // see linearWorld
	most      bool
	runs      int64
	policy    func(r *runner, replication int64) (linearPolicy, error)
}

// linearOutcome is what replications add up to. Each run gives one p-value; they stand in
// the order of the runs.
type linearOutcome struct {
	p       []float64 // two-sided, of the z-test
	rejects map[string]*share
	regret  average
}

// The tests of one coefficient, at level .05.
const (
	testTwoSided  = "z-test, two-sided"
	testLower     = "z-test against a lower value, one-sided"
	testRootless  = "the same statistic divided by the variance and not by its root"
	testCorrected = "z-test, two-sided, corrected for the ledger of the path"
)

func linearTests() []string { return []string{testTwoSided, testLower, testRootless, testCorrected} }

func newLinearOutcome() *linearOutcome {
	o := &linearOutcome{rejects: map[string]*share{}}
	for _, name := range linearTests() {
		o.rejects[name] = new(share)
	}
	return o
}

func (o *linearOutcome) fold(from *linearOutcome) {
	o.p = append(o.p, from.p...)
	for _, name := range linearTests() {
		o.rejects[name].merge(from.rejects[name])
	}
	o.regret.merge(&from.regret)
}

func (a *linearArena) play(r *runner) (*linearOutcome, error) {
	r.rounds = linearRounds
	return replicate(r, a.runs, newLinearOutcome, func(o *linearOutcome, replication int64) error {
		p, err := a.policy(r, replication)
		if err != nil {
			return err
		}
		return a.once(r, p, o, replication)
	}, (*linearOutcome).fold)
}

// once is one replication.
func (a *linearArena) once(r *runner, p linearPolicy, o *linearOutcome, replication int64) error {
	w := newLinearWorld(r.source("world.reward", a.id, replication), a.first)
	var arms [linearArms]gram
	lost := 0.0
	for range linearRounds {
		w.round()
		arm := p.choose(&w.x)
		lost += w.lost(arm)
		y := w.reward(arm)
		arms[arm].add(&w.x[arm], y)
		if err := p.learn(arm, &w.x[arm], y); err != nil {
			return err
		}
	}
	o.regret.add(lost)
	arm := byPulls(&arms, a.most, linearDim+1)
	if arm < 0 {
		return nil
	}
	estimate, variance, ok := arms[arm].first()
	if !ok {
		return nil
	}
	z := estimate / math.Sqrt(variance)
	logP := tail.LogNormalTwoSided(z)
	o.p = append(o.p, bitexact.Exp(logP))
	o.rejects[testTwoSided].add(rejects(logP))
	o.rejects[testLower].add(rejects(tail.LogNormal(-z)))
	o.rejects[testRootless].add(rejects(tail.LogNormalTwoSided(estimate / variance)))
	if private, ok := p.(*linPriv); ok {
		o.rejects[testCorrected].add(rejects(private.corrected(arm, logP)))
	}
	return nil
}

// rejects reports whether p is at most .05.
func rejects(logP float64) bool { return logP <= math.Log(.05) }

// corrected corrects p by the costs of the arm's rows on this path.
func (p *linPriv) corrected(arm int, logP float64) float64 {
	return maxinfo.Renyi(armCosts(p.counter, arm, p.pulls[arm], p.last)).Apply(logP)
}

// setting describes the arena with what was measured.
func (a *linearArena) setting(o *linearOutcome) documents.PaperSetting {
	s := documents.PaperSetting{ID: a.id, Words: a.words, Arms: linearArms, Rounds: linearRounds, Runs: a.runs}
	for _, name := range linearTests() {
		if rate := o.rejects[name]; rate.runs > 0 {
			s.Measures = append(s.Measures, rate.measure("share of p ≤ .05: "+name))
		}
	}
	s.Measures = append(s.Measures, around("regret", o.regret.mean, o.regret.se()))
	return s
}

// histogram counts p-values in 20 equal cells, as shares of all.
func (o *linearOutcome) histogram(id, title, label string) documents.PaperPlot {
	const cells = 20
	line := documents.PaperLine{Label: label, Y: make([]float64, cells)}
	for i := range cells + 1 {
		line.X = append(line.X, float64(i)/cells)
	}
	for _, p := range o.p {
		line.Y[min(int(p*cells), cells-1)] += 1 / float64(len(o.p))
	}
	return documents.PaperPlot{ID: id, Title: title, Kind: "histogram", XLabel: "p", YLabel: "share of runs", Lines: []documents.PaperLine{line}, Mark: new(.05)}
}

// source of the policy's own draws.
func policyRand(r *runner, setting string, replication int64) *rand.Rand {
	return rand.New(r.source("policy", setting, replication))
}
