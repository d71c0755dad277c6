package changeschedule

import "slices"

// mostChanges bounds the changes that are kept, the first: 1 MiB.
const mostChanges = 1 << 16

// Changes are stretches (s, e] of rounds, or of time, of which each holds a
// change, and no two of which overlap: each change is counted once, however many
// arms show it. The zero value is ready. It is not safe for concurrent use.
type Changes struct {
	first, end float64 // of all that was looked at
	begun      bool
	kept       []stretch
	last       map[int64]*seen
}

// stretch is (s, e], relative to the first moment.
type stretch struct{ s, e float64 }

// seen is what a cell had last.
type seen struct {
	at float64
	p  []float64
}

// Add takes up what a cell has at a moment, which never decreases: the
// propensities of an arm, or of all arms. p is copied. A stretch is kept where the
// cell had something else before.
func (c *Changes) Add(cell int64, at float64, p []float64) {
	if c.last == nil {
		c.last = map[int64]*seen{}
	}
	l := c.last[cell]
	if l == nil {
		c.Between(at, at, false)
		c.last[cell] = &seen{at: at, p: slices.Clone(p)}
		return
	}
	c.Between(l.at, at, !slices.Equal(l.p, p))
	l.at, l.p = at, append(l.p[:0], p...)
}

// Between takes up that something changed, or did not, in (s, e]. Stretches come
// in order of e, and a change that overlaps the one before is passed over: of
// stretches in this order that leaves as many as can be had.
func (c *Changes) Between(s, e float64, changed bool) {
	if !c.begun {
		c.begun, c.first = true, s
	}
	c.end = e
	s, e = s-c.first, e-c.first
	n := len(c.kept)
	if !changed || s >= e || n == mostChanges || n > 0 && s < c.kept[n-1].e {
		return
	}
	c.kept = append(c.kept, stretch{s, e})
}

// some returns no more than most of the changes, at equal distances.
func (c *Changes) some(most int) []stretch {
	if len(c.kept) <= most {
		return c.kept
	}
	out := make([]stretch, most)
	for i := range out {
		out[i] = c.kept[i*len(c.kept)/most]
	}
	return out
}
