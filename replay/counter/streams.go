package counter

import (
	"fmt"
	"math/big"
	"math/rand/v2"
)

// stream is one stream of whole numbers, each at most lattice.limit in
// absolute value.
type stream interface {
	// add appends z and returns the sum released last, in units of the grid, and
	// how many rows are in it; 0 and 0 before the first release.
	add(z int64) (sum, rows int64, err error)
}

// Bank returns one stream per source.
func (l *lattice) Bank(src []rand.Source) Bank {
	b := &latticeBank{lattice: l}
	for _, from := range src {
		b.streams = append(b.streams, l.fresh(from))
	}
	return b
}

// VectorBank returns d streams per source, one for each coordinate of an arm's vectors.
func (l *lattice) VectorBank(src []rand.Source, d int) VectorBank {
	return newLatticeVectors(l, src, d, l.fresh)
}

// latticeBank is the scalar bank of counters without a faster one.
type latticeBank struct {
	*lattice
	streams []stream
}

// Add rounds y to the grid, ties to even, and appends it.
func (b *latticeBank) Add(arm int, y float64) (float64, int64, error) {
	z, err := b.units(arm, y)
	if err != nil {
		return 0, 0, err
	}
	sum, rows, err := b.streams[arm].add(z)
	if err != nil {
		return 0, 0, fmt.Errorf("arm %d: %w", arm, err)
	}
	return float64(float64(sum) * b.step), rows, nil
}

// whole reads the ε of a counter that spends all of it on each release, named
// what, and the noise of such a release. With faults the noise is the zero law.
func (l *lattice) whole(spec Spec, what string) (epsilon *big.Rat, noise discreteLaplace, faults []error) {
	faults = append(faults, noExponent(spec))
	if fault := needEpsilon(spec); fault != nil {
		return nil, noise, append(faults, fault)
	}
	epsilon = new(big.Rat).Set(spec.Epsilon)
	noise, err := l.lawOf(epsilon, epsilon, what)
	return epsilon, noise, append(faults, err)
}
