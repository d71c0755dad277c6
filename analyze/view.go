package analyze

import (
	"banditaudit/analyze/allocation"
	"banditaudit/analyze/check"
	"banditaudit/analyze/evidence"
	"banditaudit/schemas"
)

// view is what claims and assumptions are judged by: what was found in an experiment.
type view struct {
	*evidence.Evidence
	allocation.Footing

	kinds      []Claim         // the kinds that there are
	quality    []check.Check   // the checks that there are
	checks     []schemas.Check // what they found
	allocation *allocation.Allocation
	explained  []schemas.Hypothesis // of an allocation that H05 contradicts
	arms       []schemas.Arm
	tests      []asked
	twins      bool     // two tests ask the same
	fitted     bool     // there are regressions, whose p-values rest on a normal approximation
	weighted   bool     // weighted answers rest on the logged propensities
	missing    int64    // rows without a reward
	resting    []string // cautions of required claims that rest on undeclared keys
}

// asked is a declared test with what came of it.
type asked struct {
	*schemas.Test

	declared string // its id in the protocol
	oneMean  bool   // it holds only where all rows of an arm have one mean, and what the log holds can make their means differ
}
