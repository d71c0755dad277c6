package regress

import (
	"math"

	"banditaudit/analyze/moments/lanes"
)

// AddBlock adds rows given by columns: x[j][t] is covariate j of row t, tau[t]
// the bound on the shift of its expected response, pick the rows that count (nil
// for all). It panics if the columns differ in length or a row is not there.
func (s *Influence) AddBlock(x [][]float64, tau []float64, pick []int32) {
	s.add(newWorkspace(s.model.Rank, lanes.New()), x, tau, picked(x, tau, pick))
}

// AddInfluenceByArm scatters the rows of a chunk to the passes of per-arm
// models: row t goes to dst[arm[t]]. A row whose arm is negative, or whose entry
// is nil, is skipped. arm, tau and all columns have equal length, otherwise it
// panics. It returns an error that names the row if an arm is len(dst) or more.
func AddInfluenceByArm(dst []*Influence, arm []int32, x [][]float64, tau []float64) error {
	if err := checkArms(arm, len(dst), x, tau); err != nil {
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
			dst[a].add(w, x, tau, rows)
		}
	})
	return nil
}

func (s *Influence) add(w *workspace, x [][]float64, tau []float64, pick []int32) {
	if w.line == nil {
		w.line, w.spare = make([]float64, tileRows), make([]float64, 2*stride)
	}
	for len(pick) > 0 {
		n := min(len(pick), tileRows)
		s.tile(w, x, tau, pick[:n])
		pick = pick[n:]
	}
}

// tile adds at most tileRows rows.
func (s *Influence) tile(w *workspace, x [][]float64, tau []float64, pick []int32) {
	s.n += int64(len(pick))
	s.contexts.add(s.model.design.kept, x, tau, pick)
	rows := w.locate(s.model, x, nil, pick)
	for i, t := range pick {
		s.leverage = max(s.leverage, w.h[i])
		v := tau[t]
		if !(v >= 0 && v <= 1) {
			s.outside++
		}
		w.e[i] = v // there are no residuals
		s.squares += float64(v * v)
	}
	r := s.model.Rank
	for j := range r {
		s.weights[j] += absolute(w.combine(w.v, s.model.basis[j*r:][:r], rows), w.e[:len(pick)])
	}
}

// combine returns −Σ_q row[q]·cols_q of rows rows. It is good until the next
// call.
func (w *workspace) combine(cols, row []float64, rows int) []float64 {
	line := w.line[:rows]
	clear(line)
	w.by = [4]float64{0, 0, 0, 1}
	w.kernel.Solve(line, cols, stride, row, &w.by, w.spare)
	return line
}

// absolute returns Σ_t |v_t|·tau_t over the rows of tau.
func absolute(v, tau []float64) float64 {
	v = v[:len(tau)]
	var sum [4]float64
	for ; len(tau) >= 4; v, tau = v[4:], tau[4:] {
		sum[0] += float64(math.Abs(v[0]) * tau[0])
		sum[1] += float64(math.Abs(v[1]) * tau[1])
		sum[2] += float64(math.Abs(v[2]) * tau[2])
		sum[3] += float64(math.Abs(v[3]) * tau[3])
	}
	for i, u := range tau {
		sum[i] += float64(math.Abs(v[i]) * u)
	}
	return (sum[0] + sum[1]) + (sum[2] + sum[3])
}
