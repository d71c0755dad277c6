package regress

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"banditaudit/analyze/moments"
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
