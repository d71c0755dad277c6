package dense

import "math"

// mostTurns bounds the QL steps of an eigenvalue; two are usual.
const mostTurns = 60

// Eigen returns the eigenvalues of the symmetric matrix A, in no order, and replaces X, which
// has n rows, by the coordinates of its columns along the eigenvectors:
//
//	A = V·diag(values)·V',   X becomes V'·X
//
// so that row k of X belongs to values[k]. A is brought to tridiagonal form by reflections,
// and that to a diagonal by QL steps with implicit shifts (Wilkinson and Reinsch 1971, contributions
// II/2 and II/4, doi 10.1007/978-3-642-86940-2). Values are within a few n·2⁻⁵² of the
// largest. It takes 4n³/3 products, and 5n² for a column of X. ok is false where
// A has what is not a number, or steps do not come to an end.
func Eigen(a, x []float64, n int) (values []float64, ok bool) {
	values, beside := tridiagonal(a, x, n)
	return values, diagonal(values, beside, x)
}

// tridiagonal returns the diagonal of H'AH and what stands beside it, last a 0, and replaces X by
// H'·X.
func tridiagonal(a, x []float64, n int) (diagonal, beside []float64) {
	diagonal, beside = make([]float64, n), make([]float64, n)
	sums, product, column := make([]float64, len(x)/max(1, n)), make([]float64, n), make([]float64, n)
	for k := range n {
		diagonal[k] = a[k*n+k]
		v := column[k+1:]
		copy(v, a[k*n+k+1:][:n-k-1]) // A is symmetric
		if len(v) == 0 {
			break
		}
		alpha, beta := reflector(v)
		beside[k] = alpha
		if beta == 0 {
			continue
		}
		// H·B·H = B − v·w' − w·v', w = p − (β/2)(p'v)·v, p = β·B·v.
		p := product[k+1:]
		clear(p)
		for i, w := range v {
			addTo(p, a[(k+1+i)*n+k+1:][:len(v)], float64(beta*w))
		}
		addTo(p, v, -0.5*float64(beta*dot(p, v)))
		for i, w := range v {
			row := a[(k+1+i)*n+k+1:][:len(v)]
			for j := range row {
				row[j] -= float64(w*p[j]) + float64(p[i]*v[j])
			}
		}
		reflectRows(x[(k+1)*len(sums):], len(sums), v, beta, sums)
	}
	return diagonal, beside
}

// diagonal turns a tridiagonal matrix until nothing stands beside the diagonal d, and X with it.
func diagonal(d, beside, x []float64) bool {
	m := len(x) / max(1, len(d))
	for first := range d {
		for turns := 0; ; turns++ {
			last := block(d, beside, first)
			if last == first {
				break
			}
			if turns == mostTurns {
				return false
			}
			turn(d[:last+1], beside[:last+1], first, func(i int, c, s float64) { rotate(x[i*m:][:m], x[(i+1)*m:][:m], c, s) })
		}
	}
	return true
}

// block returns the last index of the block that begins at first: the first one beside which
// what stands is rounding.
func block(d, beside []float64, first int) int {
	last := first
	for last < len(d)-1 {
		if size := math.Abs(d[last]) + math.Abs(d[last+1]); math.Abs(beside[last]) <= float64(0x1p-53*size) {
			break
		}
		last++
	}
	return last
}

// turn is one QL step with an implicit shift on the block from first to the last index.
// rotated is told every rotation of i and i+1.
func turn(d, e []float64, first int, rotated func(i int, c, s float64)) {
	last := len(d) - 1
	g := (d[first+1] - d[first]) / (2 * e[first])
	r := math.Sqrt(float64(g*g) + 1)
	g = d[last] - d[first] + e[first]/(g+math.Copysign(r, g))
	c, s, p := 1.0, 1.0, 0.0
	for i := last - 1; i >= first; i-- {
		f, b := float64(s*e[i]), float64(c*e[i])
		r = math.Sqrt(float64(f*f) + float64(g*g))
		e[i+1] = r
		if r == 0 { // the block falls apart
			d[i+1] -= p
			e[last] = 0
			return
		}
		s, c = f/r, g/r
		g = d[i+1] - p
		r = float64((d[i]-g)*s) + float64(2*c*b)
		p = float64(s * r)
		d[i+1] = g + p
		g = float64(c*r) - b
		rotated(i, c, s)
	}
	d[first] -= p
	e[first] = g
	e[last] = 0
}

// rotate replaces two rows by (c·a − s·b, s·a + c·b).
func rotate(a, b []float64, c, s float64) {
	b = b[:len(a)]
	for j, v := range a {
		w := b[j]
		a[j] = float64(c*v) - float64(s*w)
		b[j] = float64(s*v) + float64(c*w)
	}
}
