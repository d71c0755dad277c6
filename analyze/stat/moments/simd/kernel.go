package simd

//go:generate go run -modfile=../../../../go.tools.mod generate.go -out kernel_amd64.s -stubs kernel_amd64.go -pkg simd

// Kernel is the arithmetic of a tile: columns of equal length whose starts lie
// stride values apart. Functions with an argument ahead may bring as many of
// its values into the cache as they have rows, while they are busy with others;
// ahead must not be empty memory.
type Kernel struct {
	// Gather writes col[pick[i]] − shift to dst[i] for the picks before the last
	// len(pick)%4, and their sums by lane. Picks are within col.
	Gather func(dst, col []float64, pick []int32, shift float64, ahead []float64, sums *[4]float64)
	// Square[m−1] subtracts mean from the first 4·quads rows of m columns, in
	// place, and sums their products: the lower triangle, row by row.
	Square [3]func(cols []float64, stride, quads int, mean *[3]float64, ahead []float64, out *[9]float64)
	// Cross[m−1] sums the products of the first 4·quads rows of m columns a and
	// three columns b: out[3i+j] = Σ a_i·b_j.
	Cross [3]func(a, b []float64, stride, quads int, ahead []float64, out *[9]float64)
	// Solve is a step of forward substitution for rows, a multiple of 16: with
	// k = len(row) columns known, by = (offset, slope, scale, pivot), and two
	// columns eh, residuals and leverages,
	//
	//	d = v − offset, e −= slope·d, v = (scale·d − Σ_q row[q]·cols_q)·pivot, h += v²
	Solve func(v, cols []float64, stride int, row []float64, by *[4]float64, eh []float64)
	// Scale multiplies v, a multiple of 4 long, by e: v_t·e_t.
	Scale func(v, e []float64)
}

// Portable returns the kernel in Go, for every processor.
func Portable() Kernel {
	k := Kernel{Gather: gatherGo, Solve: solveGo, Scale: scaleGo}
	for i := range 3 {
		m := i + 1
		k.Square[i] = func(cols []float64, stride, quads int, mean *[3]float64, _ []float64, out *[9]float64) {
			squareGo(m, cols, stride, quads, mean, out)
		}
		k.Cross[i] = func(a, b []float64, stride, quads int, _ []float64, out *[9]float64) {
			crossGo(m, a, b, stride, quads, out)
		}
	}
	return k
}

func gatherGo(dst, col []float64, pick []int32, shift float64, _ []float64, sums *[4]float64) {
	*sums = [4]float64{}
	dst = dst[:len(pick)]
	for ; len(pick) >= 4; pick, dst = pick[4:], dst[4:] {
		for k := range 4 {
			d := col[pick[k]] - shift
			dst[k] = d
			sums[k] += d
		}
	}
}

func squareGo(m int, cols []float64, stride, quads int, mean *[3]float64, out *[9]float64) {
	k := 0
	for i, center := range mean[:m] {
		v := cols[i*stride:][:4*quads]
		for t := range v {
			v[t] -= center
		}
		for j := range i + 1 {
			out[k] = dot(v, cols[j*stride:][:4*quads])
			k++
		}
	}
}

func crossGo(m int, a, b []float64, stride, quads int, out *[9]float64) {
	for i := range m {
		for j := range 3 {
			out[3*i+j] = dot(a[i*stride:][:4*quads], b[j*stride:][:4*quads])
		}
	}
}

// dot returns the inner product of two columns whose length is a multiple of
// four.
func dot(a, b []float64) float64 {
	var s0, s1, s2, s3 float64
	for ; len(a) >= 4 && len(b) >= 4; a, b = a[4:], b[4:] {
		s0 += float64(a[0] * b[0])
		s1 += float64(a[1] * b[1])
		s2 += float64(a[2] * b[2])
		s3 += float64(a[3] * b[3])
	}
	return (s0 + s1) + (s2 + s3)
}

func solveGo(v, cols []float64, stride int, row []float64, by *[4]float64, eh []float64) {
	e, h := eh[:len(v)], eh[stride:][:len(v)]
	offset, slope, scale, pivot := by[0], by[1], by[2], by[3]
	for t := range v {
		d := v[t] - offset
		e[t] -= float64(slope * d)
		v[t] = d * scale
	}
	for q, l := range row {
		u := cols[q*stride:][:len(v)]
		for t := range v {
			v[t] -= float64(l * u[t])
		}
	}
	for t := range v {
		v[t] *= pivot
		h[t] += float64(v[t] * v[t])
	}
}

func scaleGo(v, e []float64) {
	e = e[:len(v)]
	for t := range v {
		v[t] *= e[t]
	}
}
