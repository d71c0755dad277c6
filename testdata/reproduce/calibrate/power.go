package calibrate

import (
	"math"

	"banditaudit/analyze/hypothesis"
	"banditaudit/analyze/maxinfo"
	"banditaudit/analyze/tail"
	"banditaudit/testdata/reproduce"
)

// Power runs a pair where the first arm has mean ½ + gap and the others ½, and
// tests that the first has ½: what it rejects, it rejects rightly.
func (s Setting) Power(pair reproduce.Pair, gap float64) (Outcome, error) {
	return s.means(pair, [Arms]float64{.5 + gap, .5, .5})
}

// Size is a design for which the rows that a test needs are computed: K arms
// played in turn, every row of cost ε, one arm with mean ½ + gap.
type Size struct{ Epsilon, Gap float64 }

// wantedPower is what a test shall have.
const wantedPower = 0.8

// mostRows is where the search for a number of rounds ends.
const mostRows = 1 << 20

// Rounds returns the number of rounds from which the two-sided test of the arm
// rejects with probability 0.8, by each method; 0 where it does not up to 3·2²⁰
// rounds. Powers are exact sums of binomial probabilities. They rise with the
// number of rounds in a saw-tooth, because counts are whole: the number is that
// of the first tooth which a search over steps of 2% and then by halves meets.
func (z Size) Rounds() [methods]int64 {
	var out [methods]int64
	for method := range out {
		before := int64(0)
		for n := int64(4); n <= mostRows; n += 1 + n/50 {
			if z.power(method, n) < wantedPower {
				before = n
				continue
			}
			for n-before > 1 {
				if mid := before + (n-before)/2; z.power(method, mid) < wantedPower {
					before = mid
				} else {
					n = mid
				}
			}
			out[method] = n * Arms
			break
		}
	}
	return out
}

// power is the probability that a test of n rows rejects upwards.
func (z Size) power(method int, n int64) float64 {
	logAlpha := math.Log(Alpha)
	level := z.level(method, n)
	rejects := func(x int64) bool {
		if method == Sequence {
			return sequenceLogP(n, x) <= logAlpha
		}
		return hypothesis.Binomial(x, n, 0.5, hypothesis.TwoSided, logAlpha).LogP <= level
	}
	from, to := n/2, n+1 // rejects(to), if n+1 ones were possible
	for to-from > 1 {
		if mid := from + (to-from)/2; rejects(mid) {
			to = mid
		} else {
			from = mid
		}
	}
	if to > n {
		return 0
	}
	return math.Exp(tail.LogBinomialAtLeast(to, n, .5+z.Gap))
}

// level is ln of the raw level that belongs to α.
func (z Size) level(method int, n int64) float64 {
	logAlpha := math.Log(Alpha)
	levels := []maxinfo.Level{{Cost: z.Epsilon, Rows: n}}
	switch method {
	case Renyi:
		return maxinfo.Renyi(levels).Level(logAlpha)
	case Moments:
		return maxinfo.Moments(levels).Level(logAlpha)
	case Theorem20:
		return maxinfo.Theorem20Gamma(logAlpha, z.Epsilon, n*Arms).LogP
	}
	return logAlpha
}
