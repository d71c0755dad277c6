package calibration

import (
	"math"

	"banditaudit/analyze/stat/maxinfo"
	"banditaudit/analyze/stat/tail"
)

// Size is a design for which the rows that a test needs are computed: K arms
// played in turn, every row of cost ε, one arm with mean ½ + gap.
type Size struct{ Epsilon, Gap float64 }

// wantedPower is what a test shall have, and keep up to window times the rows.
const (
	wantedPower = 0.8
	window      = 1.25
)

// mostRows is where the search for a number of rounds ends.
const mostRows = 1 << 20

// Rounds returns by method the least number of rounds T at which the two-sided
// test of the arm rejects with probability 0.8 or more, and at every further
// turn of the arms up to 1.25·T; 0 where there is none up to 3·2²⁰ rounds.
// Powers are exact sums of binomial probabilities. They rise with the number of
// rounds in a saw-tooth, because counts are whole: the first T with that power
// would be the tip of a tooth, and a few rounds more would have less.
func (z Size) Rounds() [methods]int64 {
	var out [methods]int64
	for method := range out {
		out[method] = Arms * (&search{design: z, method: method}).rows()
	}
	return out
}

// search looks for the rows that one method needs.
type search struct {
	design   Size
	method   int
	critical int64 // least count of ones that was rejected last; near that of the next n
}

// rows returns the least n from which power is kept; 0 where there is none.
// Steps of 2% find where to begin: they are shorter than the window, so that
// what they pass over has no window that is kept.
func (s *search) rows() int64 {
	n := int64(4)
	for ; s.power(n) < wantedPower; n += 1 + n/50 {
		if n > mostRows {
			return 0
		}
	}
	for n > 1 && s.power(n-1) >= wantedPower {
		n--
	}
	for at := n; float64(at) <= window*float64(n); at++ {
		if s.power(at) < wantedPower {
			n = at + 1
		}
	}
	return n
}

// power is the probability that a test of n rows rejects upwards; that it
// rejects downwards is no discovery.
func (s *search) power(n int64) float64 {
	level := s.level(n)
	rejects := func(x int64) bool {
		switch {
		case 2*x <= n:
			return false
		case x > n:
			return true // as n + 1 ones are where nothing else is
		case s.method == Sequence:
			return sequenceLogP(n, x) <= level
		}
		return math.Ln2+tail.LogBinomialAtLeast(x, n, 0.5) <= level
	}
	s.near(n, rejects)
	if s.critical > n {
		return 0
	}
	return math.Exp(tail.LogBinomialAtLeast(s.critical, n, .5+s.design.Gap))
}

// near moves the critical count to the critical count of n: by strides that double until it
// is between two counts, and then by halves.
func (s *search) near(n int64, rejects func(x int64) bool) {
	from, to := s.critical, s.critical // !rejects(from), rejects(to)
	for step := int64(1); !rejects(to); step *= 2 {
		from, to = to, min(to+step, n+1)
	}
	for step := int64(1); rejects(from); step *= 2 {
		to, from = from, max(from-step, 0)
	}
	for to-from > 1 {
		if mid := from + (to-from)/2; rejects(mid) {
			to = mid
		} else {
			from = mid
		}
	}
	s.critical = to
}

// level is ln of the raw level that belongs to α.
func (s *search) level(n int64) float64 {
	logAlpha := math.Log(Alpha)
	levels := []maxinfo.Level{{Cost: s.design.Epsilon, Rows: n}}
	switch s.method {
	case Renyi:
		return maxinfo.Renyi(levels).Level(logAlpha)
	case Moments:
		return maxinfo.Moments(levels).Level(logAlpha)
	case Theorem20:
		return maxinfo.Theorem20Gamma(logAlpha, s.design.Epsilon, n*Arms).LogP
	}
	return logAlpha
}
