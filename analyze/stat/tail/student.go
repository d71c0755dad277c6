package tail

import (
	"math"

	"banditaudit/replay/policy/bitexact"
)

// LogStudent returns the logarithm of the upper tail of Student's t law with df
// degrees of freedom (df > 0, not necessarily whole),
//
//	ln P(T > t) = ln( ½·I_{df/(df+t²)}(df/2, ½) )   for t ≥ 0
//
// (Abramowitz & Stegun 26.7.1). Special cases are:
//
//	LogStudent(+Inf, df) = -Inf
//	LogStudent(-Inf, df) = 0
//	LogStudent(t, +Inf)  = LogNormal(t)
//	LogStudent(t, df)    = NaN if df ≤ 0 or an argument is NaN
func LogStudent(t, df float64) float64 {
	switch {
	case math.IsNaN(t) || !(df > 0):
		return math.NaN()
	case math.IsInf(df, 1):
		return LogNormal(t)
	case t < 0:
		return math.Log1p(-0.5 * bitexact.Exp(LogStudentTwoSided(t, df)))
	}
	return LogStudentTwoSided(t, df) - math.Ln2
}

// LogStudentTwoSided returns ln P(|T| > |t|) for Student's t law with df
// degrees of freedom. Special cases are:
//
//	LogStudentTwoSided(0, df)    = 0
//	LogStudentTwoSided(±Inf, df) = -Inf
//	LogStudentTwoSided(t, +Inf)  = LogNormalTwoSided(t)
//	LogStudentTwoSided(t, df)    = NaN if df ≤ 0 or an argument is NaN
func LogStudentTwoSided(t, df float64) float64 {
	t = math.Abs(t)
	switch {
	case math.IsNaN(t) || !(df > 0):
		return math.NaN()
	case math.IsInf(df, 1):
		return LogNormalTwoSided(t)
	case math.IsInf(t, 1):
		return math.Inf(-1)
	}
	u := t / math.Sqrt(df)
	if u > farRatio { // u² would overflow
		return firstBeta(df/2, 0.5, math.Log(df)-2*math.Log(t))
	}
	u = float64(u * u)
	return LogBeta(df/2, 0.5, 1/(1+u), u/(1+u))
}

// StudentQuantile returns the smallest float64 t with ln P(T > t) ≤ logQ, the
// upper quantile of Student's t law with df degrees of freedom. Special cases
// are:
//
//	StudentQuantile(-Inf, df)   = +Inf
//	StudentQuantile(0, df)      = -Inf
//	StudentQuantile(logQ, +Inf) = NormalQuantile(logQ)
//	StudentQuantile(logQ, df)   = +Inf if the quantile exceeds the largest float64
//	StudentQuantile(logQ, df)   = NaN if logQ > 0, df ≤ 0 or an argument is NaN
func StudentQuantile(logQ, df float64) float64 {
	if !(df > 0) {
		return math.NaN()
	}
	return upperQuantile(logQ, func(t float64) float64 { return LogStudent(t, df) })
}
