package validity

import (
	"fmt"
	"math"
	"strings"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/schemas"
)

// judgeNoise is the verdict on privacy.noise with its reason.
func (e *Evidence) judgeNoise() (schemas.Verdict, string) { //nolint:funlen // one case a reason
	switch {
	case e.Facts.Slice.Schema().ReleasedByArm == 0:
		return schemas.NotApplicable, "no released values are logged (log.released_by_arm)"
	case e.Protocol.Policy == nil:
		return schemas.NotApplicable, "no policy is declared, and with it not when values were released"
	case !AddsNoise(e.Protocol):
		return schemas.NotApplicable, "the declared counter adds no noise"
	case !ReadsNoise(e.Facts.Log):
		return schemas.NotApplicable, "the declared policy reads no sums, so that nothing is declared of those in the log"
	case e.Replayed == nil:
		return schemas.NotRun, "replay was not run; pass --replay"
	case e.Replayed.Released == nil:
		return schemas.NotEstablished, "the replay recovered no noise from the released values"
	}
	if e.Facts.Sampled.Dropped() {
		return schemas.NotEstablished, "when values were released is not known: " + e.Facts.Sampled.Gone()
	}
	x := e.Replayed.Released
	fit := x.Noise
	switch {
	case x.Shared != nil:
		return schemas.Violated, sharedWords(e.Facts.Log, x.Shared)
	case otherSchedule(x):
		return schemas.NotEstablished, "released values changed where nothing was to be released, but rewards had arrived: the policy learned at other times than declared (policy.conformance), and which draws of noise are in which value is then not known"
	case x.Redrawn > 0:
		why := redrawn(x)
		if fit != nil {
			why += Explained(fit.Hypotheses) + SpentWords(fit)
		}
		return schemas.Violated, why
	case fit == nil || fit.Recovered == 0:
		return schemas.NotEstablished, "no draw of noise could be told apart in the released values; it takes rounds that show a value after it was released"
	case OffGrid(e.Protocol, fit):
		return schemas.Violated, fmt.Sprintf("%s; counter.grid is %s: declare the lattice that noise was drawn on, or leave counter.grid out",
			schemas.FailingIn(NoiseFailing(e.Protocol, x)), e.Protocol.Counter.Grid)
	case fit.Rejected && (fit.Lattice == "" || fit.LatticeTested || x.Rounding != nil):
		return schemas.Violated, rejectedWords(e.Facts.Whole(), fit)
	case fit.Lattice != "":
		return schemas.NotEstablished, latticeWords(e.Protocol, fit)
	case fit.Detectable == nil && x.Rounding != nil:
		return schemas.NotEstablished, fmt.Sprintf("the released values are logged with less than full precision (off by up to %.3g), too near to the scale of the noise to test what is in them; log them as they were, in full", *x.Rounding)
	case fit.Detectable != nil:
		return schemas.Consistent, fmt.Sprintf("noise of about %.3g times the declared scale, or of 1/%.3g of it, would have been found with 80 %% power", *fit.Detectable, *fit.Detectable)
	case publiclog.Coarse(e.Facts.Log, fit) && fit.RatioLo != nil && fit.RatioHi != nil:
		return schemas.Consistent, fmt.Sprintf("these draws reject noise of less than %.3g, or of more than %.3g, times the declared scale; which factor would have been found with 80 %% power is not said on a lattice this coarse", *fit.RatioLo, *fit.RatioHi)
	}
	return schemas.NotEstablished, schemas.Counted(fit.Recovered, "draw") + " of noise could be told apart, too few for the test of the scale to find any factor with 80 % power; it takes a longer log"
}

// OffGrid reports whether released values lie off a grid that is not the default one: the
// declared counter releases multiples of its grid alone.
func OffGrid(p *schemas.Protocol, fit *schemas.NoiseFit) bool {
	return fit.OffGrid > 0 && p.Counter.OwnGrid()
}

// latticeWords name the coarser lattice that all released values lie on, and the key that
// declares it.
func latticeWords(p *schemas.Protocol, fit *schemas.NoiseFit) string {
	out := fmt.Sprintf("all released values are multiples of %s, and counter.grid is %s", fit.Lattice, p.Counter.Grid)
	if step, err := schemas.ParseRational(fit.Lattice); err != nil || !schemas.PowerOfHalf(step) {
		return out + ": noise on this lattice is not tested, since counter.grid is a power of two"
	}
	out += ": if noise was drawn on that lattice, declare counter.grid: " + fit.Lattice
	if fit.Lattice == "1" {
		return out + "; if values were rounded when they were written, log them in full"
	}
	return out
}

// sharedWords say which noise is in which other experiment.
func sharedWords(in *publiclog.Log, s *schemas.SharedNoise) string {
	stream := func(arm string, coordinate int64) string {
		if in.Mechanism.Linear() {
			return fmt.Sprintf("coordinate %d of arm %s", coordinate, schemas.Named(arm))
		}
		return "arm " + schemas.Named(arm)
	}
	out := fmt.Sprintf("the first %s of noise of %s are those of %s in experiment %s too, one after another", schemas.Counted(s.Draws, "draw"), stream(s.Arm, s.Coordinate), stream(s.OtherArm, s.OtherCoordinate), schemas.Named(s.Experiment))
	if s.Experiments > 1 {
		out += fmt.Sprintf(", and in %s in all", schemas.Counted(s.Experiments, "other experiment"))
	}
	return out + fmt.Sprintf(": noise is drawn once, and the difference of such sums shows rewards without any; in an honest log any two experiments agree so with probability %.3g at most", s.Level)
}

// redrawn says where a released value changed although nothing was released.
func redrawn(x *schemas.ReleasedReplay) string {
	m := x.FirstChanged
	if m == nil {
		return schemas.Counted(x.Changed, "released value") + " changed although nothing was released: noise is drawn once"
	}
	why := "noise is drawn once"
	if x.Redrawn == 0 {
		why = "rewards had arrived, so that a policy that learned at other times than declared (policy.update) would explain it"
	}
	return fmt.Sprintf("round %s: the released value of arm %s is %.10g and ought to be %.10g still, since nothing was released: %s; %s of this kind",
		schemas.Grouped(m.Round), schemas.Named(m.Arm), m.Logged, m.Expected, why, schemas.Counted(x.Changed, "change"))
}

// rejectedWords say what the noise is, and which tests reject the declared law.
func rejectedWords(log publiclog.LogScope, fit *schemas.NoiseFit) string {
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
	rejected := "the declared law is rejected by the tests of " + strings.Join(tests, ", ") + " (smallest p " + smallest + "): " + log.FalseAlarm(fit.Level)
	if h := schemas.Fitting(fit.Hypotheses); h != nil {
		return "what fits is not the declared law: " + h.Sentence() + SpentWords(fit) + "; " + rejected
	}
	return rejected + Explained(fit.Hypotheses)
}

// SpentWords say what the releases cost by the explanation that fits; "" where
// that is not known.
func SpentWords(fit *schemas.NoiseFit) string {
	if fit == nil || fit.Spent == nil {
		return ""
	}
	out := "; if that is the law, the releases of this log cost the row that paid most ε = "
	if fit.SpentAtLeast {
		out = "; if that is the law, the releases of this log cost the row that paid most at least ε = "
	}
	out += WithEnds(fit.Spent, fit.SpentLo, fit.SpentHi)
	if fit.Scaled() && schemas.Finite(float64(*fit.Spent)) != nil {
		out += " (realised: of what was released in this log)"
	}
	return out
}

// WithEnds is a privacy parameter with its interval.
func WithEnds(x, lo, hi *schemas.Extended) string {
	number := func(x *schemas.Extended) string {
		if v := float64(*x); v-v == 0 {
			return fmt.Sprintf("%.4g", v)
		}
		return "∞"
	}
	if lo == nil || hi == nil || schemas.Finite(float64(*x)) == nil {
		return number(x)
	}
	return number(x) + " (" + number(lo) + ", " + number(hi) + ")"
}
