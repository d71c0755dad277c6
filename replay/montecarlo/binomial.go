package montecarlo

import (
	"math"

	"banditaudit/replay/policy/bitexact"
)

// accuracy is how far a recomputed probability p may be from the exact one,
// 10⁻⁹ + 10⁻⁷·p: a cell is held against the nearer end.
func accuracy(p float64) float64 { return 1e-9 + float64(1e-7*p) }

// Fine reports whether recomputed probabilities are exact to a tenth of 1/√N, of
// which shares of N draws can be told from their law.
func Fine(n float64) bool { return accuracy(1) <= 0.1/math.Sqrt(n) }

// lnTerm returns ln P(X = x), X ~ Binomial(n, p), 0 < p < 1.
func lnTerm(x, n, p float64) float64 {
	all, _ := math.Lgamma(n + 1)
	in, _ := math.Lgamma(x + 1)
	out, _ := math.Lgamma(n - x + 1)
	return all - in - out + float64(x*math.Log(p)) + float64((n-x)*math.Log1p(-p))
}

// atLeast returns P(X ≥ x), X ~ Binomial(n, p): the terms from x on are summed
// where they fall, and the others otherwise.
//
// Special cases are:
//
//	x ≤ 0: 1
//	x > n: 0
//	p ≤ 0: 0, and p ≥ 1: 1, in between
func atLeast(x, n, p float64) float64 {
	switch {
	case x <= 0:
		return 1
	case x > n, !(p > 0):
		return 0
	case p >= 1:
		return 1
	case x <= float64(n*p):
		return 1 - atMost(x-1, n, p)
	}
	odds := p / (1 - p)
	sum, term := 0.0, 1.0
	for k := x; term > 1e-17*sum; k++ {
		sum += term
		term *= (n - k) / (k + 1) * odds
	}
	return min(1, float64(bitexact.Exp(lnTerm(x, n, p))*sum))
}

// atMost returns P(X ≤ x), X ~ Binomial(n, p).
func atMost(x, n, p float64) float64 {
	switch {
	case x < 0:
		return 0
	case x >= n, !(p > 0):
		return 1
	case p >= 1:
		return 0
	case x >= float64(n*p):
		return 1 - atLeast(x+1, n, p)
	}
	odds := (1 - p) / p
	sum, term := 0.0, 1.0
	for k := x; term > 1e-17*sum; k-- {
		sum += term
		term *= k / (n - k + 1) * odds
	}
	return min(1, float64(bitexact.Exp(lnTerm(x, n, p))*sum))
}

// Law is how the share of an arm comes to be in a log.
type Law int

// The laws of a share.
const (
	Every      Law = iota // shares of all arms are logged: Binomial(N, p)
	OneMore               // of the played arm, drawn by one more draw: the same
	SizeBiased            // of the played arm, drawn from the shares: 1 + Binomial(N−1, p)
	Seen                  // of an arm played at least once in some rounds: between both
)

// Cell returns the two-sided p of least to most of n draws, twice the smaller
// tail, where each is of the cell with probability p: the upper tail is taken from least,
// and the lower one from most, which are the same where it is known how many there were.
// Where p is known to some accuracy only, every tail is taken at the end of it that makes
// it larger.
//
// Special cases are:
//
//	Seen: the upper tail of SizeBiased and the lower one of Every, which are not
//	below the tails of the law in between given that X ≥ 1
func Cell(least, most, n, p float64, law Law) float64 {
	lo, hi := max(0, p-accuracy(p)), min(1, p+accuracy(p))
	var up, down float64
	switch law {
	case SizeBiased:
		up, down = atLeast(least-1, n-1, hi), atMost(most-1, n-1, lo)
	case Seen:
		up, down = atLeast(least-1, n-1, hi), atMost(most, n, lo)
	default:
		up, down = atLeast(least, n, hi), atMost(most, n, lo)
	}
	return min(1, 2*min(up, down))
}
