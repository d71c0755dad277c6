package analyze

import (
	"slices"

	"banditaudit/analyze/adaptive"
	"banditaudit/schemas"
)

// earlier tries actions that follow the propensities logged before the last
// update.
func (x *explainer) earlier() *schemas.Hypothesis {
	if !x.exact {
		return nil
	}
	return x.stale("actions follow the propensities logged one update earlier", func() adaptive.Explanation {
		var now, before []float64
		return func(dst []float64, c *adaptive.Choice) {
			switch {
			case now == nil:
				now, before = slices.Clone(c.All), slices.Clone(c.All)
			case !slices.Equal(now, c.All):
				copy(before, now)
				copy(now, c.All)
			}
			copy(dst, before)
		}
	})
}

// later tries actions that follow the propensities logged after the next update:
// what was logged was out of date by one.
func (x *explainer) later() *schemas.Hypothesis {
	if !x.exact {
		return nil
	}
	// ends[i] is the round, from 0, in which the i-th stretch of equal propensities
	// ends; the next one begins there.
	var (
		ends []int64
		next [][]float64
		last []float64
		row  int64
	)
	x.rounds(func(c *adaptive.Choice) {
		if last != nil && !slices.Equal(last, c.All) {
			ends, next = append(ends, row), append(next, c.All)
		}
		last = c.All
		row++
	})
	return x.stale("the logged propensities are out of date: actions follow those logged after the next update", func() adaptive.Explanation {
		at, row := 0, int64(0)
		return func(dst []float64, c *adaptive.Choice) {
			for at < len(ends) && row >= ends[at] {
				at++
			}
			row++
			if at == len(ends) {
				copy(dst, c.All) // nothing was logged after the last stretch
				return
			}
			copy(dst, next[at])
		}
	})
}

// stale tests an explanation that remembers the rounds before: made anew for
// every walk over them.
func (x *explainer) stale(words string, made func() adaptive.Explanation) *schemas.Hypothesis {
	gain := adaptive.Gain(x.rounds, x.arms, made())
	return x.hypothesis("stale", words+"; "+lead(gain), gain, made())
}
