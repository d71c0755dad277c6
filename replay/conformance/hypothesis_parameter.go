package conformance

import (
	"fmt"
	"math"

	"banditaudit/schemas"
)

// parameter fits another η of softmax, or another exploration of epsilon-greedy,
// to rows of the policy as it is declared, or greedy (see explainer.greedy). It
// is nothing for other policies.
func (c *comparison) parameter(rows []*tried, p *schemas.Policy, floor float64) []schemas.Hypothesis {
	if len(rows) == 0 {
		return nil
	}
	switch {
	case p.Own.Has("eta"):
		return c.eta(rows, p.Own.Float("eta"), floor)
	case p.Own.Has("explore"):
		return c.explore(rows, p.Own, floor)
	}
	return nil
}

// mostTempering bounds η over the declared one.
const mostTempering = 1000

// eta tries π_i^c/Σ π_j^c, which is softmax with the η that is c times the
// declared one.
func (c *comparison) eta(rows []*tried, eta, floor float64) []schemas.Hypothesis {
	f := fittable{allows: func(o *tried, within span) []span {
		p := func(x float64) float64 { return o.tempered(x/eta, floor) }
		turn := float64(o.peak() * eta)
		spans := []span{crossing(p, 0, turn, within), crossing(p, turn, mostTempering*eta, within)}
		if a, b := spans[0], spans[1]; a.lo <= a.hi && b.lo <= b.hi && a.hi >= b.lo {
			return []span{{a.lo, b.hi}} // one row counts once
		}
		return spans
	}, law: func(o *tried, x float64, dst []float64) {
		sum := o.weights(x/eta, dst)
		rest := 1 - float64(float64(o.arms())*floor)
		for a := range dst {
			if o.can(a) {
				dst[a] = floor + float64(rest*dst[a]/sum)
			}
		}
	}}
	s, x, t := c.fit(rows, f)
	says := func(x float64) (words, settles string) {
		is, not := apart(x, eta)
		return fmt.Sprintf("η is %s and not %s", is, not), "policy.eta: " + is
	}
	return fitted("parameter", "another η", says, s, x, t)
}

// weights writes (π_i/max π_j)^c for the eligible arms, 0 for the others, and
// returns their sum.
func (o *tried) weights(c float64, dst []float64) float64 {
	most, sum := 0.0, 0.0
	for a, pi := range o.want {
		if o.can(a) {
			most = max(most, pi)
		}
	}
	for a, pi := range o.want {
		dst[a] = 0
		if o.can(a) && (pi > 0 || c == 0) {
			dst[a] = math.Pow(pi/most, c)
			sum += dst[a]
		}
	}
	return sum
}

// tempered is the propensity of the logged arm with c times the declared η.
func (o *tried) tempered(c, floor float64) float64 {
	most, sum := 0.0, 0.0
	for a, pi := range o.want {
		if o.can(a) {
			most = max(most, pi)
		}
	}
	own := math.Pow(o.want[o.arm]/most, c)
	for a, pi := range o.want {
		switch {
		case !o.can(a) || !(pi > 0) && c != 0:
		case a == o.arm:
			sum += own
		default:
			sum += math.Pow(pi/most, c)
		}
	}
	rest := 1 - float64(float64(o.arms())*floor)
	return floor + float64(rest*own/sum)
}

// peak returns the c in [0, mostTempering] at which the logged arm's propensity
// is largest. It rises as long as ln π is above its mean under π^c, and that mean
// grows with c.
func (o *tried) peak() float64 {
	own := o.want[o.arm]
	rises := func(c float64) bool {
		sum, mean := 0.0, 0.0
		for a, pi := range o.want {
			if o.can(a) && pi > 0 {
				gap := math.Log(pi / own)
				w := math.Exp(float64(c * gap))
				sum, mean = sum+w, mean+float64(w*gap)
			}
		}
		return mean < 0 && !math.IsInf(sum, 0)
	}
	switch {
	case own <= 0 || !rises(0):
		return 0
	case rises(mostTempering):
		return mostTempering
	}
	c, _ := bisect(rises, 0, mostTempering)
	return c
}

// explore tries another constant, and another decay c of min(1, c/t), on rows
// of the greedy policy: p = ε/m + (1 − ε)·g.
func (c *comparison) explore(rows []*tried, declared schemas.Values, floor float64) []schemas.Hypothesis {
	constantly, decays := declared.Number("explore"), declared.Group("explore").Number("decay")
	says := func(before, after, key string, x float64) (words, settles string) {
		is, not := figure(x, figureDigits), "min(1, c/t)"
		switch {
		case constantly != nil:
			is, not = apart(x, *constantly)
		case decays != nil:
			is, not = apart(x, *decays)
			not = "min(1, " + not + "/t)"
		}
		return fmt.Sprintf("epsilon-greedy explores with ε = %s%s%s, and declared is %s", before, is, after, not), fmt.Sprintf(key, is)
	}
	constant := func(_ *tried, x float64) float64 { return min(1, x) }
	decaying := func(o *tried, x float64) float64 { return min(1, x/float64(o.row+1)) }
	s, x, t := c.fit(rows, exploring(constant, floor, 1))
	out := fitted("parameter", "another constant exploration ε", func(x float64) (words, settles string) {
		return says("", "", "policy.explore: %s", x)
	}, s, x, t)
	s, x, t = c.fit(rows, exploring(decaying, floor, float64(rows[len(rows)-1].row+1)))
	out = append(out, fitted("parameter", "another decaying exploration ε", func(x float64) (words, settles string) {
		return says("min(1, ", "/t)", "policy.explore: {decay: %s}", x)
	}, s, x, t)...)
	return ranked(out)[:min(1, len(out))]
}

// exploring is epsilon-greedy with the exploration at(x), x up to most, above a
// floor that is mixed in.
func exploring(at func(o *tried, x float64) float64, floor, most float64) fittable {
	chance := func(o *tried, a int, x float64) float64 {
		m, e := float64(o.arms()), at(o, x)
		p := e/m + float64((1-e)*o.want[a])
		return floor + float64((1-float64(m*floor))*p)
	}
	return fittable{
		allows: func(o *tried, within span) []span {
			return []span{crossing(func(x float64) float64 { return chance(o, o.arm, x) }, 0, most, within)}
		},
		law: func(o *tried, x float64, dst []float64) {
			for a := range dst {
				dst[a] = 0
				if o.can(a) {
					dst[a] = chance(o, a, x)
				}
			}
		},
	}
}
