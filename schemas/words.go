package schemas

// Words that rules and defaults speak of.
const (
	policyUniform     = "uniform"
	policyFixed       = "fixed"
	policyGreedy      = "epsilon-greedy"
	policyUCB         = "ucb"
	policyThompson    = "thompson"
	policySoftmax     = "softmax"
	policyElimination = "successive-elimination"
	policyLinUCB      = "linucb"
	policyLinTS       = "lints"
	counterExact      = "exact"
	counterLaplace    = "laplace"
	counterBinary     = "binary"
	counterTree       = "tree"
	counterInterval   = "interval"
	counterEpochs     = "epochs"
	noBonus           = "none"
	bonusPaper        = "paper"
	tiesFirst         = "first"
	tiesSeeded        = "seeded"
	betaBest          = "best"
	testZ             = "z"
	testExact         = "exact"
	comparatorAtMost  = "<="
)

// The closed lists of the protocol, in the order in which they are shown.

func stoppingWords() []string { return []string{StoppingFixed, StoppingReleased, StoppingUnknown} }

func policyWords() []string {
	return []string{
		policyUniform, policyFixed, policyGreedy, policyUCB, policyThompson, policySoftmax,
		policyElimination, policyLinUCB, policyLinTS,
	}
}

func bonusWords() []string { return []string{noBonus, "quantile", bonusPaper} }

func policyTiesWords() []string { return []string{tiesFirst, tiesSeeded} }

func counterWords() []string {
	return []string{counterExact, counterLaplace, counterBinary, "hybrid", counterTree, counterInterval, counterEpochs}
}

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
