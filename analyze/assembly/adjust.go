package assembly

import (
	"math"

	"banditaudit/analyze/hypothesis"
	"banditaudit/schemas"
)

// Adjust adjusts the p-values that decide, under every dependence of the tests. e-BH
// is the method of Benjamini and Hochberg on 1/e, e the evidence at the end of the log
// (Wang & Ramdas 2022): it needs no condition on how the tests depend on each other.
func Adjust(method string, deciding, evidence []float64) []float64 {
	switch method {
	case schemas.AdjustNone:
		return deciding
	case schemas.AdjustBonferroni:
		return hypothesis.Bonferroni(deciding)
	case schemas.AdjustBY:
		return hypothesis.BenjaminiYekutieli(deciding)
	case schemas.AdjustEBH:
		inverse := make([]float64, len(evidence))
		for i, logE := range evidence {
			inverse[i] = math.Min(0, -logE)
		}
		return hypothesis.BenjaminiHochberg(inverse)
	}
	return hypothesis.Holm(deciding)
}

// FalseDiscovery adjusts raw p-values by Benjamini & Hochberg and corrects what
// comes out over all rows that the family reads. Rejecting where that is at most
// α is the method at the raw level γ(α), whose false discovery proportion is a
// function of those rows; its expectation given the actions is at most α then.
// The method on corrected p-values is not known to hold.
func FalseDiscovery(raw []float64, correct func(logP float64) float64) []float64 {
	out := hypothesis.BenjaminiHochberg(raw)
	for i := range out {
		out[i] = correct(out[i])
	}
	return out
}
