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
	return t != nil && t.OneMean && q.selective()
}

// selective reports whether in which rounds an arm is played can depend on more
// than past rewards: on contexts, or on which arms could be played.
func (q *questions) selective() bool { return facts.ContextDim(q.Slice) > 0 || !q.Pub.Always() }

// playedWords say of which mean a bias is bounded.
func (q *questions) playedWords() string {
	if !q.selective() {
		return "; the mean over the rounds played is the arm's population mean only where its expected reward does not drift"
	}
	of := "contexts decide"
	if facts.ContextDim(q.Slice) == 0 {
		of = "which arms could be played decides"
	}
	return "; of the expected rewards of the rounds in which the arm was played, which is not the arm's population mean: " + of + " in part which rounds those are"
}
