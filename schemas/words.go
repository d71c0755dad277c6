package schemas

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
