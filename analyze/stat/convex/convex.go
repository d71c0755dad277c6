// Package convex searches convex functions of one number: for their least value, and
// for where they stay below a level. Confidence intervals by betting are such sets.
package convex

import "math"

// Outward is by how much the ends of a set are rounded outwards.
const Outward = 1e-12

// Least is the least value of a convex function on [lo, hi], its ends included, and
// where it is, by golden sections. The value belongs to a point that was looked at: it is
// no less than the true one.
func Least(lo, hi float64, f func(x float64) float64) (at, least float64) {
	const ratio = 0.6180339887498949 // (√5 − 1)/2
	at, least = lo, f(lo)
	look := func(x float64) float64 {
		v := f(x)
		if v < least {
			at, least = x, v
		}
		return v
	}
	look(hi)
	a, b := hi-float64(ratio*(hi-lo)), lo+float64(ratio*(hi-lo))
	fa, fb := look(a), look(b)
	for range 60 {
		if fa <= fb {
			hi, b, fb = b, a, fa
			a = hi - float64(ratio*(hi-lo))
			fa = look(a)
		} else {
			lo, a, fa = a, b, fb
			b = lo + float64(ratio*(hi-lo))
			fb = look(b)
		}
	}
	return at, least
}

// Edge halves between a value that is out and one that is in, until no number lies
// between or they are nearer than a quarter of [Outward], and returns the one that
// is out.
func Edge(out, in float64, kept func(x float64) bool) float64 {
	for range 100 {
		mid := out + float64((in-out)/2)
		if mid == out || mid == in || math.Abs(in-out) < Outward/4 {
			break
		}
		if kept(mid) {
			in = mid
		} else {
			out = mid
		}
	}
	return out
}

// Below is the set of values in [from, to] at which a convex function is below a
// level, its ends rounded outwards by [Outward] but not beyond from and to. It is
// empty, ok false, if no value of the search for the least one is below.
func Below(from, to, level float64, f func(x float64) float64) (lo, hi float64, ok bool) {
	at, least := Least(from, to, f)
	if !(least < level) {
		return math.NaN(), math.NaN(), false
	}
	below := func(x float64) bool { return f(x) < level }
	lo, hi = from, to
	if !below(from) {
		lo = max(from, Edge(from, at, below)-Outward)
	}
	if !below(to) {
		hi = min(to, Edge(to, at, below)+Outward)
	}
	return lo, hi, true
}
