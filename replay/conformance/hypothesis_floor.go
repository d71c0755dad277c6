package conformance

import (
	"fmt"
	"math"

	"banditaudit/schemas"
)

// fittable is a family of laws with one number x that a hypothesis fits.
type fittable struct {
	allows func(o *tried, within span) []span       // x for which the logged arm's propensity lies within
	law    func(o *tried, x float64, dst []float64) // propensities of all arms at x
}

// fitRows is the number of rows on which x is fitted.
const fitRows = 512

// fit finds the x that explains the logged action's propensity in the largest
// number of rows, and tallies what it explains of all that is logged. The span
// holds the x that explain as many.
func (c *comparison) fit(rows []*tried, f fittable) (span, float64, tally) {
	step := (len(rows) + fitRows - 1) / fitRows
	var all [][]span
	for i, o := range rows {
		if o.beyond || i%max(1, step) == 0 {
			all = append(all, f.allows(o, band(o.p, c.action)))
		}
	}
	s, count := covered(all)
	x, t := math.NaN(), tally{free: 1}
	if count == 0 {
		for _, o := range rows { // no x explains a row
			t.rows++
			if o.beyond {
				t.beyond++
			}
		}
		return s, x, t
	}
	x = s.shortest()
	dst := make([]float64, len(rows[0].want))
	for _, o := range rows {
		f.law(o, x, dst)
		t.add(c, o, dst)
	}
	return s, x, t
}

// fitted makes a fit a hypothesis: says is about its x, with what would be declared
// of it, and nothing about what was tried where no x explains any row beyond
// tolerance.
func fitted(name, nothing string, says func(x float64) (words, settles string), s span, x float64, t tally) []schemas.Hypothesis {
	if t.mended == 0 {
		return []schemas.Hypothesis{t.says(name, nothing+" explains no round beyond tolerance", "")}
	}
	words, settles := says(x)
	h := t.says(name, words, settles)
	h.Value, h.Lo, h.Hi = new(x), new(s.lo), new(s.hi)
	return []schemas.Hypothesis{h}
}

// floor is the mixture p = f + (1 − m·f)·π over m eligible arms, with any f: rows
// are those of the policy without its floor.
func (c *comparison) floor(rows []*tried, declared float64) []schemas.Hypothesis {
	s, f, t := c.fit(rows, fittable{allows: floorAllows, law: floorLaw})
	says := func(f float64) (words, settles string) {
		is, not := apart(f, declared)
		return fmt.Sprintf("an exploration floor f = %s is mixed in, p = f + (1 − m·f)·π over the m eligible arms; declared is %s", is, not), "policy.floor: " + is
	}
	return fitted("floor", "another exploration floor that is mixed in", says, s, f, t)
}

// floorAllows solves f + (1 − m·f)·π for f in [0, 1/m].
func floorAllows(o *tried, within span) []span {
	m, pi := float64(o.arms()), o.want[o.arm]
	mixed := func(f float64) float64 { return f + float64((1-float64(m*f))*pi) }
	return []span{crossing(mixed, 0, 1/m, within)}
}

func floorLaw(o *tried, f float64, dst []float64) {
	rest := 1 - float64(float64(o.arms())*f)
	for a, pi := range o.want {
		dst[a] = 0
		if o.can(a) {
			dst[a] = f + float64(rest*pi)
		}
	}
}
