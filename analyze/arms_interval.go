package analyze

import (
	"banditaudit/analyze/facts"
)

// binaryRows reports whether rewards are 0 and 1 and rows independent, so that
// exact tests are the default.
func binaryRows(in *facts.Log) bool { return in.Binary() && !facts.Repeated(in.Slice) }

// oneMean reports whether a declared test holds only where all rows of an arm
// have one mean, and what the log holds can make their means differ.
func (q *questions) oneMean(d *declaredTest) bool {
	t := q.base(d.spec.Test, d.kind)
	return t != nil && t.OneMean && q.Selective()
}
