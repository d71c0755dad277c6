package conformance

import (
	"math"

	"banditaudit/schemas"
)

// stale weighs propensities of another moment than that of the choice: of the
// update before, of the update after, and of the round before. Whoever logs
// those of the update before may also have chosen by them: then the policy
// learns an update late, and the actions can tell.
type stale struct {
	*voice

	gain float64 // Σ ln of what the late policy plays the logged arm with, less that of the declared one
}

// leastChance stands for a propensity of 0 in a logarithm.
const leastChance = 1e-12

// newStale returns the late voice.
func (e *explainer) newStale() *stale {
	v := e.voice(e.declared(), true)
	if v == nil {
		return nil
	}
	s := &stale{voice: v}
	v.take = func(o *tried, want []float64) {
		v.tally.add(e.c, o, want)
		s.gain += math.Log(max(leastChance, want[o.arm])) - math.Log(max(leastChance, o.want[o.arm]))
		v.over = !e.shares && v.tally.hopeless(e.planned)
	}
	return s
}

// telling is the gain, in either direction, from which on the actions decide: a
// likelihood ratio of 1000.
const telling = 6.907755278982137

// stale is the best of these. A late policy is one of another cadence.
func (e *explainer) stale(s *stale) []schemas.Hypothesis {
	var out []schemas.Hypothesis
	if s != nil && s.run.Err() == nil {
		switch {
		case s.gain >= telling:
			out = append(out, s.tally.says("cadence", "the policy learns one update late, and the actions follow it", ""))
		case s.gain <= -telling:
			out = append(out, s.tally.says("stale", "the propensities are those before the last update, and the actions are not drawn with them", ""))
		default:
			out = append(out, s.tally.says("stale", "the propensities are those before the last update; whether the policy learned an update late as well, the actions do not tell", ""))
		}
	}
	if e.after.rows > 0 {
		out = append(out, e.after.says("stale", "the propensities are those after the next update, and not those of the choice", ""))
	}
	if e.earlier.rows > 0 {
		out = append(out, e.earlier.says("stale", "the propensities are those of the round before", ""))
	}
	return ranked(out)[:min(1, len(out))]
}
