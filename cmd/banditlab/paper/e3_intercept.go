package paper

import (
	"fmt"
	"math"

	"banditaudit/cmd/banditlab/documents"
)

// interceptFirst is the first coordinate of every context: √½.
const interceptFirst = math.Sqrt2 / 2

// interceptArenas are the settings of a design that is not the paper's: the
// first coordinate of every context is √½, an intercept, and the test is of the
// arm that was pulled least, of those with at least 6 rows.
func interceptArenas(size string) ([]*linearArena, error) {
	c, err := linPrivCounter()
	if err != nil {
		return nil, err
	}
	runs := pick(size, int64(e3Full), e3Short)
	var out []*linearArena
	for _, s := range []struct{ id, words string }{
		{linUniform, "every arm with probability 1/5: no adaptivity"},
		{linOFUL, "OFUL, δ = .05, λ = 1"},
		{linGreedy, "OFUL without a width (greedy ridge regression), λ = 1"},
	} {
		out = append(out, &linearArena{id: s.id, words: s.words, first: interceptFirst, runs: runs, policy: linearPolicies(s.id)})
	}
	private := func(r *runner, replication int64) (linearPolicy, error) {
		return newLinPriv(r, c, linPrivate, replication), nil
	}
	return append(out, &linearArena{
		id: linPrivate, words: "OFUL on private sums (LinPriv without an allowance for its noise): hybrid counters with ε = 1/√T, rewards clipped to ±3 for them",
		first: interceptFirst, runs: runs, policy: private,
	}), nil
}

// e3Intercept shows the effect that the third experiment is about, where it is.
func e3Intercept(r *runner) (*documents.PaperExperiment, error) {
	arenas, err := interceptArenas(r.size)
	if err != nil {
		return nil, err
	}
	by, all, err := playLinear(r, arenas)
	if err != nil {
		return nil, err
	}
	rate, private := by[linOFUL].rejects[testTwoSided], by[linPrivate]
	wide := float64(.06 * math.Sqrt(1000/float64(min(arenas[0].runs, 1000))))
	return &documents.PaperExperiment{
		Title:    "Beside the paper: an intercept that is 0, 5 arms, 500 rounds",
		Question: "Where does adaptivity distort the test of a coefficient, and does privacy with a correction mend it?",
		Settings: all,
		Gates: []documents.PaperGate{
			gate("e3-intercept, OFUL, least-pulled arm: share of p ≤ .05", rate.rate(), .30-wide, .30+wide),
			gate("e3-intercept, LinPriv: share of corrected p ≤ .05", private.rejects[testCorrected].rate(), 0, pick(r.size, .05, .05+3*.011)),
		},
		Plots: []documents.PaperPlot{
			by[linOFUL].histogram("e3-intercept-p-values", "p-values of the z-test of an intercept, null true", "OFUL, least-pulled arm"),
		},
		Notes: []string{
			fmt.Sprintf("The first coordinate of every context is √½, so that a policy that gives an arm up chooses by it. The z-test then rejects a true null in %.0f %% of runs under OFUL.", 100*rate.rate()),
			fmt.Sprintf("On sums that are private at ε = 1/√T it rejects in %.1f %% as it is and in %.1f %% after correction, at a regret of %.0f beside %.0f of OFUL and %.0f of uniform play.",
				100*private.rejects[testTwoSided].rate(), 100*private.rejects[testCorrected].rate(), private.regret.mean, by[linOFUL].regret.mean, by[linUniform].regret.mean),
		},
	}, nil
}
