package counter

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"

	"banditaudit/replay/ledger"
	"banditaudit/schemas/param"
)

// Counter is a mechanism that releases running sums, together with its cost: a
// counter cannot be had without its law. Counters are immutable and safe for
// concurrent use.
type Counter interface {
	ledger.Law
	// Noise is the multiset of Laplace scales in a released sum of n rows,
	// n ≥ 1; nil when there is no noise. Of a vector it is the multiset of each coordinate.
	Noise(n int64) []Noise
	// Shape numbers the multisets: sums with the same shape have the same
	// Noise. It lies in [0, Shapes()).
	Shape(n int64) int
	// Shapes bounds Shape. It is 0 where every n has a noise of its own; Shape
	// then says nothing.
	Shapes() int
	// Capacity is the most rows that one stream takes: Add of a Bank fails on
	// the next.
	Capacity() int64
	// Fits reports whether a row with feature φ moves the sums by no more than
	// the declared bound: Add of a VectorBank fails on every other.
	Fits(phi []float64) bool
	// Share is the part of the declared bound by which a row with feature φ can
	// move the sums, from 0 to 1 and rounded up: the reward of such a row costs
	// that part of what Cost says (Cost is linear in what a row moves). It is 1
	// where there is no noise, and +Inf where φ does not fit.
	Share(phi []float64) float64
	// Bank returns fresh streams, one per element of src. Stream i draws its
	// noise from src[i] and from nothing else. Where src[i] is nil it has no
	// noise and is not private: it releases the exact sums, on the same lattice
	// and after the same rows, which is what noise is recovered against.
	Bank(src []rand.Source) Bank
	// VectorBank returns fresh streams of vectors with d ≥ 1 coordinates, one
	// per element of src; stream i draws its noise from src[i], for coordinate
	// 0 first, and from nothing else.
	VectorBank(src []rand.Source, d int) VectorBank
	// Recover returns what tells the draws of one fresh stream apart: of one arm,
	// or of one coordinate of an arm's vectors. It is nil where there is no noise.
	Recover() Recovery
}

// Unbounded is a counter whose banks can also sum rewards outside [0,1]: it adds no
// noise that is scaled for them. Only runs on rewards that a hypothesis makes up have such.
type Unbounded interface {
	Counter
	// Unbounded returns the counter whose Bank takes every finite reward. Its
	// VectorBank takes those in [0,1] only.
	Unbounded() Counter
}

// Noise says that Count independent Laplace variables of scale Scale, on the
// scale of a sum of rewards in [0,1], or of features times such rewards, are in
// a released sum.
type Noise struct {
	Scale float64
	Count int
}

// Bank is the state of the streams of all arms of one run. It is not safe for
// concurrent use.
type Bank interface {
	// Add appends reward y in [0,1] to the stream of an arm and returns the sum
	// that the mechanism has released last for that stream, and how many rows
	// are in it: 0 and 0 before the first release. It fails when y is outside
	// [0,1] or NaN, when the stream is full, and when the sampler aborts; the
	// stream is then unusable.
	Add(arm int, y float64) (sum float64, rows int64, err error)
}

// VectorBank is the state of the vector streams of all arms of one run. It is
// not safe for concurrent use.
type VectorBank interface {
	// Add appends φ·y, with y in [0,1], to the stream of an arm, writes the
	// vector that the mechanism has released last for that stream to dst, and
	// returns how many rows are in it. It fails as Bank.Add does, and when ‖φ‖₁
	// is above the declared bound.
	Add(arm int, phi []float64, y float64, dst []float64) (rows int64, err error)
}

// Spec names a counter and its parameters. Which a counter has, and which of
// them it needs, its file says.
type Spec struct {
	Name        string   // Required: exact | laplace | binary | hybrid | tree | interval | epochs
	Epsilon     *big.Rat // ε of each stream, > 0; nil for exact
	Grid        *big.Rat // lattice of rewards and noise, a power of two at most 1. Defaults to 2^-20; nil for exact.
	Horizon     int64    // the most rows that a stream may have; 0: not declared
	Exponent    *big.Rat // v of interval, in (1, 3/2]
	Sensitivity *big.Rat // what one row moves a sum by, in ℓ1 norm, as the noise is scaled for. Defaults to 1.
	Bound       *big.Rat // what one row can in truth move a sum by, in ℓ1 norm: 1, or the largest ‖φ‖₁. Defaults to Sensitivity.
}

// Descriptor describes a counter, but for its law. The rules of the protocol, simulate, the
// replay and the tests of what all counters promise read it, and no counter's name stands
// anywhere else.
type Descriptor struct {
	param.Counter

	// Renews says that every row changes what is released by noise that nothing
	// released before determines.
	Renews bool
	// New returns the counter of a spec. Every fault is a *ParamError; all of them
	// are returned at once, joined.
	New func(Spec) (Counter, error)
}

// All lists the counters in the order of the package comment. A new one is a file
// and a line of this list.
func All() []Descriptor {
	return []Descriptor{
		describeExact(),
		describePerRow(),
		describeBinary(),
		describeHybrid(),
		describeTree(),
		describeInterval(),
		describeEpochs(),
	}
}

// Formats returns what the reader of a protocol has to know of counters.
func Formats(list []Descriptor) []param.Counter {
	out := make([]param.Counter, len(list))
	for i := range list {
		out[i] = list[i].Counter
	}
	return out
}

// New returns the counter of a spec, of those that All lists; see NewOf.
func New(s Spec) (Counter, error) { return NewOf(All(), s) }

// NewOf returns the counter of a spec. Every fault is a *ParamError; all of them
// are returned at once, joined.
func NewOf(list []Descriptor, s Spec) (Counter, error) {
	names := make([]string, len(list))
	for i := range list {
		if names[i] = list[i].Name; names[i] == s.Name {
			return list[i].New(s)
		}
	}
	return nil, &ParamError{Param: "name", Value: strconv.Quote(s.Name), Rule: "the counters are " + strings.Join(names, ", "), Mend: "declare one of them"}
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
