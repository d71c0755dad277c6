package montecarlo

import (
	"math"
	"slices"
)

// least is the least probability of a cell by which N is estimated.
const least = 0.05

// expected is how many draws a cell has at least in which shares of a known number
// of draws are held together against their law.
const expected = 5

// merged are the cells of one update: the smallest are merged until their sum is
// large enough, and a merged multinomial is one.
type merged struct {
	q, p  []float64
	of    []int // cell of every arm; −1: none
	order []int
}

// merge merges the cells of shares q with law p, of arms with p > 0 or q > 0, until
// each has at least the given probability.
func (m *merged) merge(q, p []float64, atLeast float64) {
	m.order, m.of = m.order[:0], m.of[:0]
	for a := range p {
		m.of = append(m.of, -1)
		if p[a] > 0 || q[a] > 0 {
			m.order = append(m.order, a)
		}
	}
	slices.SortStableFunc(m.order, func(a, b int) int {
		switch {
		case p[a] < p[b]:
			return -1
		case p[a] > p[b]:
			return 1
		}
		return 0
	})
	m.q, m.p = m.q[:0], m.p[:0]
	open := false
	for _, a := range m.order {
		if !open {
			m.q, m.p = append(m.q, 0), append(m.p, 0)
		}
		last := len(m.p) - 1
		m.q[last] += q[a]
		m.p[last] += p[a]
		m.of[a] = last
		open = m.p[last] < atLeast
	}
	if last := len(m.p) - 1; open && last > 0 { // what is left joins the largest
		m.q[last-1] += m.q[last]
		m.p[last-1] += m.p[last]
		m.q, m.p = m.q[:last], m.p[:last]
		for a := range m.of {
			m.of[a] = min(m.of[a], last-1)
		}
	}
}

// sum returns Q = Σ(q−p)²/p over the cells.
func (m *merged) sum() float64 {
	q := 0.0
	for i, p := range m.p {
		d := m.q[i] - p
		q += float64(d*d) / p
	}
	return q
}

// rounding is about what rounding to within tau adds to Q: Στ²/(3p) over the shares
// of the cells.
func (m *merged) rounding(tau float64) float64 {
	out := 0.0
	for _, of := range m.of {
		if of >= 0 {
			out += float64(tau*tau) / float64(3*m.p[of])
		}
	}
	return out
}

// degrees is ν = cells − 1.
func (m *merged) degrees() int { return max(0, len(m.p)-1) }

// variance returns the variance of N·Q, exactly 2ν + (Σ1/p − k² − 2k + 2)/N, k = ν+1.
func (m *merged) variance(n float64) float64 {
	k, inverse := float64(len(m.p)), 0.0
	for _, p := range m.p {
		inverse += 1 / p
	}
	return 2*(k-1) + (inverse-float64(k*k)-2*k+2)/n
}

// threshold is the least probability of a cell where n draws are known.
func threshold(n float64) float64 { return min(least, expected/math.Max(1, n)) }
