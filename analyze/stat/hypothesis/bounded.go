package hypothesis

import (
	"cmp"
	"fmt"
	"math"

	"banditaudit/analyze/stat/moments"
	"banditaudit/analyze/stat/tail"
)

// Bounded is what the tests for bounded rewards need of an arm. Rows come in
// units that are independent of each other; within a unit they may depend in
// any way. Where a row is a unit, Units = N, Squares = N and Largest = 1.
type Bounded struct {
	N       int64   // rows
	Mean    float64 // over rows
	Lo, Hi  float64 // range of every reward, declared and not read off the rewards
	Units   int64   // units that own rows
	Squares float64 // Σ n_u², n_u the rows of unit u
	Largest int64   // max n_u
	M2      float64 // Σ_u (S_u − n_u·Mean)², S_u the sum of the unit's rewards
}

// BoundedRows returns the Bounded of rows each of which is a unit.
func BoundedRows(s moments.Scalar, lo, hi float64) Bounded {
	return Bounded{N: s.N, Mean: mean(s), Lo: lo, Hi: hi, Units: s.N, Squares: float64(s.N), Largest: min(s.N, 1), M2: s.M2}
}

// BoundedUnits returns the Bounded of rows that come in units.
func BoundedUnits(u moments.Units, lo, hi float64) Bounded {
	return Bounded{
		N: u.N, Mean: u.Mean(), Lo: lo, Hi: hi,
		Units: u.Count, Squares: u.Squares, Largest: u.Largest, M2: u.M2(),
	}
}

// BoundedPair is two arms whose means are compared, A less B.
type BoundedPair struct {
	A, B  Bounded
	Units int64   // units that own rows of either arm
	Cross float64 // Σ n_ua·n_ub over units that own rows of both arms; 0 where a row is a unit
}

// BoundedPairRows returns the BoundedPair of rows each of which is a unit.
func BoundedPairRows(a, b moments.Scalar, lo, hi float64) BoundedPair {
	return BoundedPair{A: BoundedRows(a, lo, hi), B: BoundedRows(b, lo, hi), Units: a.N + b.N}
}

// BoundedPairUnits returns the BoundedPair of rows that come in units.
func BoundedPairUnits(p moments.UnitPair, lo, hi float64) BoundedPair {
	return BoundedPair{A: BoundedUnits(p.A, lo, hi), B: BoundedUnits(p.B, lo, hi), Units: p.Count, Cross: p.Cross}
}

func (m Bounded) width() float64 { return m.Hi - m.Lo }

// rowsAreUnits reports whether no unit owns two rows.
func (m Bounded) rowsAreUnits() bool { return m.Units == m.N }

// fault says what is wrong with the numbers of an arm; "" if nothing is.
func (m Bounded) fault() string {
	switch w := m.width(); {
	case !(w > 0) || math.IsInf(w, 1):
		return "needs a declared range of rewards, finite and with lo < hi"
	case m.N < 0 || m.Units > m.N || m.N > 0 && (m.Units < 1 || m.Squares < float64(m.N) || m.Largest < 1 || !(m.M2 >= 0)):
		return "was given counts that no rows have"
	case m.N > 0 && !(m.Mean >= m.Lo-float64(1e-9*w) && m.Mean <= m.Hi+float64(1e-9*w)):
		return "needs all rewards within the declared range"
	}
	return ""
}

func (p BoundedPair) rowsAreUnits() bool { return p.Units == p.A.N+p.B.N }

func (p BoundedPair) fault() string {
	a, b := p.A.Units, p.B.Units
	switch fault := cmp.Or(p.A.fault(), p.B.fault()); {
	case fault != "":
		return fault
	case p.Units > a+b || p.Units < max(a, b) || (p.Units == a+b) != (p.Cross == 0) || !(p.Cross >= 0):
		return "was given counts that no rows have"
	}
	return ""
}

// envelope is an estimate that lies within radius(L) of the parameter on each
// side but for a probability of events·e^−L, and a parameter within [lo, hi].
type envelope struct {
	estimate float64
	lo, hi   float64
	events   float64                 // bounds of probability e^−L that one side joins
	radius   func(l float64) float64 // not decreasing, 0 at L = 0
}

// logTail bounds ln P(estimate − parameter ≥ d).
func (e envelope) logTail(d float64) float64 {
	if !(d > 0) {
		return 0
	}
	beyond := tail.FirstTrue(math.MaxFloat64, func(l float64) bool { return e.radius(l) > d })
	if math.IsInf(beyond, 1) {
		return math.Inf(-1)
	}
	return min(0, math.Log(e.events)-math.Nextafter(beyond, 0))
}

// interval holds the values that are not rejected at level e^logAlpha.
func (e envelope) interval(alt Alternative, logAlpha float64) (lo, hi float64) {
	lo, hi = e.lo, e.hi
	if alt == TwoSided {
		logAlpha -= math.Ln2
	}
	away := e.radius(math.Log(e.events) - logAlpha)
	if alt != Less {
		lo = min(max(lo, e.estimate-away), hi)
	}
	if alt != Greater {
		hi = max(min(hi, e.estimate+away), lo)
	}
	return lo, hi
}

// boundedTest is an envelope with what its answer says about the data.
type boundedTest struct {
	envelope

	name, assumes string
	n, units      int64 // as in Result
	fewest        int64 // units of the arm with the fewest
	needed        int64 // units that the envelope needs of each arm
	fault         string
}

// test is about the mean of one arm; its envelope lacks events and radius.
func (m Bounded) test(name, assumes string) boundedTest {
	t := boundedTest{name: name, assumes: assumes, n: m.N, fewest: m.Units, needed: 1, fault: m.fault()}
	t.estimate, t.lo, t.hi = m.Mean, m.Lo, m.Hi
	if !m.rowsAreUnits() {
		t.units = m.Units
	}
	return t
}

// test is about the difference of the means; its envelope lacks events and
// radius.
func (p BoundedPair) test(name, assumes string) boundedTest {
	t := boundedTest{name: name, assumes: assumes, n: p.A.N + p.B.N, fewest: min(p.A.Units, p.B.Units), needed: 1, fault: p.fault()}
	t.estimate, t.lo, t.hi = p.A.Mean-p.B.Mean, p.A.Lo-p.B.Hi, p.A.Hi-p.B.Lo
	if !p.rowsAreUnits() {
		t.units = p.Units
	}
	return t
}

// run answers the question. Both sides are joined by doubling.
func (t boundedTest) run(value float64, alt Alternative, logAlpha float64) Result {
	r := undefined(t.n)
	r.Units, r.Exact, r.Assumes = t.units, true, t.assumes
	d := t.estimate - value
	switch {
	case t.fault != "":
		r.Warnings = []string{t.name + " " + t.fault}
	case !(value >= t.lo && value <= t.hi) || !(logAlpha <= 0):
		r.Estimate = t.estimate
		r.Warnings = []string{t.name + " needs a value that the declared range of rewards allows and a level of at most 1"}
	case t.fewest < t.needed:
		r.Estimate, r.LogP, r.Lo, r.Hi = t.estimate, 0, t.lo, t.hi
		r.Warnings = []string{fmt.Sprintf("%s: %d independent rows or units in an arm, and at least %d are needed, so nothing can be rejected", t.name, t.fewest, t.needed)}
	case alt == TwoSided:
		r.Estimate, r.Statistic = t.estimate, d
		r.LogP = min(0, math.Ln2+t.logTail(math.Abs(d)))
		r.Lo, r.Hi = t.interval(alt, logAlpha)
	default:
		r.Estimate, r.Statistic = t.estimate, d
		if alt == Less {
			d = -d
		}
		r.LogP = t.logTail(d)
		r.Lo, r.Hi = t.interval(alt, logAlpha)
	}
	return r
}
