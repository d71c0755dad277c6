package noise

import (
	"fmt"
	"math"
	"slices"

	"banditaudit/replay/policy/bitexact"
)

// shapeTest holds the shape of the law against the exponential one, whatever the
// scale. With w in rising order the normalised spacings
//
//	D_j = (m−j+1)·(w_(j) − w_(j−1)),   j = 1…m
//
// are independent and exponential, so that their partial sums over their total
// are the ordered values of m−1 uniform variables (Sukhatme, Tests of
// significance for samples of the χ²-population with two degrees of freedom,
// Annals of Eugenics 8, 1937; Epstein and Sobel 1953). The statistic is the
// Kolmogorov–Smirnov distance of these from uniform.
func shapeTest(w []float64) Test {
	t := newTest("shape")
	m := len(w)
	if m < 2 {
		return t.tooFew("two draws are needed").finds(m, "draw", "draws", "")
	}
	sorted := slices.Clone(w)
	slices.Sort(sorted)
	sums, last, total := make([]float64, m), 0.0, 0.0
	for j, x := range sorted {
		total += float64(float64(m-j) * (x - last))
		sums[j], last = total, x
	}
	if !(total > 0) || math.IsInf(total, 1) {
		return t.tooFew("all draws are 0, or one is infinite")
	}
	n := float64(m - 1)
	var above, below float64
	for j, sum := range sums[:m-1] {
		u := sum / total
		above = max(above, float64(j+1)/n-u)
		below = max(below, u-float64(j)/n)
	}
	d := max(above, below)
	return t.of(d, kolmogorov(d, m-1), fmt.Sprintf("normalised spacings of w against %d uniform variables, Kolmogorov–Smirnov; twice the one-sided P, which is at least the two-sided", m-1))
}

// shape is shapeTest at the length of the log beside the end of the law, as in
// truncated, and on a lattice the number of draws of exactly 0, as in zeros. They
// have equal shares of the level.
func (s *drawn) shape(w []float64, ratio float64) Test {
	t := shapeTest(w)
	if s.stopped {
		t = t.anyLength(len(w))
	}
	parts := 2.0
	p, zero, on := s.zeros(ratio)
	if on > 0 {
		parts = 3
	}
	end, at := truncated(w)
	level := t.Level / parts
	if m := len(w); s.stopped {
		level /= float64(m) * float64(m+1)
	}
	t = t.finds(len(w), "draw", "draws", distanceFinds(len(w)-1, level))
	switch {
	case on > 0 && !(p > end) && !(p >= t.P):
		return t.of(float64(zero), min(1, parts*p), fmt.Sprintf("draws of exactly 0 of %d on a lattice; bound of Ville", on))
	case end < t.P:
		return t.of(at, min(1, parts*end), fmt.Sprintf("noise that is cut off: of %d draws none has w above %g; bound of Ville", len(w), at))
	case math.IsNaN(t.P):
		return t
	}
	return t.of(t.Statistic, min(1, parts*t.P), t.Detail)
}

// exactKolmogorov bounds the n for which the exact law is summed; beyond it
// Massart's bound stands in for it.
const exactKolmogorov = 100_000

// kolmogorov returns twice P(D⁺ ≥ d) for n uniform variables, at most 1:
//
//	P(D⁺ ≥ d) = d·Σ_{j=0}^{⌊n(1−d)⌋} C(n,j)·(d+j/n)^{j−1}·(1−d−j/n)^{n−j}
//
// (Birnbaum and Tingey, One-sided confidence contours for probability
// distribution functions, Ann. Math. Statist. 22, 1951), and e^{−2nd²} beyond
// exactKolmogorov (Massart, The tight constant in the Dvoretzky–Kiefer–Wolfowitz
// inequality, Ann. Probab. 18, 1990).
func kolmogorov(d float64, n int) float64 {
	switch {
	case d >= 1:
		return 0
	case d <= 0:
		return 1
	}
	m := float64(n)
	if n > exactKolmogorov {
		return min(1, 2*bitexact.Exp(-2*m*d*d))
	}
	all, _ := math.Lgamma(m + 1)
	var sum float64
	for j := range n + 1 {
		x := float64(j)
		rest := 1 - d - x/m
		if rest < 0 || rest == 0 && j < n {
			break
		}
		lnJ, _ := math.Lgamma(x + 1)
		lnRest, _ := math.Lgamma(m - x + 1)
		sum += bitexact.Exp(all - lnJ - lnRest + float64((x-1)*math.Log(d+x/m)) + float64((m-x)*math.Log(rest)))
	}
	return min(1, 2*d*sum)
}
