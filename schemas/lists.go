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
