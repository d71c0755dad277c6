package allocationtest

import (
	"math"
	"slices"
)

// Clock looks for the cadence at which a policy learned in what was logged: for
// a period τ and a phase such that the propensities of a cell (an arm, or an arm
// in one context) stand still within the windows [b + kτ, b + (k+1)τ) and change
// between them. It sees pairs of neighbouring rows of a cell, at s and e > s, and
// whether they have the same propensity. With
//
//	z = 1{same} − r(e − s),  r the share of equal ones among pairs as far apart
//
// the labels of pairs as far apart are exchangeable where no clock runs, however
// the rows lie in time. For a frequency f let c = sin(πf(e − s))·exp(iπf(s + e)),
// which is ∫ exp(2πift) over the pair but for 1/(πf). Then
//
//	Z(f) = |Σ z·c|² / Σ z²·|c|²
//
// is about exponential with mean 1, and large where pairs that hold a boundary
// differ: own derivation, internally reviewed; a periodogram of a point process
// (Bartlett 1963, doi 10.1111/j.2517-6161.1963.tb00508.x) whose points are known
// to lie within intervals only. The zero value is ready. It is not safe for
// concurrent use.
type Clock struct {
	last  map[int64]*clockCell
	pairs []clockPair
	first float64 // of all rows
	end   float64
	rows  int64
}

// clockCell is the last row of a cell.
type clockCell struct {
	at float64
	p  []float64
}

// clockPair is two neighbouring rows of a cell.
type clockPair struct {
	s, e float64
	same bool
	z    float64
}

// Add takes up a row of a cell at a time, or at a number of round: at never
// decreases. p holds the propensity of the row, or the propensities of all arms; it always
// has one length, and is copied. Of rows of a cell at the very same time the first counts.
func (c *Clock) Add(cell int64, at float64, p []float64) {
	if c.rows == 0 {
		c.first = at
		c.last = map[int64]*clockCell{}
	}
	c.rows++
	c.end = at
	l := c.last[cell]
	switch {
	case l == nil:
		c.last[cell] = &clockCell{at: at, p: slices.Clone(p)}
		return
	case l.at == at:
		return
	}
	c.pairs = append(c.pairs, clockPair{s: l.at - c.first, e: at - c.first, same: slices.Equal(l.p, p)})
	l.at = at
	copy(l.p, p)
}

// Cells returns the number of cells that were met.
func (c *Clock) Cells() int { return len(c.last) }

// Changed returns how many pairs of neighbouring rows of a cell there are, and
// in how many of them the propensity changed.
func (c *Clock) Changed() (pairs, changed int64) {
	for i := range c.pairs {
		if !c.pairs[i].same {
			changed++
		}
	}
	return int64(len(c.pairs)), changed
}

// Each visits the pairs of neighbouring rows of a cell, at s and e > s, in order of
// e, and whether the propensity changed.
func (c *Clock) Each(visit func(s, e float64, changed bool)) {
	for i := range c.pairs {
		visit(c.pairs[i].s+c.first, c.pairs[i].e+c.first, !c.pairs[i].same)
	}
}

// Tell is how much the cells tell of a standing still: the pairs that are the
// same, times their share among pairs no further apart than the median of these.
// Of two ways to make cells the one that tells more is better: too coarse cells
// lose the share, and too fine ones the pairs.
func (c *Clock) Tell() float64 {
	same := c.gapsOfSame()
	if len(same) == 0 {
		return 0
	}
	middle, near, all := same[len(same)/2], 0, 0
	for i := range c.pairs {
		if p := &c.pairs[i]; p.e-p.s <= middle {
			all++
			if p.same {
				near++
			}
		}
	}
	return float64(len(same)) * float64(near) / float64(all)
}

// gapsOfSame are the sorted distances of pairs that are the same.
func (c *Clock) gapsOfSame() []float64 {
	var gaps []float64
	for i := range c.pairs {
		if p := &c.pairs[i]; p.same {
			gaps = append(gaps, p.e-p.s)
		}
	}
	slices.Sort(gaps)
	return gaps
}

// octaves is the number of classes of distance in a factor of two.
const octaves = 4

// center sets z and returns the pairs that can say something: of distances at
// which some pairs are the same, two in a hundred at least, and some are not.
func (c *Clock) center() []clockPair {
	type tally struct{ all, same int }
	classes := map[int]*tally{}
	class := func(p *clockPair) int { return int(math.Floor(octaves * math.Log2(p.e-p.s))) }
	for i := range c.pairs {
		t := classes[class(&c.pairs[i])]
		if t == nil {
			t = &tally{}
			classes[class(&c.pairs[i])] = t
		}
		t.all++
		if c.pairs[i].same {
			t.same++
		}
	}
	var out []clockPair
	const least = 0.02
	for _, p := range c.pairs {
		t := classes[class(&p)]
		r := float64(t.same) / float64(t.all)
		if r < least || t.same == t.all {
			continue
		}
		if p.z = -r; p.same {
			p.z = 1 - r
		}
		out = append(out, p)
	}
	return out
}
