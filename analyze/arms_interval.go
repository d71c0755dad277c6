package analyze

import (
	"slices"

	"banditaudit/analyze/hypothesis"
	"banditaudit/schemas"
)

// intervalWords say what the intervals of an arm's mean are.
func (a *analysis) intervalWords(raw hypothesis.Result) string {
	switch {
	case raw.Exact:
		return schemas.IntervalExact
	case a.repeated():
		return schemas.IntervalByUnit
	}
	return schemas.IntervalStudentT
}

// approximately reports whether an arm has a corrected interval that rests on a
// normal approximation.
func (a *analysis) approximately() bool {
	return !a.binaryRows() && slices.ContainsFunc(a.arms, func(rec schemas.Arm) bool { return rec.CICorrected != nil })
}

// binaryRows reports whether rewards are 0 and 1 and rows independent, so that
// exact tests are the default.
func (a *analysis) binaryRows() bool { return a.binary() && !a.repeated() }

// oneMean reports whether a declared test is exact only where all rows of an arm
// have one mean, and what the log holds can make their means differ.
func (a *analysis) oneMean(spec *schemas.TestSpec) bool {
	exact := spec.Test == testExact || spec.Test == "" && a.binaryRows()
	return exact && spec.Regression == "" && a.selective()
}

// selective reports whether in which rounds an arm is played can depend on more
// than past rewards: on contexts, or on which arms could be played.
func (a *analysis) selective() bool { return a.contextDim() > 0 || !a.pub.always() }

// playedWords say of which mean a bias is bounded.
func (a *analysis) playedWords() string {
	if !a.selective() {
		return "; the mean over the rounds played is the arm's population mean only where its expected reward does not drift"
	}
	of := "contexts decide"
	if a.contextDim() == 0 {
		of = "which arms could be played decides"
	}
	return "; of the expected rewards of the rounds in which the arm was played, which is not the arm's population mean: " + of + " in part which rounds those are"
}
