package precision

import (
	"math"
	"math/bits"
)

// hundredths is the lattice that [Hundredths] looks for.
const hundredths = 100

// Hundredths counts, by arm, the different values of a column that has multiples of 1/100
// alone, as rounding to two decimals makes them of anything. The zero value has seen no
// value.
type Hundredths struct {
	arms      [][2]uint64 // which multiples an arm has
	rows, off int64       // values, and those that are no multiple
}

// Take joins the values of rows that played these arms of k.
func (h *Hundredths) Take(k int, arm []int32, values []float64) {
	if h.arms == nil {
		h.arms = make([][2]uint64, k)
	}
	for i, p := range values {
		const dust = 1e-9 // of sums in float64
		n := math.Round(p * hundredths)
		at := n / hundredths
		h.rows++
		if !(n >= 0 && n <= hundredths) || math.Abs(p-at) > dust && p != float64(float32(at)) {
			h.off++
			continue
		}
		h.arms[arm[i]][int(n)/64] |= 1 << (int(n) % 64)
	}
}

// Merge joins another accumulator; o stays as it is.
func (h *Hundredths) Merge(o *Hundredths) {
	h.rows, h.off = h.rows+o.rows, h.off+o.off
	if h.arms == nil {
		h.arms = make([][2]uint64, len(o.arms))
	}
	for arm, seen := range o.arms {
		h.arms[arm][0] |= seen[0]
		h.arms[arm][1] |= seen[1]
	}
}

// Rounded is the largest number of different values that an arm has, where the column
// looks rounded: every value is a multiple of 1/100, not every one of a larger simple
// fraction (of 1/50, 1/25, 1/20, 1/10, as an even share, a step of a schedule, or a share of
// that many draws is), and some arm has least of them or more. 0 where it does not. One
// probability for each arm, however it is written, and the two of ε-greedy are no sign.
func (h *Hundredths) Rounded(least int) int {
	if h.off > 0 {
		return 0
	}
	return h.different(least)
}

// Partly is Rounded of a column of which some values are no multiples of 1/100: of the others,
// where they are a hundredth of all at least.
func (h *Hundredths) Partly(least int) int {
	const rare = 100
	if h.off == 0 || rare*(h.rows-h.off) < h.rows {
		return 0
	}
	return h.different(least)
}

// different is the largest number of different multiples that an arm has, as Rounded has it.
func (h *Hundredths) different(least int) int {
	most, common := 0, hundredths
	for _, seen := range h.arms {
		most = max(most, bits.OnesCount64(seen[0])+bits.OnesCount64(seen[1]))
		for n := range hundredths + 1 {
			if seen[n/64]>>(n%64)&1 == 1 {
				common = divisor(common, n)
			}
		}
	}
	if common > 1 || most < least {
		return 0
	}
	return most
}

// divisor is the greatest common one.
func divisor(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
