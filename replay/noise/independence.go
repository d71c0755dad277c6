package noise

import (
	"fmt"
	"math"

	"banditaudit/replay/policy/bitexact"
)

// lags of the products of independenceTest, and how many ways of it share its
// level.
const (
	lags = 4
	ways = 3
)

// independenceTest holds the draws of each stream against independence of those
// before them and of rewards, in three ways that share its level: products of draws
// that are 1 to lags apart, which have fair signs (fairSigns), draws that come
// twice (rarely), and signs and sizes against the rewards that the draws are
// released with (followsRewards).
func independenceTest(s *drawn, w []float64, ratio float64) Test {
	t := newTest("independence")
	z := scores(s.vars, w)
	p, at, pairs := 1.0, 1, 0
	var statistic float64
	for lag := 1; lag <= lags; lag++ {
		var sum, square, size float64
		for _, stream := range s.streams {
			for i := lag; i < len(stream); i++ {
				product := float64(z[stream[i]] * z[stream[i-lag]])
				sum += product
				square += float64(product * product)
				size += math.Abs(product)
				pairs++
			}
		}
		if lag == 1 {
			t = t.finds(pairs, "pair of neighbouring draws", "pairs of neighbouring draws", productsFind(size, square, t.Level/ways/lags))
		}
		if bound := fairSigns(sum, square); lag == 1 || bound < p {
			p, at, statistic = bound, lag, standardised(sum, square)
		}
	}
	if pairs == 0 {
		return t.tooFew("two draws of one stream are needed").finds(0, "", "pairs of neighbouring draws", "")
	}
	own := make([]int, len(s.vars))
	for i := range own {
		own[i] = s.vars[i].stream
	}
	twins, expected := s.twins(own, false, ratio)
	again := rarely(twins, expected)
	follows, agree, how := s.followsRewards(w)
	if follows < min(again, lags*p) {
		return t.of(agree, min(1, ways*follows), how)
	}
	if again < lags*p {
		return t.of(float64(twins), min(1, ways*again), fmt.Sprintf("draws whose size the same stream had before, of which %.3g are expected at most; bound of Ville", expected))
	}
	return t.of(statistic, min(1, ways*lags*p), fmt.Sprintf("products of draws at lag %d, the largest of %d lags, over their root sum of squares; bound of Ville given the sizes", at, lags))
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

// fairSigns bounds the probability of a sum of products z·z' with Σ(zz')² =
// square, where in turn the sign of each is a fair coin given its size and all
// before, whichever streams noise made the policy draw from. For every λ
//
//	exp(λ·sum − λ²·square/2)
//
// has a mean of at most 1, and so has its mean over a normal λ with variance v
// (de la Peña, Klass and Lai, Self-normalized processes, Ann. Probab. 32, 2004):
//
//	P ≤ √(1+v·square)·exp(−v·sum²/(2(1+v·square)))
//
// and so has the mean of that over a few v, which are about 16 over the mean m/9
// of square for m independent products of scores, m = 1, 4, 16, …: for those the
// bound is best where P is about Share, and none looks at how many there are.
func fairSigns(sum, square float64) float64 {
	if square == 0 {
		return 1
	}
	const several = 12
	best := math.Inf(-1)
	for j := range several {
		v := math.Ldexp(16*9, -2*j)
		wide := 1 + float64(v*square)
		best = max(best, float64(v*sum*sum/(2*wide))-float64(math.Log(wide)/2))
	}
	return min(1, several*bitexact.Exp(-best))
}

func standardised(sum, square float64) float64 {
	if square == 0 {
		return 0
	}
	return sum / math.Sqrt(square)
}
