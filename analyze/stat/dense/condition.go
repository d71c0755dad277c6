package dense

import (
	"math"

	"banditaudit/analyze/stat/tail"
)

// Condition returns the ratio of the largest to the smallest singular value of a square
// matrix of finite numbers. Reflections from both sides bring it to an upper bidiagonal form
// (Golub and Kahan 1965, doi 10.1137/0702016) with d on the diagonal and e above it, whose
// singular values, with both signs, are the eigenvalues of the tridiagonal matrix with 0 on
// the diagonal and
//
//	d₁, e₁, d₂, e₂, …, d_n
//
// beside it. Sturm's sequence counts how many of them lie below a number, with an error of
// some units in the last place of that number (Demmel and Kahan 1990, doi 10.1137/0911052), so that
// the two are found by bisection. What rounding in the reflections does to the smallest is
// n·2⁻⁵² of the largest. It takes 8n³/3 products. Special cases are:
//
//	order 0 gives NaN
//	a singular value of 0 gives +Inf or a number above 10¹⁴
func Condition(a []float64, n int) float64 {
	if n == 0 {
		return math.NaN()
	}
	beside := bidiagonal(a, n)
	size := 0.0
	for _, v := range beside {
		size = max(size, math.Abs(v))
	}
	limit := float64(4 * size) // no row has more than two of them
	least := tail.FirstTrue(limit, func(x float64) bool { return below(beside, x) > n })
	most := tail.FirstTrue(limit, func(x float64) bool { return below(beside, x) == 2*n })
	return most / least
}

// bidiagonal returns d₁, e₁, d₂, …, d_n.
func bidiagonal(a []float64, n int) []float64 {
	beside := make([]float64, 0, 2*n)
	column, sums := make([]float64, n), make([]float64, n)
	for k := range n {
		v := column[k:]
		for i := range v {
			v[i] = a[(k+i)*n+k]
		}
		alpha, beta := reflector(v)
		beside = append(beside, alpha)
		rest := sums[k+1:]
		if len(rest) == 0 {
			break
		}
		reflectRows(a[k*n+k+1:], n, v, beta, rest)
		row := a[k*n+k+1:][:len(rest)]
		alpha, beta = reflector(row)
		beside = append(beside, alpha)
		for i := k + 1; i < n; i++ {
			to := a[i*n+k+1:][:len(rest)]
			addTo(to, row, -float64(beta*dot(to, row)))
		}
	}
	return beside
}

// below counts the eigenvalues below x > 0 of the symmetric tridiagonal matrix with 0 on
// the diagonal: as many as there are negative numbers among
//
//	q₁ = −x,   q_i+1 = −x − b_i²/q_i
func below(beside []float64, x float64) int {
	count, q := 1, -x
	for _, b := range beside {
		if b == 0 {
			q = -x
		} else {
			q = -x - float64(b*b)/q
		}
		if q < 0 {
			count++
		}
	}
	return count
}
