package noise

import (
	"fmt"
	"math"

	"banditaudit/analyze/stat/tail"
	"banditaudit/replay/policy/bitexact"
)

// signTest holds the number of positive draws against fair coins. Draws of 0
// have no sign, and given that a draw is not 0 its sign is a fair coin also on a
// lattice.
func signTest(vars []variable) Test {
	t := newTest("sign")
	var positive, n int
	for i := range vars {
		switch vars[i].sign {
		case 1:
			positive++
			n++
		case -1:
			n++
		}
	}
	if n == 0 {
		return t.tooFew("no draw is other than 0").finds(0, "", "signs", "")
	}
	t = t.finds(n, "sign", "signs", coinsFind(n, t.Level, fairCoins))
	return t.of(float64(positive), fairCoins(positive, n), fmt.Sprintf("positive draws of %d other than 0, binomial with 1/2, exactly", n))
}

// sign is signTest at the length of the log.
func (s *drawn) sign() Test {
	t := signTest(s.vars)
	if !s.stopped || math.IsNaN(t.P) {
		return t
	}
	n := 0
	for i := range s.vars {
		if s.vars[i].sign != 0 {
			n++
		}
	}
	t = t.finds(n, "sign", "signs", coinsFind(n, t.Level, func(x, n int) float64 { return ville(lnCoins(x, n)) }))
	return t.of(t.Statistic, ville(lnCoins(int(t.Statistic), n)), fmt.Sprintf("positive draws of %d other than 0; bound of Ville at any length, since what was released may have decided the length of the log", n))
}

// fairCoins returns 2·min(P(X ≤ x), P(X ≥ x)), at most 1, for X binomial (n, ½).
func fairCoins(x, n int) float64 {
	x = min(x, n-x)
	return min(1, 2*bitexact.Exp(tail.LogBeta(float64(n-x), float64(x+1), 0.5, 0.5)))
}
