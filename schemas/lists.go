package schemas

// Words of log.ties.
const (
	TiesError     = "error"
	TiesFileOrder = "file-order"
)

func tiesWords() []string { return []string{TiesError, TiesFileOrder} }

// Words of log.missing_reward.
const (
	MissingError       = "error"
	MissingExclude     = "exclude"
	MissingIndependent = "exclude-independent"
)

// MissingWords are the words of log.missing_reward.
func MissingWords() []string { return []string{MissingError, MissingExclude, MissingIndependent} }

// Words of reward.out_of_range.
const (
	OutOfRangeError = "error"
	OutOfRangeClip  = "clip"
)

func outOfRangeWords() []string { return []string{OutOfRangeError, OutOfRangeClip} }

// Words of privacy.definition.
const (
	DefinitionPure        = "pure"
	DefinitionApproximate = "approximate" // (ε,δ)
	DefinitionZCDP        = "zcdp"
)

func definitionWords() []string {
	return []string{DefinitionPure, DefinitionApproximate, DefinitionZCDP}
}

// Words of privacy.unit.
const (
	UnitRound = "round"
	UnitUser  = "user"
)

func unitWords() []string { return []string{UnitRound, UnitUser} }

// Words of analysis.multiplicity.
const (
	AdjustNone       = "none"
	AdjustBonferroni = "bonferroni"
	AdjustHolm       = "holm"
	AdjustBH         = "bh"
	AdjustBY         = "by"
)

func multiplicityWords() []string {
	return []string{AdjustNone, AdjustBonferroni, AdjustHolm, AdjustBH, AdjustBY}
}

// Words of the alternative of a test.
const (
	TwoSided = "two-sided"
	Greater  = "greater"
	Less     = "less"
)

func alternativeWords() []string { return []string{TwoSided, Greater, Less} }

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
	DecisionNone     = "not applicable" // there is no corrected p
)
