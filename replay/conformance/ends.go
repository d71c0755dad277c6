package conformance

import "slices"

// mostEnds bounds the arms of which the ends are computed: twice as many as there
// are arms of the propensities of all arms.
const mostEnds = 64

// ends are the propensities that released values within their rounding can give.
// The propensity of an arm rises with its own sum and falls with the sums of others, for
// every policy that reads sums, so that it is largest where its own is at the upper end and
// the others are at their lower ones, and smallest the other way around. Of a policy that
// reads vectors, and of very many arms, nothing is said: 0 to 1.
type ends struct {
	s      *seen
	lo, hi []float64
	sums   []float64
	round  int64 // of which they are; 0: none
	always bool  // every round is asked for, since few decimals or digits can move any
}

func newEnds(s *seen) *ends {
	k := len(s.rows)
	return &ends{s: s, lo: make([]float64, k), hi: make([]float64, k), sums: make([]float64, k), always: s.column.Coarse()}
}

// of computes them for a round.
func (e *ends) of(l *logged) {
	if e.round == l.round() {
		return
	}
	e.round = l.round()
	values := l.released()
	if m := e.s.j.mechanism; len(values) != len(e.lo) || len(e.lo) > mostEnds || m.Linear() {
		for a := range e.lo {
			e.lo[a], e.hi[a] = 0, 1
		}
		return
	}
	for a := range e.lo {
		e.lo[a] = min(1, e.at(values, a, -1))
		e.hi[a] = max(e.lo[a], e.at(values, a, 1))
	}
}

// at returns the propensity of an arm with its sum moved to a side, and all others
// to the other.
func (e *ends) at(values []float64, arm int, side float64) float64 {
	for a, v := range values {
		off := 0.0
		if e.s.rows[a] > 0 { // else nothing was released, and 0 is exact
			off = e.s.column.Off(v)
		}
		if a == arm {
			e.sums[a] = v + float64(side*off)
		} else {
			e.sums[a] = v - float64(side*off)
		}
	}
	return e.s.run.Supposing(e.sums)[arm]
}

// plays reports whether rounding lets an arm be played.
func (e *ends) plays(l *logged, arm int) bool {
	if e == nil {
		return false
	}
	e.of(l)
	return e.hi[arm] > 0
}

// clamp returns what is as near to the logged propensities as rounding lets the
// recomputed ones be; nil where there are no ends.
func (e *ends) clamp(l *logged, want []float64) []float64 {
	if e == nil {
		return nil
	}
	e.of(l)
	out := slices.Clone(want)
	for a, p := range l.propensities() {
		out[a] = min(max(p, e.lo[a]), e.hi[a])
	}
	arm := l.arm()
	out[arm] = min(max(l.propensity(), e.lo[arm]), e.hi[arm])
	return out
}
