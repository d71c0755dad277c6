package noise

import (
	"fmt"
	"math"
	"strconv"
)

// shares of equal draws and how many make two streams share their noise.
const (
	sharedShare = 0.99
	sharedPairs = 5
)

// sharedNoise is the hypothesis that two streams add the same noise, found at
// the pair of streams with the largest share of equal draws among those that the
// same row drew. The difference of their sums of equally many rows is then free of
// noise.
func sharedNoise(in *Input, s *sample, r *Result) tried {
	t := tried{bic: math.NaN(), cost: func() float64 { return math.Inf(1) }}
	t.Name = "shared-noise"
	t.P, t.Lo, t.Hi, t.Value, t.Largest = math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN()
	n := min(len(s.streams), mostStreams)
	if n < 2 || !r.Tests[5].Rejected {
		return t
	}
	type count struct{ both, equal int64 }
	pairs := make([]count, n*n)
	for _, members := range byGroup(s, s.aligned(), n) {
		for a, i := range members {
			for _, j := range members[:a] {
				v, u := &s.vars[i], &s.vars[j]
				if v.signed() == 0 && u.signed() == 0 { // as it is without noise
					continue
				}
				c := &pairs[u.stream*n+v.stream]
				c.both++
				if math.Abs(v.signed()-u.signed()) <= dust*v.scale {
					c.equal++
				}
			}
		}
	}
	best := 0
	for at, c := range pairs {
		if c.both > 0 && (pairs[best].both == 0 || float64(c.equal)/float64(c.both) > float64(pairs[best].equal)/float64(pairs[best].both)) {
			best = at
		}
	}
	c := pairs[best]
	if c.equal == 0 {
		return t
	}
	one, two := s.vars[s.streams[best/n][0]].arm, s.vars[s.streams[best%n][0]].arm
	t.Words = fmt.Sprintf("arms %s and %s add the same noise, so that the difference of their sums shows rewards without any", in.label(one), in.label(two))
	t.Rows, t.Explained, t.Value = c.both, c.equal, float64(c.equal)/float64(c.both)
	t.Fits = t.Value >= sharedShare && c.equal >= sharedPairs
	return t
}

// signed returns the draw, on its lattice.
func (v *variable) signed() float64 {
	if v.lattice > 0 {
		return float64(v.sign) * v.k * v.lattice
	}
	return float64(v.sign) * v.size
}

// label names an arm.
func (in *Input) label(arm int) string {
	if arm < len(in.Labels) {
		return strconv.Quote(in.Labels[arm])
	}
	return strconv.Itoa(arm)
}
