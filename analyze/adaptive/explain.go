package adaptive

import "math"

// Choice is a round as explanations of an allocation see it.
type Choice struct {
	Arm      int                // that was played
	P        float64            // its logged propensity, above 0
	All      []float64          // logged propensities of all arms; nil where only P is known
	Eligible func(arm int) bool // what could be played
	Choices  int                // how many arms that are
}

// Choices calls visit for every round of a log, in order, as often as it is
// called itself. The Choice is used again.
type Choices func(visit func(c *Choice))

// Explanation turns logged propensities into those from which actions would have
// been drawn: all of a round, into dst, or where only that of the arm played is
// known, the one, into dst[0].
type Explanation func(dst []float64, c *Choice)

// UniformChoice is the same probability for every arm that can be played.
func UniformChoice(dst []float64, c *Choice) {
	for a := range dst {
		if dst[a] = 0; c.All == nil || c.Eligible(a) {
			dst[a] = 1 / float64(c.Choices)
		}
	}
}

// Mixture is a floor f of every arm that can be played, K of them in a round:
//
//	q = f' + (1 − K·f')·p,  f' = min(f, 1/K)
//
// which is also what a uniform action in a share K·f of rounds comes to.
func Mixture(f float64) Explanation {
	return func(dst []float64, c *Choice) {
		k := float64(c.Choices)
		least := min(f, 1/k)
		rest := max(0, 1-float64(k*least))
		if c.All == nil {
			dst[0] = least + float64(rest*c.P)
			return
		}
		for a := range dst {
			dst[a] = float64(rest * c.All[a])
			if c.Eligible(a) {
				dst[a] = min(1, dst[a]+least)
			}
		}
	}
}

// Clipped raises the propensities of arms that can be played to f and divides by
// their sum: max(p, f)/Σ max(p, f). It needs those of all arms.
func Clipped(f float64) Explanation {
	return func(dst []float64, c *Choice) {
		sum := 0.0
		for a := range dst {
			if dst[a] = c.All[a]; c.Eligible(a) {
				dst[a] = max(f, c.All[a])
			}
			sum += dst[a]
		}
		for a := range dst {
			dst[a] = min(1, dst[a]/sum)
		}
	}
}

// Exchanged exchanges the propensities of two arms in all rounds in which both
// can be played.
func Exchanged(i, j int) Explanation {
	return func(dst []float64, c *Choice) {
		copy(dst, c.All)
		if c.Eligible(i) && c.Eligible(j) {
			dst[i], dst[j] = dst[j], dst[i]
		}
	}
}

// Gain is the log-likelihood of the actions under an explanation less that under
// the logged propensities,
//
//	Σ_t ln q_t(A_t)/p_t(A_t)
//
// −Inf where an action would have been impossible.
func Gain(rounds Choices, arms int, e Explanation) float64 {
	sum, dst := 0.0, make([]float64, arms)
	rounds(func(c *Choice) { sum += gain(dst, c, e) })
	return sum
}

func gain(dst []float64, c *Choice, e Explanation) float64 {
	if c.All == nil {
		e(dst[:1], c)
		return math.Log(dst[0] / c.P)
	}
	e(dst, c)
	return math.Log(dst[c.Arm] / c.P)
}

// Exchange is the pair of arms whose exchange gains most, and the gain; i is −1
// where no exchange does. It takes 8·K² bytes.
func Exchange(rounds Choices, arms int) (i, j int, most float64) {
	// moved[a·K+b] is what the rounds of arm a gain from b's propensity.
	moved := make([]float64, arms*arms)
	rounds(func(c *Choice) {
		for b, p := range c.All {
			if b != c.Arm && c.Eligible(b) {
				moved[c.Arm*arms+b] += math.Log(p / c.P)
			}
		}
	})
	i, j = -1, -1
	for a := range arms {
		for b := range a {
			if sum := moved[a*arms+b] + moved[b*arms+a]; sum > most {
				i, j, most = b, a, sum
			}
		}
	}
	return i, j, most
}
