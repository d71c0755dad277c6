package ledger

import (
	"math/big"
	"slices"
)

// Level says that Rows rows of one arm's stream have the pathwise cost Cost.
type Level struct {
	Cost Loss
	Rows int64
}

// Release is one family of noisy releases: Count values, each the sum of some
// rows of one arm's stream plus one Laplace variable.
type Release struct {
	Name        string   // what the values are, in words
	Scale       *big.Rat // Laplace scale b, for rewards rescaled to [0,1]; 0 when there is no noise
	Sensitivity float64  // Δ, the most that one row moves the sum; 1 for rewards in [0,1]
	Count       int64    // how many were released
	Epsilon     Loss     // Δ/b of one release
}

// Law is what a mechanism costs, as a function of how many rows each of its
// streams holds and of nothing in the rewards. Rows are numbered from 1 within
// the stream of one arm; size is the length of that stream.
type Law interface {
	// Name names the mechanism.
	Name() string
	// Epsilon is the supremum of Cost over all n and size: the ε of the declared
	// mechanism.
	Epsilon() Loss
	// Rho is the ρ of zero-concentrated differential privacy: the supremum over
	// all n and size of Σ ρ_v over the releases that row n enters, where their
	// noise is drawn after the row's place is known, else the ρ of Epsilon; rounded up, and
	// +Inf where there is none.
	Rho() float64
	// Cost is c_n, the pathwise cost of row n of a stream of size rows,
	// 1 ≤ n ≤ size. It is 0 outside that range.
	Cost(n, size int64) Loss
	// Levels is the histogram of Cost(n, size) over n = 1…size: ascending, no equal
	// costs, rows summing to size. It is nil for size ≤ 0.
	Levels(size int64) []Level
	// Releases lists the families released by a stream of size rows.
	Releases(size int64) []Release
}

// Bound is a Law whose ε may be larger than what the mechanism loses.
type Bound interface {
	// Slack says why an ε above a claim does not contradict the claim; "" where it
	// does.
	Slack() string
}

// Slack returns the Slack of a Bound, and "" for every other law: its ε is what the
// released values of the mechanism lose.
func Slack(law Law) string {
	if b, ok := law.(Bound); ok {
		return b.Slack()
	}
	return ""
}

// Coster is a Law that gives the costs of many rows of one stream quickly.
type Coster interface {
	// Costs returns the function n ↦ Cost(n, size).Up().
	Costs(size int64) func(n int64) float64
}

// Costs returns the function n ↦ Cost(n, size).Up() of a law.
func Costs(law Law, size int64) func(n int64) float64 {
	if c, ok := law.(Coster); ok {
		return c.Costs(size)
	}
	return func(n int64) float64 { return law.Cost(n, size).Up() }
}

// Merge returns the levels in ascending order of cost, equal costs joined and
// empty levels left out. The argument is not changed.
//
// Special cases are:
//
//	Merge(nil) = nil
func Merge(levels []Level) []Level {
	sorted := slices.SortedFunc(slices.Values(levels), func(a, b Level) int { return a.Cost.Cmp(b.Cost) })
	var merged []Level
	for _, l := range sorted {
		switch last := len(merged) - 1; {
		case l.Rows == 0:
		case last >= 0 && merged[last].Cost.Equal(l.Cost):
			merged[last].Rows += l.Rows
		default:
			merged = append(merged, l)
		}
	}
	return merged
}
