package counter

import (
	"fmt"
	"math/big"
	"math/rand/v2"

	"banditaudit/replay/ledger"
)

// Counter is a mechanism that releases running sums, together with its cost: a
// counter cannot be had without its law. Counters are immutable and safe for
// concurrent use.
type Counter interface {
	ledger.Law
	// Noise is the multiset of Laplace scales in the sum released after n
	// rows, n ≥ 1; nil when there is no noise.
	Noise(n int64) []Noise
	// Shape numbers the multisets: rows with the same shape have the same
	// Noise. It lies in [0, Shapes()).
	Shape(n int64) int
	// Shapes bounds Shape.
	Shapes() int
	// Bank returns fresh streams, one per element of src. Stream i draws its
	// noise from src[i] and from nothing else.
	Bank(src []rand.Source) Bank
}

// Noise says that Count independent Laplace variables of scale Scale, for
// rewards rescaled to [0,1], are in a released sum.
type Noise struct {
	Scale float64
	Count int
}

// Bank is the state of the streams of all arms of one run. It is not safe for
// concurrent use.
type Bank interface {
	// Add appends reward y in [0,1] to the stream of an arm and returns the
	// sum that the mechanism releases for that stream. It fails when y is
	// outside [0,1] or NaN, when the stream is full, and when the sampler
	// aborts; the stream is then unusable.
	Add(arm int, y float64) (float64, error)
}

// Spec names a counter and its parameters.
type Spec struct {
	Name    string   // Required: exact | hybrid
	Epsilon *big.Rat // ε of each stream, > 0. Required by hybrid; nil for exact.
	Grid    *big.Rat // Lattice of rewards and noise, a power of two at most 1. Defaults to 2^-20; nil for exact.
}

// New returns the counter of a spec. Every fault is a *ParamError; all of them
// are returned at once, joined.
func New(s Spec) (Counter, error) {
	switch s.Name {
	case "exact":
		return newExact(s)
	case "hybrid":
		return newHybrid(s)
	}
	return nil, &ParamError{Param: "name", Value: s.Name, Rule: "this version has the counters exact and hybrid", Mend: "declare one of them"}
}

// ParamError is a parameter that a counter cannot be built with.
type ParamError struct {
	Param string // name of the parameter, as in the protocol
	Value string
	Rule  string
	Mend  string
}

// Error names the parameter, its value, the rule and the mend.
func (e *ParamError) Error() string {
	return fmt.Sprintf("counter: %s is %s: %s; %s", e.Param, e.Value, e.Rule, e.Mend)
}
