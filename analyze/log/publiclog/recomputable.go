package publiclog

import "banditaudit/analyze/stat/allocationtest"

// Recomputable reports whether the propensities of a declared policy that learns may
// stand in for logged ones, and checks H05 and H17 hold arms against them: no propensity
// is logged, or the logged ones are shares of draws and actions were drawn by one more;
// and the policy draws, chose every round, and has declared arms; or the policy is a
// program that answers propensities, and none is logged. Recomputable goes by
// protocol and columns alone, so that no log decides on its own levels. A policy whose
// probabilities are declared is none of these, see DeclaredLaw.
func (in *Log) Recomputable() bool {
	m := in.Mechanism
	switch {
	case !in.Manifest.Declared:
		return false
	case in.Protocol.Program.AnswersPropensities() && !in.Slice.HasPropensity():
	case m == nil || m.Known() || !m.Random() || m.Given() > 0:
		return false
	case in.Slice.HasPropensity() && !OneMore(in.Protocol):
		return false
	}
	return in.Declared.Draws(in.Slice).Open() == ""
}

// wagerParts is of how many equal parts of its level the wager of a replay on actions has
// one. Where H05 and H17 hold arms against recomputed propensities too, H05 has another, and
// H17 has two: together they reject an honest log as often as the wager alone would.
func (in *Log) wagerParts() float64 {
	if in.Recomputable() {
		return 4
	}
	return 1
}

// MarginLevel is the level of H05 at recomputed propensities in one experiment: half of
// AllocationLevel, of which the wager of the replay has the other half.
func (in *Log) MarginLevel() float64 { return in.Whole().AllocationLevel() / 2 }

// SplitsLevel is the level of check H17 in one experiment: what AllocationLevel leaves of
// CommonLevel.
func (w LogScope) SplitsLevel() float64 {
	return w.CommonLevel() * allocationtest.SplitsLevel / allocationtest.Level
}
