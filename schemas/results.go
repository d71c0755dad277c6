package schemas

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Verdict is a word of a closed list.
type Verdict string

// The six verdicts.
const (
	Verified       Verdict = "VERIFIED"        // recomputed; holds exactly or to the stated tolerance
	Consistent     Verdict = "CONSISTENT"      // a test at the stated level did not contradict it
	Violated       Verdict = "VIOLATED"        // contradicted exactly, by a lower bound, or by a test
	NotEstablished Verdict = "NOT ESTABLISHED" // information insufficient; Reason says what is missing
	NotApplicable  Verdict = "NOT APPLICABLE"  // not claimed, or a prerequisite failed
	NotRun         Verdict = "NOT RUN"         // out of scope, or the check could not be carried out
)

// Kinds of claim.
const (
	KindDataQuality   = "data.quality"
	KindAllocation    = "allocation.matches_propensity"
	KindConformance   = "policy.conformance"
	KindPrivacyTotal  = "privacy.total"
	KindPrivacyNoise  = "privacy.noise"
	KindPrivacyLower  = "privacy.lower_bound"
	KindBiasBound     = "bias.bound"
	KindHypothesis    = "hypothesis"
	SeverityRequired  = "required"
	SeverityAdvisory  = "advisory"
	ResultsSchema     = "results.v1"
	OverallClean      = "NO EXCEPTIONS NOTED"
	OverallExceptions = "EXCEPTIONS NOTED" // followed by " (n)"
	OverallIncomplete = "INCOMPLETE"       // followed by " (n)"
)

// Results is results.json: everything an audit found, and the only thing the
// report reads. It holds no clock, host, user or machine path; the same
// inputs, protocol and build give the same bytes for every number of jobs.
type Results struct {
	Schema      string          `json:"schema" schema:"const=results.v1"` // always ResultsSchema
	Tool        Tool            `json:"tool"`
	RunID       string          `json:"run_id" schema:"sha256"`                            // hex SHA-256 of protocol, input digests, tool version and replay evidence
	Protocol    json.RawMessage `json:"protocol" schema:"ref=urn:banditaudit:protocol:v1"` // the effective protocol; the seed replaced by its digest
	Inputs      []Input         `json:"inputs"`
	Overall     string          `json:"overall" schema:"pattern=^(NO EXCEPTIONS NOTED|(EXCEPTIONS NOTED|INCOMPLETE) \\([1-9][0-9]*\\))(, [1-9][0-9]* CAUTIONS)?$"`
	Cautions    int             `json:"cautions" schema:"range=[0,inf)"` // of all experiments
	Claims      []Finding       `json:"claims"`
	Assumptions []Assumption    `json:"assumptions"`
	Family      *Family         `json:"family"` // null where there are not several experiments with tests
	Notes       []string        `json:"notes"`  // of all experiments together; they contradict nothing
	Experiments []Experiment    `json:"experiments"`
}

// Tool names the program that wrote a document.
type Tool struct {
	Name    string `json:"name" schema:"named"`
	Version string `json:"version" schema:"named"`
}

// Input is one file that was read.
type Input struct {
	URI    string `json:"uri" schema:"named"` // path below the given directory or glob root, or the base name; below what is above all files where two would have one
	Bytes  int64  `json:"bytes"`
	Rows   int64  `json:"rows"`
	SHA256 string `json:"sha256" schema:"sha256"` // lower-case hex
}

// Finding is one claim with its verdict.
type Finding struct {
	ID         string  `json:"id" schema:"named"`
	Experiment string  `json:"experiment"`
	Kind       string  `json:"kind"`
	Severity   string  `json:"severity" schema:"words=required|advisory"`
	Statement  string  `json:"statement" schema:"named"`
	Verdict    Verdict `json:"verdict"`
	Vacuous    bool    `json:"vacuous"`
	Observed   string  `json:"observed"` // a number with its unit, in words; "" where none exists
	Comparator string  `json:"comparator"`
	Threshold  string  `json:"threshold"`
	// ObservedValue and ThresholdValue are what a claim about a number compares,
	// for programs: each rounded to the nearest float64, which keeps their
	// order, while the verdict compares exactly. Null where the claim compares
	// no numbers.
	ObservedValue  *Extended `json:"observed_value"`
	ThresholdValue *Extended `json:"threshold_value"`
	Procedure      string    `json:"procedure"`
	Reason         string    `json:"reason"`
	Evidence       []string  `json:"evidence"` // JSON pointers into this document
}

// Assumption is one of A1–A8 of the corrected tests, with what checked it.
type Assumption struct {
	ID        string `json:"id" schema:"named"`
	Text      string `json:"text"`
	CheckedBy string `json:"checked_by"`
	Status    string `json:"status" schema:"words=checked|partly checked|declared|not contradicted|contradicted|not declared|failed|not checkable|not needed"` // checked | partly checked | declared | not contradicted | contradicted | not declared | failed | not checkable | not needed
}

// Family adjusts the declared tests of all experiments of a log as one family.
// The decisions of an experiment are those of its own family.
type Family struct {
	Method      string       `json:"method" schema:"named"` // the protocol's multiplicity
	Alpha       float64      `json:"alpha" schema:"range=(0,1)"`
	Experiments int64        `json:"experiments"`
	Tests       int64        `json:"tests"`   // members of the family
	Decided     int64        `json:"decided"` // of them with a corrected p; the others take part as p = 1
	Rejected    int64        `json:"rejected"`
	Alone       int64        `json:"alone"`                                // rejected in the family of their own experiment
	Smallest    *FamilyTest  `json:"smallest"`                             // the smallest adjusted p; null where no test is decided
	Rejections  []FamilyTest `json:"rejections" schema:"count=(-inf,512]"` // by adjusted p, at most 512
	Note        string       `json:"note"`
}

// FamilyTest is one test within a Family.
type FamilyTest struct {
	Experiment string    `json:"experiment"`
	Test       string    `json:"test" schema:"named"`
	PAdjusted  *float64  `json:"p_adjusted" schema:"range=[0,1]"`
	Log2P      *Extended `json:"log2_p_adjusted"`
	Evidence   string    `json:"evidence"` // JSON pointer into this document
}

// Experiment is everything found in one experiment of the log.
type Experiment struct {
	ID         string      `json:"id"`
	Rounds     int64       `json:"rounds"`
	ContextDim int         `json:"context_dim"`
	Data       Data        `json:"data"`
	Replay     Conformance `json:"replay"`
	// Allocation are explanations of an allocation that contradicts the logged
	// propensities; empty where it does not.
	Allocation  []Hypothesis `json:"allocation"`
	Privacy     Accounting   `json:"privacy"`
	Arms        []Arm        `json:"arms"`
	Regressions []Regression `json:"regressions"`
	Tests       []Test       `json:"tests"`
	Estimates   []Estimate   `json:"estimates"`
	Disclosures []Disclosure `json:"disclosures"`
	Series      []Series     `json:"series"`
	Cautions    []string     `json:"cautions"` // what makes an answer weak and contradicts no claim
	Warnings    []string     `json:"warnings"`
}

// Data says what was read and which data checks hold.
type Data struct {
	RowsRead     int64       `json:"rows_read"`
	RowsAnalysed int64       `json:"rows_analysed"`
	Excluded     []Exclusion `json:"excluded"`
	Checks       []Check     `json:"checks"`
	Splits       *Splits     `json:"splits"`  // null where check H17 was not run for want of a column
	Repeats      *Repeats    `json:"repeats"` // null where no unit owns several rounds
	Odds         *Odds       `json:"odds"`    // null where check H17 did not look at how often the likelier arm is played
}

// Exclusion counts rows that were clipped or left out, by reason.
type Exclusion struct {
	Reason string `json:"reason"`
	Rows   int64  `json:"rows"`
}

// CheckStatus is the outcome of one data check.
type CheckStatus string

// The outcomes of a data check.
const (
	CheckPass   CheckStatus = "pass"
	CheckNote   CheckStatus = "note" // a fact worth reading; stops nothing
	CheckFail   CheckStatus = "fail"
	CheckNotRun CheckStatus = "not run" // Detail says which column would make it possible
)

// Check is one data check (H01…H15).
type Check struct {
	ID        string      `json:"id" schema:"pattern=^H[0-9]{2}$"`
	Title     string      `json:"title"`
	Observed  string      `json:"observed"`
	Expected  string      `json:"expected"`
	Statistic *float64    `json:"statistic"`
	P         *float64    `json:"p" schema:"range=[0,1]"`
	Status    CheckStatus `json:"status"`
	Detail    string      `json:"detail"`
}

// Conformance is the outcome of a teacher-forced replay.
type Conformance struct {
	Mode string `json:"mode" schema:"words=seed|released|propensity|law|none"`
	// Undrawn says that the declared policy draws nothing, and sees no noise: in mode
	// seed no seed was needed, and one that is declared decides nothing.
	Undrawn       bool      `json:"undrawn"`
	Rounds        int64     `json:"rounds"`
	Replayable    int64     `json:"replayable"`
	Matched       int64     `json:"matched"`
	FirstMismatch *Mismatch `json:"first_mismatch"`
	LastMismatch  *int64    `json:"last_mismatch" schema:"range=[1,inf)"` // round; null where there is none
	// Starting counts rounds that do not match and in which an arm that could be played
	// had no released reward; of policies that play such an arm before all others.
	Starting int64 `json:"starting"`
	// InTurn counts rounds that do not match, and would where the policy counted its own
	// plays as they come, and not as of its last update; 0 where a round that matches
	// then would not. In the modes seed and propensity.
	InTurn int64 `json:"in_turn"`
	// NearTies is null where nothing is replayed, the policy compares no indices, or
	// policy.near_ties is 0.
	NearTies *NearTies `json:"near_ties"`
	// Choices is null where nothing is replayed, or the declaration leaves no choice open.
	Choices *FreeChoices `json:"free_choices"`
	// Rewards is null where the replay contradicts nothing, or goes by no rewards, or
	// they are at the ends of their range alone, or are written in full.
	Rewards *RewardsWritten `json:"rewards_written"`
	// Binding is null where nothing was replayed, not all of the log is as the policy
	// has it, or its propensities are compared as shares of draws.
	Binding *Binding `json:"binding"`
	// Propensities is null where none are logged, or none can be recomputed.
	Propensities *PropensityReplay `json:"propensities"`
	// Law is null where actions are not held against propensities that are recomputed from
	// the logged rewards: in the modes law and propensity they are, of a policy that reads them.
	Law *LawReplay `json:"law"`
	// Released is null where no released values are logged, or the policy reads
	// none.
	Released *ReleasedReplay `json:"released"`
}

// MostBindings bounds the arms of a Binding.
const MostBindings = 64

// RewardsWritten is how finely rewards are written, by which a replay contradicts the
// policy: it may have read them in full.
type RewardsWritten struct {
	Decimals *int64 `json:"decimals" schema:"range=[0,6]"` // that write every reward; null: more than 6
	Float32  bool   `json:"float32"`                       // whether all are float32, and float64 would have written some otherwise
}

// Binding says how many rewards of a log can be changed so that the replay is what
// it was: every action that the policy chooses, every propensity that is compared,
// within its tolerance, and every released value.
type Binding struct {
	Any  bool         `json:"any"`                           // the policy reads no rewards: any number of any arm
	Arms []ArmBinding `json:"arms" schema:"count=(-inf,64]"` // that were measured, those played most first
	Left int64        `json:"left"`                          // arms that were not: the log is too long, or they are too many
}

// ArmBinding is that of one arm: rewards set to the upper end of the range, or to
// the lower.
type ArmBinding struct {
	Arm  string     `json:"arm"`
	Up   Changeable `json:"up"`
	Down Changeable `json:"down"`
}

// Changeable counts rewards of an arm that can all be set to an end of the range.
// AtLeast is a lower bound: the last so many were changed, and others may pass
// too.
type Changeable struct {
	AtLeast int64 `json:"at_least"`
	Of      int64 `json:"of"` // that are not at that end
}

// Most returns the arm of which most rewards are known to pass, in one direction; nil
// where none of any arm is.
func (b *Binding) Most() *ArmBinding {
	var out *ArmBinding
	most := int64(0)
	for i := range b.Arms {
		if n := max(b.Arms[i].Up.AtLeast, b.Arms[i].Down.AtLeast); n > most {
			out, most = &b.Arms[i], n
		}
	}
	return out
}

// Words say how many rewards of the arm, which is named so, could be set to an end of
// the range, of those that are not there, in both directions, the larger number first.
// Of a direction in which there are none nothing is said.
func (a *ArmBinding) Words(named string, lo, hi float64) string {
	first, second := a.Down.words("above", lo), a.Up.words("below", hi)
	if a.Up.AtLeast > a.Down.AtLeast {
		first, second = second, first
	}
	out := "of arm " + named + " " + fmt.Sprintf(first, " rewards", " could be set")
	if a.Up.Of > 0 && a.Down.Of > 0 {
		out += ", and " + fmt.Sprintf(second, "", "")
	}
	return out
}

// words say how many rewards on one side of an end could be set to it; what is %s is
// for the noun and the verb.
func (c Changeable) words(side string, end float64) string {
	which := "at least " + Grouped(c.AtLeast) + " of " + Grouped(c.Of)
	if c.AtLeast == c.Of {
		which = "all " + Grouped(c.Of)
	}
	return fmt.Sprintf("%s%%s %s %g%%s to %g", which, side, end, end)
}

// NearTies are rounds in which several indices lay within the declared window of
// the largest, so that rounding may decide between them. They are among those
// that match, whichever of these the log has.
type NearTies struct {
	Window  float64   `json:"window" schema:"range=(0,1)"`  // policy.near_ties, relative to the largest index
	Rounds  int64     `json:"rounds"`                       // with several indices within it
	Used    int64     `json:"used"`                         // of these, in which the log has another than the policy chooses here
	Largest *float64  `json:"largest" schema:"range=[0,1)"` // part of the largest index by which one of those was smaller; null where Used is 0
	First   []NearTie `json:"first" schema:"count=(-inf,8]"`
}

// Rests reports whether any round is right within the window alone.
func (t *NearTies) Rests() bool { return t != nil && t.Used > 0 }

// NearTie is a round whose action is right within the window alone.
type NearTie struct {
	Round    int64   `json:"round" schema:"range=[1,inf)"`
	Logged   string  `json:"logged"`   // arm label
	Replayed string  `json:"replayed"` // arm label
	Gap      float64 `json:"gap" schema:"range=[0,1)"`
}

// Ways to hold actions against released values.
const (
	ActionsExact      = "exact"
	ActionsAllocation = "allocation"
	ActionsSeed       = "seed"
)

// ReleasedReplay holds logged released values against the declared counter:
// what the policy chose given what it saw, and the noise in what it saw.
type ReleasedReplay struct {
	// Actions says how the logged actions were held against the policy given the
	// released values: "exact" for a policy that draws nothing, "allocation" for
	// one that does: a wager on every arm at the recomputed propensities; "seed"
	// for one that does and whose draws are known by a seed, which decides alone.
	Actions string `json:"actions" schema:"words=exact|allocation|seed"`
	// Of Replayable rounds, Matched have the action that the released values give,
	// or, where the policy draws, one that it can draw by them; 0 for "seed".
	Replayable    int64           `json:"replayable"`
	Matched       int64           `json:"matched"`
	FirstMismatch *Mismatch       `json:"first_mismatch"`
	Allocation    *AllocationTest `json:"allocation"` // null but for "allocation"
	// Compared counts pairs of round and arm of which it is known what the declared
	// counter releases, exactly: by its seed, or because it adds no noise. Differ
	// of them are logged with another value. What is known is not said: with the
	// noise of a log that is not that of its seed, it would give rewards away.
	Compared    int64          `json:"compared"`
	Differ      int64          `json:"differ"`
	FirstDiffer *ReleasedValue `json:"first_differ"`
	// Changed counts pairs of round and arm in which the released value is another
	// one than before although nothing was released of the arm: noise is drawn
	// once, and this is a redraw.
	Changed int64 `json:"changed"`
	// Redrawn of them are of arms of which no reward had arrived either since the
	// last release: no other schedule of learning explains these.
	Redrawn      int64          `json:"redrawn"`
	FirstChanged *ReleasedPlace `json:"first_changed"`
	// Rounding is what the released values are off by at most, since they are
	// logged with few decimals or as float32; null where neither can be seen.
	Rounding *float64  `json:"rounding" schema:"range=[0,inf)"`
	Noise    *NoiseFit `json:"noise"` // null where the counter adds none
	// Shared says that the noise is also in another experiment of the log; null
	// where it is not, and in replay.json, which knows one experiment at a time.
	Shared *SharedNoise `json:"shared"`
}

// SharedNoise says that a stream of noise of an experiment begins as one of
// another experiment does, draw for draw.
type SharedNoise struct {
	Arm             string  `json:"arm"`
	Coordinate      int64   `json:"coordinate"` // of a vector; 0 where sums are numbers
	Experiment      string  `json:"experiment"` // the other
	OtherArm        string  `json:"other_arm"`
	OtherCoordinate int64   `json:"other_coordinate"`
	Draws           int64   `json:"draws"`       // that were compared, and are equal
	Experiments     int64   `json:"experiments"` // with the same noise, beside the one
	Level           float64 `json:"level"`       // probability that any two experiments of an honest log agree so
}

// ReleasedValue is one released value of the log.
type ReleasedValue struct {
	Round  int64   `json:"round" schema:"range=[1,inf)"`
	Arm    string  `json:"arm"`
	Logged float64 `json:"logged"` // of a vector, the first coordinate that differs
}

// ReleasedPlace is a released value of the log that ought to be another one.
type ReleasedPlace struct {
	Round    int64   `json:"round" schema:"range=[1,inf)"`
	Arm      string  `json:"arm"`
	Logged   float64 `json:"logged"`
	Expected float64 `json:"expected"`
}

// AllocationTest is the largest wager against the recomputed propensities.
type AllocationTest struct {
	Level    float64 `json:"level" schema:"range=[0,1]"`   // of all arms together: 0.001 in replay.json, in results.json divided by the number of experiments
	P        float64 `json:"p" schema:"range=[0,1]"`       // 1/largest wager, at most 1
	Arm      string  `json:"arm"`                          // that the largest was won on; "" where it was the arm of the unit's round before
	Before   bool    `json:"before"`                       // the largest was won on the arm of the unit's round before
	Later    int64   `json:"later"`                        // later rounds of units in which that arm was wagered on too, as every round is declared to be drawn anew; 0: it was not
	Round    *int64  `json:"round" schema:"range=[1,inf)"` // in which 0.001 was reached; null where the level was not
	Rejected bool    `json:"rejected"`
}

// NoiseFit is the noise recovered from released values against its declared
// law. Ratios are of the scale found to the one declared; their intervals, and
// those of ε, have level 1 − 0.001/6. In replay.json the level of all tests is
// 0.001; in results.json all experiments of a log share it, and Level, the tests
// and what they reject are those of the shared level.
type NoiseFit struct {
	Releases  int64       `json:"releases"`                   // that could be seen
	Recovered int64       `json:"recovered"`                  // draws that could be told apart
	Level     float64     `json:"level" schema:"range=[0,1]"` // of all tests together
	Tests     []NoiseTest `json:"tests"`
	Rejected  bool        `json:"rejected"`
	Ratio     *float64    `json:"ratio" schema:"range=[0,inf)"` // null where nothing was recovered
	RatioLo   *float64    `json:"ratio_lo" schema:"range=[0,inf)"`
	RatioHi   *float64    `json:"ratio_hi" schema:"range=[0,inf)"`
	// Epsilon is the ε of each arm's counter whose noise has the scale found.
	Epsilon   *Extended `json:"epsilon"`
	EpsilonLo *Extended `json:"epsilon_lo"`
	EpsilonHi *Extended `json:"epsilon_hi"`
	// Detectable is the smallest factor of the scale that the test of the scale
	// finds with 80 % power, above 1; null where it finds none, and in results.json
	// where the lattice is coarse beside the noise. About: it is that of a
	// continuous law.
	Detectable *float64     `json:"detectable" schema:"range=[0,inf)"`
	Groups     []NoiseGroup `json:"groups" schema:"count=(-inf,512]"` // by arm and scale; at most 512, those of most draws
	OffGrid    int64        `json:"off_grid"`                         // released values that are no multiple of the declared grid
	Hypotheses []Hypothesis `json:"hypotheses"`
	// Spent is the ε that the releases of this log cost the row that paid most,
	// under the hypothesis that fits; null where no other than the declared law
	// does, or none.
	Spent   *Extended `json:"spent"`
	SpentLo *Extended `json:"spent_lo"`
	SpentHi *Extended `json:"spent_hi"`
	// SpentAtLeast says that a row may have paid more: not all were tried, or not
	// all releases.
	SpentAtLeast bool `json:"spent_at_least"`
}

// NoiseTest is one test of recovered noise.
type NoiseTest struct {
	Name      string   `json:"name" schema:"named"` // scale | shape | sign | independence | growth | arms
	Statistic *float64 `json:"statistic"`
	P         *float64 `json:"p" schema:"range=[0,1]"`
	Level     float64  `json:"level" schema:"range=[0,1]"` // its share of NoiseFit.Level
	Rejected  bool     `json:"rejected"`
	Detail    string   `json:"detail"`
}

// NoiseGroup is recovered noise of one arm and one declared scale.
type NoiseGroup struct {
	Arm   string   `json:"arm"`
	Scale float64  `json:"scale" schema:"range=[0,inf)"` // declared, of rewards rescaled to [0,1]
	Draws int64    `json:"draws"`
	Ratio *float64 `json:"ratio" schema:"range=[0,inf)"`
	Lo    *float64 `json:"lo" schema:"range=[0,inf)"`
	Hi    *float64 `json:"hi" schema:"range=[0,inf)"`
}

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

// PropensityReplay holds the logged propensities, of the action and of all
// arms, against those that the replay gives.
type PropensityReplay struct {
	Rounds           int64               `json:"rounds"`                                   // in which they were compared
	Matched          int64               `json:"matched"`                                  // where they are CONSISTENT as shares of draws: all that some draws give
	Decimals         *int64              `json:"decimals" schema:"range=[1,7]"`            // that write every logged propensity of an action, 1 to 7; null: more
	DecimalsByArm    *int64              `json:"decimals_by_arm" schema:"range=[1,7]"`     // likewise, of those of all arms; null also where they are not logged
	Digits           *int64              `json:"digits" schema:"range=[1,6]"`              // significant digits that write every logged propensity of an action, 1 to 6, where they are fewer than the decimals; null: more
	DigitsByArm      *int64              `json:"digits_by_arm" schema:"range=[1,6]"`       // likewise, of those of all arms
	OwnDecimals      *int64              `json:"own_decimals" schema:"range=[3,7]"`        // fewest decimals, at least 3, of the rounded values of a column that mixes them with values in full, or of several numbers of decimals: each is then known to half a unit of its own last; null where it mixes none
	OwnDecimalsByArm *int64              `json:"own_decimals_by_arm" schema:"range=[3,7]"` // likewise, of those of all arms
	Float16          bool                `json:"float16"`                                  // whether all are float16, and known to half a unit in its last place
	Float16ByArm     bool                `json:"float16_by_arm"`                           // likewise, of those of all arms
	Resolution       *float64            `json:"resolution" schema:"range=(0,inf)"`        // log.propensity_resolution; null where it is not declared
	Kept             int64               `json:"kept"`                                     // rounds that were not compared: later ones of a unit that may keep its arm, with that arm and the logged propensities of the unit's first round, which are not those of the policy now
	Starting         int64               `json:"starting"`                                 // rounds beyond tolerance in which an arm that could be played had no released reward; see Conformance
	InTurn           int64               `json:"in_turn"`                                  // rounds beyond tolerance that would match where the policy counted its own plays as they come; see Conformance
	Arithmetic       int64               `json:"arithmetic"`                               // rounds beyond tolerance in which no difference is larger than other arithmetic makes: 1e-5 of the larger, 5e-7, and what is written
	Remainder        int64               `json:"remainder"`                                // rounds beyond tolerance in which the last arm alone differs, by no more than what the rounded others leave
	Draws            *PropensityDraws    `json:"draws"`                                    // where they are, or may be, shares of draws; null otherwise
	FirstMismatch    *PropensityMismatch `json:"first_mismatch"`
	Worst            *PropensityMismatch `json:"worst"` // the largest deviation
	Batches          []PropensityBatch   `json:"batches" schema:"count=(-inf,512]"`
	Hypotheses       []Hypothesis        `json:"hypotheses"`
}

// PropensityBatch is the comparison within one batch, or within one stretch of
// rounds where no batches are declared. At most 512 are kept: neighbours are
// joined where there are more.
type PropensityBatch struct {
	First   int64   `json:"first" schema:"range=[1,inf)"` // round
	Last    int64   `json:"last" schema:"range=[1,inf)"`
	Rounds  int64   `json:"rounds"`
	Beyond  int64   `json:"beyond"`                         // rounds beyond tolerance
	Largest float64 `json:"largest" schema:"range=[0,inf)"` // deviation
}

// PropensityMismatch is a round with a logged propensity that is not the
// policy's.
type PropensityMismatch struct {
	Round    int64   `json:"round" schema:"range=[1,inf)"` // 1-based
	Arm      string  `json:"arm"`                          // label
	Logged   float64 `json:"logged"`
	Replayed float64 `json:"replayed"`
}

// Mismatch is the first round whose logged action is not the policy's.
type Mismatch struct {
	Round    int64  `json:"round" schema:"range=[1,inf)"` // 1-based
	Logged   string `json:"logged"`                       // arm label
	Replayed string `json:"replayed"`                     // arm label
	// Gap is how far the index of the logged arm lies below the largest, relative to
	// that; null where no indices decided.
	Gap *float64 `json:"gap" schema:"range=[0,inf)"`
}

// Accounting is the privacy ledger of the logged experiment.
type Accounting struct {
	Definition          string      `json:"definition" schema:"words=pure|approximate|zcdp|"` // pure | approximate | zcdp | ""
	Unit                string      `json:"unit" schema:"words=round|user|"`                  // round | user | ""
	EpsilonClaimed      *Extended   `json:"epsilon_claimed"`
	DeltaClaimed        *float64    `json:"delta_claimed"`
	RhoClaimed          *Extended   `json:"rho_claimed"`
	EpsilonMechanism    *Extended   `json:"epsilon_mechanism"`                                  // supremum over paths; at delta_claimed where the definition is approximate
	RhoMechanism        *Extended   `json:"rho_mechanism"`                                      // ρ of zero-concentrated differential privacy, supremum over paths
	EpsilonRealized     *Extended   `json:"epsilon_realized"`                                   // on this path; not a DP parameter
	SumSquaredCosts     *Extended   `json:"sum_squared_costs"`                                  // over rows
	SumSquaredUnitCosts *Extended   `json:"sum_squared_unit_costs"`                             // over units, of the sum of the costs of their rows; null where no unit is declared
	LargestUnit         *int64      `json:"largest_unit" schema:"range=(-inf,inf)"`             // the most rounds of one unit; null where no unit is declared
	InferenceCosts      string      `json:"inference_costs" schema:"words=levels|own-context|"` // which costs of rows corrections and bounds on biases take: levels, or own-context, those by each row's own context; "" where nothing is accounted for
	Notes               []string    `json:"notes"`                                              // what the numbers rest on, in sentences
	Mechanisms          []Mechanism `json:"mechanisms"`
	Levels              []CostLevel `json:"levels"`
	LowerBound          *LowerBound `json:"lower_bound"`
}

// Mechanism is one noisy release family of the declared counter.
type Mechanism struct {
	Name        string    `json:"name"`
	Arm         string    `json:"arm"`   // label
	Scale       *Extended `json:"scale"` // Laplace scale b of the sum of rewards rescaled to [0,1]
	Sensitivity float64   `json:"sensitivity"`
	Releases    int64     `json:"releases"`
	Epsilon     *Extended `json:"epsilon"` // Δ/b of one release
}

// CostLevel counts the rows of an arm whose pathwise cost c_t is Cost.
type CostLevel struct {
	Arm  string   `json:"arm"` // label
	Cost Extended `json:"cost"`
	Rows int64    `json:"rows"`
}

// LowerBound is the outcome of a probe.
type LowerBound struct {
	Epsilon    float64 `json:"epsilon"`
	Confidence float64 `json:"confidence" schema:"range=[0,1]"`
	Runs       int64   `json:"runs"`
	Event      string  `json:"event"`
}

// Arm is what was found about one arm. Means, errors, intervals and bias
// bounds are in the units of the reward.
type Arm struct {
	Arm                int       `json:"arm"` // 0-based index
	Label              string    `json:"label"`
	Pulls              int64     `json:"pulls"`
	Mean               *float64  `json:"mean"`
	StdError           *float64  `json:"std_error" schema:"range=[0,inf)"`
	CI                 *Interval `json:"ci"`                                            // raw; valid only if the allocation had been fixed in advance
	Interval           string    `json:"interval"`                                      // what ci and ci_corrected are, and whether exact or approximate; empty where there is none
	BiasBound          *float64  `json:"bias_bound" schema:"range=[0,inf)"`             // (hi−lo)·(1/N)Σ tanh(c_t/4)
	BiasBoundPaper     *float64  `json:"bias_bound_paper" schema:"range=[0,inf)"`       // (hi−lo)·(e^ε−1), the published form
	BiasBoundDelta     *float64  `json:"bias_bound_approximate" schema:"range=[0,inf)"` // of (ε,δ), averaged over actions; null unless asked for
	Units              *int64    `json:"units"`                                         // independent units among the rows; null where no unit is declared
	Sigma              *Extended `json:"sigma"`                                         // √(2Σρ_BR(c_t)) over the arm's rows
	CICorrected        *Interval `json:"ci_corrected"`
	ConfidenceSequence *Interval `json:"confidence_sequence"`
	IPWMean            *float64  `json:"ipw_mean"`
	Vacuous            []string  `json:"vacuous"` // names of fields above that are wider than the reward range
}

// Estimators of Estimate.
const (
	EstimatorIPW   = "ipw"
	EstimatorSNIPW = "snipw"
	EstimatorAIPW  = "aipw"
	EstimatorSqrt  = "aipw-sqrt"
	EstimatorIPS   = "ips" // this and those below: of an evaluated policy
	EstimatorSNIPS = "snips"
	EstimatorDR    = "dr"

	EstimatorReplay = "replay" // of the rounds alone in which the log played what the policy chose
)

// Estimate is an estimator's value for a target: the mean of an arm, what one arm
// has above another, or what another policy would have earned. One that stands for every arm says why there is none of any.
type Estimate struct {
	Target           string    `json:"target"`
	Estimator        string    `json:"estimator"`
	EvaluationPolicy string    `json:"evaluation_policy"`          // id of the evaluated policy, else ""
	Arm              *int      `json:"arm" schema:"range=[0,inf)"` // null where it is of every arm, or of a policy
	Label            string    `json:"label"`                      // of the arm; "" where it is of every arm, or of a policy
	Against          string    `json:"against"`                    // label of the arm that a difference is to; "the logging policy" where a policy is compared with what the log earned; else ""
	Rounds           *int64    `json:"rounds"`                     // over which it is; null where it is not given
	LeftOut          *int64    `json:"left_out"`                   // rounds that are left out, as the arm, or one of both, had propensity 0; null where it is not given
	Estimate         *float64  `json:"estimate"`                   // within the range of the reward; null where it is not given
	OutsideRange     bool      `json:"outside_range"`              // the formula gives RawEstimate, and Estimate is the end of the range that is nearest
	RawEstimate      *float64  `json:"raw_estimate"`               // null where it is Estimate
	StdError         *float64  `json:"std_error" schema:"range=(0,inf)"`
	CI               *Interval `json:"ci"`
	ESS              *float64  `json:"ess"`                                        // of the weights of rewards; of a difference that of the arm with less
	LargestWeight    *float64  `json:"largest_weight" schema:"range=[0,inf)"`      // of a reward
	LargestShare     *float64  `json:"largest_weight_share" schema:"range=[0,1]"`  // of all such weights of the arm
	ClipBias         *float64  `json:"clip_bias,omitempty" schema:"range=[0,inf)"` // by which weights that are cut can move the estimate on average; absent where none is cut
	Anytime          bool      `json:"anytime"`                                    // ci holds whatever ended the log; there is no estimate beside it but of a replay
	Reason           string    `json:"reason"`                                     // why there is no estimate, or no interval; "" where there are both
	ValidUnder       string    `json:"valid_under"`
}

// Evaluated are the ids of the evaluated policies, in the order of the estimates.
func (e *Experiment) Evaluated() []string {
	var out []string
	for i := range e.Estimates {
		if id := e.Estimates[i].EvaluationPolicy; id != "" && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

// Disclosure is one exact read of rewards by this audit.
type Disclosure struct {
	Purpose string   `json:"purpose"`
	Rows    int64    `json:"rows"`
	Columns []string `json:"columns"`
}

// Series is a line of a figure: at most 512 points, thinned deterministically.
type Series struct {
	ID    string    `json:"id"` // e.g. "allocation/blue"
	Title string    `json:"title"`
	X     []float64 `json:"x" schema:"count=(-inf,512]"`
	Y     []float64 `json:"y" schema:"count=(-inf,512]"`
	Lo    []float64 `json:"lo" schema:"count=(-inf,512]"`
	Hi    []float64 `json:"hi" schema:"count=(-inf,512]"`
	Unit  string    `json:"unit"`
	N     int64     `json:"n"`
}
