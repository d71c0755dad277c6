package analyze

import (
	"fmt"
	"math"
	"strings"

	"banditaudit/analyze/facts"
	"banditaudit/replay/noise"
	"banditaudit/schemas"
	"banditaudit/schemas/param"
)

// judgeNoise is the verdict on privacy.noise with its reason.
func (e *evidence) judgeNoise() (schemas.Verdict, string) {
	switch {
	case e.Slice.Schema().ReleasedByArm == 0:
		return schemas.NotApplicable, "no released values are logged (log.released_by_arm)"
	case e.Protocol.Policy == nil:
		return schemas.NotApplicable, "no policy is declared, and with it not when values were released"
	case !addsNoise(e.Protocol):
		return schemas.NotApplicable, "the declared counter adds no noise"
	case !reads(e.Log):
		return schemas.NotApplicable, "the declared policy reads no sums, so that nothing is declared of those in the log"
	case e.Replayed == nil:
		return schemas.NotRun, "replay was not run; pass --replay"
	case e.Replayed.Conformance.Released == nil:
		return schemas.NotEstablished, "the replay recovered no noise from the released values"
	}
	x := e.Replayed.Conformance.Released
	fit := x.Noise
	switch {
	case x.Shared != nil:
		return schemas.Violated, sharedWords(e.Log, x.Shared)
	case otherSchedule(x):
		return schemas.NotEstablished, "released values changed where nothing was to be released, but rewards had arrived: the policy learned at other times than declared (policy.conformance), and which draws of noise are in which value is then not known"
	case x.Redrawn > 0:
		why := redrawn(x)
		if fit != nil {
			why += explained(fit.Hypotheses) + spentWords(fit)
		}
		return schemas.Violated, why
	case fit == nil || fit.Recovered == 0:
		return schemas.NotEstablished, "no draw of noise could be told apart in the released values; it takes rounds that show a value after it was released"
	case fit.Rejected:
		return schemas.Violated, rejectedWords(e.Manifest, fit)
	case fit.Detectable == nil && x.Rounding != nil:
		return schemas.NotEstablished, fmt.Sprintf("the released values are logged with less than full precision (off by up to %.3g), too near to the scale of the noise to test what is in them; log them as they were, in full", *x.Rounding)
	case fit.Detectable != nil:
		return schemas.Consistent, fmt.Sprintf("noise of about %.3g times the declared scale, or of 1/%.3g of it, would have been found with 80 %% power", *fit.Detectable, *fit.Detectable)
	case facts.Coarse(e.Log, fit) && fit.RatioLo != nil && fit.RatioHi != nil:
		return schemas.Consistent, fmt.Sprintf("these draws reject noise of less than %.3g, or of more than %.3g, times the declared scale; which factor would have been found with 80 %% power is not said on a lattice this coarse", *fit.RatioLo, *fit.RatioHi)
	}
	return schemas.NotEstablished, plural(fit.Recovered, "draw") + " of noise could be told apart, too few for the test of the scale to find any factor with 80 % power; it takes a longer log"
}

// sharedWords say which noise is in which other experiment.
func sharedWords(in *facts.Log, s *schemas.SharedNoise) string {
	stream := func(arm string, coordinate int64) string {
		if in.Mechanism.Linear() {
			return fmt.Sprintf("coordinate %d of arm %s", coordinate, schemas.Named(arm))
		}
		return "arm " + schemas.Named(arm)
	}
	out := fmt.Sprintf("the first %s of noise of %s are those of %s in experiment %s too, one after another", plural(s.Draws, "draw"), stream(s.Arm, s.Coordinate), stream(s.OtherArm, s.OtherCoordinate), schemas.Named(s.Experiment))
	if s.Experiments > 1 {
		out += fmt.Sprintf(", and in %s in all", plural(s.Experiments, "other experiment"))
	}
	return out + fmt.Sprintf(": noise is drawn once, and the difference of such sums shows rewards without any; in an honest log any two experiments agree so with probability %.3g at most", s.Level)
}

// redrawn says where a released value changed although nothing was released.
func redrawn(x *schemas.ReleasedReplay) string {
	m := x.FirstChanged
	if m == nil {
		return plural(x.Changed, "released value") + " changed although nothing was released: noise is drawn once"
	}
	why := "noise is drawn once"
	if x.Redrawn == 0 {
		why = "rewards had arrived, so that a policy that learned at other times than declared (policy.update) would explain it"
	}
	return fmt.Sprintf("round %s: the released value of arm %s is %.10g and ought to be %.10g still, since nothing was released: %s; %s of this kind",
		schemas.Grouped(m.Round), schemas.Named(m.Arm), m.Logged, m.Expected, why, plural(x.Changed, "change"))
}

// rejectedWords say what the noise is, and which tests reject the declared law.
func rejectedWords(manifest *schemas.Manifest, fit *schemas.NoiseFit) string {
	var tests []string
	smallest := "not said of so few draws"
	least := math.Inf(1)
	for i := range fit.Tests {
		t := &fit.Tests[i]
		if !t.Rejected {
			continue
		}
		tests = append(tests, t.Name)
		if t.P != nil && *t.P < least {
			least = *t.P
			if smallest = schemas.PValue(least); t.Detail != "" {
				smallest += ": " + t.Detail
			}
		}
	}
	rejected := "the declared law is rejected by the tests of " + strings.Join(tests, ", ") + " (smallest p " + smallest + "): " + facts.FalseAlarm(manifest, fit.Level)
	if h := schemas.Fitting(fit.Hypotheses); h != nil {
		return "what fits is not the declared law: " + h.Sentence() + spentWords(fit) + "; " + rejected
	}
	return rejected + explained(fit.Hypotheses)
}

// spentWords say what the releases cost by the explanation that fits; "" where
// that is not known.
func spentWords(fit *schemas.NoiseFit) string {
	if fit == nil || fit.Spent == nil {
		return ""
	}
	out := "; if that is the law, the releases of this log cost the row that paid most ε = "
	if fit.SpentAtLeast {
		out = "; if that is the law, the releases of this log cost the row that paid most at least ε = "
	}
	out += withEnds(fit.Spent, fit.SpentLo, fit.SpentHi)
	if fit.Scaled() && finite(float64(*fit.Spent)) {
		out += " (realised: of what was released in this log)"
	}
	return out
}

// withEnds is a privacy parameter with its interval.
func withEnds(x, lo, hi *schemas.Extended) string {
	number := func(x *schemas.Extended) string {
		if v := float64(*x); finite(v) {
			return fmt.Sprintf("%.4g", v)
		}
		return "∞"
	}
	if lo == nil || hi == nil || !finite(float64(*x)) {
		return number(x)
	}
	return number(x) + " (" + number(lo) + ", " + number(hi) + ")"
}

// ofEpsilon says whose noise has the scale found, with its interval.
func ofEpsilon(fit *schemas.NoiseFit) string {
	return "the noise is that of ε = " + withEnds(fit.Epsilon, fit.EpsilonLo, fit.EpsilonHi) + " (of the mechanism: on any path)"
}

// noiseClaim is that released values have the noise of the declared counter; implied where
// released values are logged.
func noiseClaim() Claim {
	return Claim{Claim: param.Claim{Kind: schemas.KindPrivacyNoise, Needs: []param.Need{param.NeedReleased, param.NeedNoise}, Unseen: unseenNoise()}, Implied: func(in *facts.Log) bool { return in.Slice.Schema().ReleasedByArm > 0 }, Decide: (*verdicts).decideNoise}
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
func (v *verdicts) decideNoise(f *schemas.Finding, _ *schemas.Claim) {
	f.Statement = "The noise in the released values is that of the declared counter: independent discrete Laplace of the declared scales, drawn once."
	f.Verdict, f.Reason = v.noise.Verdict, v.noise.why
	f.Evidence = []string{pointer(v.Log, "/replay/released")}
	if v.Replayed == nil || v.Replayed.Conformance.Released == nil {
		f.Evidence = []string{pointer(v.Log, "/replay")}
		return
	}
	fit := v.Replayed.Conformance.Released.Noise
	if fit == nil || !reads(v.Log) {
		return
	}
	if n := len(v.Manifest.Experiments); n > 1 {
		defer func() {
			f.Procedure += fmt.Sprintf("; the first draws of each arm against those of all %s experiments, level %.3g together", schemas.Grouped(int64(n)), noise.AcrossLevel)
		}()
	}
	f.Procedure = fmt.Sprintf("released values less the exact sums of the same rows, told apart into the draws of the counter; %s at level %.3g together%s; intervals at level %s", testWords(fit), fit.Level, facts.SharedWith(v.Manifest), schemas.NoiseIntervalLevel)
	f.Observed = fmt.Sprintf("%s told apart in %s", plural(fit.Recovered, "draw"), plural(fit.Releases, "release"))
	if fit.Scaled() {
		f.Observed = ofEpsilon(fit) + declaredNoise(v.Protocol, fit) + scaleWords(fit) + "; " + f.Observed
	}
	if fit.OffGrid > 0 {
		f.Observed += fmt.Sprintf("; %s lie off the declared grid", plural(fit.OffGrid, "value"))
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
