package subgroups

import (
	"math"
	"math/bits"
	"slices"
)

// eighthRows is of about how many numbers eighths are taken at most.
const eighthRows = 1 << 13

// Eighths tells in which eighth of the numbers before a number is: from number
// 2^k + 1 to 2^(k+1) by the quantiles 1/8 … 7/8 of the first 2^k, or, of more than
// 8,192, of about as many of them, which a fixed hash of their place picks out. The
// middle one is the median, of an even number the lower. Where many numbers are
// equal to a quantile they are taken with those above or with those below it,
// whichever leaves more nearly the share above it that is its own. A cell depends on
// earlier numbers alone, and so does whatever is wagered on it. The zero value is
// ready to use.
type Eighths struct {
	seen   uint64
	sample []placed
	cuts   [7]float64 // the least number above each quantile
	known  bool
}

// placed is a number with its place.
type placed struct {
	place uint64
	value float64
}

// Cells appends the cell of every number, 0 to 7 and NoCell for the first, and
// takes each up after its own.
func (m *Eighths) Cells(dst []uint8, x []float64) []uint8 {
	for _, v := range x {
		dst = append(dst, m.cell(v))
		m.add(v)
	}
	return dst
}

func (m *Eighths) cell(v float64) uint8 {
	if !m.known {
		return NoCell
	}
	cell := uint8(0)
	for _, cut := range m.cuts { // without a branch, which could not be foreseen
		cell += above(v, cut)
	}
	return cell
}

func above(v, cut float64) (one uint8) {
	if v >= cut {
		one = 1
	}
	return one
}

// add takes up a number.
func (m *Eighths) add(v float64) {
	if m.picked(m.seen) {
		m.sample = append(m.sample, placed{m.seen, v})
	}
	if m.seen++; m.seen&(m.seen-1) == 0 {
		m.refresh()
		m.sample = slices.DeleteFunc(m.sample, func(p placed) bool { return !m.picked(p.place) })
	}
}

// picked reports whether the number at a place is in the sample from which the next
// quantiles are taken.
func (m *Eighths) picked(place uint64) bool {
	thinned := max(0, bits.Len64(m.seen)-bits.Len64(eighthRows)+1) // by this power of two
	return scattered(place)&(uint64(1)<<thinned-1) == 0
}

// refresh takes the quantiles of the numbers so far.
func (m *Eighths) refresh() {
	if len(m.sample) == 0 {
		return
	}
	sorted := make([]float64, len(m.sample))
	for i, p := range m.sample {
		sorted[i] = p.value
	}
	slices.Sort(sorted)
	for j := range m.cuts {
		m.cuts[j] = cutOf(sorted, j+1)
	}
	m.known = true
}

// cutOf is the least number above the quantile with j eighths of the numbers below.
func cutOf(sorted []float64, j int) float64 {
	n := len(sorted)
	at := sorted[(n-1)*j/8]
	from, _ := slices.BinarySearch(sorted, at)
	to := from
	for to < n && sorted[to] == at {
		to++
	}
	// of those above it, and those with the ones equal to it, which is nearer to 8−j eighths
	if abs(8*(n-from)-(8-j)*n) < abs(8*(n-to)-(8-j)*n) {
		return at
	}
	return math.Nextafter(at, math.Inf(1))
}

func abs(x int) int { return max(x, -x) }

// scattered is a hash of a place (SplitMix64), whose low bits look drawn.
func scattered(place uint64) uint64 {
	z := place + 0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}
