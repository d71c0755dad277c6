package counter

import (
	"fmt"
	"math/rand/v2"
)

// hybridStream is one arm's stream.
type hybridStream struct {
	hybrid    *hybrid
	src       rand.Source
	rows, sum int64    // sum is exact, in units of the grid; it never leaves the stream
	nodes     prefixes // of the current segment's tree, on the logarithmic mechanism
}

// add appends z and releases the noisy running sum.
func (s *hybridStream) add(z int64) (sum, rows int64, err error) {
	s.rows++
	s.sum += z
	k, r := segment(s.rows)
	if k > s.hybrid.levels {
		return 0, 0, s.hybrid.full(s.hybrid.Name(), s.rows-1)
	}
	law := 0
	if r > 0 {
		law = k
	}
	noise, err := s.hybrid.laws[law].draw(s.src)
	if err != nil {
		return 0, 0, err
	}
	if r > 0 {
		return s.nodes.node(r, s.sum, noise), s.rows, nil
	}
	return s.nodes.stand(s.sum, noise), s.rows, nil
}

// hybridBank holds its streams side by side, because this is the counter that
// is run most.
type hybridBank struct {
	*lattice
	arms []hybridStream
}

// Add rounds y to the grid, appends it and returns the noisy running sum.
func (b *hybridBank) Add(arm int, y float64) (float64, int64, error) {
	z, err := b.units(arm, y)
	if err != nil {
		return 0, 0, err
	}
	sum, rows, err := b.arms[arm].add(z)
	if err != nil {
		return 0, 0, fmt.Errorf("arm %d: %w", arm, err)
	}
	return float64(float64(sum) * b.step), rows, nil
}
