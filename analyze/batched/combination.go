package batched

import (
	"banditaudit/analyze/tail"
)

// Combination is Fisher's of exact one-sided p-values of batches. Where p_b is
// super-uniform given all earlier batches,
//
//	X = −2·Σ ln p_b  is stochastically at most χ² with 2B degrees of freedom
//
// also where what a batch holds depends on what earlier ones brought. The number B of
// batches must be fixed before the rewards. A batch that says nothing counts as p_b = 1,
// with its two degrees of freedom: to leave it out would be a way to stop. Exact at every
// number of batches and of rows (formula sheet 24.6 (a); Fisher 1932).
//
// The zero value is before the first batch.
type Combination struct {
	sum     float64 // of ln p_b
	batches int64
}

// Add takes up ln p of the next batch, at most 0.
func (c *Combination) Add(logP float64) {
	c.sum += min(0, logP)
	c.batches++
}

// Statistic returns X.
func (c *Combination) Statistic() float64 { return 0 - float64(2*c.sum) }

// DF returns its degrees of freedom, 2B.
func (c *Combination) DF() float64 { return float64(2 * c.batches) }

// LogP returns ln p, 0 before the first batch.
func (c *Combination) LogP() float64 {
	if c.batches == 0 {
		return 0
	}
	return tail.LogChiSquare(c.Statistic(), c.DF())
}
