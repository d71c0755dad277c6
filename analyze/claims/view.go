package claims

import (
	"banditaudit/analyze/allocation"
	"banditaudit/analyze/check"
	"banditaudit/analyze/evidence"
	"banditaudit/schemas"
)

// View is what claims and assumptions are judged by: what was found in an experiment.
type View struct {
	*evidence.Evidence
	allocation.Footing

	Kinds      []Claim         // the kinds that there are
	Quality    []check.Check   // the checks that there are
	Checks     []schemas.Check // what they found
	Allocation *allocation.Allocation
	Explained  []schemas.Hypothesis // of an allocation that H05 contradicts
	Arms       []schemas.Arm
	Tests      []Test
	Twins      bool     // two tests ask the same
	Fitted     bool     // there are regressions, whose p-values rest on a normal approximation
	Weighted   bool     // weighted answers rest on the logged propensities
	Missing    int64    // rows without a reward
	Resting    []string // cautions of required claims that rest on undeclared keys
}

// Test is a declared test with what came of it.
type Test struct {
	*schemas.Test

	Declared string // its id in the protocol
	OneMean  bool   // it holds only where all rows of an arm have one mean, and what the log holds can make their means differ
}
