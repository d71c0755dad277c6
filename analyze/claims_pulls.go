package analyze

import (
	"math"
	"slices"

	"banditaudit/analyze/adaptive"
	"banditaudit/replay"
)

// notPulled reports whether a declared uniform or fixed policy is contradicted by
// how often each arm was played, at the level of H05. With a seed the actions
// themselves are compared. Where arms are not always eligible, how often they
// could be played is not in the pulls, and nothing is tested. Of the arms of a
// uniform policy that are not declared, those that only other experiments of the
// log played are none of this one's. Pulls count in rounds that are known to be drawn by
// themselves.
func (f *facts) notPulled() bool {
	pulls, logP := f.pub.drawn, 0.0
	switch m := f.Mechanism; {
	case f.Slice.Schema().Eligible:
	case m.Alike():
		if !f.Manifest.Declared {
			pulls = playedOf(pulls, f.pub.pulls)
		}
		logP = adaptive.UniformLogP(pulls)
	case m.Known():
		logP = adaptive.FixedLogP(pulls, declaredProbabilities(f.Input))
	}
	return logP <= math.Log(f.level())
}

// drawnWords say on which rounds a test of draws went, where not on all.
func drawnWords(in *Input) string {
	if words := in.Draws(in.Slice).Words(in.Slice); words != "" {
		return ", " + words
	}
	return ""
}

// playedOf are the entries of arms that were played in some round.
func playedOf(drawn, pulls []int64) []int64 {
	var out []int64
	for arm, n := range pulls {
		if n > 0 {
			out = append(out, drawn[arm])
		}
	}
	return out
}

// declaredProbabilities are those with which a fixed policy plays the arms in a
// round in which all are eligible, its floor mixed in.
func declaredProbabilities(in *Input) []float64 {
	run, eligible := in.Mechanism.NewRunner([32]byte{}, ""), make([]bool, in.k())
	for arm := range eligible {
		eligible[arm] = true
	}
	run.Next(&replay.Round{Eligible: eligible})
	return slices.Clone(run.Propensities())
}

// pullWords say how the pulls of a policy with declared probabilities are held
// against these.
func pullWords(in *Input) string {
	switch m := in.Mechanism; {
	case !m.Known():
		return ""
	case in.Slice.Schema().Eligible:
		return "; pulls are not tested against the declared probabilities, since arms are not always eligible (log.eligible)"
	case m.Alike():
		return "; pulls of a uniform policy against T/K, level 0.001" + drawnWords(in)
	}
	return "; pulls of a fixed policy against its probabilities, exact binomial tests of each arm (Bonferroni), level 0.001" + drawnWords(in)
}
