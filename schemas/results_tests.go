package schemas

import (
	"slices"
)

// Kinds of a Test.
const (
	TestMean        = "mean"
	TestDifference  = "difference"
	TestCoefficient = "coefficient"
	TestJoint       = "joint"
	TestEqual       = "equal"
	TestGiven       = "p"
)

// Test is one declared hypothesis test.
type Test struct {
	ID           string       `json:"id" schema:"named"`
	Kind         string       `json:"kind" schema:"words=mean|difference|coefficient|joint|equal|p"` // mean | difference | coefficient | joint | equal | p: of a test that was carried out elsewhere
	Hypothesis   string       `json:"hypothesis"`                                                    // of the method that decides
	Selector     string       `json:"selector"`
	Arm          int          `json:"arm" schema:"range=[-1,inf)"` // of two arms the first; -1 for a pooled regression, and for all arms
	Label        string       `json:"label"`
	Against      string       `json:"against"`                                            // label of the second of two arms, else ""
	Regression   string       `json:"regression"`                                         // "" unless a coefficient is asked about
	Coefficients []string     `json:"coefficients"`                                       // those asked about, empty for means
	Test         string       `json:"test"`                                               // the raw test in words, with what it assumes and is valid for
	Alternative  string       `json:"alternative" schema:"words=two-sided|greater|less|"` // two-sided | greater | less; "" for joint and equal, which have no side
	Value        float64      `json:"value"`                                              // under the null hypothesis; 0 for joint and equal, whose hypothesis says all
	Over         string       `json:"over"`                                               // the rounds that hypothesis and estimate are about, where these are not those that played the arms
	Estimate     *float64     `json:"estimate"`
	N            int64        `json:"n"`          // rounds that enter the answer which decides; without one, those that the raw test counts
	Units        *int64       `json:"units"`      // independent units among them; null where a row is one
	Comparison   *Comparison  `json:"comparison"` // of arms; null where none are compared
	Assumptions  []string     `json:"assumptions"`
	Decide       string       `json:"decide"`                                                                 // as declared: auto, or the name of a method
	DecidedBy    string       `json:"decided_by"`                                                             // method of the result that decides; "" where none does
	Choice       string       `json:"choice"`                                                                 // why that method decides, or why none does
	OnlyIf       string       `json:"valid_if"`                                                               // what the answer that decides rests on that is neither declared nor recomputed; "" where there is nothing
	Agreement    string       `json:"agreement"`                                                              // whether the methods that apply come to one answer, each by itself at alpha; "" where fewer than two apply
	Decision     string       `json:"decision" schema:"words=rejected|not rejected|no answer|not applicable"` // rejected | not rejected | no answer: p is 1 and the interval holds everything | not applicable
	Verdict      Verdict      `json:"verdict" schema:"words=CONSISTENT|NOT ESTABLISHED|NOT APPLICABLE"`
	Results      []TestResult `json:"results"`
}

// Comparison is what a test rests on that compares arms: that each of them has one
// mean, for they are played at different times.
type Comparison struct {
	Means    string      `json:"means" schema:"words=not contradicted|contradicted|not needed"` // whether each arm has one mean
	Declared bool        `json:"declared"`                                                      // analysis.means: constant
	Words    string      `json:"words"`                                                         // why, and what would have been found
	ValidIf  string      `json:"valid_if"`                                                      // what the answers rest on that is neither declared nor recomputed; empty: nothing beside A1–A8
	Played   []PlayedArm `json:"played"`                                                        // when the arms were played
}

// Words of Comparison.Means.
const (
	MeansNotContradicted = "not contradicted"
	MeansContradicted    = "contradicted"
	MeansNotNeeded       = "not needed"
)

// What stands beside an answer that compares arms, in Comparison.ValidIf.
const (
	// ValidIfConstant is of means that were not found to move.
	ValidIfConstant = "valid only if each arm's mean is constant, whatever its rounds were chosen by"
	// ValidIfDeclared is of means that are declared to be constant.
	ValidIfDeclared = "valid only if the mean of each arm, which is declared to be constant, is so whatever its rounds were chosen by"
	// ValidIfShift is of a policy that was run again on rewards less a constant.
	ValidIfShift = "valid only if the one arm would have paid, in every round, what the other would have paid and one constant more"
	// ValidIfExchangeable is of records that change places between runs of the policy; which
	// they are stands behind it in parentheses.
	ValidIfExchangeable = "valid only if what changes places between runs is exchangeable"
	// ValidIfNoCarryover is of a policy that was run again: rewards are taken to be what they
	// would have been whatever arms were played before.
	ValidIfNoCarryover = "valid only if playing an arm changes no later reward (no carry-over), nothing was learned before the log, and no other experiment feeds the policy"
	// ValidIfNoneDeclared is the same where analysis.carryover is none.
	ValidIfNoneDeclared = "valid only if playing an arm changes no later reward (analysis.carryover: none is declared), nothing was learned before the log, and no other experiment feeds the policy"
	// ValidIfGiven is of answers about what rewards were expected to be: earlier rounds may
	// have moved that.
	ValidIfGiven = "valid only for the reward that was expected in each round given everything before its round, which earlier arms may have changed"
	// ValidIfUnits is of answers about a mean where units own several rounds: what was expected of
	// a round is given the unit's earlier ones.
	ValidIfUnits = "valid only for the units whose rounds these are (log.unit), and not for units in general"
	// ValidIfMechanism is of what is accounted of a declared policy that reads rewards, where
	// that policy, or the noise that it read, was not recomputed.
	ValidIfMechanism = "valid only if every arm was chosen by the declared mechanism, with the declared noise"
	// ValidIfLogged is of answers by logged propensities.
	ValidIfLogged = "valid only if every arm was drawn with its logged propensity given everything before its round"
	// ValidIfDrawn is of a declared policy that reads no rewards, and was not recomputed.
	ValidIfDrawn = "valid only if every arm was drawn with its declared probability given everything before its round"
	// ValidIfBatches is of answers by the batches of the log.
	ValidIfBatches = "valid only if within each batch every round was given its arm by a draw of its own with the same probabilities, whatever its reward"
	// ValidIfRecomputed is of answers by propensities of the declared policy, recomputed.
	ValidIfRecomputed = "valid only if every arm was drawn with its recomputed propensity given everything before its round"
	// ValidIfReplayed is of such answers where a seed gives every action too.
	ValidIfReplayed = "valid only if no round was numbered, chosen or dropped, and no context set, after the arms were known, of which the actions and the propensities of the arms were recomputed"
	// ValidIfOrdered is of actions that were recomputed with the randomness of the policy.
	ValidIfOrdered = "valid only if no round was numbered, chosen or dropped, and no context set, after the arms were known"
	// ValidIfMissing is of what compares arms by the rewards that are known alone.
	ValidIfMissing = "valid only if whether a reward is missing does not depend on the arm that was played, for a reward of the same value in the same round"
	// ValidIfKept is of a log from which rows were dropped by chance.
	ValidIfKept = "valid only if what dropped a row from the log had not read its reward"
	// ValidIfKeptAlike is of arms in such a log, where dropping is declared to have read
	// nothing that the row held.
	ValidIfKeptAlike = ValidIfKept + ", nor which arm it played"
	// ValidIfKnown is of arms that meet the same rounds, of which rewards are missing.
	ValidIfKnown = "valid only if the arm that was played changes the chance that a reward is known by the same factor in every round"
)

// PlayedArm says when an arm was played.
type PlayedArm struct {
	Label    string  `json:"label"`
	First    int64   `json:"first" schema:"range=[0,inf)"` // round; 0: never
	Last     int64   `json:"last" schema:"range=[0,inf)"`
	Quarters []int64 `json:"quarters"` // rounds in which it was played, in each quarter of the rounds of the log
}

// Methods of a TestResult.
const (
	MethodNaive       = "naive"
	MethodCorrected   = "corrected" // the headline
	MethodPaper       = "paper"     // Theorem 20 at its best β, or at that of the protocol
	MethodSequence    = "confidence-sequence"
	MethodConditional = "conditional"         // by Rényi divergences given the actions, where the headline is another
	MethodMoments     = "corrected-moments"   // the one-dimensional search over moments
	MethodRecursion   = "corrected-recursion" // on an outer grid, up to 1,000 rows, where the protocol asks for it
	MethodAnyLaw      = "any-law"
	MethodZCDP        = "zcdp"        // on request
	MethodDelta       = "approximate" // (ε,δ), on request
	MethodAnyTime     = "any-time"    // wagers on rewards; they need no privacy
	MethodAssignment  = "assignment"  // wagers on the arm, given the reward
	MethodRerun       = "rerun"       // the policy was run again; it needs no privacy
	MethodBatchExact  = "batch-exact" // what each batch shows given its margins; it needs no privacy
	MethodBOLS        = "bols"        // every batch standardised by itself; approximate, and decides nothing
	MethodAdaptive    = "adaptive"    // in analysis.decide; its results have the name of the estimator, aipw-sqrt or aipw
)

// EveryRound reports whether a difference is decided by a method whose hypothesis is of
// what the two arms pay in every round: its rejection says nothing of means.
func (t *Test) EveryRound() bool {
	return t.Kind == TestDifference && slices.Contains([]string{MethodAssignment, MethodRerun, MethodBatchExact}, t.DecidedBy)
}

// ByCorrection reports whether the corrected p decides.
func (t *Test) ByCorrection() bool { return t.DecidedBy == MethodCorrected }

// Result is the answer of a method, nil where the method gave none.
func (t *Test) Result(method string) *TestResult {
	for i := range t.Results {
		if r := &t.Results[i]; r.Method == method {
			return r
		}
	}
	return nil
}

// DecidingInterval is the interval by the method that decides, nil where it has none.
func (t *Test) DecidingInterval() *Interval {
	if r := t.Result(t.DecidedBy); r != nil {
		return r.CI
	}
	return nil
}

// ValidIf is what the answer that decides rests on that is neither declared nor
// recomputed, else what a comparison of arms does; "" where there is nothing.
func (t *Test) ValidIf() string {
	if t.OnlyIf != "" || t.Comparison == nil {
		return t.OnlyIf
	}
	return t.Comparison.ValidIf
}

// Why an interval holds a value that is rejected.
const (
	HoldsBox  = "it is that of a box of both arms' means, and wider than the test"
	HoldsGrid = "its ends are the nearest values of the grid that are rejected, and nothing is tried between two values of the grid"
)

// HoldsRejected says why the interval beside a rejection holds the value that is rejected: it
// is that of a wider statement than the test, or of a grid of values. "" where it does not.
func (t *Test) HoldsRejected() string {
	r := t.Result(t.DecidedBy)
	switch {
	case t.Decision != DecisionRejected || r == nil || r.CI == nil || r.CI[0] > t.Value || t.Value > r.CI[1]:
		return ""
	case t.DecidedBy == MethodRerun:
		return HoldsGrid
	}
	return HoldsBox
}

// ExcludesKept reports whether the interval beside a hypothesis that is not rejected excludes
// its value: an interval is for one test alone, and the decision is adjusted for all of them.
func (t *Test) ExcludesKept() bool {
	r := t.Result(t.DecidedBy)
	return t.Decision == DecisionKept && r != nil && r.CI != nil && (t.Value < r.CI[0] || r.CI[1] < t.Value)
}

// TestResult is one method's answer to a test.
type TestResult struct {
	Method      string    `json:"method" schema:"named"`
	Correction  string    `json:"correction"` // which correction it is, in words; "" for raw p-values
	Statistic   *float64  `json:"statistic"`
	DF          *float64  `json:"df"`
	P           *float64  `json:"p" schema:"range=[0,1]"`
	Log2P       *Extended `json:"log2_p"`
	PAdjusted   *float64  `json:"p_adjusted" schema:"range=[0,1]"`
	CI          *Interval `json:"ci"`
	Sigma       *Extended `json:"sigma"`
	Bits        *float64  `json:"bits"` // log2(p/p_naive): what the correction costs, or k_β for the paper's
	Beta        *float64  `json:"beta"`
	ValidFor    string    `json:"valid_for" schema:"words=fixed-arm|selected-arm|any-time|"` // fixed-arm | selected-arm | any-time
	Conditional bool      `json:"conditional"`                                               // on the action sequence
	Approximate bool      `json:"approximate"`
	Applicable  bool      `json:"applicable"`
	Vacuous     bool      `json:"vacuous"`
	Reason      string    `json:"reason"`
}

// Regression is one fitted least-squares model.
type Regression struct {
	Name            string        `json:"name"`
	Arm             int           `json:"arm" schema:"range=[-1,inf)"` // 0-based; -1 for pooled
	Label           string        `json:"label"`
	N               int64         `json:"n"`
	Columns         []string      `json:"columns"`
	Dropped         []string      `json:"dropped"` // columns that are linear combinations of earlier ones
	Rank            int           `json:"rank"`
	ConditionNumber *float64      `json:"condition_number"`
	Covariance      string        `json:"covariance"`
	DFResidual      int64         `json:"df_residual"`
	RSquared        *float64      `json:"r_squared"`
	AdjRSquared     *float64      `json:"adj_r_squared"`
	FStatistic      *float64      `json:"f_statistic"`
	FDF1            *float64      `json:"f_df1" schema:"range=[0,inf)"`
	FDF2            *float64      `json:"f_df2" schema:"range=[0,inf)"`
	FP              *float64      `json:"f_p" schema:"range=[0,1]"`
	FLog2P          *Extended     `json:"f_log2_p"`
	Sigma2          *float64      `json:"sigma2"`
	MaxLeverage     *float64      `json:"max_leverage" schema:"range=[0,inf)"`
	Clusters        *int64        `json:"clusters"`                          // null unless the covariance is by cluster
	Sigma           *Extended     `json:"sigma"`                             // √(2Σρ_BR) over the rows (units, clusters) it reads
	BiasRMS         *float64      `json:"bias_rms" schema:"range=[0,inf)"`   // bound on the root mean square bias of predictions over the rows
	BiasWorst       *float64      `json:"bias_worst" schema:"range=[0,inf)"` // bound on the bias of any one prediction at a logged context
	BiasWorstForm   string        `json:"bias_worst_form"`                   // how: exact over distinct contexts, or √(N·h)
	Contexts        *int64        `json:"contexts"`                          // distinct contexts among the rows; null where they were too many to count
	BiasPaper       *float64      `json:"bias_paper" schema:"range=[0,inf)"` // (hi−lo)·(e^ε−1), the published contextual bound, which does not hold for the largest bias
	Coefficients    []Coefficient `json:"coefficients"`
}

// Coefficient is one coefficient of a regression.
type Coefficient struct {
	Name           string    `json:"name"`
	Estimate       *float64  `json:"estimate"`
	StdError       *float64  `json:"std_error"`
	Statistic      *float64  `json:"statistic"`
	P              *float64  `json:"p" schema:"range=[0,1]"`
	Log2P          *Extended `json:"log2_p"`
	CI             *Interval `json:"ci"`
	BiasBound      *float64  `json:"bias_bound" schema:"range=[0,inf)"` // (hi−lo)·Σ_t |w_t|·tanh(c_t/4), w the coefficient's weights of the rows
	PCorrected     *float64  `json:"p_corrected" schema:"range=[0,1]"`
	Log2PCorrected *Extended `json:"log2_p_corrected"`
	CICorrected    *Interval `json:"ci_corrected"`
}
