package corrections

import (
	"math"
	"slices"

	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// SpentSeries bounds the largest privacy loss of a row after n rounds, for several n, by
// the ledger of the declared mechanism on the logged actions:
//
//	max_τ c_τ(a_1 … a_n) ≤ min(largest cost in streams of N_i(n) rows, max_τ c_τ(a))
//
// over the arms i, where all N_i(n) rows of an arm up to round n count as released; under
// a [ledger.PathLaw] the largest cost that n rounds of these numbers of rows allow. A cost
// never falls as rounds are added, so that the smaller of both is a bound; the last is what
// the row that paid most did pay (formula sheet 3.1).
//
// Special cases are:
//
//	no mechanism, or one that the public columns contradict, costs of units or strata, and
//	no finite cost: none
func (a *Accounts) SpentSeries() []schemas.Series {
	realized := a.Accounting.EpsilonRealized
	if !a.Facts.Figured() || a.Ledger == nil || a.Against != nil || a.Facts.Slice.Schema().Stratum || a.Accounting.Unit == schemas.UnitUser || realized == nil || math.IsInf(float64(*realized), 1) || a.Facts.Pub.Rounds == 0 {
		return nil
	}
	s := schemas.Series{
		ID: schemas.SeriesSpent, Title: "largest cost of a row by what was released of the rounds so far, at most", Unit: "ε", N: a.Facts.Pub.Rounds, Lo: []float64{}, Hi: []float64{},
	}
	most, all := 0.0, float64(*realized)
	a.Facts.EachBin(func(end int64, pulls []int64) {
		most = max(most, largestCost(a.Ledger, end, pulls))
		s.X, s.Y = append(s.X, float64(end)), append(s.Y, min(most, all))
	})
	s.Y[len(s.Y)-1] = all
	return []schemas.Series{s}
}

// largestCost returns the most that a row can have cost after a number of rounds with these
// pulls of each arm. It does not fall where a stream is longer, so that the longest has it.
func largestCost(law ledger.Law, rounds int64, pulls []int64) float64 {
	path, ok := law.(*ledger.PathLaw)
	if !ok {
		if levels := law.Levels(slices.Max(pulls)); len(levels) > 0 {
			return levels[len(levels)-1].Cost.Up()
		}
		return 0
	}
	later := rounds - 1
	if path.Opposed {
		later = 0
		for _, n := range pulls {
			if n > 0 {
				later = max(later, n-1, rounds-n)
			}
		}
	}
	return path.Decisions.Up(min(later, max(0, rounds-max(path.First, 2)+1)), rounds)
}
