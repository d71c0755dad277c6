package maxinfo

import (
	"cmp"
	"math"
	"slices"
)

// Total returns Σ_levels rows·cost, rounded up, in nats. Special cases are:
//
//	Total(nil)    = 0
//	Total(levels) = +Inf if a level with Rows > 0 has cost +Inf
//	Total(levels) = NaN if a level with Rows > 0 has a cost below 0 or NaN
//
// Levels with Rows ≤ 0 count for nothing.
func Total(levels []Level) float64 {
	sum := 0.0
	for _, l := range levels {
		switch {
		case l.Rows <= 0:
		case !(l.Cost >= 0):
			return math.NaN()
		default:
			sum += float64(float64(l.Rows) * l.Cost)
		}
	}
	return sum * summed(levels)
}

// summed returns 1 plus what a sum over the levels can lose, relative to itself.
func summed(levels []Level) float64 { return 1 + float64(float64(len(levels)+64)*0x1p-53) }

// merged returns the levels with rows, by ascending cost, each cost once.
func merged(levels []Level) []Level {
	out := slices.DeleteFunc(slices.Clone(levels), func(l Level) bool { return l.Rows <= 0 })
	slices.SortFunc(out, func(a, b Level) int { return cmp.Compare(a.Cost, b.Cost) })
	last := 0
	for i := 1; i < len(out); i++ {
		if out[i].Cost == out[last].Cost || math.IsNaN(out[i].Cost) && math.IsNaN(out[last].Cost) {
			out[last].Rows += out[i].Rows
			continue
		}
		last++
		out[last] = out[i]
	}
	return out[:min(last+1, len(out))]
}

// Compact returns at most limit levels, by ascending cost, each cost once, for
// the same number of rows. Where there are more costs than that, neighbours
// share the largest of theirs, so a correction made from the result is never
// smaller than one made from levels. Groups are filled from the largest cost
// downwards until one has raised Σ rows·cost² by a common amount, the least
// one with which limit groups suffice. Special cases are:
//
//	Compact(nil, limit)    = empty
//	Compact(levels, limit) = Compact(levels, 1) for limit < 1
//	Compact(levels, limit) has one level of cost NaN if a cost is below 0 or NaN
//
// Levels with Rows ≤ 0 are left out. A cost of +Inf is shared with finite ones
// only at limit 1.
func Compact(levels []Level, limit int) []Level {
	all, limit := merged(levels), max(limit, 1)
	if len(all) == 0 {
		return all
	}
	if !(all[0].Cost >= 0) {
		return []Level{{Cost: math.NaN(), Rows: rowsOf(all)}}
	}
	if len(all) <= limit {
		return all
	}
	if limit == 1 {
		return []Level{{Cost: all[len(all)-1].Cost, Rows: rowsOf(all)}}
	}
	if top := all[len(all)-1]; math.IsInf(top.Cost, 1) {
		return append(Compact(all[:len(all)-1], limit-1), top)
	}
	lo, hi := 0.0, float64(rowsOf(all)) // at hi one group takes every cost
	for range 100 {
		mid := 0.5 * (lo + hi)
		if mid == lo || mid == hi {
			break
		}
		if len(grouped(all, mid)) <= limit {
			hi = mid
		} else {
			lo = mid
		}
	}
	return grouped(all, hi)
}

// grouped fills groups from the largest cost downwards, each until it would
// raise Σ rows·(cost/largest cost)² by more than the given amount.
func grouped(all []Level, raise float64) []Level {
	largest := all[len(all)-1].Cost
	var out []Level
	spent := 0.0
	for _, l := range slices.Backward(all) {
		if len(out) > 0 {
			group := &out[len(out)-1]
			a, b := group.Cost/largest, l.Cost/largest
			spent += float64(float64(l.Rows) * (a - b) * (a + b))
			if spent <= raise {
				group.Rows += l.Rows
				continue
			}
		}
		out, spent = append(out, l), 0
	}
	slices.Reverse(out)
	return out
}

// rowsOf returns the number of rows of levels that all have some.
func rowsOf(levels []Level) int64 {
	var rows int64
	for _, l := range levels {
		rows += l.Rows
	}
	return rows
}
