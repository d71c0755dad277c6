package counter

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
)

// root is the slot of the logarithmic mechanism; slots below it are levels of
// the tree of the current segment.
const root = maxSegment + 1

// hybridStream is one arm's stream. Slot i holds the last prefix that ended
// with a node of level i: what was released there, and the exact sum there.
// The sum released at r is the release at r with its lowest bit cleared plus
// one new noisy node, so each row costs one addition and one draw.
type hybridStream struct {
	src      rand.Source
	rows     int64
	sum      int64 // exact, in units of the grid; never leaves the stream
	released [root + 1]int64
	prefix   [root + 1]int64
}

type hybridBank struct {
	*hybrid
	arms []hybridStream
	unit float64 // 2^m
	step float64 // 2^-m
}

// Add rounds y to the grid, appends it and returns the noisy running sum.
func (b *hybridBank) Add(arm int, y float64) (float64, error) {
	if !(y >= 0 && y <= 1) {
		return 0, rewardError(arm, y)
	}
	s := &b.arms[arm]
	s.rows++
	s.sum += int64(math.RoundToEven(float64(y * b.unit)))
	k, r := segment(s.rows)
	law, from, to := 0, root, root
	if r > 0 {
		law, to = k, bits.TrailingZeros64(uint64(r))
		if rest := r & (r - 1); rest != 0 {
			from = bits.TrailingZeros64(uint64(rest)) //nolint:gosec // rest is positive
		}
	}
	if k > b.levels {
		return 0, fmt.Errorf("counter: arm %d has more than %d rows, more than the hybrid counter holds at grid 2^-%d; declare a coarser grid", arm, s.rows-1, b.m)
	}
	noise, err := b.law[law].draw(s.src)
	if err != nil {
		return 0, err
	}
	s.released[to] = s.released[from] + (s.sum - s.prefix[from]) + noise
	s.prefix[to] = s.sum
	return float64(float64(s.released[to]) * b.step), nil
}
