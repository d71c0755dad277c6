package regress

import "math"

// double is an unevaluated sum hi + lo, |lo| ≤ ulp(hi)/2: about 32 digits
// (Dekker 1971, doi 10.1007/BF01397083; Hida, Li & Bailey 2001, doi
// 10.1109/ARITH.2001.930115).
type double struct{ hi, lo float64 }

// sumOf is a + b, exactly.
func sumOf(a, b float64) double {
	s := a + b
	back := s - a
	return double{s, (a - (s - back)) + (b - back)}
}

// quick is a + b, exactly, for |a| ≥ |b|.
func quick(a, b float64) double {
	s := a + b
	return double{s, b - (s - a)}
}

func (a double) plus(b double) double {
	s, t := sumOf(a.hi, b.hi), sumOf(a.lo, b.lo)
	s = quick(s.hi, s.lo+t.hi)
	return quick(s.hi, s.lo+t.lo)
}

func (a double) negative() double { return double{-a.hi, -a.lo} }

func (a double) minus(b double) double { return a.plus(b.negative()) }

func (a double) times(b double) double {
	p := float64(a.hi * b.hi)
	e := math.FMA(a.hi, b.hi, -p)
	e += float64(a.hi*b.lo) + float64(a.lo*b.hi)
	return quick(p, e)
}

func (a double) over(b double) double {
	q := a.hi / b.hi
	r := a.minus(b.times(double{hi: q}))
	q2 := r.hi / b.hi
	r = r.minus(b.times(double{hi: q2}))
	s := quick(q, q2)
	return s.plus(double{hi: r.hi / b.hi})
}

// root is √a, 0 for a ≤ 0: one step of Newton's method from the float64 root.
func (a double) root() double {
	if !(a.hi > 0) {
		return double{}
	}
	x := math.Sqrt(a.hi)
	r := a.minus(double{hi: x}.times(double{hi: x}))
	return quick(x, r.hi/(2*x))
}

func (a double) value() float64 { return a.hi + a.lo }
