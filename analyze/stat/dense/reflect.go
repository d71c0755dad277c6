package dense

import "math"

// reflector makes v the vector of the reflection H = I − β·v·v' that maps v to
// (alpha, 0, …, 0), with |alpha| = √Σv² and of the sign that takes nothing from v₀
// (Householder 1958, doi 10.1145/320941.320947). β is 0, and H = I, where v is 0, or has
// squares below the smallest number.
func reflector(v []float64) (alpha, beta float64) {
	square := dot(v, v)
	if square == 0 {
		return 0, 0
	}
	alpha = -math.Copysign(math.Sqrt(square), v[0])
	beta = 1 / (square - float64(alpha*v[0])) // 2/Σv² of what follows
	v[0] -= alpha
	return alpha, beta
}

// reflectRows replaces X, rows of m numbers that are stride apart, by H·X. sums is scratch for m
// numbers.
func reflectRows(x []float64, stride int, v []float64, beta float64, sums []float64) {
	clear(sums)
	m := len(sums)
	for i, w := range v {
		addTo(sums, x[i*stride:][:m], w)
	}
	for i, w := range v {
		addTo(x[i*stride:][:m], sums, -float64(beta*w))
	}
}
