// Package dense has what little linear algebra of small matrices the results need, with the
// same bits whatever the processor and the build tags are. Every product is rounded before it
// is added, every sum is taken in the order of its index, and nothing calls a library whose
// assembly sums in another order than its Go does, as gonum's BLAS.
//
// Matrices are slices, row by row; n is the order. They are overwritten.
package dense

// addTo adds by·row to dst.
func addTo(dst, row []float64, by float64) {
	row = row[:len(dst)]
	for j := range dst {
		dst[j] += float64(by * row[j])
	}
}

// dot returns Σ a_j·b_j.
func dot(a, b []float64) float64 {
	b = b[:len(a)]
	sum := 0.0
	for j, v := range a {
		sum += float64(v * b[j])
	}
	return sum
}
