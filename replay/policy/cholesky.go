package policy

import "banditaudit/replay/policy/bitexact"

// Symmetric matrices of order d are kept as packed lower triangles: row after
// row, element (i, j) with j ≤ i at i(i+1)/2 + j. They are factored as V = LDL',
// L with ones on the diagonal and D diagonal: Cholesky's factorization without
// its square roots. The packed factor has L_ij below the diagonal and 1/D_ii on
// it. Every sum is taken in the order in which its formula names the terms, with
// products rounded before they are added, so that the same numbers come out on
// every architecture; four rows are worked on at a time where that changes no
// order.

// packed returns the length of a packed triangle.
func packed(d int) int { return d * (d + 1) / 2 }

// addSquare adds xx' to the packed symmetric v.
func addSquare(v, x []float64) {
	for i, a := range x {
		row := v[:i+1]
		for j, b := range x[:i+1] {
			row[j] += float64(a * b)
		}
		v = v[i+1:]
	}
}

// tiny is the part of a diagonal element below which nothing is left of a pivot
// but rounding.
const tiny = 0x1p-48

// factor writes the packed factor of V to l, row by row. Row i is
//
//	c_j  = V_ij − L_j0·c_0 − … − L_j,j−1·c_j−1,   L_ij = c_j·(1/D_jj),   j < i
//	D_ii = V_ii − (c_0·L_i0 + … + c_i−1·L_i,i−1)
//
// It returns ln(det V/λ^d) = Σ ln(D_ii/λ). V must be λI plus a sum of squares,
// so that no D_ii is below λ; one that rounding has put below λ or below
// 2⁻⁴⁸·V_ii is raised to the larger of the two. c is scratch for d numbers.
func factor(l, v, c []float64, lambda float64) float64 {
	growth, product := 0.0, 1.0
	rest := l
	for i := range c {
		forward(l, v[:i], c)
		row, squares := rest[:i], 0.0
		for j, a := range c[:i] {
			row[j] = a * inverse(l, j)
			squares += float64(a * row[j])
		}
		pivot := v[i] - squares
		if least := float64(tiny * v[i]); pivot < lambda || pivot < least {
			pivot = max(lambda, least)
		}
		rest[i] = 1 / pivot
		v, rest = v[i+1:], rest[i+1:]
		if product *= pivot / lambda; product > 1e100 {
			growth += bitexact.Ln(product)
			product = 1
		}
	}
	return growth + bitexact.Ln(product)
}

// inverse returns 1/D_ii.
func inverse(l []float64, i int) float64 { return l[packed(i)+i] }

// forward solves Lz = b:
//
//	z_i = b_i − L_i0·z_0 − … − L_i,i−1·z_i−1
//
// l may have more rows than b; z and b may be the same.
func forward(l, b, z []float64) {
	z = z[:len(b)]
	i := 0
	for ; i+4 <= len(b); i += 4 {
		r0, r1, r2, r3 := l[:i+1], l[i+1:2*i+3], l[2*i+3:3*i+6], l[3*i+6:4*i+10]
		l = l[4*i+10:]
		s0, s1, s2, s3 := b[i], b[i+1], b[i+2], b[i+3]
		for j, a := range z[:i] {
			s0 -= float64(r0[j] * a)
			s1 -= float64(r1[j] * a)
			s2 -= float64(r2[j] * a)
			s3 -= float64(r3[j] * a)
		}
		s1 -= float64(r1[i] * s0)
		s2 = s2 - float64(r2[i]*s0) - float64(r2[i+1]*s1)
		s3 = s3 - float64(r3[i]*s0) - float64(r3[i+1]*s1) - float64(r3[i+2]*s2)
		z[i], z[i+1], z[i+2], z[i+3] = s0, s1, s2, s3
	}
	for ; i < len(b); i++ {
		row, s := l[:i], b[i]
		for j, a := range z[:i] {
			s -= float64(row[j] * a)
		}
		z[i] = s
		l = l[i+1:]
	}
}

// length returns z'D⁻¹z = z_0·z_0·(1/D_00) + …, which is b'V⁻¹b where Lz = b.
func length(l, z []float64) float64 {
	var sum float64
	for i, a := range z {
		sum += float64(float64(a*a) * l[i])
		l = l[i+1:]
	}
	return sum
}

// back solves L'x = D⁻¹z, from the last row to the first:
//
//	x_i = z_i·(1/D_ii) − L_d−1,i·x_d−1 − … − L_i+1,i·x_i+1
//
// z and x may be the same.
func back(l, z, x []float64) {
	for i, a := range z {
		x[i] = a * inverse(l, i)
	}
	for i := len(z) - 1; i > 0; i-- {
		for j, a := range l[packed(i) : packed(i)+i] {
			x[j] -= float64(a * x[i])
		}
	}
}
