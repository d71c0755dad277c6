package maxinfo

import "math"

// slack is the relative distance by which a computed logarithm is moved to the
// safe side: 16 units in the last place, more than the few operations lose.
const slack = 0x1p-49

// upward moves ln p towards 0.
func upward(logP float64) float64 { return min(0, logP-float64(slack*logP)) }

// downward moves ln p away from 0.
func downward(logP float64) float64 { return logP + float64(slack*logP) }

// plain answers the p-values and the strengths that need no formula, and says
// whether it did. The strength of a correction is a number that is 0 where it
// changes nothing and +Inf where nothing is left: σ, a sum of costs, nats.
func plain(logP, strength float64) (float64, bool) {
	switch {
	case !(logP <= 0) || !(strength >= 0):
		return math.NaN(), true
	case math.IsInf(strength, 1):
		return 0, true
	case strength == 0 || logP == 0 || math.IsInf(logP, -1):
		return logP, true
	}
	return 0, false
}

// plainLevel does for Level what plain does for Apply. At α = 1 every raw level
// will do.
func plainLevel(logAlpha, strength float64) (float64, bool) {
	switch {
	case !(logAlpha <= 0) || !(strength >= 0):
		return math.NaN(), true
	case logAlpha == 0:
		return 0, true
	case math.IsInf(strength, 1):
		return math.Inf(-1), true
	case strength == 0 || math.IsInf(logAlpha, -1):
		return logAlpha, true
	}
	return 0, false
}

// settled returns a level at or a little below the given one that apply takes
// to α or less: what the two round apart is made up here.
func settled(level, logAlpha float64, apply func(logP float64) float64) float64 {
	level = min(level, logAlpha)
	step := max(float64(slack*math.Abs(level)), 0x1p-1000)
	for range 64 {
		if apply(level) <= logAlpha {
			return level
		}
		level -= step
		step *= 2
	}
	return math.Inf(-1)
}

// golden returns where in [lo, hi] a function with one valley is least. NaN
// counts as +Inf.
func golden(lo, hi float64, steps int, f func(x float64) float64) float64 {
	ratio := (math.Sqrt(5) - 1) / 2
	g := func(x float64) float64 {
		if y := f(x); !math.IsNaN(y) {
			return y
		}
		return math.Inf(1)
	}
	a, b := hi-float64(ratio*(hi-lo)), lo+float64(ratio*(hi-lo))
	ga, gb := g(a), g(b)
	for range steps {
		if ga <= gb {
			hi, b, gb = b, a, ga
			a = hi - float64(ratio*(hi-lo))
			ga = g(a)
		} else {
			lo, a, ga = a, b, gb
			b = lo + float64(ratio*(hi-lo))
			gb = g(b)
		}
	}
	if ga <= gb {
		return a
	}
	return b
}
