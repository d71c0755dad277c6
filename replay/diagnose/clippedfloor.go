package diagnose

import "fmt"

// clippedFloor raises what is below f to f and divides by the sum,
//
//	p_i = max(π_i, f) / Σ_j max(π_j, f),   j over the eligible arms,
//
// with any f.
func clippedFloor() Cause {
	const name = "clipped-floor"
	return Cause{
		Name: name,
		Replay: func(r *Replay) Trial {
			rows, declared := r.withoutFloor(), r.declaredFloor()
			f := family{law: clipped, most: evenly, turn: func(o *Row) float64 { return min(o.Want[o.Arm], evenly(o)) }} // p falls until f = π and rises from there on
			return Trial{Runs: rows.runs(), Say: func() ([]Explanation, error) {
				return []Explanation{f.fitted(&r.Tolerance, rows.rows(), name, "raising small propensities to a floor", func(f float64) (words, settles string) {
					is, not := apart(f, declared.Value)
					words = fmt.Sprintf("propensities below f = %s are raised to it and all divided by their sum, p = max(π, f)/Σ max(π, f)", is)
					settles = "policy.floor: {kind: clip, value: " + is + "}"
					switch {
					case declared.Value == 0:
						return words + "; no floor is declared", settles
					case declared.Mixed():
						return words + fmt.Sprintf("; declared is a floor of %s that is mixed in", not), settles
					}
					return words + fmt.Sprintf("; declared is %s%s", not, byKind(&declared)), settles
				})}, nil
			}}
		},
		Actions: func(a *Actions) []Explanation {
			if !a.ByArm {
				return nil // the sum is not known
			}
			return a.floor(name, "propensities below %.3g were raised to it and all were divided by their sum (at most %.3g %% of a round over all arms)", clipped)
		},
	}
}

// clipped raises the propensities of arms that can be played to f and divides by
// their sum: max(p, f)/Σ max(p, f). It needs the propensities of all arms.
func clipped(f float64) Law {
	return func(r *Row, from, dst []float64) {
		sum := 0.0
		for a, p := range from {
			if dst[a] = p; r.can(a) {
				dst[a] = max(f, p)
			}
			sum += dst[a]
		}
		for a := range from {
			dst[a] = min(1, dst[a]/sum)
		}
	}
}
