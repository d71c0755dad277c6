package diagnose

import (
	"fmt"

	"banditaudit/replay/policy"
	"banditaudit/schemas"
)

// parameter says that a key of the policy has another value: of the keys whose other
// values follow from the propensities of one run (policy.Refit), above the declared
// floor.
func parameter() Cause {
	const name = "parameter"
	return Cause{Name: name, Replay: func(r *Replay) Trial {
		declared, above := r.Protocol.Policy.Own, r.declaredFloor()
		refit := r.refit(func(f *policy.Refit) bool { return f.Curves != nil })
		if refit == nil || !above.Mixed() { // over another floor a propensity may change direction more than once
			return Trial{}
		}
		rows := r.withoutFloor()
		if refit.Base != nil {
			rows = r.keep(func(p *schemas.Policy) { p.Floor, p.Own = nil, refit.Base(p.Own) })
		}
		return Trial{Runs: rows.runs(), Say: func() ([]Explanation, error) {
			var out []Explanation
			if len(rows.rows()) == 0 {
				return nil, nil
			}
			curves := refit.Curves(declared)
			for i := range curves {
				f := r.along(&curves[i], rows.rows())
				out = append(out, f.fitted(&r.Tolerance, rows.rows(), name, curves[i].Tried, func(x float64) (words, settles string) {
					return refitWords(refit, curves, i, x)
				}))
			}
			return out, nil
		}}
	}}
}

// refit returns the first key of the policy that is declared, and may be varied in the
// way that is wanted; nil where there is none.
func (r *Replay) refit(wanted func(*policy.Refit) bool) *policy.Refit {
	refits := r.From.Policy(r.Protocol.Policy.Name).Tunable
	for i := range refits {
		if r.Protocol.Policy.Own.Has(refits[i].Key) && wanted(&refits[i]) {
			return &refits[i]
		}
	}
	return nil
}

// along is the family of the propensities along a curve, above the declared floor.
func (r *Replay) along(c *policy.Curve, rows []*Row) family {
	above := mixture(r.declaredFloor().Value)
	s := policy.NewState(len(rows[0].Want))
	state := func(o *Row) *policy.State {
		s.Round, s.Eligible = o.Row+1, o.Eligible
		return s
	}
	most := c.Most(rows[len(rows)-1].Row + 1)
	f := family{
		law: func(x float64) Law {
			return func(o *Row, from, dst []float64) {
				c.At(state(o), from, x, dst)
				above(o, dst, dst)
			}
		},
		most: func(*Row) float64 { return most },
	}
	if c.Turn != nil {
		f.turn = func(o *Row) float64 { return c.Turn(state(o), o.Want, o.Arm) }
	}
	return f
}

// refitWords say x along one of some curves, beside the declared number.
func refitWords(refit *policy.Refit, curves []policy.Curve, at int, x float64) (words, settles string) {
	is, not := figure(x, figureDigits), ""
	for _, c := range curves {
		if c.Declared != nil {
			is, not = apart(x, *c.Declared)
			not = fmt.Sprintf(c.Variants, not)
		}
	}
	return fmt.Sprintf(refit.Words, fmt.Sprintf(curves[at].Variants, is), not), fmt.Sprintf(curves[at].Settles, is)
}
