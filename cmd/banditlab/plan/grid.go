package plan

import (
	"math"
	"slices"
	"strconv"

	"banditaudit/cmd/banditlab/documents"
	"banditaudit/schemas"
)

// epsilons returns the values of the frontier, ascending: those that were
// given, or a grid together with the limits of wishes.
func (q *Question) epsilons(wishes []documents.PlanWish) []schemas.Rational {
	all := slices.Clone(q.Epsilons)
	if len(all) == 0 {
		all = q.grid()
		for _, w := range wishes {
			if w.EpsilonAt != nil {
				all = append(all, schemas.MustRational(strconv.FormatFloat(*w.EpsilonAt, 'f', -1, 64)))
			}
		}
	}
	slices.SortFunc(all, func(a, b schemas.Rational) int { return a.Rat().Cmp(b.Rat()) })
	return slices.CompactFunc(all, schemas.Rational.Equal)
}

// grid is 1, 2 and 5 times powers of ten from ε√T ≈ 0.3, where a correction
// changes next to nothing, to ε√T ≈ 10, where it leaves next to nothing, and on
// to 1, where bias bounds still say something.
func (q *Question) grid() []schemas.Rational {
	root := math.Sqrt(float64(q.Rounds))
	lo, hi := max(.3/root, 1e-6), max(10/root, 1)
	var out []schemas.Rational
	for exponent := int(math.Floor(math.Log10(lo))); ; exponent++ {
		for _, digit := range []int{1, 2, 5} {
			r := schemas.MustRational(strconv.Itoa(digit) + "e" + strconv.Itoa(exponent))
			switch v := r.Float(); {
			case v > hi*(1+1e-9):
				return out
			case v >= lo*(1-1e-9):
				out = append(out, schemas.MustRational(strconv.FormatFloat(v, 'f', -1, 64)))
			}
		}
	}
}
