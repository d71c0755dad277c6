package noise

import (
	"fmt"
	"math"
)

// followsRewards bounds the probability that the draws follow the rewards which
// they are released with as these do. c is Above of a draw: −1, 0 or 1. The
// declared noise is drawn whatever the rewards are, and c is known without it, so
// that with c ≠ 0, given all before,
//
//	sign(y)·c        is a fair coin
//	sign(ln 2 − w)·c likewise: P(|Y| ≥ |y|) = e^{−w} lies above ½ as often as below
//
// P of each is a bound of Ville at any length (lnCoins): how many draws have such
// a c is not fixed, since the policy follows the noise. The two share the level.
// Statistic counts the draws that agree with c.
//
// Special cases are:
//
//	no draw with c ≠ 0: P is 1
//	a draw of 0 has no sign, and enters by its size only
func (s *drawn) followsRewards(w []float64) (p, statistic float64, detail string) {
	var signs, equal, sizes, agree int
	for i := range s.vars {
		v := &s.vars[i]
		if v.above == 0 {
			continue
		}
		sizes++
		if (w[i] < math.Ln2) == (v.above < 0) {
			agree++
		}
		if v.sign == 0 {
			continue
		}
		signs++
		if v.sign == v.above {
			equal++
		}
	}
	bySign, bySize := ville(lnCoins(equal, signs)), ville(lnCoins(agree, sizes))
	if bySign <= bySize {
		return min(1, 2*bySign), float64(equal), fmt.Sprintf("signs of draws against the rewards that they are released with: %d of %d are positive beside rewards above the mean of the earlier ones, or negative beside rewards below it; bound of Ville", equal, signs)
	}
	return min(1, 2*bySize), float64(agree), fmt.Sprintf("sizes of draws against the rewards that they are released with: %d of %d are large beside rewards above the mean of the earlier ones, or small beside rewards below it; bound of Ville", agree, sizes)
}
