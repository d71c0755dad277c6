package validity

import (
	"fmt"
	"slices"
	"strings"

	"banditaudit/analyze/log/allocation"
	"banditaudit/analyze/log/check"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/schemas"
)

// disagrees says what in a replay contradicts that the declared policy wrote the
// log; "" where nothing does. A log that differs by how plays are counted alone, which no
// key declares, contradicts nothing by that.
func (e *Evidence) disagrees(r *schemas.Conformance) string {
	if words := allocation.NotPulled(e.Facts, r); words != "" {
		return words
	}
	if e.Unlike != "" {
		return e.Unlike
	}
	inTurn := r.PlaysInTurn()
	switch {
	case !inTurn && r.Mode != schemas.ModeSeed && r.Propensities != nil && r.Propensities.FirstMismatch != nil:
		return otherActions(r.Released) + propensityWords(e.Facts.Log, r)
	case e.Facts.Moves() != "":
		return e.Facts.Moves()
	case inTurn:
		return releasedDisagrees(e.Facts.Log, r)
	case r.FirstMismatch != nil && (e.Facts.Drawn.Open() == "" || !e.drawnDiffers(r)):
		return mismatchWords(e.Facts.Log, r) + otherNoise(e.Facts.Log, r)
	case r.Propensities != nil && r.Propensities.FirstMismatch != nil:
		return propensityWords(e.Facts.Log, r)
	case r.Matched < r.Replayable && r.FirstMismatch == nil:
		return fmt.Sprintf("%s of %s do not match", schemas.Grouped(r.Replayable-r.Matched), schemas.Counted(r.Replayable, "round"))
	}
	if words := lawDisagrees(e.Facts.Log, r); words != "" {
		return words
	}
	return releasedDisagrees(e.Facts.Log, r)
}

// orderWords say that rounds may not stand in the order in which they were played; "" where
// nothing shows it.
func (e *Evidence) orderWords() string {
	words := check.Unpadded(e.Facts.Manifest.Unpadded())
	if words == "" {
		return ""
	}
	return ". An honest log that is read in another order differs too: " + words
}

// rewardsWords say that the policy may have read other rewards than the log has.
func rewardsWords(w *schemas.RewardsWritten) string {
	if w == nil {
		return ""
	}
	how := "as float32"
	switch {
	case w.Decimals == nil:
	case *w.Decimals == 0:
		how = "as whole numbers"
	default:
		how = "with " + schemas.Counted(*w.Decimals, "decimal")
	}
	if w.Float32 && w.Decimals != nil {
		how += ", as float32"
	}
	return ". Rewards are written " + how + " in the log: if the policy read them in full, an honest log can differ by that; log the rewards that the policy read, in full (float64)"
}

// releasedDisagrees is disagrees for logged released values.
func releasedDisagrees(in *publiclog.Log, r *schemas.Conformance) string {
	x := r.Released
	switch {
	case x == nil:
	case x.FirstDiffer != nil:
		by := "which adds no noise"
		if ReadsNoise(in) {
			by = "with the noise of this seed"
		}
		return fmt.Sprintf("round %s: the value %.10g was released of arm %s, and not what the declared counter releases, %s; %s of %s differ",
			schemas.Grouped(x.FirstDiffer.Round), x.FirstDiffer.Logged, schemas.Named(x.FirstDiffer.Arm), by, schemas.Grouped(x.Differ), schemas.Counted(x.Compared, "released value"))
	case x.Allocation != nil && x.Allocation.Rejected:
		return playedOtherwise(in, x.Allocation, "given the released values, ", "of the declared policy")
	case otherSchedule(x):
		return redrawn(x)
	}
	return ""
}

// otherSchedule reports whether released values changed where nothing was
// released, but rewards had arrived each time, and the noise is not contradicted:
// then it is the declared schedule that is.
func otherSchedule(x *schemas.ReleasedReplay) bool {
	return x.Changed > 0 && x.Redrawn == 0 && (x.Noise == nil || !x.Noise.Rejected)
}

// otherActions say where an action cannot be the policy's by the released values,
// in front of what is said of propensities.
func otherActions(x *schemas.ReleasedReplay) string {
	if x == nil || x.FirstMismatch == nil {
		return ""
	}
	m := x.FirstMismatch
	return fmt.Sprintf("round %s: logged %s, by the released values the policy plays %s; %s of this kind; ",
		schemas.Grouped(m.Round), schemas.Named(m.Logged), schemas.Named(m.Replayed), schemas.Counted(x.Replayable-x.Matched, "round"))
}

// otherNoise says what else a seed that does not give the actions may be. Where
// the released values give them the policy is the declared one, and what it saw
// is not what the seed makes of the logged rewards: the noise may be another, or
// the rewards. Where nothing is drawn a declared seed decides nothing.
func otherNoise(in *publiclog.Log, r *schemas.Conformance) string {
	x := r.Released
	switch {
	case r.Mode != schemas.ModeSeed || in.Mechanism.Deterministic():
		return ""
	case x == nil || x.Replayable == 0 || x.Matched < x.Replayable:
		return "; another seed than the one drawn from at run time gives the same picture, and so does this seed under another experiment.id or another order of arms"
	}
	out := fmt.Sprintf("; by the released values all %s match, so that the rule is the declared one: either the noise is that of another seed (or of another experiment.id or order of arms), or rewards in the log are not those that were released", schemas.Counted(x.Replayable, "round"))
	if m := x.FirstDiffer; m != nil && x.Compared > 0 {
		out += fmt.Sprintf("; from round %s on %s of %s (%.3g %%) are not what seed and logged rewards give",
			schemas.Grouped(m.Round), schemas.Grouped(x.Differ), schemas.Counted(x.Compared, "released value"), 100*float64(x.Differ)/float64(x.Compared))
	}
	return out
}

// propensityWords say which logged propensities are not the policy's, and what
// would explain them.
func propensityWords(in *publiclog.Log, r *schemas.Conformance) string {
	p := r.Propensities
	if p.Draws.Contradict() {
		if schemas.Fitting(p.Hypotheses) == nil {
			return p.Draws.Words // explanations are compared round by round, which no shares of draws meet
		}
		return p.Draws.Words + Explained(p.Hypotheses)
	}
	m := p.FirstMismatch
	out := fmt.Sprintf("round %s: logged propensity %.10g of arm %s, the policy plays it with %.10g; the propensities of %s of %s differ",
		schemas.Grouped(m.Round), m.Logged, schemas.Named(m.Arm), m.Replayed, schemas.Grouped(p.Rounds-p.Matched), schemas.Counted(p.Rounds, "round"))
	if w := p.Worst; w != nil && w.Round != m.Round {
		out += fmt.Sprintf(", the most in round %s (%.10g of arm %s, and not %.10g)", schemas.Grouped(w.Round), w.Logged, schemas.Named(w.Arm), w.Replayed)
	}
	if started(p.Starting, p.Rounds-p.Matched) {
		return out + startWords(p.Starting, updates(in.Protocol))
	}
	return out + keptWords(p) + Explained(p.Hypotheses) + arithmeticWords(r)
}

// keptWords count the rounds whose propensities were held against nothing, because the unit
// keeps its first draw and these are the propensities of that draw; "" where there are
// none.
func keptWords(p *schemas.PropensityReplay) string {
	if p.Kept == 0 {
		return ""
	}
	return fmt.Sprintf("; %s carry the arm and the propensities of their unit's first round, as a unit has that keeps its arm: those of the draw that assigned it, not the policy's of that round, and held against nothing beyond that first round", schemas.Counted(p.Kept, "later round"))
}

// Explained names what fits best of the explanations that were tried for
// something that contradicts the declared policy, or all that were tried where
// none fits; "" where none was.
func Explained(tried []schemas.Hypothesis) string {
	if len(tried) == 0 {
		return ""
	}
	if h := schemas.Fitting(tried); h != nil {
		return schemas.WhatFits + h.Sentence()
	}
	names := make([]string, len(tried))
	for i := range tried {
		names[i] = tried[i].Kind()
	}
	slices.Sort(names)
	return ". None of the explanations tried fits: " + strings.Join(slices.Compact(names), ", ")
}

// playedOtherwise says that an arm was not played with the probabilities of the declared
// policy: given what, and by what it has them.
func playedOtherwise(in *publiclog.Log, t *schemas.AllocationTest, given, has string) string {
	out := fmt.Sprintf("%s%s was not played with the probabilities %s (%s, level %.3g, valid at every number of rounds", given, allocation.WageredArm(t), has, schemas.PIs(t.P), t.Level)
	if t.Round != nil {
		out += "; reached in round " + schemas.Grouped(*t.Round)
	}
	return out + "): " + in.FalseDraws(t.Level) + allocation.KeepWords(t)
}
