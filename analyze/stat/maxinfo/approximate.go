package maxinfo

import (
	"math"

	"banditaudit/replay/policy/bitexact"
)

// ApproximateDP returns the correction for an (ε, δ)-differentially private
// algorithm over n independent rounds,
//
//	p_corr = inf ( β + e^k·p )
//	k = n·(e^ε̃·(ε̃ − 1) + 1) + d + ε̃·√(2n·ln(1/β0))
//	β = β0 + n·(1 + e^(−ε̃))·(1 + 1/d)·δ/(1 − e^(ε−ε̃))
//
// over ε̃ > ε, d > 0 and β0 in (0, 1), in nats. All these bounds hold at once for
// each p, so the least of them holds; the search need not end at it. It holds on
// average over the actions, not given them, needs δ·n well below ε, and is
// loose. ε and δ bound the loss of one round's reward in the whole run. Source: own
// derivation, internally reviewed; the shape is taken from Rogers, Roth, Smith & Thakkar
// 2016 (arXiv 1604.03924). Special cases are:
//
//	n = 0, or ε = δ = 0: Apply(p) = p, Level(α) = α
//	ε = +Inf with n > 0: Apply(p) = 1, Level(α) = 0 for α < 1
//	ε < 0, n < 0, δ outside [0, 1] or NaN: Apply and Level are NaN
//	Apply(0) = min(1, n·δ), the least β there is
//	Level(α) = 0 where no β is below α; Level(1) = 1
func ApproximateDP(eps, delta float64, n int64) Correction {
	return approximate{eps: eps, delta: delta, rows: float64(n)}
}

type approximate struct{ eps, delta, rows float64 }

// Name returns what it is, in words.
func (approximate) Name() string { return "(ε, δ) form, averaged over the actions" }

// strength is what [plain] asks for.
func (a approximate) strength() float64 {
	switch {
	case !(a.eps >= 0) || !(a.delta >= 0 && a.delta <= 1) || !(a.rows >= 0):
		return math.NaN()
	case a.rows == 0:
		return 0
	}
	return a.eps + a.delta
}

// Apply returns ln p_corr, rounded up.
func (a approximate) Apply(logP float64) float64 {
	if q, done := plain(logP, a.strength()); done {
		if math.IsInf(logP, -1) && q == logP && a.rows > 0 {
			return min(0, math.Log(a.rows*a.delta*(1+slack)))
		}
		return q
	}
	best := a.search(func(s float64) float64 {
		t, ok := a.terms(s)
		if !ok {
			return math.NaN()
		}
		at := func(logBeta0 float64) float64 {
			k := t.drift + float64(t.spread*math.Sqrt(-logBeta0))
			if a.delta == 0 {
				return logAddExp(logBeta0, k+logP)
			}
			d := t.slackFor(k + logP)
			q := logAddExp(logBeta0, logAddExp(t.logMass+math.Log1p(1/d), k+d+logP))
			return q + float64(slack*(k+d-logP-logBeta0+math.Abs(q)))
		}
		return at(golden(logP-100, 0, 45, at))
	})
	return max(logP, min(0, best))
}

// Level returns the ln of the largest raw level that Apply takes to α, rounded
// down.
func (a approximate) Level(logAlpha float64) float64 {
	if g, done := plainLevel(logAlpha, a.strength()); done {
		return g
	}
	best := a.search(func(s float64) float64 {
		t, ok := a.terms(s)
		if !ok {
			return math.NaN()
		}
		at := func(logBeta0 float64) float64 {
			// Everything that is added to β is measured in units of α.
			mass := bitexact.Exp(t.logMass - logAlpha)
			left := 1 - bitexact.Exp(logBeta0-logAlpha) - mass
			if !(left > 0) {
				return math.Inf(1)
			}
			d, rest := 0.0, left
			if mass > 0 { // ln(left − mass/d) − d is largest here
				d = (mass + math.Sqrt(float64(mass*mass)+float64(4*left*mass))) / (2 * left)
				rest = left - mass/d
			}
			k := t.drift + d + float64(t.spread*math.Sqrt(-logBeta0))
			return k - logAlpha - math.Log(rest)
		}
		return at(golden(logAlpha-100, logAlpha, 45, at))
	})
	if math.IsInf(best, 1) {
		return math.Inf(-1)
	}
	return settled(downward(-best), logAlpha, a.Apply)
}

// approximateTerms is what the bound is made of at one ε̃.
type approximateTerms struct {
	drift   float64 // n·(e^ε̃·(ε̃−1)+1)
	spread  float64 // ε̃·√(2n)
	logMass float64 // ln( n·(1+e^(−ε̃))·δ/(1−e^(ε−ε̃)) )
}

// terms returns the terms at ε̃ = ε + e^s, and false where they are too large.
func (a approximate) terms(s float64) (approximateTerms, bool) {
	gap := bitexact.Exp(s)
	if a.delta == 0 {
		gap = 0
	}
	wide := a.eps + gap
	t := approximateTerms{
		drift:   float64(a.rows * psi(wide)),
		spread:  float64(wide * math.Sqrt(2*a.rows)),
		logMass: math.Inf(-1),
	}
	if a.delta > 0 {
		t.logMass = math.Log(a.rows) + math.Log(a.delta) + math.Log1p(bitexact.Exp(-wide)) - math.Log(-math.Expm1(-gap))
	}
	return t, !math.IsInf(t.drift+t.spread, 1)
}

// slackFor returns the d at which mass·(1 + 1/d) + e^(d + k + ln p) is least.
func (t approximateTerms) slackFor(logRest float64) float64 {
	lo, hi := -80.0, 20.0
	for range 60 {
		v := float64(0.5 * (lo + hi))
		if logRest+bitexact.Exp(v)+float64(2*v) < t.logMass {
			lo = v
		} else {
			hi = v
		}
	}
	return bitexact.Exp(hi)
}

// search returns the least value of f over s = ln(ε̃ − ε): a coarse scan, as it
// may have no value over a part of the range, then a fine one.
func (approximate) search(f func(s float64) float64) float64 {
	const lo, hi, parts = -60.0, 4.0, 48
	best, at := math.Inf(1), lo
	for i := range parts + 1 {
		s := lo + float64((hi-lo)*float64(i)/parts)
		if v := f(s); v < best {
			best, at = v, s
		}
	}
	const part = (hi - lo) / parts
	if v := f(golden(at-part, at+part, 25, f)); v < best {
		best = v
	}
	return best
}

// psi returns e^z·(z−1) + 1 for z ≥ 0; below 1 by its series Σ z^k/(k·(k−2)!),
// as the closed form cancels there.
func psi(z float64) float64 {
	if z >= 1 {
		return float64(bitexact.Exp(z)*(z-1)) + 1
	}
	sum, term := 0.0, float64(z*z)
	for k := 2.0; k < 22; k++ {
		sum += term / k
		term *= z / (k - 1)
	}
	return sum
}
