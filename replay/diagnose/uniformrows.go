package diagnose

import (
	"fmt"

	"banditaudit/schemas"
)

// uniformRows says of propensities that a share of the rounds is played uniformly over
// the eligible arms, and the rest by the declared policy: all rounds are looked at, and
// not a sample, and those in which a policy begins too. Of actions it says that all of
// them were uniform.
func uniformRows() Cause {
	const name = "uniform-rows"
	return Cause{
		Name: name,
		Replay: func(r *Replay) Trial {
			return Trial{Say: func() ([]Explanation, error) {
				if r.Uniform == 0 {
					return nil, nil
				}
				t := tally{rows: r.Rounds, explained: r.Matched + r.Uniform, beyond: r.Rounds - r.Matched, mended: r.Uniform}
				share := float64(r.Uniform) / float64(r.Rounds)
				e := (&Tolerance{}).says(&t, name, fmt.Sprintf("%s of %s rounds (%.3g %%) carry exactly uniform propensities where the policy's are others: a fallback to a uniform choice", schemas.Grouped(r.Uniform), schemas.Grouped(r.Rounds), 100*share), "")
				e.Value, e.Largest = new(share), nil
				return []Explanation{e}, nil
			}}
		},
		Actions: func(a *Actions) []Explanation {
			return []Explanation{a.tries(name, "in every round each arm that could be played had the same probability", func() Law { return uniform })}
		},
	}
}

// uniform is the same probability for every arm that can be played.
func uniform(r *Row, from, dst []float64) {
	for a := range from {
		if dst[a] = 0; r.can(a) {
			dst[a] = evenly(r)
		}
	}
}
