package diagnose

import (
	"fmt"

	"banditaudit/schemas"
)

// floor is a floor f that is mixed into the policy, p = f + (1 − m·f)·π over m
// eligible arms, with another f than the declared one.
func floor() Cause {
	const name = "floor"
	return Cause{
		Name: name,
		Replay: func(r *Replay) Trial {
			rows, declared := r.withoutFloor(), r.declaredFloor()
			f := family{law: mixture, most: evenly}
			return Trial{Runs: rows.runs(), Say: func() ([]Explanation, error) {
				return []Explanation{f.fitted(&r.Tolerance, rows.rows(), name, "another exploration floor that is mixed in", func(f float64) (words, settles string) {
					is, not := apart(f, declared.Value)
					return fmt.Sprintf("an exploration floor f = %s is mixed in, p = f + (1 − m·f)·π over the m eligible arms; declared is %s%s", is, not, byKind(&declared)), "policy.floor: " + is
				})}, nil
			}}
		},
		Actions: func(a *Actions) []Explanation {
			return a.floor(name, "every arm was given a floor of %.3g and what was left shared out as logged, p = f + (1 − K·f)·logged, which is the same as a uniform action in %.3g %% of rounds", mixture)
		},
	}
}

// byKind is the kind of a declared floor that is not mixed in; "" of one that is.
func byKind(f *schemas.Floor) string {
	if f.Mixed() {
		return ""
	}
	return " by " + f.Kind
}

// mixture is a floor f of every arm that can be played, m of them in a round:
//
//	q = f' + (1 − m·f')·p,  f' = min(f, 1/m)
//
// which is also what a uniform action in a share m·f of rounds comes to.
func mixture(f float64) Law {
	return func(r *Row, from, dst []float64) {
		m := float64(r.playable())
		least := min(f, 1/m)
		rest := max(0, 1-float64(m*least))
		for a, p := range from {
			if dst[a] = float64(rest * p); r.can(a) {
				dst[a] = min(1, dst[a]+least)
			}
		}
	}
}

// floor fits a floor of a kind to the actions and tests it. It fits only where its
// confidence interval does not reach 0.
func (a *Actions) floor(name, words string, of func(f float64) Law) []Explanation {
	fit := fitFloor(a.Rounds, a.Arms, of)
	share := min(100, float64(100*fit.Value)*float64(a.Arms))
	e := a.says(name, fmt.Sprintf(words, fit.Value, share), fit.Gain, of(fit.Value))
	e.Value, e.Lo, e.Hi = schemas.Finite(fit.Value), schemas.Finite(fit.Lo), schemas.Finite(fit.Hi)
	e.Fits = e.Fits && fit.Lo > 0
	return []Explanation{e}
}
