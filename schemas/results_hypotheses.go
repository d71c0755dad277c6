package schemas

import (
	"fmt"
	"slices"
	"strings"
)

// Hypothesis is something that would explain a mismatch, and how well it does.
type Hypothesis struct {
	// Name is floor | clipped-floor | cadence | uniform-rows | same-instant | stale |
	// swapped | prior | parameter for propensities; scale | no-noise | fresh-prefixes |
	// noise-on-mean | noise-over-n-twice | shared-noise for noise.
	Name      string   `json:"name" schema:"named"`
	Words     string   `json:"words" schema:"named"` // one sentence
	Value     *float64 `json:"value"`                // what was fitted; null where nothing is
	Lo        *float64 `json:"lo"`
	Hi        *float64 `json:"hi"`
	Rows      int64    `json:"rows"`                   // on which it was tried
	Explained int64    `json:"explained"`              // of these, within tolerance under it; see Compared
	Declared  *int64   `json:"declared"`               // of these, within tolerance under the declared policy; null where rows are not compared with one
	Largest   *float64 `json:"largest"`                // deviation under it
	P         *float64 `json:"p" schema:"range=[0,1]"` // of a test of it; null where it is compared and not tested
	// Fits: nearly all rows are explained, and more than the declared policy
	// explains; or the test does not reject.
	Fits bool `json:"fits"`
	// Settles is the key of the protocol, with the value that was found where it has
	// one, by which the log would be held against the explanation; null where none
	// would: the log is wrong, or no key declares such a policy.
	Settles *string `json:"settles"`
}

// Compared reports whether Explained counts rows: whether rows were compared one
// by one. Where a test of all of them together decides instead, P is given, and
// Explained is 0, as for an allocation, or for noise Rows where it fits.
func (h *Hypothesis) Compared() bool { return h.Rows > 0 && (h.P == nil || h.Explained > 0) }

// HypothesisScale is the name of the explanation by which recovered noise is the
// declared one but for its scale.
const HypothesisScale = "scale"

// Fitting returns the first explanation that fits, nil where none does.
func Fitting(tried []Hypothesis) *Hypothesis {
	i := slices.IndexFunc(tried, func(h Hypothesis) bool { return h.Fits })
	if i < 0 {
		return nil
	}
	return &tried[i]
}

// Sentence says what the explanation is, without a full stop, how far it and the
// declared policy go, and which key would settle it.
func (h *Hypothesis) Sentence() string {
	out := strings.TrimRight(h.Words, ".")
	if h.Compared() && (h.Explained < h.Rows || h.Declared != nil) {
		declared := ""
		if h.Declared != nil {
			declared = ", and the declared policy " + Grouped(*h.Declared)
		}
		out += fmt.Sprintf(" (explains %s of %s on which it was tried%s)", Grouped(h.Explained), Counted(h.Rows, "row"), declared)
	}
	if h.Settles != nil {
		out += "; if that is what ran, declare " + *h.Settles
	}
	return out
}

// Hints are what came of trying the neighbours of the declared options on a log that is not
// the declared policy's: each is the same policy with one option changed, or two, as other
// programs have it. They are hints and no verdict: that a neighbour matches more rounds
// does not show that it is what ran.
type Hints struct {
	Rounds   int64  `json:"rounds"`                             // that were compared
	Matched  int64  `json:"matched"`                            // of these, of the declared policy
	Left     int64  `json:"left_at" schema:"range=[1,inf)"`     // number of the mismatch at which a neighbour is left, and earlier where it explains no more than others
	Tried    int64  `json:"tried"`                              // neighbours
	Untried  int64  `json:"untried"`                            // neighbours that were not tried, or not to their end: the budget of rounds was spent
	Replayed int64  `json:"replayed"`                           // rounds of replay of all neighbours
	Named    []Hint `json:"neighbours" schema:"count=(-inf,3]"` // that match more rounds than the declared policy: at least half of those that it does not; the best first
}

// Hint is a neighbour of the declared policy that matches more rounds.
type Hint struct {
	Declare []string `json:"declare" schema:"count=[1,inf)"` // keys below policy, with their values, as a protocol has them
	Without []string `json:"without"`                        // keys below policy that are then not declared
	Matched int64    `json:"matched"`
	Rounds  int64    `json:"rounds"` // that were compared
}

// Sentence says what was found, without a full stop.
func (h *Hints) Sentence() string {
	if len(h.Named) == 0 {
		return fmt.Sprintf("none of %s neighbours of the declared options that were tried explains half of the rounds that differ, or more (each was left at mismatch number %s at the latest)%s", Grouped(h.Tried), Grouped(h.Left), h.rest())
	}
	words := make([]string, len(h.Named))
	for i := range h.Named {
		words[i] = h.Named[i].Words()
	}
	return fmt.Sprintf("%s (of %s neighbours of the declared options that were tried; a hint, not a verdict)%s", strings.Join(words, "; "), Grouped(h.Tried), h.rest())
}

// rest says what was not tried.
func (h *Hints) rest() string {
	if h.Untried == 0 {
		return ""
	}
	return fmt.Sprintf("; %s more were not tried to their end, for %s rounds of replay are all that is spent on it", Grouped(h.Untried), Grouped(h.Replayed))
}

// Words say how many rounds match with what.
func (h *Hint) Words() string {
	out := fmt.Sprintf("%s of %s match with %s", Grouped(h.Matched), Counted(h.Rounds, "round"), strings.Join(h.Declare, ", "))
	if len(h.Without) > 0 {
		out += ", and without " + strings.Join(h.Without, " and ")
	}
	return out
}

// explanation is what a reader is told of a kind of hypothesis.
type explanation struct {
	kind   string // what it says happened
	fitted string // what its fitted value is; "" where it has none
}

// explanations are the kinds of hypotheses, by the name that results.json has.
func explanations() map[string]explanation {
	const floor, exponent = "floor", "exponent κ of n^κ"
	return map[string]explanation{
		HypothesisScale:      {"noise of another scale", "ratio of scales"},
		"no-noise":           {"no noise", "ratio of scales"},
		"noise-on-mean":      {"noise on the mean and not the sum", exponent},
		"noise-over-n-twice": {"noise divided by n once more", exponent},
		"fresh-prefixes":     {"fresh noise for every release", exponent},
		"shared-noise":       {"noise that arms share", "share of equal draws"},
		"same-instant":       {"rewards learned at the very time of a choice", ""},
		"stale":              {"propensities of another moment", ""},
		"swapped":            {"propensities of other arms", ""},
		"uniform-rows":       {"rounds of a uniform choice", "share of uniform rounds"},
		"cadence":            {"another schedule of updates", ""},
		"parameter":          {"another parameter of the policy", "parameter of the policy"},
		"prior":              {"another prior", "parameter of the prior"},
		"floor":              {"another floor that is mixed in", floor},
		"clipped-floor":      {"small propensities raised to a floor", floor},
	}
}

// Kind says in words what kind of explanation it is: its name where there are none.
func (h *Hypothesis) Kind() string {
	if e, found := explanations()[h.Name]; found {
		return e.kind
	}
	return h.Name
}

// Fitted says what its fitted value is; "" where it has none.
func (h *Hypothesis) Fitted() string { return explanations()[h.Name].fitted }
