package noise

import (
	"fmt"
	"math"
)

// lags of the products of independenceTest.
const lags = 4

// independenceTest holds the draws of each stream against independence of those
// before them, in two ways that share its level.
//
// With the score z = sign·(1−e^{−w}), and given the sizes, the signs of the
// products z_i·z_{i+lag} of one lag are fair coins and independent, so that
// (Hoeffding, Probability inequalities for sums of bounded random variables, J.
// Amer. Statist. Assoc. 58, 1963)
//
//	P(|Σ z_i·z_{i+lag}| ≥ t) ≤ 2·exp(−t²/(2·Σ z_i²·z_{i+lag}²))
//
// And no draw on a fine lattice comes twice: P(at least c pairs of equal draws) is
// at most their mean number over c (Markov).
func independenceTest(s *sample, w []float64) Test {
	t := newTest("independence")
	z := scores(s.vars, w)
	p, at, pairs := 1.0, 1, 0
	var statistic float64
	for lag := 1; lag <= lags; lag++ {
		var sum, square float64
		for _, stream := range s.streams {
			for i := lag; i < len(stream); i++ {
				product := z[stream[i]] * z[stream[i-lag]]
				sum += product
				square += float64(product * product)
				pairs++
			}
		}
		if bound := fairSigns(sum, square); lag == 1 || bound < p {
			p, at, statistic = bound, lag, standardised(sum, square)
		}
	}
	if pairs == 0 {
		return t.tooFew("two draws of one stream are needed")
	}
	twins, expected := s.twins(func(i int) int { return s.vars[i].stream })
	again := atMost(expected, twins)
	detail := fmt.Sprintf("products of draws at lag %d, the largest of %d lags, over their root sum of squares; bound of Hoeffding given the sizes", at, lags)
	if again < lags*p {
		return t.of(float64(twins), min(1, 2*again), fmt.Sprintf("pairs of equal draws of one stream, of which %.3g are expected at most; bound of Markov", expected))
	}
	return t.of(statistic, min(1, 2*lags*p), detail)
}

// scores returns sign·(1−e^{−w}): uniform on (−1,1), and bounded so that no
// single draw decides.
func scores(vars []variable, w []float64) []float64 {
	z := make([]float64, len(w))
	for i := range z {
		z[i] = -float64(vars[i].sign) * math.Expm1(-w[i])
	}
	return z
}

// fairSigns bounds P(|Σ ±a| ≥ |sum|) for fair signs and Σa² = square.
func fairSigns(sum, square float64) float64 {
	if square == 0 {
		return 1
	}
	return min(1, 2*math.Exp(-sum*sum/(2*square)))
}

func standardised(sum, square float64) float64 {
	if square == 0 {
		return 0
	}
	return sum / math.Sqrt(square)
}

// atMost bounds P(N ≥ n) for a count with a mean of at most expected.
func atMost(expected float64, n int64) float64 {
	if n == 0 {
		return 1
	}
	return min(1, expected/float64(n))
}
