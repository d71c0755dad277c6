package schemas

// Words that rules and defaults speak of.
const (
	TiesFirst        = "first"
	TiesSeeded       = "seeded"
	betaBest         = "best"
	testZ            = "z"
	testExact        = "exact"
	comparatorAtMost = "<="
)

// The closed lists of the protocol, in the order in which they are shown.

func stoppingWords() []string { return []string{StoppingFixed, StoppingReleased, StoppingUnknown} }

func policyTiesWords() []string { return []string{TiesFirst, TiesSeeded} }

func chosenWords() []string {
	return []string{ChosenBefore, ChosenFromActions, ChosenAfterRewards}
}

func correctionWords() []string { return []string{"conditional", "recursion", "theorem20", "best"} }

func covarianceWords() []string { return []string{"classical", "HC0", "HC1", "HC2", "HC3"} }

func clusterKindWords() []string { return []string{"CR0", "CR1"} }

func alsoWords() []string { return []string{AlsoApproximate, AlsoZCDP} }

func testWords() []string {
	return []string{testExact, "t", testZ, "welch", "hoeffding", "bernstein"}
}

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
	return []string{SelectMostPulled, SelectLeastPulled, SelectEach, ArmsAll}
}
