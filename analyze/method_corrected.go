package analyze

import (
	"context"
	"fmt"
	"math"

	"banditaudit/analyze/decide/validity"
	"banditaudit/analyze/log/publiclog"
	rewards "banditaudit/analyze/rewards/sums"
	"banditaudit/analyze/stat/maxinfo"
	"banditaudit/schemas"
)

// corrected decides by the corrected p, which was made with the raw one.
func corrected(ctx context.Context, a *answers, t *answer) (methodAnswer, error) {
	head := t.headline()
	out := methodAnswer{result: *head, logP: math.NaN(), logE: math.NaN()}
	if !head.Applicable {
		return out, nil
	}
	out.logP, out.validIf = t.logCorrected, a.mechanismIf()
	if c := t.record.Comparison; c != nil && c.ValidIf != out.validIf {
		out.validIf = publiclog.Joined(out.validIf, c.ValidIf)
	}
	if a.protocol.Analysis.Multiplicity == schemas.AdjustEBH {
		out.logE = calibrated(out.logP)
	}
	var err error
	out.passed, err = t.passesCorrected(ctx, a)
	return out, err
}

// mechanismIf is what the ledger rests on that was not recomputed; "" where nothing is.
func (a *answers) mechanismIf() string {
	switch {
	case a.facts.Mechanism == nil:
		return ""
	case !a.facts.Mechanism.ReadsRewards():
		return evenIf(a.evidence)
	case a.evidence.Conformance.Verdict == schemas.Verified && a.evidence.NoiseKnown:
		return ""
	}
	return schemas.ValidIfMechanism
}

// calibrated is ln e of an e-value made of a p-value, e = ½·p^(−½), which has
// expectation at most 1 where p is uniform or larger.
func calibrated(logP float64) float64 { return -math.Ln2 - float64(logP/2) }

// strong is what a raw p of a corrected test has to reach in comparison with the
// level that it is held to: about there a corrected p and a wager reject equally
// often.
const strong = 100

// passOver says why auto does not take the corrected p of a mean although there is
// one; "" where it does. It does where the policy reads no rewards, so that nothing
// is to be corrected, or where the noise leaves a test a chance,
//
//	ln(1/γ(α/m; σ₀)) ≤ ln(100·m/α)
//
// with γ the raw level of the correction by Rényi divergences, m the number of tests,
// and σ₀ the σ of blocks·⌈H/K⌉ rows at the ε of the mechanism, H the horizon of the
// counter, else the number of rounds where it is fixed. Nothing of this depends on rewards.
func (a *answers) passOver(blocks int64) string {
	m := a.facts.Mechanism
	switch {
	case m == nil:
		return "no policy is declared"
	case !m.ReadsRewards():
		return ""
	case !validity.AddsNoise(a.protocol):
		return "the counter adds no noise"
	}
	h := horizon(a.protocol)
	if h == 0 && a.protocol.Experiment.Stopping == schemas.StoppingFixed {
		h = a.facts.Pub.Rounds
	}
	if h == 0 {
		return "neither a horizon (counter.horizon) nor a fixed number of rounds (experiment.stopping) is declared, by which the noise could be judged beforehand"
	}
	k := int64(a.facts.K())
	rows := blocks * ((h + k - 1) / k)
	tests := float64(len(a.sample.questions.declared))
	level := publiclog.LogAlpha(a.protocol) - math.Log(tests)
	gamma := maxinfo.Renyi([]maxinfo.Level{{Cost: a.accounts.Ledger.Epsilon().Up(), Rows: rows}}).Level(level)
	if -gamma <= math.Log(strong)-level {
		return ""
	}
	return fmt.Sprintf("for that a raw p of 10^%.0f would be needed, and no more than 10^%.0f is asked (ε = %.4g of a row, %s, %s)",
		gamma/math.Ln10, (level-math.Log(strong))/math.Ln10, a.accounts.Ledger.Epsilon().Up(), rowsOf(rows), schemas.Counted(int64(len(a.sample.questions.declared)), "test"))
}

// rowsOf counts rows that an arm has in the design.
func rowsOf(n int64) string { return schemas.Counted(n, "row") + " an arm or pair" }

// passesCorrected says why auto passes over the corrected p of a test.
func (t *answer) passesCorrected(ctx context.Context, a *answers) (string, error) {
	switch t.kind {
	case schemas.TestMean:
		return a.passOver(1), nil
	case schemas.TestDifference:
		even, err := a.sample.evenly(ctx, []int{t.arm, t.against})
		if err != nil || even {
			return "", err
		}
		if why := a.sample.rewards.NotConstant(); why != "" {
			return why, nil
		}
		if !rewards.MeansDeclared(a.protocol) {
			return "it holds only where each arm's mean is constant, which is not declared (analysis.means)", nil
		}
		return a.passOver(2), nil
	}
	return "", nil
}
