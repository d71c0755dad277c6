package diagnose

import "math"

// family is a family of laws with one number x ≥ 0. Along x the propensity of an arm
// changes direction in one place at most.
type family struct {
	law  func(x float64) Law
	most func(r *Row) float64 // the largest x in a round
	turn func(r *Row) float64 // where the propensity of the played arm changes direction; nil: nowhere
}

// fitRows is the number of rows on which x is fitted.
const fitRows = 512

// allows returns the x for which the played arm's propensity lies within a span.
func (f *family) allows(r *Row, within span, dst []float64) []span {
	at := func(x float64) float64 {
		f.law(x)(r, r.Want, dst)
		return dst[r.Arm]
	}
	if f.turn == nil {
		return []span{crossing(at, 0, f.most(r), within)}
	}
	turn := f.turn(r)
	a, b := crossing(at, 0, turn, within), crossing(at, turn, f.most(r), within)
	if a.lo <= a.hi && b.lo <= b.hi && a.hi >= b.lo {
		return []span{{a.lo, b.hi}} // one row counts once
	}
	return []span{a, b}
}

// fit finds the x that explains the logged action's propensity in the largest
// number of rows, and tallies what it explains of all that is logged. The span
// holds the x that explain as many.
func (f *family) fit(j *Tolerance, rows []*Row) (span, float64, tally) {
	step := max(1, (len(rows)+fitRows-1)/fitRows)
	var all [][]span
	var dst []float64
	for i, o := range rows {
		if dst == nil {
			dst = make([]float64, len(o.Want))
		}
		if o.Beyond || i%step == 0 {
			all = append(all, f.allows(o, band(o.P, j.Action), dst))
		}
	}
	s, count := covered(all)
	x, t := math.NaN(), tally{free: 1}
	if count > 0 {
		x = s.shortest()
	}
	for _, o := range rows {
		if count == 0 { // no x explains a row
			t.count(o.Beyond, false)
			continue
		}
		f.law(x)(o, o.Want, dst)
		t.add(j, o, dst)
	}
	return s, x, t
}

// fitted is a fit of a family as an explanation: says is about its x, with what would
// be declared of it, and tried about what was tried where no x explains any row beyond
// tolerance.
func (f *family) fitted(j *Tolerance, rows []*Row, name, tried string, says func(x float64) (words, settles string)) Explanation {
	s, x, t := f.fit(j, rows)
	if t.mended == 0 {
		return j.says(&t, name, tried+" explains no round beyond tolerance", "")
	}
	words, settles := says(x)
	e := j.says(&t, name, words, settles)
	e.Value, e.Lo, e.Hi = new(x), new(s.lo), new(s.hi)
	return e
}

// evenly is 1/m for m arms that could be played, the largest floor of a round.
func evenly(r *Row) float64 { return 1 / float64(r.playable()) }
