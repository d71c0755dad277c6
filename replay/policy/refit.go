package policy

import "banditaudit/schemas/param"

// Refit is a key of a policy of which an explanation may try other values, where the
// log does not have the propensities of the declared one. There are two kinds: either
// the propensities at other values follow from those of one run (Curves), or each
// value takes a run of its own (Grid).
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
	Shown    string   // x in words: "%s", or "min(1, %s/t)"
	Settles  string   // what would be declared: "policy.eta: %s"
	// Most is the largest x that is tried, up to a round.
	Most func(round int64) float64
	// At writes the propensities at x of a round into dst, from those of the run. The
	// round, the arms and what could be played are in s, and no sums.
	At func(s *State, from []float64, x float64, dst []float64)
	// Turn is the x at which the propensity of an arm changes direction. nil: nowhere.
	Turn func(s *State, from []float64, arm int) float64
}
