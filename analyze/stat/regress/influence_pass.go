package regress

import (
	"math"

	"banditaudit/analyze/stat/moments/simd"
)

// AddBlock adds rows to the pass of a plain model, given by columns: x[j][t] is
// covariate j of row t, tau[t] the bound on the shift of its expected response,
// pick the rows that count (nil for all). It panics if the columns differ in
// length, a row is not there, or the model is pooled.
func (s *Influence) AddBlock(x [][]float64, tau []float64, pick []int32) {
	if s.model.layout != nil {
		panic(badModel)
	}
	s.add(newWorkspace(s.model.coordinates(), simd.New()), x, tau, picked(x, tau, pick))
}

// AddPooled adds the rows of a chunk to the pass of a pooled model. A row whose
// arm is negative, or has no part in the model, is skipped; a tau of nil is 0 for
// all rows. It panics if the columns differ in length or the model is not pooled. It
// returns an error that names the row if an arm is none of the model's labels.
func (s *Influence) AddPooled(arm []int32, x [][]float64, tau []float64) error {
	if s.model.layout == nil {
		panic(badModel)
	}
	rows := &chunkOf{x, tau}
	if err := checkArms(arm, len(s.model.frames), x, rows.count(arm)); err != nil {
		return err
	}
	newBatch(s.model.frames, arm).each(x, nil, func(w *workspace, a int, pick []int32) { s.tile(w, a, rows, pick) })
	return nil
}

// AddBothByArm is [AddByArm] and [AddInfluenceByArm] in one turn over the rows, with the
// same results: both passes are over the same models. tau may be nil: no row is shifted.
func AddBothByArm(errors []*Sandwich, biases []*Influence, arm []int32, x [][]float64, y, tau []float64) error {
	frames := make([]*frame, len(biases))
	for a, s := range biases {
		if s != nil {
			frames[a] = s.model.only()
		}
	}
	if err := checkArms(arm, len(frames), x, len(y)); err != nil {
		return err
	}
	rows := &chunkOf{x, tau}
	newBatch(frames, arm).each(x, y, func(w *workspace, a int, pick []int32) {
		biases[a].tile(w, 0, rows, pick)
		errors[a].tile(w, 0, len(pick)) // which makes other numbers of the coordinates
	})
	return nil
}

// AddInfluenceByArm scatters the rows of a chunk to the passes of per-arm
// models: row t goes to dst[arm[t]]. A row whose arm is negative, or whose entry
// is nil, is skipped. arm, tau and all columns have equal length and no model is
// pooled, otherwise it panics; a tau of nil is 0 for all rows. It returns an error
// that names the row if an arm is len(dst) or more.
func AddInfluenceByArm(dst []*Influence, arm []int32, x [][]float64, tau []float64) error {
	frames := make([]*frame, len(dst))
	for a, s := range dst {
		if s != nil {
			frames[a] = s.model.only()
		}
	}
	rows := &chunkOf{x, tau}
	if err := checkArms(arm, len(dst), x, rows.count(arm)); err != nil {
		return err
	}
	newBatch(frames, arm).each(x, nil, func(w *workspace, a int, pick []int32) { dst[a].tile(w, 0, rows, pick) })
	return nil
}

func (s *Influence) add(w *workspace, x [][]float64, tau []float64, pick []int32) {
	rows := &chunkOf{x, tau}
	for len(pick) > 0 {
		n := min(len(pick), tileRows)
		w.locate(s.model.frames[0], x, nil, pick[:n])
		s.tile(w, 0, rows, pick[:n])
		pick = pick[n:]
	}
}

// tile adds at most tileRows rows of one frame, which were located.
func (s *Influence) tile(w *workspace, frame int, rows *chunkOf, pick []int32) {
	f := s.model.frames[frame]
	s.n += int64(len(pick))
	s.contexts.add(frame, f.kept, rows, pick)
	s.leverage = max(s.leverage, s.trace.take(w.h[:len(pick)]))
	if rows.tau == nil {
		return // all that is added is 0
	}
	w.combines()
	for i, t := range pick {
		v := rows.tau[t]
		if !(v >= 0 && v <= 1) {
			s.outside++
		}
		w.tau[i] = v
		s.squares += float64(v * v)
	}
	if size := f.size(); size > 0 {
		for j := range s.model.Rank {
			s.weights[j] += absolute(w.combine(w.v, f.basis[j*size:][:size], padded(len(pick))), w.tau[:len(pick)])
		}
	}
}

// combines makes room for combine.
func (w *workspace) combines() {
	if w.line == nil {
		w.line, w.tau, w.spare = make([]float64, tileRows), make([]float64, tileRows), make([]float64, 2*w.stride)
	}
}

// combine returns −Σ_q row[q]·cols_q of rows rows, cols a stride apart. It is good until the next
// call.
func (w *workspace) combine(cols, row []float64, rows int) []float64 {
	line := w.line[:rows]
	clear(line)
	w.by = [4]float64{0, 0, 0, 1}
	w.kernel.Solve(line, cols, w.stride, row, &w.by, w.spare)
	return line
}

// absolute returns Σ_t |v_t|·tau_t over the rows of tau. It runs for every pair
// of contexts on memory of one goroutine, where the race detector would see
// nothing, and its checks take far longer than the sum.
//
//go:norace
//go:nocheckptr
func absolute(v, tau []float64) float64 {
	v = v[:len(tau)]
	var a, b, c, d float64
	for ; len(tau) >= 4 && len(v) >= 4; v, tau = v[4:], tau[4:] {
		a += float64(math.Abs(v[0]) * tau[0])
		b += float64(math.Abs(v[1]) * tau[1])
		c += float64(math.Abs(v[2]) * tau[2])
		d += float64(math.Abs(v[3]) * tau[3])
	}
	for i, u := range tau {
		a += float64(math.Abs(v[i]) * u)
	}
	return (a + b) + (c + d)
}
