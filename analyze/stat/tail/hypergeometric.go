package tail

import "math"

// Draw is a draw without replacement: Size balls from an urn of White and
// Black ones. The number of white ones drawn has the hypergeometric law.
type Draw struct {
	White, Black, Size int64
}

// sound reports whether there is such a draw.
func (d Draw) sound() bool {
	return d.White >= 0 && d.Black >= 0 && d.Size >= 0 && d.Size <= d.White+d.Black
}

// Least returns the fewest white balls that can be drawn, max(0, Size − Black).
func (d Draw) Least() int64 { return max(0, d.Size-d.Black) }

// Most returns the most white balls that can be drawn, min(White, Size).
func (d Draw) Most() int64 { return min(d.White, d.Size) }

// LogHypergeometricAt returns ln P(X = k) of what [LogHypergeometricAtLeast] is about,
// by Loader's saddle-point form. Special cases are:
//
//	LogHypergeometricAt(k, d) = 0 where k is all that can be drawn
//	LogHypergeometricAt(k, d) = -Inf for k outside what can be drawn
//	LogHypergeometricAt(k, d) = NaN if a number of d is negative or Size > White + Black
func LogHypergeometricAt(k int64, d Draw) float64 {
	switch {
	case !d.sound():
		return math.NaN()
	case k < d.Least() || k > d.Most():
		return math.Inf(-1)
	case d.Least() == d.Most():
		return 0
	}
	return min(0, d.logAt(k))
}

// LogHypergeometricAtLeast returns the logarithm of the upper tail of the
// number X of white balls in a draw without replacement,
//
//	ln P(X ≥ k),  P(X = x) = C(White, x)·C(Black, Size−x)/C(White+Black, Size)
//
// (R's phyper with lower.tail = FALSE at k − 1). The first term is Loader's
// saddle-point form, the others follow from it by their ratio; it takes some
// standard deviations of X steps at worst. Special cases are:
//
//	LogHypergeometricAtLeast(k, d) = 0 for k at or below the least that can be drawn
//	LogHypergeometricAtLeast(k, d) = -Inf for k above the most
//	LogHypergeometricAtLeast(k, d) = NaN if a number of d is negative or Size > White + Black
func LogHypergeometricAtLeast(k int64, d Draw) float64 {
	switch {
	case !d.sound():
		return math.NaN()
	case k <= d.Least():
		return 0
	case k > d.Most():
		return math.Inf(-1)
	case float64(k) > float64(d.Size)*(float64(d.White)/float64(d.White+d.Black)):
		return min(0, d.logOutward(k))
	}
	return logOneMinusExp(min(0, d.mirrored().logOutward(d.Size-(k-1))))
}

// LogHypergeometricAtMost returns ln P(X ≤ k) of what
// [LogHypergeometricAtLeast] is about, which is the upper tail of the black
// balls. Special cases are:
//
//	LogHypergeometricAtMost(k, d) = 0 for k at or above the most that can be drawn
//	LogHypergeometricAtMost(k, d) = -Inf for k below the least
//	LogHypergeometricAtMost(k, d) = NaN if a number of d is negative or Size > White + Black
func LogHypergeometricAtMost(k int64, d Draw) float64 {
	return LogHypergeometricAtLeast(d.Size-k, d.mirrored())
}

// mirrored counts black balls for white ones.
func (d Draw) mirrored() Draw { return Draw{White: d.Black, Black: d.White, Size: d.Size} }

// logOutward is ln P(X ≥ k) for k above the mean or next to it, where the terms
// fall.
func (d Draw) logOutward(k int64) float64 {
	white, black, size := float64(d.White), float64(d.Black), float64(d.Size)
	sum, term := 1.0, 1.0
	for x := float64(k); x < float64(d.Most()); x++ {
		term = float64(term * (((white - x) / (x + 1)) * ((size - x) / (black - size + x + 1))))
		sum += term
		if term < 1e-18*sum {
			break
		}
	}
	return d.logAt(k) + math.Log(sum)
}

// logAt is ln P(X = x), as the product of two binomial probabilities over a
// third (Loader 2000).
func (d Draw) logAt(x int64) float64 {
	white, black, size := float64(d.White), float64(d.Black), float64(d.Size)
	rest := white + black - size
	at := func(x, n float64) float64 { // binomial with probability size/(size+rest)
		return logBinomialAt(x, n, n*(size/(size+rest)), n*(rest/(size+rest)))
	}
	return at(float64(x), white) + at(size-float64(x), black) - at(size, white+black)
}

// logBinomialAt is the logarithm of the probability of x successes in n trials,
// given the expectations of successes and of failures.
func logBinomialAt(x, n, successes, failures float64) float64 {
	switch {
	case n == 0 || successes == 0 && x == 0 || failures == 0 && x == n:
		return 0
	case x == 0:
		return float64(n * math.Log1p(-successes/n))
	case x == n:
		return float64(n * math.Log1p(-failures/n))
	}
	return stirlingError(n) - stirlingError(x) - stirlingError(n-x) -
		deviance(x, successes) - deviance(n-x, failures) -
		halfLogTwoPi - float64(0.5*(math.Log(x)+math.Log1p(-x/n)))
}
