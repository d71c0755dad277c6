package noise

import (
	"fmt"
	"math"

	"banditaudit/analyze/stat/tail"
	"banditaudit/replay/policy/bitexact"
)

// found80 is the probability with which a test finds the deviation that Finds says.
const found80 = 0.8

// none ends Finds where no deviation is large enough.
const none = ": none"

// finds adds to a test what n things of a kind let it find: "2 pairs of draws: none". of is
// the deviation, "" where there is none that is large enough.
func (t Test) finds(n int, one, many, of string) Test {
	kind := many
	if n == 1 {
		kind = one
	}
	if t.Finds = fmt.Sprintf("%d %s", n, kind); of == "" {
		t.Finds += none
		return t
	}
	t.Finds += ": " + of
	return t
}

// scaleFinds is the factor of Detectable.
func scaleFinds(factor float64) string {
	if math.IsInf(factor, 1) || math.IsNaN(factor) {
		return ""
	}
	return fmt.Sprintf("a scale of %.3g times the declared one, or of 1/%.3g of it", factor, factor)
}

// coinsFind is the share of signs of one kind that n of them find with probability 0.8
// at level: X, binomial of n and that share, reaches the least x ≤ n with p(x) ≤ level.
// p falls in x from n/2 on. "" where p(n) > level.
func coinsFind(n int, level float64, p func(x, n int) float64) string {
	if n == 0 || p(n, n) > level {
		return ""
	}
	low, high := n/2, n // p(high) ≤ level
	for high-low > 1 {
		if mid := (low + high) / 2; p(mid, n) <= level {
			high = mid
		} else {
			low = mid
		}
	}
	x, rest := float64(high), float64(n-high+1)
	lo, hi := 0.5, 1.0
	for range 40 {
		if mid := (lo + hi) / 2; betaBelow(x, rest, mid) >= found80 {
			hi = mid
		} else {
			lo = mid
		}
	}
	if high == n { // P(X = n) is sⁿ
		hi = bitexact.Exp(math.Log(found80) / float64(n))
	}
	return fmt.Sprintf("a share of %.3g %% of one sign", 100*hi)
}

// distanceFinds is the Kolmogorov–Smirnov distance that n variables always find at level:
// 2·e^{−2nd²} ≤ level, which bounds the law that kolmogorov sums (Massart 1990). "" where
// it is 1 or more, which no distance exceeds.
func distanceFinds(n int, level float64) string {
	if n < 1 {
		return ""
	}
	d := math.Sqrt(math.Log(2/level) / float64(2*n))
	if !(d < 1) {
		return ""
	}
	return fmt.Sprintf("a distance of %.2g between distributions", d)
}

// halvesFind is the factor between the scales of two halves of m1 and m2 draws that the
// F test finds with probability 0.8 at level. With B beta of m1 and m2, and b(q) its
// quantile, a factor f multiplies the odds of B by 1/f, so that
//
//	f = odds(b(0.8)) / odds(b(level/2))
func halvesFind(m1, m2, level float64) string {
	odds := func(b float64) float64 { return b / (1 - b) }
	f := odds(betaQuantile(m1, m2, found80)) / odds(betaQuantile(m1, m2, level/2))
	if !(f > 1) || math.IsInf(f, 1) {
		return ""
	}
	return fmt.Sprintf("a scale of %.3g times that of the other half", f)
}

// productsFind is the share of the products, by their sizes, that have to have one sign
// for fairSigns to be at most level. square is Σ(zz')², all Σ|zz'|; "" where all of one
// sign are too few.
func productsFind(all, square, level float64) string {
	if !(all > 0) || fairSigns(all, square) > level {
		return ""
	}
	lo, hi := 0.0, all
	for range 40 {
		if mid := (lo + hi) / 2; fairSigns(mid, square) <= level {
			hi = mid
		} else {
			lo = mid
		}
	}
	return fmt.Sprintf("%.3g %% of products of one sign", 50*(1+hi/all))
}

// betaBelow is P(B ≤ x) of B that is beta with a and b.
func betaBelow(a, b, x float64) float64 { return bitexact.Exp(tail.LogBeta(a, b, x, 1-x)) }

// betaQuantile is the x with betaBelow(a, b, x) = p, by bisection.
func betaQuantile(a, b, p float64) float64 {
	lo, hi := 0.0, 1.0
	for range 60 {
		if mid := (lo + hi) / 2; betaBelow(a, b, mid) >= p {
			hi = mid
		} else {
			lo = mid
		}
	}
	return hi
}
