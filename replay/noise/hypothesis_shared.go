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
func sharedNoise(in *Input, s *drawn, r *Result) tried {
	t := tried{bic: math.NaN(), cost: func() (float64, bool) { return math.Inf(1), false }}
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
				if math.Abs(v.signed()) <= v.err && math.Abs(u.signed()) <= u.err { // as it is without noise
					continue
				}
				c := &pairs[u.stream*n+v.stream]
				c.both++
				if math.Abs(v.signed()-u.signed()) <= float64(dust*v.scale)+v.err+u.err {
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
	t.Words = in.sameNoise(&s.vars[s.streams[best/n][0]], &s.vars[s.streams[best%n][0]])
	t.Rows, t.Explained, t.Value = c.both, c.equal, float64(c.equal)/float64(c.both)
	t.Fits = t.Value >= sharedShare && c.equal >= sharedPairs
	return t
}

// sameNoise says which two streams share their noise.
func (in *Input) sameNoise(one, two *variable) string {
	between := "arms " + in.label(one.Arm) + " and " + in.label(two.Arm)
	switch {
	case one.Stratum != two.Stratum:
		between = in.stream(one.Stream) + " and " + in.stream(two.Stream)
	case one.Arm == two.Arm:
		between = fmt.Sprintf("coordinates %d and %d of arm %s", one.Coordinate, two.Coordinate, in.label(one.Arm))
	case one.Coordinate != two.Coordinate:
		between = fmt.Sprintf("coordinate %d of arm %s and coordinate %d of arm %s", one.Coordinate, in.label(one.Arm), two.Coordinate, in.label(two.Arm))
	}
	return between + " add the same noise, so that the difference of their sums shows rewards without any"
}

// stream names a stream of a log with strata, by their number in the order of the log.
func (in *Input) stream(s Stream) string {
	return fmt.Sprintf("coordinate %d of arm %s in stratum %d", s.Coordinate, in.label(s.Arm), s.Stratum+1)
}

// signed returns the draw, on its lattice.
func (v *variable) signed() float64 {
	if v.lattice > 0 && v.err == 0 {
		return float64(v.sign) * v.k * v.lattice
	}
	return float64(v.sign) * v.size
}

// label names an arm.
func (in *Input) label(arm int) string {
	if arm < len(in.Labels) {
		return `"` + in.Labels[arm] + `"` // as it is: whoever prints it makes it printable
	}
	return strconv.Itoa(arm)
}
