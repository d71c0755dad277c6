package regress

import (
	"fmt"
	"math"

	"banditaudit/analyze/moments/lanes"
)

const (
	// tileRows is how many rows go through the second pass together; a multiple
	// of 16, which the kernel takes at a time.
	tileRows = 256
	// stride is the distance of two columns; the 8 keep columns from falling on
	// the same cache sets.
	stride = tileRows + 8
	// sortRows is how many rows are ordered by arm at a time, at least, and
	// armRows how many of each arm there should be among them, if the chunk has so
	// many.
	sortRows = 2048
	armRows  = 32
)

// workspace holds the coordinates of one tile of rows, column by column.
type workspace struct {
	kernel lanes.Kernel
	v      []float64 // coordinates in the orthonormal basis, columns stride apart
	eh     []float64 // residuals, and leverages a stride on
	e, h   []float64
	by     [4]float64
	zero   [3]float64
	lane   [4]float64
	sums   [9]float64
	starts []int     // of the clusters among the rows
	line   []float64 // a linear combination of columns
	spare  []float64 // what Solve writes that nobody reads
}

func newWorkspace(rank int, k lanes.Kernel) *workspace {
	eh := make([]float64, 2*stride)
	return &workspace{kernel: k, v: make([]float64, rank*stride), eh: eh, e: eh[:tileRows], h: eh[stride:][:tileRows]}
}

// column is coordinate i of the first n rows.
func (w *workspace) column(i, n int) []float64 { return w.v[i*stride : i*stride+n] }

// AddBlock adds rows given by columns, as [moments.Cross.AddBlock] does: x[j][t]
// is covariate j of row t, y[t] the response, pick the rows that count (nil for
// all). It panics if the columns differ in length or a row is not there.
func (s *Sandwich) AddBlock(x [][]float64, y []float64, pick []int32) {
	s.add(newWorkspace(s.model.Rank, lanes.New()), x, y, picked(x, y, pick))
}

// picked returns the rows that count and panics for those that are not there.
func picked(x [][]float64, y []float64, pick []int32) []int32 {
	checkColumns(x, y)
	for _, t := range pick {
		if t < 0 || int(t) >= len(y) {
			panic(badRow)
		}
	}
	if pick == nil {
		pick = make([]int32, len(y))
		for t := range pick {
			pick[t] = int32(t) // a chunk has at most 2³¹ rows
		}
	}
	return pick
}

func checkColumns(x [][]float64, y []float64) {
	for _, col := range x {
		if len(col) != len(y) {
			panic(badLength)
		}
	}
}

// badRow is the message of the panic for a row that is not there.
const badRow = "regress: row index out of range"

func (s *Sandwich) add(w *workspace, x [][]float64, y []float64, pick []int32) {
	if s.model.Rank == 0 {
		s.n += int64(len(pick)) // a model without columns
		return
	}
	for len(pick) > 0 {
		n := min(len(pick), tileRows)
		s.tile(w, x, y, pick[:n])
		pick = pick[n:]
	}
}

// AddByArm scatters the rows of a chunk to the second passes of per-arm models:
// row t goes to dst[arm[t]]. A row whose arm is negative, or whose entry is
// nil, is skipped. arm, y and all columns have equal length, otherwise it
// panics. It returns an error that names the row if an arm is len(dst) or more.
func AddByArm(dst []*Sandwich, arm []int32, x [][]float64, y []float64) error {
	if err := checkArms(arm, len(dst), x, y); err != nil {
		return err
	}
	rank := 0
	for _, s := range dst {
		if s != nil {
			rank = max(rank, s.model.Rank)
		}
	}
	w := newWorkspace(rank, lanes.New())
	eachArm(arm, len(dst), func(a int, rows []int32) {
		if dst[a] != nil {
			dst[a].add(w, x, y, rows)
		}
	})
	return nil
}

// eachArm hands over the rows of each arm, in order, some thousands at a time.
func eachArm(arm []int32, arms int, visit func(a int, rows []int32)) {
	rows := make([][]int32, arms)
	size := max(sortRows, armRows*arms)
	for start := 0; start < len(arm); start += size {
		sortByArm(rows, arm, start, min(start+size, len(arm)))
		for a := range rows {
			visit(a, rows[a])
		}
	}
}

// checkArms panics for columns of unequal length and returns an error for an
// arm that is not there.
func checkArms(arm []int32, arms int, x [][]float64, y []float64) error {
	if len(arm) != len(y) {
		panic(badLength)
	}
	checkColumns(x, y)
	for t, a := range arm {
		if int(a) >= arms {
			return fmt.Errorf("regress: row %d of the chunk has arm %d, but there are %d arms; declare the missing arms", t, a, arms)
		}
	}
	return nil
}

// sortByArm lists the rows from…to−1 of each arm.
func sortByArm(rows [][]int32, arm []int32, from, to int) {
	for a := range rows {
		rows[a] = rows[a][:0]
	}
	for t, a := range arm[from:to] {
		if a >= 0 {
			rows[a] = append(rows[a], int32(from+t)) //nolint:gosec // a chunk has at most 2³¹ rows
		}
	}
}

// tile adds at most tileRows rows.
func (s *Sandwich) tile(w *workspace, x [][]float64, y []float64, pick []int32) {
	s.n += int64(len(pick))
	rows := w.locate(s.model, x, y, pick)
	s.weigh(w, len(pick))
	for i := range s.model.Rank {
		w.kernel.Scale(w.column(i, rows), w.e)
	}
	w.products(s.meat, s.model.Rank, rows)
}

// locate fills in the coordinates, residuals and leverages of at most tileRows
// rows and returns their number up to a multiple of 16: they are padded with
// centers and residuals of 0, which add nothing. Without responses (nil) the
// residuals say nothing.
func (w *workspace) locate(m *Model, x [][]float64, y []float64, pick []int32) (rows int) {
	d := m.design
	rows, first := (len(pick)+15)&^15, d.rank()-len(d.kept)
	if y == nil {
		clear(w.e[:rows])
	} else {
		w.gather(w.e[:rows], y, pick, d.yShift, d.yOffset)
		for i := range w.e[:rows] {
			w.e[i] -= d.yOffset
		}
	}
	clear(w.h[:rows])
	if first == 1 {
		constant := w.column(0, rows)
		for i := range constant {
			constant[i] = 1 / math.Sqrt(d.n)
			w.h[i] = 1 / d.n
		}
	}
	slopes := m.Estimates[first:]
	for k, j := range d.kept {
		v := w.column(first+k, rows)
		w.gather(v, x[j], pick, d.shift[k], d.offset[k])
		row := d.lower[k]
		w.by = [4]float64{d.offset[k], slopes[k], 1 / d.scale[k], 1 / row[k]}
		w.kernel.Solve(v, w.v[first*stride:], stride, row[:k], &w.by, w.eh)
	}
	return rows
}

// gather copies the picked rows less the shift, and pads them.
func (w *workspace) gather(dst, col []float64, pick []int32, shift, pad float64) {
	n := len(pick)
	w.kernel.Gather(dst, col, pick, shift, dst, &w.lane)
	for i := n &^ 3; i < n; i++ {
		dst[i] = col[pick[i]] - shift
	}
	for i := n; i < len(dst); i++ {
		dst[i] = pad
	}
}

// weigh turns each residual into √f(h)·e, and voids rows of leverage 1.
func (s *Sandwich) weigh(w *workspace, n int) {
	for i, h := range w.h[:n] {
		s.leverage = max(s.leverage, h)
		if s.kind == HC0 || s.kind == HC1 {
			continue
		}
		rest := 1 - h
		switch {
		case rest <= fullLeverage:
			s.mark(w, i)
			w.e[i] = 0
		case s.kind == HC2:
			w.e[i] /= math.Sqrt(rest)
		default:
			w.e[i] /= rest
		}
	}
}

// mark notes which coefficients row i of the tile touches.
func (s *Sandwich) mark(w *workspace, i int) {
	s.full++
	r, b := s.model.Rank, s.model.basis
	for j := range r {
		weight, length := 0.0, 0.0
		for q := range r {
			weight += float64(b[j*r+q] * w.v[q*stride+i])
			length += float64(b[j*r+q] * b[j*r+q])
		}
		if math.Abs(weight) > touched*math.Sqrt(length) {
			s.spoilt[j] = true
		}
	}
}

// products adds the products of r columns of rows coordinates, a multiple of 4,
// to a lower triangle, three columns at a time against three others.
func (w *workspace) products(meat []float64, r, rows int) {
	quads := rows / 4
	for g := 0; g < r; g += 3 {
		size, cols := min(3, r-g), w.v[g*stride:]
		w.kernel.Square[size-1](cols, stride, quads, &w.zero, w.e, &w.sums)
		for i := range size {
			add(triangle(meat, g+i)[g:], w.sums[i*(i+1)/2:][:i+1])
		}
		for f := 0; f < g; f += 3 {
			w.kernel.Cross[size-1](cols, w.v[f*stride:], stride, quads, w.e, &w.sums)
			for i := range size {
				add(triangle(meat, g+i)[f:], w.sums[3*i:][:3])
			}
		}
	}
}

// triangle is row i of a lower triangle.
func triangle(meat []float64, i int) []float64 { return meat[i*(i+1)/2:][:i+1] }

func add(dst, v []float64) {
	for i, u := range v {
		dst[i] += u
	}
}
