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
	hybrid   *hybrid
	src      rand.Source
	rows     int64
	sum      int64 // exact, in units of the grid; never leaves the stream
	released [root + 1]int64
	prefix   [root + 1]int64
}

// add appends z and releases the noisy running sum.
func (s *hybridStream) add(z int64) (sum, rows int64, err error) {
	s.rows++
	s.sum += z
	k, r := segment(s.rows)
	law, from, to := 0, root, root
	if r > 0 {
		law, to = k, bits.TrailingZeros64(uint64(r))
		if rest := r & (r - 1); rest != 0 {
			from = bits.TrailingZeros64(uint64(rest)) //nolint:gosec // rest is positive
		}
	}
	if k > s.hybrid.levels {
		return 0, 0, fmt.Errorf("counter: a stream has more than %d rows, more than the hybrid counter holds at grid 2^-%d; declare a coarser grid", s.rows-1, s.hybrid.m)
	}
	noise, err := s.hybrid.laws[law].draw(s.src)
	if err != nil {
		return 0, 0, err
	}
	s.released[to] = s.released[from] + (s.sum - s.prefix[from]) + noise
	s.prefix[to] = s.sum
	return s.released[to], s.rows, nil
}

// hybridBank holds its streams side by side, because this is the counter that
// is run most.
type hybridBank struct {
	*lattice
	arms []hybridStream
}

// Add rounds y to the grid, appends it and returns the noisy running sum.
func (b *hybridBank) Add(arm int, y float64) (float64, int64, error) {
	if !(y >= 0 && y <= 1) {
		return 0, 0, rewardError(arm, y)
	}
	sum, rows, err := b.arms[arm].add(int64(math.RoundToEven(float64(y * b.unit))))
	if err != nil {
		return 0, 0, fmt.Errorf("arm %d: %w", arm, err)
	}
	return float64(float64(sum) * b.step), rows, nil
}
