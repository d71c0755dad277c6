package schemas

// Words of log.ties.
const (
	TiesError     = "error"
	TiesFileOrder = "file-order"
)

// Words of log.missing_reward.
const (
	MissingError       = "error"
	MissingExclude     = "exclude"
	MissingIndependent = "exclude-independent"
)

// MissingWords are the words of log.missing_reward.
func MissingWords() []string { return closedList("log.missing_reward") }

// Words of reward.out_of_range.
const (
	OutOfRangeError = "error"
	OutOfRangeClip  = "clip"
)

// Words of privacy.definition.
const (
	DefinitionPure        = "pure"
	DefinitionApproximate = "approximate" // (ε,δ)
	DefinitionZCDP        = "zcdp"
)

// Words of inference_costs.
const (
	CostsLevels     = "levels"      // those of the accounting
	CostsOwnContext = "own-context" // by each row's own context
)

// Words of privacy.unit.
const (
	UnitRound = "round"
	UnitUser  = "user"
)

// Words of analysis.multiplicity.
const (
	AdjustNone       = "none"
	AdjustBonferroni = "bonferroni"
	AdjustHolm       = "holm"
	AdjustBH         = "bh"
	AdjustBY         = "by"
	AdjustEBH        = "e-bh"
)

// Words of the alternative of a test.
const (
	TwoSided = "two-sided"
	Greater  = "greater"
	Less     = "less"
)

// By what the rows of a regression are clustered.
const (
	ClusterUnit  = "unit"
	ClusterBatch = "batch"
)

func clusterWords() []string { return []string{ClusterUnit, ClusterBatch} }

// ArmsAll is the word of a claim for every arm.
const ArmsAll = "all"

// Decisions of a test.
const (
	DecisionRejected = "rejected"
	DecisionKept     = "not rejected"
	DecisionSilent   = "no answer"      // p is 1, and the interval holds 95 % of all values or more
	DecisionNone     = "not applicable" // no method applies
)

// Words that rules and defaults speak of.
const (
	betaBest         = "best"
	comparatorAtMost = "<="
)

// The closed lists of the protocol, in the order in which they are shown.

func covarianceWords() []string { return []string{"classical", "HC0", "HC1", "HC2", "HC3"} }

func clusterKindWords() []string { return []string{"CR0", "CR1"} }

// reservedLabels select arms, and so cannot name one. ArmsPooled is not among
// them: it is a word for arms of a regression alone, and ambiguous only there.
func reservedLabels() []string {
	return []string{SelectMostPulled, SelectLeastPulled, SelectEach, ArmsAll}
}
