package param

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Reads says what of the rewards a policy looks at.
type Reads int

// What a policy may read.
const (
	Nothing Reads = iota // it never learns, and costs nothing
	Sums                 // Σ y of every arm
	Vectors              // Σ φ·y of every arm, φ made of contexts
)

// Policy is what a protocol's reader has to know of a policy.
type Policy struct {
	Name         string
	Doc          string // one sentence, without its subject
	Keys         []Key  // of its own, in the order in which a message lists them
	Reads        Reads
	Compares     bool              // it plays the arm with the largest or smallest of some numbers that can be equal, so that ties may be seeded
	Indexed      bool              // it plays the arm with the largest of some numbers that two programs can round differently, so that near ties may be declared
	Scores       bool              // it plays by the scores of a round, which somebody else has made: log.score_by_arm
	Uniform      bool              // it plays all arms alike, however many there are
	BuiltInBonus bool              // its index allows for the counter's noise without being told to
	Bare         func(Values) bool // with these values it does not after all; nil: it always does
	// Exact returns the key because of which, with these values, exact sums alone will do;
	// "" where any sums do. nil: any always do.
	Exact func(Values) string
	// Defaults returns the values with what stands for a key that is not declared.
	// nil: there are no defaults.
	Defaults func(Values) Values
	// Whole judges which of the keys stand together, once each is sound by itself.
	// nil: any may.
	Whole func(Judge, Values)
}

// Learns reports whether the policy's choices depend on rewards. One that does
// not learn chooses the same whatever they are, and whenever they become known.
func (p *Policy) Learns() bool { return p.Reads != Nothing }

// Linear reports whether the policy reads sums of contexts times rewards.
func (p *Policy) Linear() bool { return p.Reads == Vectors }

// The key by which an index is widened for the counter's noise, and its words.
const (
	BonusKey      = "bonus"
	NoBonus       = "none"
	QuantileBonus = "quantile"
	PaperBonus    = "paper"
)

// ContextBound is the key of the largest ‖context‖₁ of a policy that reads
// vectors.
const ContextBound = "context_l1"

// MaxNorm bounds ‖context‖₁, so that sums of contexts on the finest lattice fit
// an int64.
const MaxNorm = 1 << 16

// Widened reports whether the policy's index allows for the counter's noise, an
// error that is spread over K·horizon events.
func (p *Policy) Widened(v Values) bool {
	bonus := v.Word(BonusKey)
	return p.Allowing(v) || bonus != "" && bonus != NoBonus
}

// Allowing reports whether the policy's index allows for the counter's noise without
// being told to.
func (p *Policy) Allowing(v Values) bool { return p.BuiltInBonus && (p.Bare == nil || !p.Bare(v)) }

// Filled returns the values with their defaults.
func (p *Policy) Filled(v Values) Values {
	if p.Defaults == nil {
		return v
	}
	return p.Defaults(v)
}

// Check judges the declared values: keys that the policy does not have, keys that
// it needs, and the value of each.
func (p *Policy) Check(j Judge, v Values) {
	own := Names(p.Keys)
	has := p.Name + " has no parameters of its own"
	if len(own) > 0 {
		has = p.Name + " has: " + strings.Join(own, ", ")
	}
	for _, key := range InOrder(slices.Collect(maps.Keys(v))) {
		if v.Has(key) && !slices.Contains(own, key) {
			j.Fail("policy."+key, "does not belong here", has+having(j, func(p *Policy) bool { return Find(p.Keys, key) != nil }), "delete the key")
		}
	}
	for _, key := range p.Keys {
		without := key.Unless != nil && key.Unless(v)
		switch path := "policy." + key.Name; {
		case v.Has(key.Name) && without:
			j.Fail(path, "is declared", p.Name+" as it is declared does not go by it", "delete the key")
		case v.Has(key.Name):
			key.Form.Check(j, path, v[key.Name])
		case key.Needed && !without:
			j.Fail(path, "is missing", p.Name+" "+key.Why, key.Mend)
		}
	}
	if p.Whole != nil {
		p.Whole(j, v)
	}
}

// How a policy chooses among arms that are equal.
const (
	TiesFirst  = "first"  // the first in its order
	TiesLast   = "last"   // the last in its order
	TiesName   = "name"   // the first by label
	TiesSeeded = "seeded" // drawn, from the stream of a seed
	TiesRandom = "random" // drawn, from what nobody can recompute
	TiesShared = "shared" // each with its share of the propensity
	TiesAny    = "any"    // whichever, which is not tested
)

// The kinds of a floor (policy.FloorKinds).
const (
	FloorMix   = "mix"
	FloorClip  = "clip"
	FloorWater = "water"
	FloorRest  = "rest"
)

// FloorKinds lists them.
func FloorKinds() []string { return []string{FloorMix, FloorClip, FloorWater, FloorRest} }

// TiesDrawn reports whether equal arms are all played with a probability above 0.
func TiesDrawn(word string) bool {
	return word == TiesSeeded || word == TiesRandom || word == TiesShared
}

// CheckTies judges how ties are broken, "" and first in any policy.
func (p *Policy) CheckTies(j Judge, word string) {
	if word != "" && word != TiesFirst && !p.Compares {
		j.Fail("policy.ties", "is "+strconv.Quote(word), p.Name+" compares nothing that can be equal"+having(j, func(p *Policy) bool { return p.Compares }), "write ties: first, or delete the key")
	} else if word == TiesAny && !p.Indexed {
		j.Fail("policy.ties", "is "+strconv.Quote(word), p.Name+" plays no arm by the largest index", "write ties: random, which is tested")
	}
}

// CheckOrder judges the policy's own order of arms; none is declared where it is
// empty. hashed says that arms have ranges of a hash (policy.draw.hash), which stand in it
// whatever the policy compares.
func (p *Policy) CheckOrder(j Judge, order, arms []string, hashed bool) {
	const path = "policy.order"
	switch {
	case len(order) == 0:
	case !p.Compares && !hashed:
		j.Fail(path, "does not belong here", p.Name+" compares nothing that can be equal"+having(j, func(p *Policy) bool { return p.Compares }), "delete the key")
	case len(arms) == 0:
		if j.Sound("arms") {
			j.Fail(path, "is declared, and arms are not", "it is another order of the same arms", "declare arms")
		}
	case !slices.Equal(slices.Sorted(slices.Values(order)), slices.Sorted(slices.Values(arms))):
		j.Fail(path, "is "+strings.Join(order, ", "), "it has every arm once", "write the labels of arms in the policy's own order")
	}
}

// Listing is a judge that knows the policies that there are.
type Listing interface {
	Having(has func(*Policy) bool) []string
}

// having lists the policies that have something, behind why another one does not; ""
// where the judge does not know.
func having(j Judge, has func(*Policy) bool) string {
	l, ok := j.(Listing)
	if !ok {
		return ""
	}
	return "; it is a key of: " + strings.Join(l.Having(has), ", ")
}

// The windows of near ties, relative to the largest index: the one that stands
// for none declared, and the widest. Two ways to compute an index differ by some
// 50 units in the last place, 2^-47; indices that are no ties are apart by 2^-28 of
// the larger and more, as far as was measured, and by 2^-10 in most rounds.
const (
	NearTies     = "2^-40"
	MostNearTies = "2^-20"
)

// CheckNearTies judges the declared window of near ties; the zero value: none is
// declared.
func (p *Policy) CheckNearTies(j Judge, window Rational) {
	const path = "policy.near_ties"
	switch r := window.Rat(); {
	case window.IsZero():
	case !p.Indexed:
		j.Fail(path, "does not belong here", p.Name+" plays no arm by the largest of numbers that rounding moves", "delete the key")
	case window.Inf() || r.Sign() < 0 || r.Cmp(MustRational(MostNearTies).Rat()) > 0:
		j.Fail(path, "is "+window.String(), "it is the part of the largest index by which another may be smaller and still count as equal, from 0 to "+MostNearTies+"; in a wider one a wrong choice would pass as a tie",
			"write "+NearTies+", which covers rounding, or 0 for none")
	}
}

// Beside is what a policy has to know of the counter that is declared beside it.
type Beside struct {
	Name    string
	Noise   bool  // the counter adds noise
	Horizon int64 // 0: not declared
}

// CheckBeside judges the values by the declared counter; nil: none is declared.
func (p *Policy) CheckBeside(j Judge, v Values, c *Beside) {
	if c == nil {
		if p.Learns() {
			j.Fail("counter", "is missing", p.Name+" reads sums of rewards, and what that costs depends on the counter",
				"add counter: {name: hybrid, epsilon: 0.25, horizon: ROUNDS}, or counter: {name: exact} where the sums were not private")
		}
		return
	}
	if p.Widened(v) && (p.Allowing(v) || j.Sound("policy."+BonusKey)) && j.Sound("counter") {
		p.checkWidened(j, v.Word(BonusKey), c)
	}
	if key := p.NeedsExact(v); key != "" && c.Noise && j.Sound("counter") {
		mend := "declare counter: {name: exact}"
		if own := Find(p.Keys, key); own == nil || !own.Needed {
			mend += ", or delete the key"
		}
		j.Fail("policy."+key, "stands beside the counter "+c.Name, "it looks at single rewards, of which a counter with noise shows sums alone", mend)
	}
	if p.Linear() && c.Noise && !v.Has(ContextBound) {
		j.Fail("policy."+ContextBound, "is missing", "one reward moves the sums by up to ‖context‖₁, and the noise is scaled for it",
			"add context_l1: NUMBER, a bound known before the experiment and never read off the data")
	}
}

// NeedsExact returns the key because of which, with these values, exact sums alone will do;
// "" where any sums do.
func (p *Policy) NeedsExact(v Values) string {
	if p.Exact == nil {
		return ""
	}
	return p.Exact(v)
}

// Fits reports whether a policy with these values may stand beside a counter that adds
// noise, or none.
func (p *Policy) Fits(v Values, noise bool) bool { return !noise || p.NeedsExact(v) == "" }

// checkWidened judges an index that allows for the counter's noise.
func (p *Policy) checkWidened(j Judge, bonus string, c *Beside) {
	const mend = "add horizon: ROUNDS to counter, the number for which the policy was set up"
	switch {
	case p.BuiltInBonus:
		if c.Noise && c.Horizon == 0 {
			j.Fail("counter.horizon", "is missing", p.Name+" allows for the counter's noise, and spreads its error over K·horizon events", mend)
		}
	case !c.Noise:
		j.Fail("policy."+BonusKey, `is "`+bonus+`"`, "the counter "+c.Name+" adds no noise that a bonus could cover", "write bonus: none, or declare a counter with noise such as hybrid")
	case c.Horizon == 0:
		j.Fail("counter.horizon", "is missing", "the bonus "+bonus+" spreads its error over K·horizon events", mend)
	case bonus == PaperBonus && c.Horizon == 1:
		j.Fail("counter.horizon", "is 1", "the bonus paper takes the logarithm of ln(horizon), and 1 has none", "write the number of rounds for which the policy was set up")
	}
}
