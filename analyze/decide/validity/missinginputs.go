package validity

import (
	"banditaudit/analyze/log/allocation"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/schemas"
)

// nothingToReplayFrom says what a log lacks, and what would have to be logged
// next time for its actions to be held against the declared policy.
func nothingToReplayFrom(in *publiclog.Log) string {
	random := in.Mechanism != nil && in.Mechanism.Random()
	holds, seed := "the log holds no seed, ", ", or the 32 bytes that the policy draws from (policy.seed)"
	if seedless(in) {
		holds, seed = "a seed gives a draw for every round, and rounds of a unit share one ("+in.Protocol.DrawWords()+"); the log holds ", ""
	}
	out := holds + "no released values and no propensities to replay from"
	switch logged := in.Slice.HasPropensity(); {
	case ReadsNoise(in) && logged:
		out = holds + "no released values, and without the noise that the policy saw its propensities cannot be recomputed"
	case ReadsNoise(in):
	case logged && seedless(in):
		out = holds + "propensities that cannot be recomputed"
	case logged:
		out = "the log holds no seed, and its propensities cannot be recomputed"
	}
	switch {
	case ReadsNoise(in) && random:
		out += "; what would settle it next time: in every round the values that the policy saw (log.released_by_arm) with the propensities (log.propensity_by_arm)" + seed
	case ReadsNoise(in):
		out += "; what would settle it next time: in every round the values that the policy saw (log.released_by_arm)" + seed
	default:
		out += "; what would settle it next time: the propensities of every round (log.propensity, log.propensity_by_arm)" + seed +
			"; those that the declared policy would have had are in transcript.arrow of banditaudit replay"
	}
	if d := in.Declared.Draws(in.Slice); d.None() {
		out += "; " + d.Open()
	}
	return out + allocation.HeldFloor(in)
}

// seedless reports whether no seed gives the actions of the declared policy: it draws,
// and one draw serves several rounds of a unit.
func seedless(in *publiclog.Log) bool { return in.Mechanism != nil && in.Declared.Without(in.Slice) }

// ReadsNoise reports whether the declared policy chooses by values that a counter
// released with noise.
func ReadsNoise(in *publiclog.Log) bool {
	return in.Mechanism != nil && in.Mechanism.ReadsRewards() && AddsNoise(in.Protocol)
}

// AddsNoise reports whether a counter is declared that adds noise.
func AddsNoise(p *schemas.Protocol) bool {
	c := p.Counter
	return c != nil && c.Name != schemas.CounterExact
}
