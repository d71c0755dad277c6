package param

// Asked is what an analysis can be asked, in the order in which it is shown.
type Asked struct {
	Tests       []Test
	Corrections []Correction
	Claims      []Claim
	Methods     []Method
}

// Method is what a protocol's reader has to know of a method that can decide a
// test.
type Method struct {
	Name  string // in analysis.decide, and of its results
	About string // what it is, in a clause
}

// Test is what a protocol's reader has to know of a raw test of means.
type Test struct {
	Name         string
	Sigma        bool // it needs a declared standard deviation
	Binary       bool // it is for rewards of 0 and 1 alone
	OfMean       bool // it can be asked of the mean of an arm
	OfDifference bool // it can be asked of the difference of two arms
	Approximate  bool // its p holds for many rounds only: it decides only with analysis.approximate: accept
	Constant     bool // of a difference it is asked only with analysis.means: constant
}

// Correction is what a protocol's reader has to know of a correction of
// p-values. It can be asked as the headline, on request beside others, or not at
// all.
type Correction struct {
	Name      string
	Headline  bool // analysis.correction.method may name it
	Also      bool // analysis.correction.also may name it
	Selective bool // it holds for what Benjamini and Hochberg's procedure rejects
}

// Claim is what a protocol's reader has to know of a kind of claim.
type Claim struct {
	Kind        string
	Keys        []string // that go with it, of comparator, threshold, arms, test and finding
	Needs       []Need   // what must be declared
	Many        bool     // it can be claimed more than once, each time of something else
	Unsupported bool     // the format has it, and this version does not
	Asks        string   // what it asks, as an object: "whether …"
	Broken      string   // what is so where it is VIOLATED, as a sentence without its full stop; "" where it never is
	Explains    bool     // the reason of a VIOLATED one explains what was observed
	Unseen      []Unseen // what would pass it
}

// Unseen is what would leave the verdict on a claim as it is, whatever is said of
// the claim: one idea each, as parts of a sentence, without full stops.
type Unseen struct {
	Evidence string // mode of the replay on which the verdict rests; "" for every one
	By       string // that mode in words: "by a seed"
	Words    []string
	Drawn    []string // more of them, of a replay that drew from a seed
}

// Need is a part of a protocol that a claim is about.
type Need string

// What a claim may be about.
const (
	NeedPolicy     Need = "policy"
	NeedPrivacy    Need = "privacy"
	NeedPropensity Need = "propensity"
	NeedReleased   Need = "released values"
	NeedNoise      Need = "a counter with noise"
)

// Test returns the test of a name; nil where there is none.
func (a *Asked) Test(name string) *Test {
	return find(a.Tests, func(t *Test) bool { return t.Name == name })
}

// Correction returns the correction of a name; nil where there is none.
func (a *Asked) Correction(name string) *Correction {
	return find(a.Corrections, func(c *Correction) bool { return c.Name == name })
}

// Claim returns the claim of a kind; nil where there is none.
func (a *Asked) Claim(kind string) *Claim {
	return find(a.Claims, func(c *Claim) bool { return c.Kind == kind })
}

// TestNames lists the names of tests.
func (a *Asked) TestNames() []string {
	return names(a.Tests, func(t *Test) (string, bool) { return t.Name, true })
}

// HeadlineNames lists the corrections that may be the headline.
func (a *Asked) HeadlineNames() []string {
	return names(a.Corrections, func(c *Correction) (string, bool) { return c.Name, c.Headline })
}

// AlsoNames lists the corrections that are printed on request.
func (a *Asked) AlsoNames() []string {
	return names(a.Corrections, func(c *Correction) (string, bool) { return c.Name, c.Also })
}

// ClaimKinds lists the kinds of claim.
func (a *Asked) ClaimKinds() []string {
	return names(a.Claims, func(c *Claim) (string, bool) { return c.Kind, true })
}

// DecideAuto lets the first method that applies decide a test, in an order that is
// fixed by the kind of test.
const DecideAuto = "auto"

// DecideWords lists what analysis.decide may say: auto, and the names of methods.
func (a *Asked) DecideWords() []string {
	return append([]string{DecideAuto}, names(a.Methods, func(m *Method) (string, bool) { return m.Name, true })...)
}

// find returns the first element that is wanted; nil where none is.
func find[T any](list []T, wanted func(*T) bool) *T {
	for i := range list {
		if wanted(&list[i]) {
			return &list[i]
		}
	}
	return nil
}

// names lists the names of the elements that have one.
func names[T any](list []T, of func(*T) (string, bool)) []string {
	out := []string{}
	for i := range list {
		if name, ok := of(&list[i]); ok {
			out = append(out, name)
		}
	}
	return out
}
