package analyze

import "banditaudit/analyze/check"

// Catalogue is what an analysis knows by name.
type Catalogue struct {
	Tests       []Test
	Corrections []Correction
	Claims      []Claim
	Checks      []check.Check
}

// Known is all that this program knows.
func Known() *Catalogue {
	return &Catalogue{Tests: Tests(), Corrections: Corrections(), Claims: Claims(), Checks: check.Checks()}
}
