package moments

// tileRows is how many rows are gathered, centred and multiplied at a time:
// enough to make the merge cheap, few enough for the first-level cache.
const tileRows = 64

// tile gathers rows of one accumulator, column after column.
type tile struct {
	vars  int
	shift []float64
	off   []float64
	prod  []float64
	data  []float64 // vars columns of tileRows, and padding up to a multiple of four
}

func newTile(vars int) *tile {
	return &tile{
		vars:  vars,
		shift: make([]float64, vars),
		off:   make([]float64, vars),
		prod:  make([]float64, vars*(vars+1)/2),
		data:  make([]float64, (vars+3)/4*4*tileRows),
	}
}

// rows adds the listed rows (at most tileRows) of the columns x and y to c.
func (w *tile) rows(c *Cross, x [][]float64, y []float64, pick []int32) {
	if len(pick) == 0 {
		return
	}
	for j, col := range x {
		w.column(j, col, pick)
	}
	w.column(w.vars-1, y, pick)
	w.multiply(len(pick))
	c.merge(int64(len(pick)), w.shift, w.off, w.prod)
}

// column gathers one column relative to its first value and centres it. The
// differences to the shift are exact or nearly so, hence so is the mean.
func (w *tile) column(j int, col []float64, pick []int32) {
	dst := w.data[j*tileRows : j*tileRows+len(pick)]
	shift := col[pick[0]]
	for i, t := range pick {
		dst[i] = col[t] - shift
	}
	mean := sum(dst) / float64(len(dst))
	for i := range dst {
		dst[i] -= mean
	}
	w.shift[j], w.off[j] = shift, mean
}

// sum adds in four interleaved parts, so that additions need not wait for each
// other.
func sum(v []float64) float64 {
	var s0, s1, s2, s3 float64
	for ; len(v) >= 4; v = v[4:] {
		s0 += v[0]
		s1 += v[1]
		s2 += v[2]
		s3 += v[3]
	}
	for _, d := range v {
		s0 += d
	}
	return (s0 + s1) + (s2 + s3)
}

// multiply fills prod with the cross-products of the first n rows of the
// centred columns, one column against four at a time; columns past the last are
// padding, whose products are dropped.
func (w *tile) multiply(n int) {
	k := 0
	for i := range w.vars {
		a := w.data[i*tileRows : i*tileRows+n]
		for j := 0; j <= i; j += 4 {
			s := dot4(a, (*[4 * tileRows]float64)(w.data[j*tileRows:]))
			k += copy(w.prod[k:i*(i+1)/2+i+1], s[:])
		}
	}
}

// dot4 returns the inner products of a, at most tileRows long, with four
// neighbouring columns. Four independent sums keep the adder busy without
// changing the order of additions within a sum.
func dot4(a []float64, b *[4 * tileRows]float64) [4]float64 {
	var s0, s1, s2, s3 float64
	for t, v := range a {
		u := uint(t) & (tileRows - 1) // t < tileRows; the mask tells the compiler so
		s0 += float64(v * b[u])
		s1 += float64(v * b[tileRows+u])
		s2 += float64(v * b[2*tileRows+u])
		s3 += float64(v * b[3*tileRows+u])
	}
	return [4]float64{s0, s1, s2, s3}
}
