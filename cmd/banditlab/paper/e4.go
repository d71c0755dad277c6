package paper

import (
	"fmt"
	"math"

	"banditaudit/analyze/stat/maxinfo"
	"banditaudit/analyze/stat/tail"
	"banditaudit/cmd/banditlab/documents"
	"banditaudit/schemas"
)

const (
	testedSE     = "successive-elimination-epochs"
	testedHybrid = "private-ucb"
)

const (
	e4Arms      = 5
	e4Short     = 500 // rounds of the first table
	e4Long      = 10_000
	e4Runs      = 50_000
	e4LongRuns  = 1000
	e4FewRuns   = 400
	e4FewLong   = 40
	e4Effect    = .1
	e4BestFirst = "-best"
)

// testedPolicy is a policy of the table of tests, with ε of each arm's counter.
type testedPolicy struct {
	id, words string
	rounds    int64
	protocol  *schemas.Protocol
}

// e4Policies lists the policies of the two tables. At T = 500 ε = .0447, 1/√T rounded down,
// keeps ε√T below 1.
func e4Policies() []testedPolicy {
	elimination := func(share string, rounds int64) *schemas.Protocol {
		return protocol(e4Arms, &schemas.Policy{Name: "successive-elimination", Own: schemas.Values{"width": width(.5), "bonus": "quantile"}},
			&schemas.Counter{Name: "epochs", Epsilon: schemas.MustRational(share), Horizon: rounds})
	}
	even := protocol(e4Arms, &schemas.Policy{Name: "uniform"}, nil)
	return []testedPolicy{
		{linUniform, "every arm with probability 1/5, T = 500", e4Short, even},
		{ucbHalf, "UCB, width √(ln t/2N), T = 500", e4Short, ucb(e4Arms, width(.5), "seeded")},
		{ucbTwo, "UCB, width √(2 ln t/N) (UCB1), T = 500", e4Short, ucb(e4Arms, width(2), "seeded")},
		{testedHybrid, "UCB on hybrid counters, width √(ln t/2N), ε = .0447, T = 500", e4Short, privateUCB(e4Arms, width(.5), "none", "first", "0.0447", e4Short)},
		{testedSE, "successive elimination on epochs, ε = .0447, T = 500", e4Short, elimination("0.0447", e4Short)},
		{ucbHalf + "-long", "UCB, width √(ln t/2N), T = 10,000", e4Long, ucb(e4Arms, width(.5), "seeded")},
		{testedSE + "-long", "successive elimination on epochs, ε = .02, T = 10,000", e4Long, elimination("0.02", e4Long)},
		{testedSE + "-wide", "successive elimination on epochs, ε = .1, T = 10,000", e4Long, elimination("0.1", e4Long)},
	}
}

// e4Arenas are every policy where all arms pay ½, and where one pays .6.
func e4Arenas(size string) []*testArena {
	var out []*testArena
	for _, p := range e4Policies() {
		runs := pick(size, int64(e4Runs), e4FewRuns)
		if p.rounds == e4Long {
			runs = pick(size, int64(e4LongRuns), e4FewLong)
		}
		level, best := []float64{.5, .5, .5, .5, .5}, []float64{.5 + e4Effect, .5, .5, .5, .5}
		out = append(out,
			newTestArena(p.id, p.words+", all means ½", p.protocol, level, p.rounds, runs),
			newTestArena(p.id+e4BestFirst, p.words+", one mean .6", p.protocol, best, p.rounds, runs))
	}
	return out
}

// e4 is what corrected tests reject, falsely and rightly.
func e4(r *runner) (*documents.PaperExperiment, error) {
	by, all := map[string]*testOutcome{}, []documents.PaperSetting(nil)
	for _, a := range e4Arenas(r.size) {
		o, err := a.play(r)
		if err != nil {
			return nil, err
		}
		by[a.id], all = o, append(all, a.setting(o))
	}
	naive := by[ucbHalf].rate(leastPulled, naiveTest)
	short := max(by[testedHybrid].corrected(), by[testedSE].corrected())
	long := max(by[testedSE+"-long"].corrected(), by[testedSE+"-wide"].corrected())
	few := math.Sqrt(float64(e4Runs) / float64(pick(r.size, int64(e4Runs), e4FewRuns)))
	return &documents.PaperExperiment{
		Title:    "Beside the paper: tests of an arm's mean after correction",
		Question: "What do corrected tests reject, beside naive ones and confidence sequences?",
		Settings: all,
		Gates: []documents.PaperGate{
			// .1684 ± .0013 by testdata/reference/naive.py, which shares nothing with this.
			gate("E4, UCB c = .5, T = 500, least-pulled arm: share of naive p ≤ .05 under the null", naive, .168-float64(.008*few), .168+float64(.008*few)),
			gate("E4, T = 500: largest share of corrected p ≤ .05 under the null", short, 0, pick(r.size, .03, .06)),
			gate("E4, T = 10,000: largest share of corrected p ≤ .05 under the null", long, 0, pick(r.size, .05, .12)),
		},
		Plots: []documents.PaperPlot{falseAlarms(by), thresholds()},
		Notes: []string{
			"Naive tests are exact binomial tests, two-sided at .05, of the arm that was pulled most or least. The corrected p is for the ledger of the path; confidence sequences need no privacy.",
			"The correction of the published route depends on c = ε√T alone; the second figure shows the z from which it rejects. As printed, its corollary takes α/2^k, whose level is α + β; (α − β)/2^k has level α.",
			e4Elimination(by),
		},
	}, nil
}

// e4Elimination says what a private policy costs and finds over the long horizon.
func e4Elimination(by map[string]*testOutcome) string {
	null, effect := by[testedSE+"-wide"], by[testedSE+"-wide"+e4BestFirst]
	lost := effect.regret.mean / (e4Long * e4Effect * (e4Arms - 1) / e4Arms)
	out := fmt.Sprintf("At T = 10,000 successive elimination with ε = .1 rejects the true effect in %.0f %% of runs after correction and a true null in %.1f %%, at a regret of %.2f of uniform play.",
		100*effect.rate(mostPulled, correctedTest), 100*null.corrected(), lost)
	if lost > .99 {
		out += " It drops no arm within these rounds, so that this is uniform play in effect; of arms pulled equally often the first is tested, which is the one with the effect."
	}
	return out
}

// thresholds are the z beyond which a corrected test rejects at .05, against
// c = ε√T: by the published route (Theorem 20 of Dwork et al. 2015, best β), and
// conditional on the actions at σ = c/2.
func thresholds() documents.PaperPlot {
	const rounds = 1_000_000
	published := documents.PaperLine{Label: "Theorem 20, best β"}
	conditional := documents.PaperLine{Label: "given the actions, σ = ε√T/2"}
	z := func(logP float64) float64 { return tail.NormalQuantile(logP - math.Ln2) }
	alpha := math.Log(.05)
	for i := range 51 {
		c := float64(i) / 10
		published.X, conditional.X = append(published.X, c), append(conditional.X, c)
		published.Y = append(published.Y, z(maxinfo.Theorem20Gamma(alpha, c/math.Sqrt(rounds), rounds).LogP))
		conditional.Y = append(conditional.Y, z(maxinfo.GammaLog(alpha, float64(c/2))))
	}
	return documents.PaperPlot{ID: "e4-thresholds", Title: "z at which a corrected test rejects at .05", Kind: "curves", XLabel: "c = ε√T", YLabel: "z", Lines: []documents.PaperLine{published, conditional}, Mark: new(z95)}
}
