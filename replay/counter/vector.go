package counter

import (
	"errors"
	"fmt"
	"math/rand/v2"
)

// errFeature is in the chain of every error about a feature that is too long.
var errFeature = errors.New("the declared bound of ‖φ‖₁ does not hold")

// latticeVectors keeps d streams for every arm, one per coordinate, which take
// their noise from the arm's source in the order of the coordinates.
//
// A row with feature φ and reward y adds z_j = trunc(φ_j·y·2^m) to stream j,
// rounded towards zero. As y runs through [0,1] every z_j lies between 0 and
// trunc(φ_j·2^m), so one row moves the d sums by at most Σ_j |trunc(φ_j·2^m)|
// in ℓ1 norm, which is checked, in integers, to be at most ⌊bound·2^m⌋.
type latticeVectors struct {
	*lattice
	d       int
	streams []stream // arm·d + coordinate
}

func newLatticeVectors(l *lattice, src []rand.Source, d int, fresh func(rand.Source) stream) VectorBank {
	b := &latticeVectors{lattice: l, d: d}
	for _, s := range src {
		for range d {
			b.streams = append(b.streams, fresh(s))
		}
	}
	return b
}

// Add appends φ·y.
func (b *latticeVectors) Add(arm int, phi []float64, y float64, dst []float64) (rows int64, err error) {
	if !(y >= 0 && y <= 1) {
		return 0, rewardError(arm, y)
	}
	if err := b.fits(arm, phi); err != nil {
		return 0, err
	}
	for j, s := range b.streams[arm*b.d : (arm+1)*b.d] {
		sum, n, err := s.add(int64(float64(float64(phi[j]*y) * b.unit)))
		if err != nil {
			return 0, fmt.Errorf("arm %d: %w", arm, err)
		}
		dst[j], rows = float64(float64(sum)*b.step), n
	}
	return rows, nil
}

// fits checks the length of a feature. It names no coordinate: contexts are
// values of rows.
func (b *latticeVectors) fits(arm int, phi []float64) error {
	if b.Fits(phi) {
		return nil
	}
	return fmt.Errorf("counter: a context of arm %d is longer than policy.context_l1 allows: %w; declare the largest ‖x‖₁ that a context can have", arm, errFeature)
}

// exactVectors are running sums of φ·y in float64, each in the order in which
// rows came.
type exactVectors struct {
	d    int
	sums []float64
	rows []int64
}

func newExactVectors(arms, d int) VectorBank {
	return &exactVectors{d: d, sums: make([]float64, arms*d), rows: make([]int64, arms)}
}

// Add appends φ·y.
func (b *exactVectors) Add(arm int, phi []float64, y float64, dst []float64) (int64, error) {
	if !(y >= 0 && y <= 1) {
		return 0, rewardError(arm, y)
	}
	sums := b.sums[arm*b.d : (arm+1)*b.d]
	for j := range sums {
		sums[j] += float64(phi[j] * y)
	}
	b.rows[arm]++
	copy(dst, sums)
	return b.rows[arm], nil
}
