package adaptive

import (
	"math/bits"
	"slices"
)

// medianRows is of about how many numbers a median is taken at most.
const medianRows = 1 << 13

// MedianSplit tells whether a number is above the median of those before: from
// number 2^k + 1 to 2^(k+1) the median of the first 2^k, or, of more than 8,192,
// of about as many of them, which a fixed hash of their place picks out. Where
// many are equal to the median they are taken with those above or with those below
// it, whichever halves the first 2^k more evenly. It depends on earlier numbers
// alone, and so does whatever is wagered on it. The zero value is ready to use.
type MedianSplit struct {
	seen    uint64
	sample  []placed
	at      float64
	orEqual bool // a number equal to the median is above
	known   bool
}

// placed is a number with its place.
type placed struct {
	place uint64
	value float64
}

// Sides appends the side of every number, taking each up after its own.
func (m *MedianSplit) Sides(dst []Side, x []float64) []Side {
	for _, v := range x {
		dst = append(dst, m.side(v))
		m.add(v)
	}
	return dst
}

func (m *MedianSplit) side(v float64) Side {
	switch {
	case !m.known:
		return SideUnknown
	case v > m.at || m.orEqual && v == m.at:
		return SideYes
	}
	return SideNo
}

// add takes up a number.
func (m *MedianSplit) add(v float64) {
	if m.picked(m.seen) {
		m.sample = append(m.sample, placed{m.seen, v})
	}
	if m.seen++; m.seen&(m.seen-1) == 0 {
		m.refresh()
		m.sample = slices.DeleteFunc(m.sample, func(p placed) bool { return !m.picked(p.place) })
	}
}

// picked reports whether a place is among those of which the next median is taken.
func (m *MedianSplit) picked(place uint64) bool {
	thinned := max(0, bits.Len64(m.seen)-bits.Len64(medianRows)+1) // by this power of two
	return scattered(place)&(uint64(1)<<thinned-1) == 0
}

// refresh takes the median of the numbers so far.
func (m *MedianSplit) refresh() {
	if len(m.sample) == 0 {
		return
	}
	sorted := make([]float64, len(m.sample))
	for i, p := range m.sample {
		sorted[i] = p.value
	}
	slices.Sort(sorted)
	m.at, m.known = sorted[(len(sorted)-1)/2], true
	below, _ := slices.BinarySearch(sorted, m.at)
	equal := 0
	for below+equal < len(sorted) && sorted[below+equal] == m.at {
		equal++
	}
	above := len(sorted) - below - equal
	m.orEqual = abs(2*(above+equal)-len(sorted)) < abs(2*above-len(sorted))
}

func abs(x int) int { return max(x, -x) }

// scattered is a hash of a place (SplitMix64), whose low bits look drawn.
func scattered(place uint64) uint64 {
	z := place + 0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}
