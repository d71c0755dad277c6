package schemas

// Words that rules and defaults speak of.
const (
	TiesFirst        = "first"
	TiesSeeded       = "seeded"
	definitionPure   = "pure"
	definitionApprox = "approximate"
	definitionZCDP   = "zcdp"
	unitRound        = "round"
	betaBest         = "best"
	armsAll          = "all"
	testZ            = "z"
	testExact        = "exact"
	findingRejected  = "rejected"
	comparatorAtMost = "<="
	clusterUnit      = "unit"
	clusterBatch     = "batch"
)

// The closed lists of the protocol, in the order in which they are shown.

func stoppingWords() []string { return []string{StoppingFixed, StoppingReleased, StoppingUnknown} }

func tiesWords() []string { return []string{"error", "file-order"} }

func missingWords() []string { return []string{"error", "exclude", "exclude-independent"} }

func outOfRangeWords() []string { return []string{"error", "clip"} }

func policyTiesWords() []string { return []string{TiesFirst, TiesSeeded} }

func definitionWords() []string { return []string{definitionPure, definitionApprox, definitionZCDP} }

func unitWords() []string { return []string{unitRound, "user"} }

func chosenWords() []string {
	return []string{ChosenBefore, ChosenFromActions, ChosenAfterRewards}
}

func multiplicityWords() []string { return []string{"none", "bonferroni", "holm", "bh", "by"} }

func correctionWords() []string { return []string{"conditional", "recursion", "theorem20", "best"} }

func covarianceWords() []string { return []string{"classical", "HC0", "HC1", "HC2", "HC3"} }

func clusterWords() []string { return []string{clusterUnit, clusterBatch} }

func clusterKindWords() []string { return []string{"CR0", "CR1"} }

func alsoWords() []string { return []string{AlsoApproximate, AlsoZCDP} }

func testWords() []string {
	return []string{testExact, "t", testZ, "welch", "hoeffding", "bernstein"}
}

func alternativeWords() []string { return []string{"two-sided", "greater", "less"} }

func severityWords() []string { return []string{SeverityRequired, SeverityAdvisory} }

func claimWords() []string {
	return []string{
		KindDataQuality, KindAllocation, KindConformance, KindPrivacyTotal,
		KindPrivacyNoise, KindPrivacyLower, KindBiasBound, KindHypothesis,
	}
}

// reservedLabels select arms, and so cannot name one. ArmsPooled is not among
// them: it is a word for arms of a regression alone, and ambiguous only there.
func reservedLabels() []string {
	return []string{SelectMostPulled, SelectLeastPulled, SelectEach, armsAll}
}
