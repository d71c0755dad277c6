package analyze

import (
	"banditaudit/analyze/adaptive"
	"banditaudit/schemas"
)

// uniform tries the same probability for every arm in every round.
func (x *explainer) uniform() *schemas.Hypothesis {
	gain := adaptive.Gain(x.rounds, x.arms, adaptive.UniformChoice)
	return x.hypothesis("uniform-rows", "in every round each arm that could be played had the same probability; "+lead(gain), gain, adaptive.UniformChoice)
}
