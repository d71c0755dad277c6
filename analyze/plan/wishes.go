package plan

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"banditaudit/schemas"
)

// Names of wishes.
const (
	wishBias      = "bias"
	wishInflation = "inflation"
	wishPower     = "power"
	wishRegret    = "regret"
)

// wishes lists what was wished. Where it is closed in form its limit comes with
// it.
func (q *Question) wishes() []schemas.PlanWish {
	var out []schemas.PlanWish
	add := func(name, relation string, v *float64, limit func(float64) float64) {
		if v == nil {
			return
		}
		w := schemas.PlanWish{Name: name, Relation: relation, Threshold: *v}
		if limit != nil {
			if text := below(limit(*v)); text != "" {
				at, _ := strconv.ParseFloat(text, 64) // below wrote it
				w.EpsilonAt = &at
			}
		}
		out = append(out, w)
	}
	add(wishBias, "<=", q.Wishes.Bias, q.biasLimit)
	add(wishInflation, "<=", q.Wishes.Inflation, q.inflationLimit)
	add(wishPower, ">=", q.Wishes.Power, nil)
	add(wishRegret, "<=", q.Wishes.Regret, nil)
	return out
}

// unmet judges a point: the wishes that are not met there by the mechanism that
// misses fewest, and that mechanism, −1 where none was simulated. Of mechanisms
// that miss as many it is the one of the least regret. What was simulated is met
// when its whole interval is.
func unmet(p *schemas.PlanPoint, wishes []schemas.PlanWish) (missed []string, by int) {
	closed := missing(wishes, func(w *schemas.PlanWish) bool {
		switch w.Name {
		case wishBias:
			return p.BiasBound <= w.Threshold
		case wishInflation:
			return p.Inflation <= w.Threshold
		}
		return true
	})
	by = -1
	for i := range p.Mechanisms {
		m := &p.Mechanisms[i]
		own := missing(wishes, func(w *schemas.PlanWish) bool {
			switch w.Name {
			case wishPower:
				return m.Power.Lo >= w.Threshold
			case wishRegret:
				return m.Regret.Hi <= w.Threshold
			}
			return true
		})
		if by < 0 || len(own) < len(missed) || len(own) == len(missed) && m.Regret.Value < p.Mechanisms[by].Regret.Value {
			by, missed = i, own
		}
	}
	return append(closed, missed...), by
}

// missing are the names of wishes that are not met.
func missing(wishes []schemas.PlanWish, met func(*schemas.PlanWish) bool) []string {
	var out []string
	for i := range wishes {
		if !met(&wishes[i]) {
			out = append(out, wishes[i].Name)
		}
	}
	return out
}

// choose returns the index of the point that the plan comes to, −1 for none: the
// largest ε that meets every wish, or the only one that was asked about.
func choose(points []schemas.PlanPoint, wished bool) int {
	if len(points) == 1 {
		return 0
	}
	if !wished {
		return -1
	}
	for i := range slices.Backward(points) {
		if len(points[i].Unmet) == 0 {
			return i
		}
	}
	return -1
}

// advice is what the plan comes to, in words.
func (q *Question) advice(p *schemas.Plan, chosen int) string {
	switch {
	case len(p.Wishes) == 0 && chosen < 0:
		return "Nothing is wished; give --bias, --inflation, --power or --regret, or one --epsilon, and the plan comes to one ε with its protocol."
	case len(p.Wishes) == 0:
		return fmt.Sprintf("At ε = %s a corrected test needs |z| above %.3g at level %g, where one with no correction needs %.3g.",
			number(p.Frontier[chosen].Epsilon), p.Frontier[chosen].Z, q.Alpha, twoSided(logOf(q.Alpha)))
	case chosen >= 0 && len(p.Frontier[chosen].Unmet) == 0:
		return fmt.Sprintf("ε = %s is the largest of the table that meets every wish (%s).", number(p.Frontier[chosen].Epsilon), q.limits(p, chosen))
	case chosen >= 0:
		return fmt.Sprintf("ε = %s does not meet every wish: %s.", number(p.Frontier[chosen].Epsilon), q.why(p, &p.Frontier[chosen]))
	}
	return "No ε of the table meets every wish: " + q.nearest(p) + "."
}

// limits says what keeps ε from being larger.
func (q *Question) limits(p *schemas.Plan, chosen int) string {
	if chosen+1 == len(p.Frontier) {
		return "no larger one was tried"
	}
	next := &p.Frontier[chosen+1]
	return "at ε = " + number(next.Epsilon) + ", the next, " + q.why(p, next)
}

// why says how a point misses what it misses.
func (q *Question) why(p *schemas.Plan, at *schemas.PlanPoint) string {
	var parts []string
	for _, w := range p.Wishes {
		if !slices.Contains(at.Unmet, w.Name) {
			continue
		}
		switch w.Name {
		case wishBias:
			parts = append(parts, fmt.Sprintf("the bias bound is %s, above %s", number(at.BiasBound), number(w.Threshold)))
		case wishInflation:
			parts = append(parts, fmt.Sprintf("p = %g becomes %s, %s times as large, above %s times", q.P, number(at.PCorrected), number(at.Inflation), number(w.Threshold)))
		case wishPower:
			m := most(at.Mechanisms, func(m *schemas.PlanOutcome) float64 { return m.Power.Lo })
			parts = append(parts, fmt.Sprintf("the largest power is %s, by %s on %s, and its interval begins below %s", estimate(*m.Power), m.Policy, m.Counter, number(w.Threshold)))
		case wishRegret:
			m := most(at.Mechanisms, func(m *schemas.PlanOutcome) float64 { return -m.Regret.Hi })
			parts = append(parts, fmt.Sprintf("the least regret is %s, by %s on %s, and its interval ends above %s", estimate(m.Regret), m.Policy, m.Counter, number(w.Threshold)))
		}
	}
	if len(parts) == 1 || !slices.Contains(at.Unmet, wishPower) || !slices.Contains(at.Unmet, wishRegret) {
		return strings.Join(parts, "; ")
	}
	return strings.Join(parts, "; ") + " (each by the mechanism that does best in it)"
}

// nearest says what the points that miss fewest wishes miss, of these the one of
// the largest ε.
func (q *Question) nearest(p *schemas.Plan) string {
	best := 0
	for i := range p.Frontier {
		if len(p.Frontier[i].Unmet) <= len(p.Frontier[best].Unmet) {
			best = i
		}
	}
	text := "at ε = " + number(p.Frontier[best].Epsilon) + ", which comes nearest, " + q.why(p, &p.Frontier[best])
	if slices.Contains(p.Frontier[best].Unmet, wishPower) || slices.Contains(p.Frontier[best].Unmet, wishRegret) {
		text += "; more rounds, a larger effect or fewer arms would help"
	}
	return text
}

// most returns the mechanism with the largest value.
func most(all []schemas.PlanOutcome, of func(*schemas.PlanOutcome) float64) *schemas.PlanOutcome {
	best := &all[0]
	for i := range all {
		if of(&all[i]) > of(best) {
			best = &all[i]
		}
	}
	return best
}

// number writes 4 significant digits, and no exponent where that is short.
func number(v float64) string {
	if v != 0 && math.Abs(v) < 1e-6 || math.Abs(v) >= 1e7 {
		return strconv.FormatFloat(v, 'g', 4, 64)
	}
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'e', 3, 64), 64)
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}

// estimate writes a value with its interval.
func estimate(e schemas.PlanEstimate) string {
	return number(e.Value) + " [" + number(e.Lo) + ", " + number(e.Hi) + "]"
}
