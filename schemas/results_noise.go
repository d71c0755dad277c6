package schemas

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
)

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

// Sentence says what the explanation is, without a full stop, how far it and the
// declared policy go, and which key would settle it.
func (h *Hypothesis) Sentence() string {
	out := strings.TrimRight(h.Words, ".")
	if h.Compared() && (h.Explained < h.Rows || h.Declared != nil) {
		declared := ""
		if h.Declared != nil {
			declared = ", and the declared policy " + Grouped(*h.Declared)
		}
		out += fmt.Sprintf(" (explains %s of %s on which it was tried%s)", Grouped(h.Explained), Counted(h.Rows, "row"), declared)
	}
	if h.Settles != nil {
		out += "; if that is what ran, declare " + *h.Settles
	}
	return out
}

// Scaled reports whether the noise is the declared one, or is it but for its
// scale: only then is it the noise of any ε, and Epsilon says of which.
func (n *NoiseFit) Scaled() bool {
	if n.Epsilon == nil {
		return false
	}
	h := Fitting(n.Hypotheses)
	return h == nil && !n.Rejected || h != nil && h.Name == HypothesisScale
}

// Mechanism returns ε of each arm's counter with the declared scales, whatever
// it releases: Epsilon·Ratio. Of most counters that is the ε they are declared
// with; the ε of interval sets when it releases, and not what that costs. ok is
// false where nothing was recovered.
func (n *NoiseFit) Mechanism() (epsilon float64, ok bool) {
	if n.Epsilon == nil || n.Ratio == nil {
		return 0, false
	}
	epsilon = float64(*n.Epsilon) * *n.Ratio
	return epsilon, !math.IsNaN(epsilon) && !math.IsInf(epsilon, 0)
}

// mechanismSlack is how far, relative to it, an ε that was rounded may lie from
// the one it is.
const mechanismSlack = 1e-3

// OfMechanism returns Mechanism where it is another ε than the declared counter's,
// which is parsed from text; ok is false where it is the same.
func (n *NoiseFit) OfMechanism(declared string) (epsilon float64, ok bool) {
	epsilon, ok = n.Mechanism()
	if r, parsed := new(big.Rat).SetString(declared); ok && parsed {
		of, _ := r.Float64()
		ok = math.Abs(of-epsilon) > mechanismSlack*epsilon
	}
	return epsilon, ok
}

// NoiseIntervalLevel is that of the intervals of a ratio of scales and of its ε:
// they invert the test of the scale, one of six at level 0.001 together, at the
// level that it has in one experiment.
const NoiseIntervalLevel = "1 − 0.001/6"
