// Package onesample holds the raw tests of means by their names in a protocol: each is a
// [Test], and [Tests] is the list of them. Its p is valid with the actions held fixed.
package onesample

import (
	"math"

	"banditaudit/analyze/stat/hypothesis"
	"banditaudit/analyze/stat/moments"
	"banditaudit/schemas"
)

// Test describes a naive test of means. Its p is valid with the action sequence held fixed.
type Test struct {
	Name       string // in the protocol
	Sigma      bool   // it needs a declared standard deviation
	Binary     bool   // of rewards that are 0 or 1 alone
	OneMean    bool   // it holds only where all rows of an arm have one mean
	GivenPast  bool   // it takes every reward given those before it, and not as independent of them
	ByUnit     bool   // it has a form for units that own several rows; else it is refused there
	Mean       func(x Rewards, h Null) hypothesis.Result
	Difference func(p Pair, h Null) hypothesis.Result
	// Approximate says that the p holds for many rows only: the test takes means of
	// independent rewards as normal. Results of the others are Exact.
	Approximate bool
	Constant    bool     // of a difference it is asked only where analysis.means is constant
	Usual       []string // kinds of question of which it is the default, if no test before it in the list is
	Interval    string   // what its interval is, for a test that is the default of a mean
}

// Rewards are the known rewards of an arm.
type Rewards struct {
	moments.Scalar                // of its rows
	Ones           int64          // rewards equal to 1
	Units          *moments.Units // nil where a row is its own unit
	Bets           *moments.Bets  // what fixed bets won
	Third          *moments.Third // nil where no test takes means as normal
	Lo, Hi         float64        // declared range
}

// Pair is the known rewards of two arms.
type Pair struct {
	A, B  Rewards
	Units *moments.UnitPair // nil where a row is its own unit
}

// Null is what is asked of a mean, or of the difference of two.
type Null struct {
	Value       float64
	Sigma       *float64 // of Test.Sigma
	Alternative hypothesis.Alternative
	LogAlpha    float64 // of the interval
}

// Tests are all raw tests of means, in the order in which they are shown.
func Tests() []Test {
	return []Test{exactTest(), studentTest(), normalTest(), welchTest(), hoeffdingTest(), betsTest(), bernsteinTest()}
}

// Answers reports whether a test is one of a kind of question.
func (t *Test) Answers(kind string) bool {
	return kind == schemas.TestMean && t.Mean != nil || kind == schemas.TestDifference && t.Difference != nil
}

// MeanOf is NaN where there are no rewards.
func MeanOf(s moments.Scalar) float64 {
	if s.N == 0 {
		return math.NaN()
	}
	return s.Mean
}
