package noise

import (
	"math"
	"slices"
)

const (
	// rankedGroups is how many groups of neighbouring draws there are at most, and at least.
	rankedGroups, fewestGroups = 100, 5
	// rankedDraws is how many draws a group has at least, so that none can be told from it.
	rankedDraws = 20
	// Unbounded stands for no bound: a draw is beyond it with probability e^(−50).
	Unbounded = 50
)

// Ranked are draws in ascending order, in groups of neighbours, held against the declared
// law. Each is s·w with w of the package comment and s its sign, which under that law is a
// Laplace variable of scale 1; of a single continuous one it is the draw over its scale.
type Ranked struct {
	Draws    int
	Declared []float64 // by group: the mean of the declared law over its ranks
	Found    []float64 // by group: the mean of its draws
	Stopped  bool      // the number of draws may depend on them, so that there is no band
}

// ranked are the draws in groups; nil where there are too few, or rounding blurs them. A
// draw of 0 has no sign, and half of these are taken to have either.
func (s *drawn) ranked() *Ranked {
	m := len(s.vars)
	g := min(rankedGroups, m/rankedDraws)
	if s.blurred || g < fewestGroups {
		return nil
	}
	y, zeros := s.weights(1), 0
	for i := range y {
		sign := s.vars[i].sign
		if sign == 0 {
			zeros++
			sign = 1 - 2*(zeros%2)
		}
		y[i] = min(float64(float64(sign)*y[i]), Unbounded)
		y[i] = max(y[i], -Unbounded)
	}
	slices.Sort(y)
	out := &Ranked{Draws: m, Stopped: s.stopped}
	for i := range g {
		from, to := i*m/g, (i+1)*m/g
		sum := 0.0
		for _, v := range y[from:to] {
			sum += v
		}
		out.Declared = append(out.Declared, laplaceMean(float64(from)/float64(m), float64(to)/float64(m)))
		out.Found = append(out.Found, sum/float64(to-from))
	}
	return out
}

// Band returns bounds that hold all groups of draws of the declared law at once but with
// probability level at most: the share of draws up to any value is within
//
//	d = √(ln(2/level)/(2m))
//
// of its probability (Massart 1990), so that the k-th of m draws is between the quantiles
// at k/m − d and (k−1)/m + d. Beyond 0 and 1 there is no bound, which is −[Unbounded] and
// Unbounded.
func Band(draws, groups int, level float64) (lo, hi []float64) {
	d := math.Sqrt(math.Log(2/level) / float64(2*draws))
	for i := range groups {
		from, to := float64(i*draws/groups)/float64(draws), float64((i+1)*draws/groups)/float64(draws)
		low, high := -float64(Unbounded), float64(Unbounded)
		if from-d > 0 {
			low = laplaceMean(from-d, to-d)
		}
		if to+d < 1 {
			high = laplaceMean(from+d, to+d)
		}
		lo, hi = append(lo, low), append(hi, high)
	}
	return lo, hi
}

// laplaceMean is the mean of the quantiles of the Laplace law of scale 1 at a to b, 0 ≤ a <
// b ≤ 1.
func laplaceMean(a, b float64) float64 { return (laplaceSum(b) - laplaceSum(a)) / (b - a) }

// laplaceSum is ∫ Q from 0 to u, with Q(v) = ln 2v up to one half and −Q(1−v) from there.
func laplaceSum(u float64) float64 {
	if u = min(u, 1-u); u <= 0 {
		return 0
	}
	return float64(u*math.Log(2*u)) - u
}
