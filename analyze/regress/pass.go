package regress

import (
	"fmt"
	"math"
)

// tileRows is how many rows go through the second pass together.
const tileRows = 64

// workspace holds the coordinates of one tile of rows, column by column.
type workspace struct {
	diff [][]float64 // centred kept columns
	v    [][]float64 // coordinates in the orthonormal basis
	e    []float64   // residuals
	h    []float64   // leverages
}

func newWorkspace(d *design) *workspace {
	columns := func(n int) [][]float64 {
		c := make([][]float64, n)
		for i := range c {
			c[i] = make([]float64, tileRows)
		}
		return c
	}
	return &workspace{columns(len(d.kept)), columns(d.rank()), make([]float64, tileRows), make([]float64, tileRows)}
}

// AddBlock adds rows given by columns, as [moments.Cross.AddBlock] does: x[j][t]
// is covariate j of row t, y[t] the response, pick the rows that count (nil for
// all). It panics if the columns differ in length.
func (s *Sandwich) AddBlock(x [][]float64, y []float64, pick []int32) {
	for _, col := range x {
		if len(col) != len(y) {
			panic(badLength)
		}
	}
	if s.model.Rank == 0 {
		s.skip(y, pick)
		return
	}
	if s.work == nil {
		s.work = newWorkspace(s.model.design)
	}
	if pick == nil {
		pick = make([]int32, len(y))
		for t := range pick {
			pick[t] = int32(t)
		}
	}
	for len(pick) > 0 {
		n := min(len(pick), tileRows)
		s.tile(x, y, pick[:n])
		pick = pick[n:]
	}
}

// skip counts the rows of a model without columns.
func (s *Sandwich) skip(y []float64, pick []int32) {
	if pick == nil {
		s.n += int64(len(y))
		return
	}
	s.n += int64(len(pick))
}

// AddByArm scatters the rows of a chunk to the second passes of per-arm models:
// row t goes to dst[arm[t]]. A row whose arm is negative, or whose entry is
// nil, is skipped. arm, y and all columns have equal length, otherwise it
// panics. It returns an error that names the row if an arm is len(dst) or more.
func AddByArm(dst []*Sandwich, arm []int32, x [][]float64, y []float64) error {
	if len(arm) != len(y) {
		panic(badLength)
	}
	rows := make([][]int32, len(dst))
	for t, a := range arm {
		switch {
		case int(a) >= len(dst):
			return fmt.Errorf("regress: row %d of the chunk has arm %d, but there are %d arms; declare the missing arms", t, a, len(dst))
		case a >= 0 && dst[a] != nil:
			rows[a] = append(rows[a], int32(t))
		}
	}
	for a, pick := range rows {
		if len(pick) > 0 {
			dst[a].AddBlock(x, y, pick)
		}
	}
	return nil
}

func (s *Sandwich) tile(x [][]float64, y []float64, pick []int32) {
	d, w, n := s.model.design, s.work, len(pick)
	s.n += int64(n)
	e := w.e[:n]
	for i, t := range pick {
		e[i] = (y[t] - d.yShift) - d.yOffset
	}
	slopes := s.model.Estimates[d.rank()-len(d.kept):]
	for k, j := range d.kept {
		col, diff, b := x[j], w.diff[k][:n], slopes[k]
		for i, t := range pick {
			diff[i] = (col[t] - d.shift[k]) - d.offset[k]
			e[i] -= float64(b * diff[i])
		}
	}
	d.coordinates(w, n)
	s.weigh(n)
	s.accumulate(n)
}

// coordinates solves L·v = D⁻¹·(x − mean) for the rows of a tile and sums their
// leverages.
func (d *design) coordinates(w *workspace, n int) {
	h, first := w.h[:n], d.rank()-len(d.kept)
	clear(h)
	if first == 1 {
		for i := range h {
			w.v[0][i] = 1 / math.Sqrt(d.n)
			h[i] = 1 / d.n
		}
	}
	for k, row := range d.lower {
		v := w.v[first+k][:n]
		diff, scale, pivot := w.diff[k][:len(v)], 1/d.scale[k], 1/row[k]
		for i := range v {
			v[i] = diff[i] * scale
		}
		for q, l := range row[:k] {
			u := w.v[first+q][:len(v)]
			for i := range v {
				v[i] -= float64(l * u[i])
			}
		}
		leverage := h[:len(v)]
		for i := range v {
			v[i] *= pivot
			leverage[i] += float64(v[i] * v[i])
		}
	}
}

// weigh turns each residual into √f(h)·e, and voids rows of leverage 1.
func (s *Sandwich) weigh(n int) {
	w := s.work
	for i, h := range w.h[:n] {
		s.leverage = max(s.leverage, h)
		if s.kind == HC0 || s.kind == HC1 {
			continue
		}
		rest := 1 - h
		switch {
		case rest <= fullLeverage:
			s.mark(i)
			w.e[i] = 0
		case s.kind == HC2:
			w.e[i] /= math.Sqrt(rest)
		default:
			w.e[i] /= rest
		}
	}
}

// mark notes which coefficients row i of the tile touches.
func (s *Sandwich) mark(i int) {
	s.full++
	r, b := s.model.Rank, s.model.basis
	for j := range r {
		weight, length := 0.0, 0.0
		for q := range r {
			weight += float64(b[j*r+q] * s.work.v[q][i])
			length += float64(b[j*r+q] * b[j*r+q])
		}
		if math.Abs(weight) > touched*math.Sqrt(length) {
			s.spoilt[j] = true
		}
	}
}

// accumulate adds the products of the weighted coordinates, one column against
// four at a time so that additions need not wait for each other.
func (s *Sandwich) accumulate(n int) {
	w := s.work
	e := w.e[:n]
	for _, v := range w.v {
		v = v[:len(e)]
		for i := range e {
			v[i] *= e[i]
		}
	}
	for i, a := range w.v {
		row := s.meat[i*(i+1)/2 : i*(i+1)/2+i+1]
		j := 0
		for ; j+4 <= len(row); j += 4 {
			for k, sum := range dot4(a[:n], w.v[j:j+4]) {
				row[j+k] += sum
			}
		}
		for ; j < len(row); j++ {
			row[j] += dot(a[:n], w.v[j])
		}
	}
}

// dot4 returns the inner products of a with four columns.
func dot4(a []float64, b [][]float64) [4]float64 {
	n := len(a)
	b0, b1, b2, b3 := b[0][:n], b[1][:n], b[2][:n], b[3][:n]
	var s0, s1, s2, s3 float64
	for t, v := range a {
		s0 += float64(v * b0[t])
		s1 += float64(v * b1[t])
		s2 += float64(v * b2[t])
		s3 += float64(v * b3[t])
	}
	return [4]float64{s0, s1, s2, s3}
}

func dot(a, b []float64) float64 {
	sum := 0.0
	b = b[:len(a)]
	for t, v := range a {
		sum += float64(v * b[t])
	}
	return sum
}
