package regress

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"banditaudit/analyze/stat/moments"
)

// Squares of numbers between these are ordinary float64.
const (
	smallestSquared = 1e-150
	largestSquared  = 1e150
)

// warnScale names the dropped columns whose squares are no float64: they may
// depend on no other column, and could stay if they were rescaled.
func (m *Model) warnScale(c *moments.Cross, names []string) {
	var beyond []string
	for j, name := range names {
		mean, square := math.Abs(c.Mean(j)), c.Product(j, j)
		tiny := square < smallestSquared*smallestSquared && mean > 0 && mean < smallestSquared
		huge := !(square <= largestSquared*largestSquared) || !(mean <= largestSquared)
		if (tiny || huge) && slices.Contains(m.Dropped, name) {
			beyond = append(beyond, name)
		}
	}
	if len(beyond) > 0 {
		m.Warnings = append(m.Warnings, fmt.Sprintf("regression: the values of %s are so small or so large that their squares are no float64, so the columns were dropped; rescale them",
			strings.Join(beyond, ", ")))
	}
}

const (
	// lostShare is the relative error of what follows from cross-products from
	// which a refit is worth its pass.
	lostShare = 1e-11
	// lostRest is the same for the residual sum of squares.
	lostRest = 1e-9
)

// LosesDigits reports whether cross-products in float64 may have cost the fit
// digits that a [Refit] keeps: an error of the order of
//
//	ε·Σ_j VIF_j > 10⁻¹¹ in the coefficients, ε/(1−R²) > 10⁻⁹ in the residual sum of squares,
//
// VIF the variance inflation factors; or a column was dropped for what may be
// rounding errors only, or the fit is perfect up to them. It is false for a
// model that was refitted.
func (m *Model) LosesDigits() bool {
	d := m.design
	if m.refit || m.Rank == 0 {
		return false
	}
	rest := d.yScale > 0 && m.DFResidual > 0 && float64(lostRest*d.share) < epsilon
	return d.near || rest || float64(epsilon*d.inflation) > lostShare
}
