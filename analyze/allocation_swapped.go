package analyze

import (
	"fmt"

	"banditaudit/analyze/adaptive"
	"banditaudit/schemas"
)

// exchanged tries the exchange of two arms' propensities.
func (x *explainer) exchanged() *schemas.Hypothesis {
	if !x.exact || x.arms > explainArms {
		return nil
	}
	i, j, gain := adaptive.Exchange(x.rounds, x.arms)
	if i < 0 {
		return nil
	}
	words := fmt.Sprintf("the propensities of arms %s and %s are exchanged; %s", x.in.name(i), x.in.name(j), lead(gain))
	return x.hypothesis("swapped", words, gain, adaptive.Exchanged(i, j))
}
