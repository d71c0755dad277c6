package plan

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"banditaudit/cmd/banditlab/documents"
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
func (q *Question) wishes() []documents.PlanWish {
	var out []documents.PlanWish
	add := func(name, relation string, v *float64, limit func(float64) float64) {
		if v == nil {
			return
		}
		w := documents.PlanWish{Name: name, Relation: relation, Threshold: *v}
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
// comes nearest, and that mechanism, −1 where none was simulated. Of those that
// meet all it is the one of the least regret. What was simulated is met when its
// whole interval is.
func unmet(p *documents.PlanPoint, wishes []documents.PlanWish) (missed []string, by int) {
	closed := missing(wishes, func(w *documents.PlanWish) bool { return shortOf(w, p, nil) <= 0 })
	by = -1
	least := math.Inf(1)
	for i := range p.Mechanisms {
		m := &p.Mechanisms[i]
		own := missing(wishes, func(w *documents.PlanWish) bool { return shortOf(w, nil, m) <= 0 })
		far := shortfall(wishes, nil, m)
		if by < 0 || len(own) < len(missed) || len(own) == len(missed) && (far < least || far == least && m.Regret.Value < p.Mechanisms[by].Regret.Value) {
			by, missed, least = i, own, far
		}
	}
	return append(closed, missed...), by
}

// shortOf is by how much a wish is missed, at a point or by a mechanism: by a
// ratio, as its logarithm, or for power by the difference. It is 0 or less where
// the wish is met, or is none of the point's or the mechanism's.
func shortOf(w *documents.PlanWish, p *documents.PlanPoint, m *documents.PlanOutcome) float64 {
	switch {
	case w.Name == wishBias && p != nil:
		return math.Log(p.BiasBound / w.Threshold)
	case w.Name == wishInflation && p != nil:
		return math.Log(p.Inflation / w.Threshold)
	case w.Name == wishPower && m != nil:
		return w.Threshold - m.Power.Lo
	case w.Name == wishRegret && m != nil:
		return math.Log(m.Regret.Hi / w.Threshold)
	}
	return 0
}

// shortfall adds up by how much wishes are missed.
func shortfall(wishes []documents.PlanWish, p *documents.PlanPoint, m *documents.PlanOutcome) float64 {
	sum := 0.0
	for i := range wishes {
		sum += max(0, shortOf(&wishes[i], p, m))
	}
	return sum
}

// missing are the names of wishes that are not met.
func missing(wishes []documents.PlanWish, met func(*documents.PlanWish) bool) []string {
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
func choose(points []documents.PlanPoint, wished bool) int {
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
func (q *Question) advice(p *documents.Plan, chosen int) string {
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
func (q *Question) limits(p *documents.Plan, chosen int) string {
	if chosen+1 == len(p.Frontier) {
		return "no larger one was tried"
	}
	next := &p.Frontier[chosen+1]
	return "at ε = " + number(next.Epsilon) + ", the next, " + q.why(p, next)
}

// why says how a point, by the mechanism that comes nearest, misses what it
// misses.
func (q *Question) why(p *documents.Plan, at *documents.PlanPoint) string {
	var parts []string
	var m *documents.PlanOutcome
	if _, by := unmet(at, p.Wishes); by >= 0 {
		m = &at.Mechanisms[by]
	}
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
			parts = append(parts, fmt.Sprintf("the power of %s on %s is %s, whose interval begins below %s%s", m.Policy, m.Counter, estimate(*m.Power), number(w.Threshold), narrower(m.Power.Value >= w.Threshold)))
		case wishRegret:
			parts = append(parts, fmt.Sprintf("the regret of %s on %s is %s, whose interval ends above %s%s", m.Policy, m.Counter, estimate(m.Regret), number(w.Threshold), narrower(m.Regret.Value <= w.Threshold)))
		}
	}
	return strings.Join(parts, "; ")
}

// narrower says what helps where the estimate itself meets a wish.
func narrower(near bool) string {
	if near {
		return " (more --runs make it narrower)"
	}
	return ""
}

// nearest says what is missed at the point that misses fewest wishes, and of
// these by least.
func (q *Question) nearest(p *documents.Plan) string {
	best, least := 0, math.Inf(1)
	for i := range p.Frontier {
		f := &p.Frontier[i]
		far := shortfall(p.Wishes, f, nil)
		if _, by := unmet(f, p.Wishes); by >= 0 {
			far += shortfall(p.Wishes, nil, &f.Mechanisms[by])
		}
		if n, fewest := len(f.Unmet), len(p.Frontier[best].Unmet); n < fewest || n == fewest && far < least {
			best, least = i, far
		}
	}
	text := "at ε = " + number(p.Frontier[best].Epsilon) + ", which comes nearest, " + q.why(p, &p.Frontier[best])
	if slices.Contains(p.Frontier[best].Unmet, wishPower) || slices.Contains(p.Frontier[best].Unmet, wishRegret) {
		text += "; more rounds, a larger effect or fewer arms would help"
	}
	return text
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
func estimate(e documents.PlanEstimate) string {
	return number(e.Value) + " [" + number(e.Lo) + ", " + number(e.Hi) + "]"
}
