package schemas

import "slices"

// HypothesisScale is the name of the explanation by which recovered noise is the
// declared one but for its scale.
const HypothesisScale = "scale"

// Fitting returns the first explanation that fits, nil where none does.
func Fitting(tried []Hypothesis) *Hypothesis {
	i := slices.IndexFunc(tried, func(h Hypothesis) bool { return h.Fits })
	if i < 0 {
		return nil
	}
	return &tried[i]
}

// Scaled reports whether the noise is the declared one, or is it but for its
// scale: only then is it the noise of any ε, and Epsilon says of which.
func (n *NoiseFit) Scaled() bool {
	if n.Epsilon == nil || !n.Rejected {
		return n.Epsilon != nil
	}
	h := Fitting(n.Hypotheses)
	return h != nil && h.Name == HypothesisScale
}
