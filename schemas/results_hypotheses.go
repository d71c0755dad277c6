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

// FreeChoices counts rounds in which the declaration leaves open which of several arms is
// played (policy.start: any, policy.ties: any). They are among those that match, whichever
// of these the log has.
type FreeChoices struct {
	Start     int64 `json:"start"`      // rounds in which any of several arms without a known reward could begin
	StartUsed int64 `json:"start_used"` // of these, in which the log has another than a start in order
	Ties      int64 `json:"ties"`       // rounds in which several indices were the largest
	TiesUsed  int64 `json:"ties_used"`  // of these, in which the log has another than the first
}

// Used counts rounds that are right by a free choice alone.
func (f *FreeChoices) Used() int64 {
	if f == nil {
		return 0
	}
	return f.StartUsed + f.TiesUsed
}

// Rests reports whether any round is right by a choice alone: one that is declared free,
// or within the window of near ties.
func (c *Conformance) Rests() bool { return c.Chosen() > 0 }

// Chosen counts those rounds.
func (c *Conformance) Chosen() int64 {
	n := c.Choices.Used()
	if c.NearTies != nil {
		n += c.NearTies.Used
	}
	return n
}

// Open counts rounds in which more than one arm would have been right.
func (c *Conformance) Open() int64 {
	n := int64(0)
	if c.Choices != nil {
		n += c.Choices.Start + c.Choices.Ties
	}
	if c.NearTies != nil {
		n += c.NearTies.Rounds
	}
	return n
}

// LawReplay holds logged actions against the propensities that the declared policy has by
// the logged rewards, or by the scores that are logged.
type LawReplay struct {
	Scores     bool           `json:"scores"` // they follow from log.score_by_arm
	Allocation AllocationTest `json:"allocation"`
	Rounds     int64          `json:"rounds"`     // whose action was drawn by itself, and held
	Impossible int64          `json:"impossible"` // of these, with an action of propensity 0
	// Detectable is the deviation of an arm's probability, on average over those rounds,
	// that is found in four of five logs at Level; null where none is.
	Detectable *float64 `json:"detectable" schema:"range=(0,1)"`
}

// By says by what the propensities are recomputed.
func (l *LawReplay) By() string {
	if l.Scores {
		return "the logged scores"
	}
	return "the logged rewards"
}

// ProgramReplay is a policy that is a program (policy.exec): what was run, and what a second
// run with other rewards showed.
type ProgramReplay struct {
	Argv     []string        `json:"argv"`                                       // as the protocol has it
	Files    []ProgramFile   `json:"files"`                                      // of the arguments, and of policy.sha256
	Gives    string          `json:"gives" schema:"words=arm|propensities|both"` // policy.gives
	Program  string          `json:"program"`                                    // as it calls itself
	Version  string          `json:"version"`                                    // likewise
	Forced   bool            `json:"forced"`                                     // it learns the logged actions; false: rounds after the first mismatch are not compared
	Many     bool            `json:"many"`                                       // it keeps several experiments apart in one process
	Snapshot bool            `json:"snapshot"`                                   // it goes back to a state that it was asked to keep
	Purpose  string          `json:"purpose"`                                    // for which rewards were read to be handed over; empty: none were
	Failure  *ProgramFailure `json:"failure"`                                    // why nothing can be said; null where the program answered in every round
	Again    *ProgramAgain   `json:"again"`                                      // the runs with other rewards; null where there were none
}

// ProgramFile is a file below the protocol's directory that the program was made of.
type ProgramFile struct {
	Name   string `json:"name"` // as the protocol has it
	SHA256 string `json:"sha256" schema:"sha256"`
}

// ProgramFailure is why a program did not answer.
type ProgramFailure struct {
	Cause string `json:"cause" schema:"words=not-allowed|start|time|memory|ended|malformed|refused"`
	Round *int64 `json:"round" schema:"range=[1,inf)"` // of the log, the first of those that it was asked for; null: before the first
	Words string `json:"words" schema:"named"`
}

// ProgramAgain is what the program answered where it was shown other rewards.
type ProgramAgain struct {
	Rounds int64 `json:"rounds"` // of the log, from the first one on
	// From is the first round that a changed reward could decide. From the middle on rewards
	// were exchanged within each arm; null where that changes none that was seen.
	From *int64 `json:"from" schema:"range=[1,inf)"`
	// Before is the first round before that in which the answer is another: the program does
	// not answer the same twice. Null where there is none.
	Before *int64 `json:"before" schema:"range=[1,inf)"`
	Later  int64  `json:"later"` // rounds from From on in which the answer is another
	// Mirrored counts rounds in which the answer is another where every reward y was lo + hi − y.
	// Null where that was not tried: Before or Later says enough, or no rewards are handed over.
	Mirrored *int64 `json:"mirrored"`
}

// Unmoved reports whether no answer depends on the rewards that the program was sent.
func (x *ProgramReplay) Unmoved() bool {
	return x.Again != nil && x.Again.Later == 0 && x.Again.Mirrored != nil && *x.Again.Mirrored == 0
}
