package allocationtest

import (
	"math"

	"banditaudit/analyze/stat/tail"
	"banditaudit/replay/policy/bitexact"
)

// MissingLogP tests that rewards are missing at the same rate in every arm:
// missing[a] of rows[a] rows. Where every arm has at least 5 expected rows of
// both kinds it is Pearson's statistic of the K×2 table against the χ² law with
// K − 1 degrees of freedom; otherwise every arm is tested against the others
// by the hypergeometric law (Fisher 1934, two-sided as twice the smaller tail)
// and the smallest p is multiplied by the number of arms. It returns ln p and
// which of the two was used. Rows count as independent. Special cases are:
//
//	fewer than two arms with rows, no missing reward, or only missing ones: ln p = 0, exact
func MissingLogP(missing, rows []int64) (logP float64, exact bool) {
	var m, n int64
	arms := 0
	for a := range rows {
		m, n = m+missing[a], n+rows[a]
		if rows[a] > 0 {
			arms++
		}
	}
	if arms < 2 || m == 0 || m == n {
		return 0, true
	}
	statistic, least := 0.0, math.Inf(1)
	for a := range rows {
		if rows[a] == 0 {
			continue
		}
		expected := float64(float64(rows[a]) * (float64(m) / float64(n)))
		d := float64(missing[a]) - expected
		other := float64(rows[a]) - expected
		least = min(least, expected, other)
		statistic += float64(d*d)/expected + float64(d*d)/other
	}
	if least >= minExpected {
		return tail.LogChiSquare(statistic, float64(arms-1)), false
	}
	smallest := 0.0
	for a := range rows {
		if rows[a] > 0 {
			smallest = min(smallest, logHypergeometric(missing[a], rows[a], m, n))
		}
	}
	return min(0, smallest+math.Log(float64(arms))), true
}

// logHypergeometric is ln of twice the smaller tail, at most 0, of finding x
// missing among the k rows of an arm where m of all n are.
func logHypergeometric(x, k, m, n int64) float64 {
	term := func(v int64) float64 {
		return logChoose(m, v) + logChoose(n-m, k-v) - logChoose(n, k)
	}
	low, high := max(0, k-(n-m)), min(k, m)
	side := func(from, to int64) float64 {
		if from > to {
			return math.Inf(-1)
		}
		top := math.Inf(-1)
		for v := from; v <= to; v++ {
			top = max(top, term(v))
		}
		sum := 0.0
		for v := from; v <= to; v++ {
			sum += bitexact.Exp(term(v) - top)
		}
		return top + math.Log(sum)
	}
	return min(0, math.Ln2+min(side(low, x), side(x, high)))
}

// logChoose is ln of n over k.
func logChoose(n, k int64) float64 {
	return lgamma(n+1) - lgamma(k+1) - lgamma(n-k+1)
}

// lgamma is ln Γ of a whole number above 0.
func lgamma(n int64) float64 {
	v, _ := math.Lgamma(float64(n))
	return v
}

// KnownPart is what a part of a log has of two arms: rows, and those whose reward is known.
type KnownPart struct{ Known, Rows [2]int64 }

// KnownLogP tests that the shares of rows whose reward is known of two arms
// have the same ratio in every part of a log. With o = (known + ½)/(rows + 1) and
// L = ln o_a − ln o_b, of variance v = Σ (1 − o)/(rows·o), it is ΣL²/v − (ΣL/v)²/Σ1/v
// against the χ² law with parts − 1 degrees of freedom: approximate, by the delta method. It
// returns ln p. A part without rows of an arm is left out; with fewer than two ln p is 0.
func KnownLogP(of []KnownPart) float64 {
	var w, sum, squares float64
	parts := 0
	for _, p := range of {
		if p.Rows[0] == 0 || p.Rows[1] == 0 {
			continue
		}
		l, v := 0.0, 0.0
		sign := 1.0
		for arm, n := range p.Rows {
			o := (float64(p.Known[arm]) + .5) / (float64(n) + 1)
			l, sign = l+float64(sign*math.Log(o)), -sign
			v += (1 - o) / float64(float64(n)*o)
		}
		parts++
		w, sum, squares = w+1/v, sum+l/v, squares+float64(l*l)/v
	}
	if parts < 2 {
		return 0
	}
	return tail.LogChiSquare(max(0, squares-float64(sum*sum)/w), float64(parts-1))
}
