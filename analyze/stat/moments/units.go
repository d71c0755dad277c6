package moments

import "math"

// Units is what a mean over rows needs if the rows come in units that are
// independent of each other: an arm's rows, given unit by unit. The zero value
// is empty and ready for use.
//
// Sums of rewards are given relative to Shift,
//
//	s_u = Σ_{t in u} (y_t − Shift)
//
// so that an offset of 10⁶ beside a spread of 1 costs no digits. Shift is set
// before the first Add; the mean of the arm from an earlier pass is best, any
// reward of the arm will do. With it equal rewards give an M2 of exactly 0.
type Units struct {
	Shift   float64 // in the units of y
	N       int64   // rows
	Count   int64   // units that own rows
	Largest int64   // rows of the largest unit
	Squares float64 // Σ n_u², n_u the rows of unit u
	sum     float64 // Σ s_u
	cross   float64 // Σ n_u·s_u
	prod    float64 // Σ s_u²
	third   thirds
}

// thirds are sums of three factors.
type thirds struct{ sss, nss, nns, nnn float64 } // Σ s_u³, Σ n_u·s_u², Σ n_u²·s_u, Σ n_u³

// Add joins a unit of n rows whose rewards, each less Shift, sum to s. A unit
// without rows (n ≤ 0) changes nothing.
func (u *Units) Add(n int64, s float64) {
	if n <= 0 {
		return
	}
	rows := float64(n)
	u.N += n
	u.Count++
	u.Largest = max(u.Largest, n)
	u.Squares += float64(rows * rows)
	u.sum += s
	u.cross += float64(rows * s)
	u.prod += float64(s * s)
	u.third.sss += float64(s * s * s)
	u.third.nss += float64(rows * s * s)
	u.third.nns += float64(rows * rows * s)
	u.third.nnn += float64(rows * rows * rows)
}

// Mean returns the mean over rows, Σ y/N. Special cases are:
//
//	Mean() = NaN if there are no rows
func (u *Units) Mean() float64 {
	if u.N == 0 {
		return math.NaN()
	}
	return u.Shift + u.offset()
}

func (u *Units) offset() float64 { return u.sum / float64(u.N) }

// M2 returns the sum over units of the squared sums of deviations,
//
//	Σ_u (S_u − n_u·Mean)²,  S_u = Σ_{t in u} y_t
//
// in squared units of y; 0 if there are no rows, and where it drowns in the
// rounding of its own terms.
func (u *Units) M2() float64 {
	if u.N == 0 {
		return 0
	}
	m := u.offset()
	spread := float64(float64(m*m) * u.Squares)
	m2 := u.prod - float64(2*m*u.cross) + spread
	if m2 <= rounding*(u.prod+spread) {
		return 0
	}
	return m2
}

// Third returns N rows with the sums over units of the squares and cubes of the sums
// of deviations, Σ_u (S_u − n_u·Mean)² and Σ_u (S_u − n_u·Mean)³: what the skewness
// of the mean is made of.
func (u *Units) Third() Third {
	if u.N == 0 {
		return Third{}
	}
	m, t := u.offset(), u.third
	return Third{
		N: u.N, Mean: u.Mean(), M2: u.M2(),
		M3: t.sss - float64(3*m*t.nss) + float64(3*m*m*t.nns) - float64(m*m*m*t.nnn),
	}
}

// rounding is the share of its largest term below which a difference of sums
// is no more than their rounding error.
const rounding = 4e-16

// UnitPair is what a difference of two arms' means needs if units are
// independent and may own rows of both arms. The zero value is empty and ready
// for use; A.Shift and B.Shift are set before the first Add.
type UnitPair struct {
	A, B  Units
	Count int64   // units that own rows of either arm
	Cross float64 // Σ n_ua·n_ub, n_ua the rows of arm A in unit u
	ab    float64 // Σ s_ua·s_ub
	an    float64 // Σ s_ua·n_ub
	nb    float64 // Σ n_ua·s_ub
}

// Add joins a unit: nA rows of arm A whose rewards, each less A.Shift, sum to
// sA, and likewise for arm B. Either may have none (n ≤ 0).
func (p *UnitPair) Add(nA int64, sA float64, nB int64, sB float64) {
	p.A.Add(nA, sA)
	p.B.Add(nB, sB)
	if nA > 0 || nB > 0 {
		p.Count++
	}
	if nA > 0 && nB > 0 {
		p.Cross += float64(float64(nA) * float64(nB))
		p.ab += float64(sA * sB)
		p.an += float64(sA * float64(nB))
		p.nb += float64(float64(nA) * sB)
	}
}

// Difference returns the difference of the means, A − B. Special cases are:
//
//	Difference() = NaN if an arm has no rows
func (p *UnitPair) Difference() float64 {
	// Equal shifts drop out before anything is rounded.
	if p.A.N == 0 || p.B.N == 0 {
		return math.NaN()
	}
	return (p.A.Shift - p.B.Shift) + (p.A.offset() - p.B.offset())
}

// Influence returns the sum over units of the squared influence on the
// difference of the means,
//
//	Σ_u ( (S_ua − n_ua·Mean_a)/N_a − (S_ub − n_ub·Mean_b)/N_b )²
//
// in squared units of y. Special cases are:
//
//	Influence() = NaN if an arm has no rows
func (p *UnitPair) Influence() float64 {
	if p.A.N == 0 || p.B.N == 0 {
		return math.NaN()
	}
	a, b := float64(p.A.N), float64(p.B.N)
	mA, mB := p.A.offset(), p.B.offset()
	both := p.ab - float64(mB*p.an) - float64(mA*p.nb) + float64(float64(mA*mB)*p.Cross)
	own := p.A.M2()/a/a + p.B.M2()/b/b
	sum := own - 2*both/a/b
	if sum <= rounding*own {
		return 0
	}
	return sum
}
