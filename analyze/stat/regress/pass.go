package regress

import (
	"fmt"
	"math"

	"banditaudit/analyze/stat/moments/simd"
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
	kernel simd.Kernel
	stride int       // distance of two columns
	v      []float64 // coordinates in the orthonormal basis
	eh     []float64 // residuals, and leverages a stride on
	e, h   []float64
	by     [4]float64
	zero   [3]float64
	lane   [4]float64
	sums   [9]float64
	starts []int      // of the clusters among the rows
	ids    []int64    // of these clusters
	byArm  [][]int32  // the rows of a tile by arm
	whole  *workspace // coordinates in the basis of the whole design
	line   []float64  // a linear combination of columns
	tau    []float64  // bounds on the shifts of the rows
	spare  []float64  // what Solve writes that nobody reads
}

func newWorkspace(size int, k simd.Kernel) *workspace {
	w := &workspace{kernel: k, stride: stride}
	w.view(make([]float64, size*stride), make([]float64, 2*stride))
	return w
}

// view makes v and eh the columns of the tile.
func (w *workspace) view(v, eh []float64) {
	w.v, w.eh, w.e, w.h = v, eh, eh[:tileRows], eh[w.stride:][:tileRows]
}

// column is coordinate i of the first n rows.
func (w *workspace) column(i, n int) []float64 { return w.v[i*w.stride:][:n] }

// badModel is the message of the panic for rows given as another kind of model
// needs them.
const badModel = "regress: a pooled model takes rows with their arms by AddPooled, a plain one without by AddBlock"

// AddBlock adds rows to the second pass of a plain model, given by columns as
// [moments.Cross.AddBlock] takes them: x[j][t] is covariate j of row t, y[t] the
// response, pick the rows that count (nil for all). It panics if the columns
// differ in length, a row is not there, or the model is pooled.
func (s *Sandwich) AddBlock(x [][]float64, y []float64, pick []int32) {
	if s.model.layout != nil {
		panic(badModel)
	}
	s.add(newWorkspace(s.model.coordinates(), simd.New()), 0, x, y, picked(x, y, pick))
}

// picked returns the rows that count and panics for those that are not there.
func picked(x [][]float64, y []float64, pick []int32) []int32 {
	checkColumns(x, len(y))
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

func checkColumns(x [][]float64, rows int) {
	for _, col := range x {
		if len(col) != rows {
			panic(badLength)
		}
	}
}

// badRow is the message of the panic for a row that is not there.
const badRow = "regress: row index out of range"

// coordinates is the most that a frame of the model has.
func (m *Model) coordinates() int {
	most := 0
	for _, f := range m.frames {
		if f != nil {
			most = max(most, f.size())
		}
	}
	return most
}

// add adds rows of one frame.
func (s *Sandwich) add(w *workspace, frame int, x [][]float64, y []float64, pick []int32) {
	for len(pick) > 0 {
		n := min(len(pick), tileRows)
		w.locate(s.model.frames[frame], x, y, pick[:n])
		s.tile(w, frame, n)
		pick = pick[n:]
	}
}

// only is the frame of a plain model; a pooled one makes it panic.
func (m *Model) only() *frame {
	if m.layout != nil {
		panic(badModel)
	}
	return m.frames[0]
}

// AddByArm scatters the rows of a chunk to the second passes of per-arm models:
// row t goes to dst[arm[t]]. A row whose arm is negative, or whose entry is
// nil, is skipped. arm, y and all columns have equal length, otherwise it
// panics. It returns an error that names the row if an arm is len(dst) or more.
func AddByArm(dst []*Sandwich, arm []int32, x [][]float64, y []float64) error {
	frames := make([]*frame, len(dst))
	for a, s := range dst {
		if s != nil {
			frames[a] = s.model.only()
		}
	}
	if err := checkArms(arm, len(dst), x, len(y)); err != nil {
		return err
	}
	newBatch(frames, arm).each(x, y, func(w *workspace, a int, pick []int32) { dst[a].tile(w, 0, len(pick)) })
	return nil
}

// AddPooled adds the rows of a chunk to the second pass of a pooled model, given
// as AddByArm takes them. A row whose arm is negative, or has no part in the
// model, is skipped. It panics for a model that is not pooled. It returns an
// error that names the row if an arm is none of the model's labels.
func (s *Sandwich) AddPooled(arm []int32, x [][]float64, y []float64) error {
	if s.model.layout == nil {
		panic(badModel)
	}
	if err := checkArms(arm, len(s.model.frames), x, len(y)); err != nil {
		return err
	}
	newBatch(s.model.frames, arm).each(x, y, func(w *workspace, a int, pick []int32) { s.tile(w, a, len(pick)) })
	return nil
}

// eachArm hands over the rows of each arm, in order, some thousands at a time.
func eachArm(arm []int32, arms int, visit func(a int, rows []int32)) {
	rows := make([][]int32, arms)
	size := max(sortRows, armRows*arms)
	for start := 0; start < len(arm); start += size {
		sortByArm(rows, arm, start, min(start+size, len(arm)))
		for a := range rows {
			if len(rows[a]) > 0 {
				visit(a, rows[a])
			}
		}
	}
}

// checkArms panics for columns of unequal length and returns an error for an
// arm that is not there.
func checkArms(arm []int32, arms int, x [][]float64, rows int) error {
	if len(arm) != rows {
		panic(badLength)
	}
	checkColumns(x, rows)
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

// tile adds at most tileRows rows of one frame, which were located.
func (s *Sandwich) tile(w *workspace, frame, n int) {
	f, rows := s.model.frames[frame], padded(n)
	s.n += int64(n)
	s.weigh(w, frame, n)
	if s.kind == Classical {
		return
	}
	for i := range f.size() {
		w.kernel.Scale(w.column(i, rows), w.e)
	}
	w.products(s.meats[frame], f.size(), rows)
}

// padded is a number of rows with the padding: kernels take 16 at a time.
func padded(n int) int { return (n + 15) &^ 15 }

// locate fills in the coordinates, residuals and leverages of at most tileRows
// rows of a frame. They are padded with centers and residuals of 0, which add
// nothing. Without responses (nil) the residuals say nothing.
func (w *workspace) locate(f *frame, x [][]float64, y []float64, pick []int32) {
	rows, first := padded(len(pick)), f.first()
	if y != nil {
		w.gather(w.e[:rows], y, pick, f.yShift, f.yOffset, w.e)
	}
	for k, j := range f.kept {
		v := w.column(first+k, rows)
		w.gather(v, x[j], pick, f.shift[k], f.offset[k], v)
	}
	w.solve(f, rows, y != nil)
}

// solve turns gathered rows, the padding among them, into coordinates, residuals
// and leverages.
func (w *workspace) solve(f *frame, rows int, responses bool) {
	first, e, h := f.first(), w.e[:rows], w.h[:rows]
	if !responses {
		clear(e)
	} else if f.yOffset != 0 {
		for i := range e {
			e[i] -= f.yOffset
		}
	}
	if first == 1 {
		fill(w.column(0, rows), f.constant)
	}
	fill(h, f.constant*f.constant)
	for k := range f.kept {
		row := f.lower[k]
		w.by = [4]float64{f.offset[k], f.slopes[k], 1 / f.scale[k], 1 / row[k]}
		w.kernel.Solve(w.column(first+k, rows), w.v[first*w.stride:], w.stride, row[:k], &w.by, w.eh)
	}
}

// fill doubles what is filled each time: copying is faster than a loop.
func fill(dst []float64, v float64) {
	if len(dst) == 0 {
		return
	}
	dst[0] = v
	for n := 1; n < len(dst); n *= 2 {
		copy(dst[n:], dst[:n])
	}
}

// gather copies the picked rows less the shift, and pads them. Meanwhile ahead is
// brought into the cache.
func (w *workspace) gather(dst, col []float64, pick []int32, shift, pad float64, ahead []float64) {
	n := len(pick)
	w.kernel.Gather(dst, col, pick, shift, ahead, &w.lane)
	for i := n &^ 3; i < n; i++ {
		dst[i] = col[pick[i]] - shift
	}
	for i := n; i < len(dst); i++ {
		dst[i] = pad
	}
}

// weigh turns each residual into √f(h)·e, and voids rows of leverage 1.
func (s *Sandwich) weigh(w *workspace, frame, n int) {
	h, e := w.h[:n], w.e[:n]
	most := s.trace.take(h)
	s.leverage = max(s.leverage, most)
	if most > examined {
		s.support.rows(w, frame, n, true)
	}
	if s.kind == Classical {
		return
	}
	s.support.residuals(w, frame, n)
	if s.kind != HC2 && s.kind != HC3 {
		return
	}
	for i, v := range h {
		rest := 1 - v
		switch {
		case rest <= fullLeverage:
			e[i] = 0
		case s.kind == HC2:
			e[i] /= math.Sqrt(rest)
		default:
			e[i] /= rest
		}
	}
}

// products adds the products of r columns of rows coordinates, a multiple of 4,
// to a lower triangle, three columns at a time against three others.
func (w *workspace) products(meat []float64, r, rows int) {
	quads := rows / 4
	for g := 0; g < r; g += 3 {
		size, cols := min(3, r-g), w.v[g*w.stride:]
		w.kernel.Square[size-1](cols, w.stride, quads, &w.zero, w.e, &w.sums)
		for i := range size {
			add(triangle(meat, g+i)[g:], w.sums[i*(i+1)/2:][:i+1])
		}
		for f := 0; f < g; f += 3 {
			w.kernel.Cross[size-1](cols, w.v[f*w.stride:], w.stride, quads, w.e, &w.sums)
			for i := range size {
				add(triangle(meat, g+i)[f:], w.sums[3*i:][:3])
			}
		}
	}
}

// triangle is row i of a lower triangle.
func triangle(v []float64, i int) []float64 { return v[i*(i+1)/2:][:i+1] }

func add(dst, v []float64) {
	for i, u := range v {
		dst[i] += u
	}
}
