package diagnose

import (
	"math"
	"slices"
)

// span is a closed interval of a parameter; it is empty where hi < lo.
type span struct{ lo, hi float64 }

// crossing returns the part of [from, to] on which a monotone, continuous f lies
// in band; empty where it does nowhere.
func crossing(f func(float64) float64, from, to float64, band span) span {
	rising := f(to) >= f(from)
	reached := func(x float64) bool {
		if rising {
			return f(x) >= band.lo
		}
		return f(x) <= band.hi
	}
	within := func(x float64) bool { // it has not been left yet
		if rising {
			return f(x) <= band.hi
		}
		return f(x) >= band.lo
	}
	if !(from <= to) || !reached(to) || !within(from) {
		return span{1, 0}
	}
	out := span{from, to}
	if !reached(from) {
		_, out.lo = bisect(func(x float64) bool { return !reached(x) }, from, to)
	}
	if !within(to) {
		out.hi, _ = bisect(within, from, to)
	}
	return out
}

// bisect returns the numbers between which a predicate changes that is true at
// lo, from true to false.
func bisect(is func(float64) bool, lo, hi float64) (yes, no float64) {
	for range 200 {
		mid := lo + float64(0.5*(hi-lo))
		if !(mid > lo && mid < hi) {
			break
		}
		if is(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo, hi
}

// covered returns where the largest number of rows agree, of which each allows
// the union of some spans that do not overlap, and how many do. Of several such
// places the first is taken.
//
// Special cases are:
//
//	no row, or none that allows anything: 0 rows
func covered(rows [][]span) (most span, count int) {
	type end struct {
		at   float64
		step int // +1: a span begins
	}
	var ends []end
	for _, spans := range rows {
		for _, s := range spans {
			if s.lo <= s.hi {
				ends = append(ends, end{s.lo, 1}, end{s.hi, -1})
			}
		}
	}
	slices.SortFunc(ends, func(a, b end) int {
		if a.at != b.at {
			return map[bool]int{true: -1, false: 1}[a.at < b.at]
		}
		return b.step - a.step // what ends where another begins still meets it
	})
	now := 0
	for i, e := range ends {
		now += e.step
		if now > count {
			count, most = now, span{e.at, ends[i+1].at}
		}
	}
	return most, count
}

// shortest returns the number in s that is shortest to write: one of five decimals
// or fewer, a fraction with a denominator up to 100, or the one with the fewest
// decimals: 0.01 rather than 0.009999871, and 1/30 rather than 0.0333333. It is the
// middle where more than 15 are needed.
func (s span) shortest() float64 {
	const few = 5
	for k := range 16 {
		if k == few+1 {
			if over, under := fractionIn(s.lo, s.hi); under > 0 {
				return float64(over) / float64(under)
			}
		}
		unit := math.Pow10(k)
		if v := math.Ceil(s.lo*unit) / unit; v >= s.lo && v <= s.hi {
			return v
		}
	}
	return s.lo + float64(0.5*(s.hi-s.lo))
}
