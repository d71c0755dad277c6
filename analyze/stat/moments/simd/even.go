package simd

// runsGo fills a column: its rounds at, in their order, have the numbers of y, and those
// behind each what stands in after, those before the first have first.
func runsGo(col []float64, at []int, y, after []float64, first float64) {
	row := 0
	for _, t := range at {
		for ; row < t; row++ {
			col[row] = first
		}
		col[row], first = y[t], after[t]
		row++
	}
	for ; row < len(col); row++ {
		col[row] = first
	}
}

// sumsGo adds Σ (v − e[0]) over the rows of twelve columns, a stride apart, to e[1].
func sumsGo(cols []float64, stride, rows int, e *[3][12]float64) {
	for i, at := range e[0] {
		sum := e[1][i]
		for _, v := range cols[i*stride:][:rows] {
			sum += v - at
		}
		e[1][i] = sum
	}
}

// spreadsGo adds Σ d² to e[1], d = v − e[0], and Σ d·(other − center) to e[2]; other has as
// many rows as are meant.
func spreadsGo(cols []float64, stride int, other []float64, center float64, e *[3][12]float64) {
	for i, at := range e[0] {
		sum, joint := e[1][i], e[2][i]
		for t, v := range cols[i*stride:][:len(other)] {
			d := v - at
			sum += float64(d * d)
			joint += float64(d * (other[t] - center))
		}
		e[1][i], e[2][i] = sum, joint
	}
}
