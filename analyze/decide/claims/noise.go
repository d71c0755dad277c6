package claims

import (
	"fmt"
	"strings"

	"banditaudit/analyze/decide/validity"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/replay/noise"
	"banditaudit/schemas"
	"banditaudit/schemas/param"
)

// ofEpsilon says whose noise has the scale found, with its interval.
func ofEpsilon(fit *schemas.NoiseFit) string {
	return "the noise is that of ε = " + validity.WithEnds(fit.Epsilon, fit.EpsilonLo, fit.EpsilonHi) + " (of the mechanism: on any path)"
}

// noiseClaim is that released values have the noise of the declared counter; implied where
// released values are logged.
func noiseClaim() Claim {
	return Claim{Claim: param.Claim{Kind: schemas.KindPrivacyNoise, Asks: "whether the released values hold the declared noise", Broken: "the released values do not hold the declared noise", Explains: true, Needs: []param.Need{param.NeedReleased, param.NeedNoise}, Unseen: unseenNoise()}, Implied: func(in *publiclog.Log) bool { return in.Slice.Schema().ReleasedByArm > 0 }, Decide: (*Findings).decideNoise}
}

// unseenNoise is what would pass privacy.noise.
func unseenNoise() []param.Unseen {
	return []param.Unseen{{Words: []string{
		"noise whose scale is off by less than the factor beside the verdict",
		"noise that somebody else knows: of a published seed, or of a weak generator",
		"noise that is also in another log, or in another experiment of this one whose released values are rounded, on a coarse lattice or few",
		"noise that is that of another experiment in another order, shifted or with other signs",
		"noise of a node, or of several rows at once, that follows other rewards than those which arrived since the release before, and noise that follows earlier rewards, or rewards of other arms",
		"noise of which few draws follow the rewards, or in another way than their signs and sizes do",
		"noise that is cut off where so few draws of the log would lie beyond that their absence is no surprise, or at another size for sums of several draws",
		"noise of releases after the first 65,536 values of an experiment, of which no draws are told apart",
		"a dependence between draws that none of the tests looks for",
	}}}
}

// decideNoise is the verdict on privacy.noise.
func (v *Findings) decideNoise(f *schemas.Finding, _ *schemas.Claim) {
	f.Statement = "The noise in the released values is that of the declared counter: independent discrete Laplace of the declared scales, drawn once."
	f.Verdict, f.Reason = v.Evidence.Noise.Verdict, v.Evidence.Noise.Why
	f.Evidence = []string{pointer(v.Facts.Log, "/replay/released")}
	if f.Verdict == schemas.Violated {
		f.Failing = validity.NoiseFailing(v.Protocol, v.Replayed.Released)
	}
	if v.Replayed == nil || v.Replayed.Released == nil {
		f.Evidence = []string{pointer(v.Facts.Log, "/replay")}
		return
	}
	fit := v.Replayed.Released.Noise
	if fit == nil || !validity.ReadsNoise(v.Facts.Log) {
		return
	}
	if n := v.Facts.Whole().Experiments; n > 1 {
		defer func() {
			f.Procedure += fmt.Sprintf("; the first draws of each arm against those of all %s experiments, level %.3g together", schemas.Grouped(int64(n)), noise.AcrossLevel)
		}()
	}
	f.Procedure = fmt.Sprintf("released values less the exact sums of the same rows, told apart into the draws of the counter; %s at level %.3g together%s; intervals at level %s", testWords(fit), fit.Level, v.Facts.Whole().Shared(), schemas.NoiseIntervalLevel)
	f.Observed = fmt.Sprintf("%s told apart in %s", schemas.Counted(fit.Recovered, "draw"), schemas.Counted(fit.Releases, "release"))
	if fit.Scaled() {
		f.Observed = ofEpsilon(fit) + declaredNoise(v.Protocol, fit) + scaleWords(fit) + "; " + f.Observed
	}
	switch {
	case f.Verdict == schemas.Violated && validity.OffGrid(v.Protocol, fit):
		f.Observed = schemas.FailingIn(f.Failing) + "; " + f.Observed
	case fit.Lattice != "":
		counter := v.Protocol.Counter
		f.Observed = "all released values are multiples of " + fit.Lattice + " (counter.grid is " + counter.Grid.String() + "); " + f.Observed
	case fit.OffGrid > 0:
		f.Observed += fmt.Sprintf("; %s lie off the declared grid", schemas.Counted(fit.OffGrid, "value"))
	}
}

// declaredNoise says which ε the mechanism has with the declared scales.
func declaredNoise(p *schemas.Protocol, fit *schemas.NoiseFit) string {
	declared := p.Counter.Epsilon.String()
	if e, other := fit.OfMechanism(declared); other {
		return fmt.Sprintf(", of the declared mechanism ε = %.4g (counter.epsilon is %s, and is not what its releases cost)", e, declared)
	}
	return ", declared is ε = " + declared
}

// scaleWords say how the scale found stands to the declared one.
func scaleWords(fit *schemas.NoiseFit) string {
	if fit.Ratio == nil {
		return ""
	}
	out := fmt.Sprintf("; its scale is %.4g", *fit.Ratio)
	if fit.RatioLo != nil && fit.RatioHi != nil {
		out += fmt.Sprintf(" (%.4g, %.4g)", *fit.RatioLo, *fit.RatioHi)
	}
	return out + " times the declared one"
}

// testWords name the tests that recovered noise undergoes.
func testWords(fit *schemas.NoiseFit) string {
	names := make([]string, len(fit.Tests))
	for i := range fit.Tests {
		names[i] = fit.Tests[i].Name
	}
	return "tests of " + strings.Join(names, ", ")
}
