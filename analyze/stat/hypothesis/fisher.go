package hypothesis

import (
	"math"

	"banditaudit/analyze/stat/tail"
)

const fisherAssumes = "Exact test of two arms: rewards of 0 or 1, independent, with one mean per arm; " +
	"for a difference of 0 Fisher's, given the number of successes in both arms, for others from the joint Clopper–Pearson box of the two means; " +
	"exact at every N, " + fixedActions + ". The interval is that of the box, wider than what the test of 0 rejects."

// Successes are the rewards of 1 among the rewards of an arm.
type Successes struct {
	X, N int64
}

func (s Successes) sound() bool { return s.X >= 0 && s.X <= s.N }

func (s Successes) mean() float64 {
	if s.N == 0 {
		return math.NaN()
	}
	return float64(s.X) / float64(s.N)
}

// Fisher tests the difference of the probabilities of success behind
// independent 0/1 rewards of two arms, a − b, against a value, exactly. Against
// 0 it is Fisher's test (1935), given the number of successes in both arms,
//
//	greater: p = P(X ≥ x_a),  X hypergeometric: N_a draws of N_a + N_b of which x_a + x_b succeed
//	less:    p = P(X ≤ x_a)
//	two-sided: p = min(1, 2·min of these)
//
// (R's fisher.test orders outcomes by likelihood in the two-sided case and
// differs.) Against another value it is the least level at which the box of both
// arms' Clopper–Pearson intervals, each at half the level, holds no such pair,
//
//	greater: p = min(1, 2·sup min(P(X_a ≥ x_a), P(X_b ≤ x_b)))  over p_a − p_b = value
//
// and two-sided twice the smaller of both sides. The interval is at every value
// taken from the box, at level 1 − α, α = e^logAlpha: it is wider than the values that
// Fisher's test rejects. Its ends are rounded outwards.
//
// Assumes: rewards are 0 or 1, independent, with one mean per arm. Valid at
// every N, for arms fixed in advance, or with the action sequence held fixed.
// Statistic is x_a; StdErr and DF are NaN. Special cases are:
//
//	an arm without rows: p = 1, interval [−1, 1], with a warning
//	value = ±1 with an outcome that is then impossible: LogP = -Inf
//	x < 0, x > N, value outside [−1, 1] or logAlpha > 0: everything NaN, with a warning
func Fisher(a, b Successes, value float64, alt Alternative, logAlpha float64) Result {
	r := undefined(a.N + b.N)
	r.Exact, r.Assumes = true, fisherAssumes
	if !a.sound() || !b.sound() || !(value >= -1 && value <= 1) || !(logAlpha <= 0) {
		r.Warnings = []string{"exact test of two arms: needs 0 ≤ successes ≤ rows, a value in [−1, 1] and a level of at most 1"}
		return r
	}
	r.Estimate, r.Statistic = a.mean()-b.mean(), float64(a.X)
	if a.N == 0 || b.N == 0 {
		r.LogP, r.Lo, r.Hi = 0, -1, 1
		r.Warnings = []string{"exact test of two arms: an arm has no rows, so nothing can be rejected"}
		return r
	}
	r.LogP = sided(alt, func() float64 { return logAbove(a, b, value) }, func() float64 { return logAbove(b, a, -value) })
	r.Lo, r.Hi = boxInterval(a, b, alt, logAlpha)
	return r
}

// sided joins the p-values of both sides by doubling the smaller.
func sided(alt Alternative, greater, less func() float64) float64 {
	switch alt {
	case Greater:
		return greater()
	case Less:
		return less()
	default:
		return doubled(min(greater(), less()))
	}
}

// logAbove is ln p against p_a − p_b ≤ value.
func logAbove(a, b Successes, value float64) float64 {
	if value == 0 {
		return tail.LogHypergeometricAtLeast(a.X, tail.Draw{White: a.X + b.X, Black: a.N - a.X + b.N - b.X, Size: a.N})
	}
	return doubled(logOutside(a, b, value))
}

// logOutside is the logarithm of the largest min(P(X_a ≥ x_a), P(X_b ≤ x_b))
// over p_a − p_b = value. The first rises in p_a, the second falls, so it is
// where they meet; between neighbouring numbers it is rounded up.
func logOutside(a, b Successes, value float64) float64 {
	first, last := max(0, value), min(1, 1+value)
	high := func(p float64) float64 { return tail.LogBinomialAtLeast(a.X, a.N, p) }
	low := func(p float64) float64 { return tail.LogBinomialAtMost(b.X, b.N, min(1, max(0, p-value))) }
	if high(first) >= low(first) {
		return low(first)
	}
	meet := first + tail.FirstTrue(last-first, func(d float64) bool { return high(first+d) >= low(first+d) })
	if math.IsInf(meet, 1) {
		return high(last)
	}
	return min(high(meet), low(max(first, math.Nextafter(meet, 0))))
}

// boxInterval is the range of p_a − p_b over the box of both arms'
// Clopper–Pearson intervals, each at half the level.
func boxInterval(a, b Successes, alt Alternative, logAlpha float64) (lo, hi float64) {
	aLo, aHi := clopperPearson(a.X, a.N, TwoSided, arm(alt, logAlpha))
	bLo, bHi := clopperPearson(b.X, b.N, TwoSided, arm(alt, logAlpha))
	lo, hi = -1, 1
	if alt != Less {
		lo = max(-1, math.Nextafter(aLo-bHi, -2))
	}
	if alt != Greater {
		hi = min(1, math.Nextafter(aHi-bLo, 2))
	}
	return lo, hi
}

// arm is the two-sided level of one arm's interval: half of that asked. Of a
// one-sided interval one end of each arm counts, which then has all of the half.
func arm(alt Alternative, logAlpha float64) float64 {
	if alt == TwoSided {
		return logAlpha - math.Ln2
	}
	return logAlpha
}
