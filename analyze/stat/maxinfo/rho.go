package maxinfo

import (
	"math"

	"banditaudit/replay/policy/bitexact"
)

// rhoSeries holds the coefficients of c², c⁴, … in the series of ρ_BR,
// B_{2k}/(2k)!·(1 + 1/(2k)) with the Bernoulli numbers B_{2k}
// (https://oeis.org/A027641, https://oeis.org/A027642).
//
// It is a function because package variables can be overwritten.
func rhoSeries() [10]float64 {
	return [10]float64{
		1.0 / 8,
		-1.0 / 576,
		1.0 / 25920,
		-1.0 / 1075200,
		1.0 / 43545600,
		-691.0 / 2730 / 479001600 * 13 / 12,
		7.0 / 6 / 87178291200 * 15 / 14,
		-3617.0 / 510 / 20922789888000 * 17 / 16,
		43867.0 / 798 / 6402373705728000 * 19 / 18,
		-174611.0 / 330 / 2432902008176640000 * 21 / 20,
	}
}

// RhoBR returns the concentrated-divergence constant of a bounded-range
// variable whose log ratio has range c,
//
//	ρ_BR(c) = ln((e^c − 1)/c) − 1 + c/(e^c − 1) ≤ c²/8
//
// in nats, for a privacy cost c ≥ 0 of one row. Below c = 1, where the closed
// form cancels, ten terms of its power series are summed; the relative error
// is below 1e-14 throughout. Source: Harrison & Manurangsi, arXiv 2510.25746.
// Special cases are:
//
//	RhoBR(0)    = 0
//	RhoBR(+Inf) = +Inf
//	RhoBR(c)    = NaN if c < 0 or c is NaN
func RhoBR(c float64) float64 {
	switch {
	case !(c >= 0):
		return math.NaN()
	case math.IsInf(c, 1):
		return c
	case c < 1:
		x, sum, power := float64(c*c), 0.0, float64(c*c)
		for _, a := range rhoSeries() {
			sum += float64(a * power)
			power *= x
		}
		return sum
	}
	e := bitexact.Exp(-c)
	return c + math.Log1p(-e) - math.Log(c) - 1 + float64(c*e)/(1-e)
}

// Level counts the rows that have the same privacy cost: Rows rows, each of
// cost Cost ≥ 0 (pure differential privacy, natural log, possibly +Inf). It is
// an alias, so a slice built for package bias serves here too.
type Level = struct {
	Cost float64
	Rows int64
}

// Sigma returns the headline σ of the rows that a test reads,
//
//	σ = √( 2·Σ_levels rows·ρ_BR(cost) ) ≤ ½·√(Σ_t c_t²)
//
// in √nats. Levels are summed in the order given. Special cases are:
//
//	Sigma(nil)    = 0
//	Sigma(levels) = +Inf if a level with Rows > 0 has cost +Inf
//	Sigma(levels) = NaN if a level with Rows > 0 has a cost below 0 or NaN
//
// Levels with Rows ≤ 0 count for nothing.
func Sigma(levels []Level) float64 {
	sum := 0.0
	for _, l := range levels {
		if l.Rows > 0 {
			sum += float64(float64(l.Rows) * RhoBR(l.Cost))
		}
	}
	return math.Sqrt(2 * sum)
}
