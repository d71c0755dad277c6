package policy

import (
	"math/big"

	"banditaudit/schemas/param"
)

// Descriptor describes a policy, but for its arithmetic. The rules of the protocol, its JSON
// Schema, the help, simulate's defaults, the accounting, the replay and the tests of what all
// policies promise read it, and no policy's name stands anywhere else. Functions that take
// Values may rely on what Check of param.Policy found right.
type Descriptor struct {
	param.Policy

	FixedProbabilities bool // its probabilities are declared: no log changes them
	NoFloor            bool // it plays arms with probabilities that come as near to 0 as one likes
	NeedsQuadrature    bool // its probabilities are integrals, which take far longer than its choice
	CrossArmEffect     bool // a reward of another arm moves its probability of an arm the other way
	// Randomized reports whether a policy with these values leaves choices to chance:
	// epsilon-greedy draws in every round, and with explore: 0 its draws decide
	// nothing. nil: it always does.
	Randomized func(param.Values) bool
	// Loss bounds what one decision by exact sums gives away of one row, over k
	// arms; k is 0 where their number is not known. It returns nil where no bound
	// is known. nil: none is known whatever the values are.
	Loss func(v param.Values, k int) *Loss
	// Falls reports whether no choice of a policy with these values changes where all
	// released means fall by one number. nil: it is not known to be so.
	Falls func(param.Values) bool
	// AnyArm reports whether a policy with these values can play every arm that may be
	// played in every round, whatever was released. nil: it is not known to.
	AnyArm func(param.Values) bool
	// Unbounded reports whether a policy with these values is defined, as it is, for
	// rewards outside the range: it looks at sums and pulls, and bends no sum into
	// [0, N]. nil: it is not known to be.
	Unbounded func(param.Values) bool
	// ReadsVariance reports whether a policy with these values reads State.Spreads. nil: it does
	// not.
	ReadsVariance func(param.Values) bool
	// Rows is how many rows of an arm a policy with these values learns from at most, the
	// first that become known; 0: all. nil: always all.
	Rows func(param.Values) int64
	// TopTwo reports whether a policy with these values plays one of the best two arms of a
	// draw, so that a draw counts half for each of two. nil: it does not.
	TopTwo func(param.Values) bool
	// Start returns the values, in YAML, of a simulated experiment that declares
	// none.
	Start func(Scene) map[string]string
	// New returns what makes the policy for one run.
	New func(param.Values, Bandit) func(Draws) Policy
	// Tunable are the keys of which an explanation of a log may try other values.
	Tunable []Refit
	// Variants are the variants that the table of mechanisms has.
	Variants []Variant
}

// Loss is the logarithm of the largest ratio of two probabilities of a decision:
// Nats, or ln(1 + Excess), or in round t the loss of exploring with the probability min(1,
// Decay/t). One of the three is given. Excess and Decay are of probabilities that have a
// least one whatever is read, and hold however many rewards change.
type Loss struct {
	Nats, Excess *big.Rat
	Decay        float64
}

// Scene is what simulate knows when it declares a policy.
type Scene struct {
	Arms       int
	Binary     bool // rewards are 0 or 1
	Noise      bool // the counter adds noise
	ThetaBound string
	ContextL1  string
}

// Bandit is what a policy is built into.
type Bandit struct {
	Arms    int
	Noise   bool    // the counter adds noise
	Horizon int64   // of the counter; 0: not declared
	Epsilon float64 // of each arm's counter
	Order   []int   // place of each arm in the policy's own order; nil: the order of the arms
	Places  []int   // place of each arm among equals; nil: the order of the arms
	// Quantile returns what covers the counter's noise in a sum but for the
	// probability level.
	Quantile func(level float64) Bonus
	// Unbounded says that rewards may lie outside the range, so that a sum of N rows
	// may lie outside [0, N].
	Unbounded bool
}

// always is Falls or AnyArm of a policy of which it holds whatever its values are.
func always(param.Values) bool { return true }

// anyReward is Descriptor.Unbounded of a policy that takes every reward.
func anyReward(param.Values) bool { return true }

// Variant is a policy with values, as the table of mechanisms shows it.
type Variant struct {
	Name string // Defaults to the policy's.
	Keys string // its own, in YAML; "" for none
	Text string
}

// All lists the policies in the order in which they are shown. A new one is a
// file and a line of this list.
func All() []Descriptor {
	return []Descriptor{
		describeUniform(),
		describeFixed(),
		describeEpsilonGreedy(),
		describeUCB(),
		describeThompson(),
		describeSoftmax(),
		describeInverseGap(), // before exp3: its forms of gamma replace exp3's
		describeExp3(),
		describeSuccessiveElimination(),
		describeLinUCB(),
		describeLinTS(),
	}
}

// Formats returns what the reader of a protocol has to know of policies.
func Formats(list []Descriptor) []param.Policy {
	out := make([]param.Policy, len(list))
	for i := range list {
		out[i] = list[i].Policy
	}
	return out
}

// Drawn reports whether a policy with these values leaves choices to chance.
func (d *Descriptor) Drawn(v param.Values) bool { return d.Randomized == nil || d.Randomized(v) }

// never is Chance of a policy that draws nothing.
func never(param.Values) bool { return false }

// Refit is a key of a policy of which an explanation may try other values, where the
// log does not have the propensities of the declared one. There are two kinds: either
// the propensities at other values follow from the propensities of one run (Curves), or
// each value takes a run of its own (Grid).
type Refit struct {
	Key   string // of the policy's own
	Words string // of what is found and what is declared: "η is %s and not %s"

	// Curves are the families of values, along each of which one number varies.
	Curves func(declared param.Values) []Curve
	// Base are the values of the run from whose propensities they follow. nil: those
	// that are declared.
	Base func(declared param.Values) param.Values

	// Grid are usual values of the kind that is declared, of a key that is a group.
	Grid func(declared param.Values) []param.Values
	// Numbers are the coordinates in which a value is fitted, and Of is its inverse.
	Numbers func(param.Values) []float64
	Of      func([]float64) param.Values
}

// Curve is a family of values with one number x ≥ 0, along which the propensity of an
// arm changes direction in one place at most.
type Curve struct {
	Tried    string   // what is tried: "another η"
	Declared *float64 // the declared x; nil where the declared value is on another curve
	Variants string   // x in words: "%s", or "min(1, %s/t)"
	Settles  string   // what would be declared: "policy.eta: %s"
	// Most is the largest x that is tried, up to a round.
	Most func(round int64) float64
	// At writes the propensities at x of a round into dst, from the propensities of the run.
	// The round, the arms and what could be played are in s, and no sums.
	At func(s *State, from []float64, x float64, dst []float64)
	// Turn is the x at which the propensity of an arm changes direction. nil: nowhere.
	Turn func(s *State, from []float64, arm int) float64
}
