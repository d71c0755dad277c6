package maxinfo

import (
	"math"
	"strings"
)

// Least returns the correction that gives the smallest of what the given ones
// give. Each of them bounds one function of the same law, sup P(p ≤ x | a), so
// their minimum bounds it too. That needs that all were made for the same rows
// and are applied to one p-value of one test; a minimum over tests or over sets
// of rows does not hold its level. Averaged corrections cannot enter: they do
// not have the type. Special cases are:
//
//	Least() leaves nothing: Apply(p) = 1
//	Apply and Level are NaN where one of them is
func Least(of ...Conditional) Conditional { return least(of) }

type least []Conditional

// Name returns what it is, in words.
func (l least) Name() string {
	names := make([]string, len(l))
	for i, c := range l {
		names[i] = c.Name()
	}
	return "least of: " + strings.Join(names, "; ")
}

// Apply returns ln p_corr, rounded up.
func (l least) Apply(logP float64) float64 {
	if q, done := plain(logP, math.Inf(1)); len(l) == 0 && done {
		return q
	}
	q := math.Inf(1)
	for _, c := range l {
		q = min(q, c.Apply(logP))
	}
	return q
}

// Level returns the ln of the largest raw level that Apply takes to α, rounded
// down.
func (l least) Level(logAlpha float64) float64 {
	if g, done := plainLevel(logAlpha, math.Inf(1)); len(l) == 0 && done {
		return g
	}
	g := math.Inf(-1)
	for _, c := range l {
		g = max(g, c.Level(logAlpha))
	}
	return g
}

func (l least) givenActions() {}
