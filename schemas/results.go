package schemas

import (
	"cmp"
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
	KindCommitted     = "protocol.committed"
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
	Commitment  *Commitment     `json:"commitment,omitempty"` // absent where none was given
	Overall     string          `json:"overall" schema:"pattern=^(NO EXCEPTIONS NOTED|(EXCEPTIONS NOTED|INCOMPLETE) \\([1-9][0-9]*\\))(, (1 CAUTION|[1-9][0-9]* CAUTIONS))?$"`
	Cautions    int             `json:"cautions" schema:"range=[0,inf)"` // of all experiments, and of the family of their tests
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

// Commitment is the signed protocol that an audit was held against.
type Commitment struct {
	SHA256    string        `json:"sha256" schema:"sha256"`                        // of the envelope, lower-case hex
	PublicKey string        `json:"public_key" schema:"pattern=^([0-9a-f]{64})?$"` // the Ed25519 key that was asked for, lower-case hex; "" where none was given
	Signed    bool          `json:"signed"`                                        // the envelope has a good signature by that key
	KeyIDs    []string      `json:"keyids"`                                        // that the envelope names
	Tool      Tool          `json:"tool"`                                          // that wrote it
	Protocol  string        `json:"protocol_sha256" schema:"sha256"`               // of the text of the committed protocol, lower-case hex
	Differs   *CommittedKey `json:"differs"`                                       // the first key of the protocol that is another one; null where none is
}

// CommittedKey is a key of the protocol that was committed to with another value.
type CommittedKey struct {
	Key       string `json:"key" schema:"named"` // JSON pointer into protocol
	Committed string `json:"committed"`          // as JSON, cut where it is long
	Audited   string `json:"audited"`
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
	// no numbers: of policy.conformance the rounds that match stand beside those
	// that were compared (the rounds whose propensities match, where these alone do
	// not), and alone where all match and something else contradicts it; of a
	// hypothesis is the largest adjusted p of its tests beside alpha, of
	// data.quality the checks that fail beside 0.
	ObservedValue  *Extended `json:"observed_value"`
	ThresholdValue *Extended `json:"threshold_value"`
	Unit           string    `json:"unit"` // of both numbers: epsilon, rho, reward, rounds, checks or p; "" where there is none
	Procedure      string    `json:"procedure"`
	Reason         string    `json:"reason"`
	Evidence       []string  `json:"evidence"` // JSON pointers into this document
	// Failing counts, of a claim that is VIOLATED, what contradicts it one by one, and Played says
	// how often arms were played beside how often they were expected. Both are absent where
	// nothing of the kind contradicts it.
	Failing []Failing `json:"failing,omitempty"`
	Played  []Played  `json:"played,omitempty"`
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
	// Floored counts the tests that are not rejected here because the policy was run too seldom
	// again: no run reached their statistic, and their p is the smallest that so many runs give.
	// Draws is how many runs of each the least level of the family asks for, and Caution says
	// both, and counts among the cautions of the log. All are absent where there is no such test.
	Floored int64  `json:"floored,omitempty"`
	Draws   int64  `json:"draws,omitempty"`
	Caution string `json:"caution,omitempty"`
	// Combined are tests over all experiments that a test was declared for, see CombinedTest.
	Combined []CombinedTest `json:"combined,omitempty" schema:"count=(-inf,64]"`
}

// CombinedTest combines the p of one declared test in all experiments (Fisher 1932): −2·Σ ln p
// is held against χ² with two degrees of freedom for each experiment. It tests that the
// hypothesis holds in every experiment, is valid where experiments are independent, and names
// none in which it does not hold. An experiment in which no p decides takes part as p = 1.
type CombinedTest struct {
	Test        string    `json:"test" schema:"named"`
	Experiments int64     `json:"experiments"`
	P           *float64  `json:"p" schema:"range=[0,1]"`
	Log2P       *Extended `json:"log2_p"`
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
	Means       *Means       `json:"means,omitempty"`    // what was looked at of analysis.means: constant; absent where it is not declared
	Steering    *Steering    `json:"steering,omitempty"` // that arms follow a declared context; absent where nothing says so
	Estimates   []Estimate   `json:"estimates"`
	Disclosures []Disclosure `json:"disclosures"`
	Series      []Series     `json:"series"`
	Cautions    []string     `json:"cautions"` // what makes an answer weak and contradicts no claim
	Warnings    []string     `json:"warnings"`
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
	UserLoss            *UserLoss   `json:"user_loss,omitempty"` // absent where no unit is declared, or nothing finite is lost
}

// UserLoss is what somebody loses over all her rounds in the experiment, as far as it is
// known: the largest over all units. EpsilonMechanism is at_most where the unit is user.
type UserLoss struct {
	AtMost      Extended   `json:"at_most"`                                                             // ε, over all sequences of actions
	AtMostExact string     `json:"at_most_exact"`                                                       // the same, as a quotient
	AtMostBy    string     `json:"at_most_by" schema:"words=rounds|allocation|matching|late|decisions"` // which bound decided
	Rounds      int64      `json:"rounds"`                                                              // of the unit that it is of
	Of          *int64     `json:"of,omitempty"`                                                        // rounds of the experiment at most; absent where that is not known
	Shown       *ShownLoss `json:"shown,omitempty"`                                                     // absent where no sequence of actions is known to lose as much as its rows cost
}

// ShownLoss is what somebody loses on one sequence of actions.
type ShownLoss struct {
	AtLeast      Extended      `json:"at_least"`                       // ε
	AtLeastExact string        `json:"at_least_exact"`                 // the same, as a quotient
	By           string        `json:"by" schema:"words=log|sequence"` // the logged sequence, or path
	Rounds       int64         `json:"rounds"`                         // of the unit
	First        int64         `json:"first"`                          // the place of its first round in the experiment, from 1
	Path         []PathStretch `json:"path,omitempty"`                 // the sequence, where it is not the logged one
}

// PathStretch is a number of rounds that follow one another and play one arm.
type PathStretch struct {
	Arm    string `json:"arm"` // label
	Rounds int64  `json:"rounds"`
}

// Words of UserLoss.AtMostBy and ShownLoss.By.
const (
	AtMostByRounds     = "rounds"     // the number of rounds times what one loses
	AtMostByAllocation = "allocation" // the dearest rows of any split of the rounds over the arms
	AtMostByMatching   = "matching"   // the dearest rows that the unit's rounds can be
	AtMostByLate       = "late"       // what rows can lose by the rounds after them
	AtMostByDecisions  = "decisions"  // what decisions by exact sums lose at most, whatever changes
	AtLeastByLog       = "log"
	AtLeastBySequence  = "sequence"
)

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
	Anytime          bool      `json:"anytime"`                                    // ci holds whatever ended the log; the estimate beside it is the value in it against which there is least evidence, or that of a replay
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

// SeriesExperiments is of how many experiments of a log, the first in the order of the
// manifest, lines of figures are kept: those of thousands would be most of the results.
const SeriesExperiments = 200

// Lines of figures by their ids. What ends in a slash is followed by the label of an arm.
// X is in rounds of the experiment unless it is said.
const (
	// SeriesAllocation is the share of the rounds of each bin in which an arm was played;
	// X is the last round of the bin.
	SeriesAllocation = "allocation/"
	// SeriesUpdates are the first rounds of batches (log.batch), or of the intervals after
	// which the policy learns (policy.update.every), but for the first; Y is the number of
	// the batch or interval, from 1, and N how many there are. Where there are many only
	// every so manieth is kept.
	SeriesUpdates = "updates"
	// SeriesPropensity is the mean logged propensity of an arm by batch; X is the number of
	// the last batch of a bin.
	SeriesPropensity = "propensity/"
	// SeriesMean is the mean of the known rewards of an arm up to a round, and its
	// confidence sequence as it was then, which no declaration of constant means narrows.
	// It is of the arms that were played most. At least 20 rewards stand between two points.
	SeriesMean = "mean/"
	// SeriesEffective is the effective sample size of the rounds so far, (Σw)²/Σw² with
	// w = 1/p of the logged action, as a share of these rounds.
	SeriesEffective = "weights/effective"
	// SeriesHeaviest is the largest weight of the rounds so far as a share of the sum of
	// all of them.
	SeriesHeaviest = "weights/heaviest"
	// SeriesSpent bounds what the row that paid most had paid after so many rounds, in ε:
	// the largest cost of a row by what the counters release of the rewards of these rounds,
	// or, of a policy by exact sums, by the decisions among them. The last is
	// Accounting.EpsilonRealized.
	SeriesSpent = "privacy/spent"
	// SeriesNoise holds draws of noise, in ascending order and in groups of at least 20
	// neighbours, against the declared law: X is the mean of that law over the ranks of a
	// group, Y the mean of its draws, both on the scale on which the declared law is a
	// Laplace law of scale 1. An honest log lies between Lo and Hi in all groups but with
	// probability NoiseFit.Level; −50 and 50 stand for no bound.
	SeriesNoise = "noise"
)

// NoiseUnbounded stands for no bound in the band of [SeriesNoise], with either sign.
const NoiseUnbounded = 50

// Series is a line of a figure: at most 512 points, thinned deterministically, of the
// first [SeriesExperiments] experiments only.
type Series struct {
	ID    string    `json:"id"` // as [SeriesAllocation] and those below it say
	Title string    `json:"title"`
	X     []float64 `json:"x" schema:"count=(-inf,512]"`
	Y     []float64 `json:"y" schema:"count=(-inf,512]"`
	Lo    []float64 `json:"lo" schema:"count=(-inf,512]"`
	Hi    []float64 `json:"hi" schema:"count=(-inf,512]"`
	Unit  string    `json:"unit"`
	N     int64     `json:"n"`
}

// Overall counts the required claims of a run that do not hold, and what makes answers
// weak without contradicting a claim.
type Overall struct {
	Violated int // VIOLATED
	Open     int // NOT ESTABLISHED or NOT RUN
	Cautions int
}

// OverallOf counts over all claims, of which advisory ones do not count, and cautions.
func OverallOf(claims []Finding, cautions int) Overall {
	o := Overall{Cautions: cautions}
	for i := range claims {
		o = o.With(&claims[i])
	}
	return o
}

// With counts one more claim.
func (o Overall) With(c *Finding) Overall {
	switch {
	case c.Severity != SeverityRequired:
	case c.Verdict == Violated:
		o.Violated++
	case c.Verdict == NotEstablished || c.Verdict == NotRun:
		o.Open++
	}
	return o
}

// String returns the overall line:
//
//	EXCEPTIONS NOTED (n)  n required claims are VIOLATED
//	INCOMPLETE (n)        none is; n are NOT ESTABLISHED or NOT RUN
//	NO EXCEPTIONS NOTED   otherwise
//
// each with ", 1 CAUTION" or ", n CAUTIONS" where there are any.
func (o Overall) String() string {
	out := OverallClean
	switch {
	case o.Violated > 0:
		out = fmt.Sprintf("%s (%d)", OverallExceptions, o.Violated)
	case o.Open > 0:
		out = fmt.Sprintf("%s (%d)", OverallIncomplete, o.Open)
	}
	switch o.Cautions {
	case 0:
		return out
	case 1:
		return out + ", 1 CAUTION"
	}
	return fmt.Sprintf("%s, %d CAUTIONS", out, o.Cautions)
}

// BestFirst are arms by their mean reward, the largest first and equal ones as they
// stand; arms without a mean come last.
func BestFirst(arms []Arm) []*Arm {
	out := make([]*Arm, len(arms))
	for i := range arms {
		out[i] = &arms[i]
	}
	slices.SortStableFunc(out, func(a, b *Arm) int {
		switch {
		case a.Mean == nil && b.Mean == nil:
			return 0
		case a.Mean == nil:
			return 1
		case b.Mean == nil:
			return -1
		}
		return cmp.Compare(*b.Mean, *a.Mean)
	})
	return out
}
