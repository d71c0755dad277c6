package allocationtest

import (
	"context"
	"math"
	"slices"
	"sort"
)

// Grid is the cadence that Clock.Grid found, in the unit of what was added.
type Grid struct {
	Period float64 // τ; 0 where none was found
	Error  float64 // one standard error of Period, for a signal that never drifts
	Start  float64 // the first boundary after the first row
	Power  float64 // Z(1/τ), scaled as those that were looked at
	LogP   float64 // of the largest Z among those looked at, at most 0 (Bonferroni)
	Looked int     // frequencies
	Pairs  int     // that bear on it
	Cut    bool    // work left a part unsearched: all but the beginning
	Span   float64 // that was searched
	// Of pairs less than τ apart: how many lie within a window, and across a
	// boundary, and how many of each have the same propensity.
	Within, WithinSame, Across, AcrossSame int64
}

const (
	// leastPairs is the number of pairs of either kind from which a cadence is
	// looked for.
	leastPairs = 32
	// leastWindows is the number of windows that a log must have.
	leastWindows = 8
	// lowest is the share of the largest power from which a slower clock of which
	// the fastest is a multiple is preferred.
	lowest = 0.25
	// slowest is how many times slower it is looked for.
	slowest = 16
	// mostLooked bounds the frequencies that are looked at: where rows come in
	// bursts, a log may be any number of times as long as their distance.
	mostLooked = 1 << 16
)

// Grid looks for a period between twice the median distance of pairs that are
// the same, and an eighth of the log. It is found where the largest Z is beyond
// chance at the given level; p is computed for exponential Z, with the median of all Z in
// place of ln 2 where it is larger, since neighbouring cells change together. Of a clock
// and its multiples the slowest is taken that has a quarter of the power. Work bounds pairs
// times frequencies, of which there are at most 65,536: where more would be needed the
// beginning of the log is searched and the rest sharpens what was found, up to a gap longer
// than three times all before it, over which no phase is carried. Special cases are:
//
//	fewer than 32 pairs that are the same, or that differ: Period is 0, LogP is 0
//	nothing beyond chance: Period is 0
//	ctx ends: what was found is of no use, and ctx.Err says so
func (c *Clock) Grid(ctx context.Context, level float64, work int64) Grid {
	same := c.gapsOfSame()
	if len(same) < leastPairs || len(c.pairs)-len(same) < leastPairs {
		return Grid{}
	}
	pairs := c.center()
	if len(pairs) < leastPairs {
		return Grid{}
	}
	s := newSpectrum(pairs, c.end-c.first, 2*same[len(same)/2], work)
	if s == nil {
		return c.unsearched(2 * same[len(same)/2])
	}
	if s.scan(ctx); ctx.Err() != nil {
		return Grid{}
	}
	best, g := s.best(), Grid{Looked: len(s.z), Pairs: len(pairs), Cut: s.cut, Span: s.span}
	g.LogP = min(0, math.Log(float64(len(s.z)))-s.z[best])
	if g.LogP > math.Log(level) {
		return g
	}
	slow := s.fundamental(best, -math.Log(level))
	f, span := sharpen(ctx, pairs, s.at(slow), s.span)
	power, re, im := powerAt(upTo(pairs, span), f)
	g.Power, g.Period = power/s.by[slow], 1/f
	g.Error = g.Period * g.Period * math.Sqrt(6/(8*math.Pi*math.Pi*max(1, g.Power))) / span
	phase := math.Atan2(-im, -re) / (2 * math.Pi) // a boundary takes from z, so that the sum points away from it
	g.Start = c.first + float64(g.Period*(phase-math.Floor(phase)))
	g.count(c)
	return g
}

// unsearched is what is said where no frequency was looked at: that work left all
// of them, where the log has room for one.
func (c *Clock) unsearched(shortest float64) Grid {
	return Grid{Cut: frequencies(c.end-c.first, shortest) >= 1}
}

// Held is the Grid of another period or first boundary, with its own counts.
func (c *Clock) Held(g Grid) Grid {
	g.Within, g.WithinSame, g.Across, g.AcrossSame = 0, 0, 0, 0
	g.count(c)
	return g
}

// count tells pairs within a window from those across a boundary.
func (g *Grid) count(c *Clock) {
	window := func(at float64) float64 { return math.Floor((at + c.first - g.Start) / g.Period) }
	for i := range c.pairs {
		p := &c.pairs[i]
		if p.e-p.s >= g.Period {
			continue
		}
		all, same := &g.Across, &g.AcrossSame
		if window(p.s) == window(p.e) {
			all, same = &g.Within, &g.WithinSame
		}
		*all++
		if p.same {
			*same++
		}
	}
}

// spectrum is Z at evenly spaced frequencies.
type spectrum struct {
	pairs []clockPair
	span  float64 // that the pairs lie in
	cut   bool    // there is more
	from  float64 // the first frequency
	step  float64
	z     []float64 // divided by by
	by    []float64 // what chance comes to at a frequency
}

// upTo are the pairs that end within a span: they are ordered by their ends.
func upTo(pairs []clockPair, span float64) []clockPair {
	return pairs[:sort.Search(len(pairs), func(i int) bool { return pairs[i].e > span })]
}

// frequencies is how many a span has, of periods from a shortest one up to an
// eighth of it.
func frequencies(span, shortest float64) float64 { return 2 * (span/shortest - leastWindows) }

// newSpectrum lays out frequencies up to 1/shortest, two for each that the span
// can tell apart; nil where there is no room for one. Where the work or the
// frequencies would be more than bounded, the longest beginning is taken in which
// they are not, by their number there and not by how rows lie in time.
func newSpectrum(pairs []clockPair, span, shortest float64, work int64) *spectrum {
	fits := func(t float64) bool {
		n := frequencies(t, shortest)
		return n <= mostLooked && n*float64(len(upTo(pairs, t))) <= float64(work)
	}
	cut := !fits(span)
	if cut {
		const halvings = 64
		low, high := 0.0, span
		for range halvings {
			if middle := (low + high) / 2; fits(middle) {
				low = middle
			} else {
				high = middle
			}
		}
		if pairs = upTo(pairs, low); len(pairs) > 0 {
			span = pairs[len(pairs)-1].e // nothing more is known of what follows
		}
	}
	if len(pairs) < leastPairs || frequencies(span, shortest) < 1 {
		return nil
	}
	return &spectrum{pairs: pairs, span: span, cut: cut, from: leastWindows / span, step: 1 / (2 * span), z: make([]float64, int(frequencies(span, shortest)))}
}

func (s *spectrum) at(i int) float64 { return s.from + float64(s.step*float64(i)) }

// turn is a pair's place on the circle of a frequency, and by how much it turns
// from one frequency to the next: e^{iπf(e−s)} and e^{iπf(s+e)}.
type turn struct {
	z                            float64
	halfRe, halfIm, midRe, midIm float64
	stepHalfRe, stepHalfIm       float64
	stepMidRe, stepMidIm         float64
}

// scan computes Z at all frequencies. Every pair turns by a constant angle from
// one frequency to the next, so that no sine is computed anew; every so often it
// is set right. It ends early with ctx.
func (s *spectrum) scan(ctx context.Context) {
	const anew = 1024
	turns := make([]turn, len(s.pairs))
	for i := range s.z {
		if ctx.Err() != nil {
			return
		}
		if i%anew == 0 {
			for j := range turns {
				turns[j] = newTurn(&s.pairs[j], s.at(i), s.step)
			}
		}
		re, im, v := 0.0, 0.0, 0.0
		for j := range turns {
			t := &turns[j]
			w := t.z * t.halfIm
			re += float64(w * t.midRe)
			im += float64(w * t.midIm)
			v += float64(w * w)
			t.halfRe, t.halfIm = float64(t.halfRe*t.stepHalfRe)-float64(t.halfIm*t.stepHalfIm), float64(t.halfRe*t.stepHalfIm)+float64(t.halfIm*t.stepHalfRe)
			t.midRe, t.midIm = float64(t.midRe*t.stepMidRe)-float64(t.midIm*t.stepMidIm), float64(t.midRe*t.stepMidIm)+float64(t.midIm*t.stepMidRe)
		}
		s.z[i] = ratio(re, im, v)
	}
	s.level()
}

// level divides every Z by the median of those around it, by ln 2, where that is
// above 1: cells that change together have more power than single labels, and more
// of it at low frequencies. A quarter is added for the chance in the median.
func (s *spectrum) level() {
	const around, chance = 32, 1.25
	raw := slices.Clone(s.z)
	s.by = make([]float64, len(raw))
	var near []float64
	for i := range raw {
		from := max(0, min(i-around, len(raw)-2*around-1))
		near = append(near[:0], raw[from:min(len(raw), from+2*around+1)]...)
		slices.Sort(near)
		s.by[i] = chance * max(1, near[len(near)/2]/math.Ln2)
		s.z[i] = raw[i] / s.by[i]
	}
}

func newTurn(p *clockPair, f, step float64) turn {
	t := turn{z: p.z}
	t.halfIm, t.halfRe = math.Sincos(math.Pi * f * (p.e - p.s))
	t.midIm, t.midRe = math.Sincos(math.Pi * f * (p.s + p.e))
	t.stepHalfIm, t.stepHalfRe = math.Sincos(math.Pi * step * (p.e - p.s))
	t.stepMidIm, t.stepMidRe = math.Sincos(math.Pi * step * (p.s + p.e))
	return t
}

// ratio is |re + i·im|²/v, 0 where there is no variance.
func ratio(re, im, v float64) float64 {
	const none = 1e-9
	if v < none {
		return 0
	}
	return (float64(re*re) + float64(im*im)) / v
}

// powerAt is Z at one frequency, and the sum that it is made of.
func powerAt(pairs []clockPair, f float64) (z, re, im float64) {
	v := 0.0
	for j := range pairs {
		t := newTurn(&pairs[j], f, 0)
		w := t.z * t.halfIm
		re += float64(w * t.midRe)
		im += float64(w * t.midIm)
		v += float64(w * w)
	}
	return ratio(re, im, v), re, im
}

// best is the index of the largest Z, of equal ones the first.
func (s *spectrum) best() int {
	best := 0
	for i, z := range s.z {
		if z > s.z[best] {
			best = i
		}
	}
	return best
}

// fundamental is the index of the slowest clock of which the best is a multiple:
// where boundaries are sharp all multiples are about as strong.
func (s *spectrum) fundamental(best int, least float64) int {
	least = max(least, lowest*s.z[best])
	for k := slowest; k > 1; k-- {
		at := int(math.Round((s.at(best)/float64(k) - s.from) / s.step))
		top := -1
		for i := max(0, at-1); i <= at+1; i++ {
			if i < best && s.z[i] >= least && (top < 0 || s.z[i] > s.z[top]) {
				top = i
			}
		}
		if top >= 0 {
			return top
		}
	}
	return best
}

// sharpen moves a frequency that was found in a span to the largest power in
// longer and longer ones, up to all of the pairs or to a gap: where four times the
// span holds fewer than 32 pairs more than the span, any of many frequencies joins
// what comes after to what was before. It returns the span that it came to. It
// takes 130 steps for each pair at most, which is half more than for rows that are
// evenly spread.
func sharpen(ctx context.Context, pairs []clockPair, f, span float64) (at, reached float64) {
	const fine, growth, steps = 16, 4, 4*16 + 1
	all, left := pairs[len(pairs)-1].e, 2*steps*len(pairs)
	for {
		part := upTo(pairs, span)
		step, top, from := 1/(fine*span), -1.0, f
		for i := -2 * fine; i <= 2*fine && ctx.Err() == nil; i++ {
			g := from + float64(step*float64(i))
			if z, _, _ := powerAt(part, g); g > 0 && z > top {
				top, f = z, g
			}
		}
		left -= steps * len(part)
		more := upTo(pairs, min(all, growth*span))
		if span >= all || len(more) < len(part)+leastPairs || steps*len(more) > left {
			return f, min(all, span)
		}
		span = min(all, growth*span)
	}
}
