package counter

import "math"

// A Capacity is where a stream's add first fails: a log with a longer stream
// was not written by the counter.

// Capacity returns MaxInt64: a running sum has no end.
func (exact) Capacity() int64 { return math.MaxInt64 }

// Capacity returns the longest stream whose sums of noise stay within the
// integers.
func (c *perRow) Capacity() int64 { return c.most }

// Capacity returns the horizon.
func (c *binaryTree) Capacity() int64 { return c.horizon }

// Capacity returns the rows of all segments, 2^{levels+1} − 1.
func (h *hybrid) Capacity() int64 { return int64(1)<<(h.levels+1) - 1 }

// Capacity returns the horizon.
func (c *tree) Capacity() int64 { return c.horizon }

// Capacity returns the horizon.
func (c *interval) Capacity() int64 { return c.horizon }

// Capacity returns the longest stream on the lattice.
func (c *epochs) Capacity() int64 { return c.longest() }

// Fits returns true: nothing is scaled for a bound.
func (exact) Fits([]float64) bool { return true }

// Fits checks, in units of the grid,
//
//	Σ_j |trunc(φ_j·2^m)| ≤ ⌊bound·2^m⌋
//
// which every φ with ‖φ‖₁ ≤ bound meets. A NaN does not fit.
func (l *lattice) Fits(phi []float64) bool {
	var norm int64
	for _, v := range phi {
		units := math.Abs(float64(v * l.unit))
		if !(units < float64(l.limit+1)) { // below it, and so far below 2^63
			return false
		}
		if norm += int64(units); norm > l.limit {
			return false
		}
	}
	return true
}
