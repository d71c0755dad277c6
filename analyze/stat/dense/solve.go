package dense

import "math"

// dependent is the part of a diagonal element below which nothing is left of a pivot but
// rounding.
const dependent = 0x1p-48

// Solve replaces X, which has n rows, by A⁻¹·X for a symmetric, positive definite A, of
// which the lower triangle is read, by Cholesky's method. ok is false, and X is spoilt, where a
// pivot is not above 2⁻⁴⁸ of its element of A: then rows of A depend on each other.
func Solve(a, x []float64, n int) (ok bool) {
	m := len(x) / max(1, n)
	for i := range n {
		row, right := a[i*n:][:i+1], x[i*m:][:m]
		whole := row[i]
		for j := range row {
			of := a[j*n:][:j+1]
			row[j] -= dot(row[:j], of[:j])
			if j < i {
				row[j] /= of[j]
				addTo(right, x[j*m:][:m], -row[j])
			}
		}
		if !(row[i] > float64(dependent*whole)) {
			return false
		}
		row[i] = math.Sqrt(row[i])
		divide(right, row[i])
	}
	for i := n - 1; i >= 0; i-- {
		right := x[i*m:][:m]
		for j := i + 1; j < n; j++ {
			addTo(right, x[j*m:][:m], -a[j*n+i])
		}
		divide(right, a[i*n+i])
	}
	return true
}

// divide divides every number of row by v.
func divide(row []float64, v float64) {
	for j := range row {
		row[j] /= v
	}
}
