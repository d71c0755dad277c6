package diagnose

import (
	"slices"

	"banditaudit/analyze/stat/dense"
)

const (
	fewRows     = 128   // to which a value is fitted
	earlyRounds = 2_000 // after the first mismatch, from which they are
	mostSteps   = 25
	nudge       = 1e-5 // of a coordinate, for a derivative
)

// leastSquares fits the coordinates of a value to the logged propensities of the
// played arms by the method of Levenberg and Marquardt (Marquardt 1963), from the
// best of the declared value and the grid. One pass over the log hears a point and
// its neighbours. It returns nil where there is nothing to fit.
func (f *fitting) leastSquares() ([]float64, error) {
	rows := f.early()
	best, err := f.nearest(rows)
	if err != nil || best == nil {
		return nil, err
	}
	damping := 1e-3
	at, err := f.look(rows, best.x)
	if err != nil || at == nil {
		return nil, err
	}
	for range mostSteps {
		next, err := f.look(rows, at.step(damping))
		switch {
		case err != nil:
			return nil, err
		case next == nil || !(next.sum < at.sum):
			damping *= 10
		default:
			small := at.sum-next.sum <= 1e-12*at.sum
			at, damping = next, damping/10
			if small {
				return at.x, nil
			}
		}
		if damping > 1e8 {
			break
		}
	}
	return at.x, nil
}

// early returns the rows to fit to: the rows of the sample that come soon after the first
// mismatch, where it weighs most.
func (f *fitting) early() []int64 {
	var rows []int64
	for _, row := range f.replay.Rows {
		if row <= f.replay.First+earlyRounds {
			rows = append(rows, row)
		}
	}
	step := (len(rows) + fewRows - 1) / fewRows
	var out []int64
	for i := 0; i < len(rows); i += max(1, step) {
		out = append(out, rows[i])
	}
	return out
}

// point is what least squares know of some coordinates.
type point struct {
	x     []float64
	sum   float64     // of squares of apart
	apart []float64   // logged less recomputed
	slope [][]float64 // of apart, by coordinate and row; nil where it was not asked for
}

// step returns where the linear model has its least sum of squares, held back by
// damping.
func (p *point) step(damping float64) []float64 {
	n := len(p.x)
	square, right := make([]float64, n*n), make([]float64, n)
	for i, of := range p.slope {
		for j, other := range p.slope {
			for row, v := range of {
				square[i*n+j] += float64(v * other[row])
			}
		}
		square[i*n+i] = float64(square[i*n+i]*(1+damping)) + 1e-30
		for row, v := range of {
			right[i] += float64(v * p.apart[row])
		}
	}
	x := slices.Clone(p.x)
	if !dense.Solve(square, right, n) {
		return x // too ill conditioned; more damping helps
	}
	for i, by := range right {
		x[i] -= max(-2, min(2, by))
	}
	return x
}

// nearest returns the best of the grid and the declared value.
func (f *fitting) nearest(rows []int64) (*point, error) {
	xs := [][]float64{f.Numbers(f.declared)}
	for _, p := range f.Grid(f.declared) {
		xs = append(xs, f.Numbers(p))
	}
	heard, err := f.hear(rows, xs)
	if err != nil {
		return nil, err
	}
	var best *point
	for _, p := range heard {
		if p != nil && (best == nil || p.sum < best.sum) {
			best = p
		}
	}
	return best, nil
}

// look hears a point and its neighbours; nil where one of them is no value.
func (f *fitting) look(rows []int64, x []float64) (*point, error) {
	xs := [][]float64{x}
	for i := range x {
		y := slices.Clone(x)
		y[i] += nudge
		xs = append(xs, y)
	}
	heard, err := f.hear(rows, xs)
	if err != nil || slices.Contains(heard, nil) {
		return nil, err
	}
	p := heard[0]
	for i := range x {
		p.slope = append(p.slope, heard[1+i].apart)
		for row, v := range p.apart {
			p.slope[i][row] = (p.slope[i][row] - v) / nudge
		}
	}
	return p, nil
}

// hear returns what some values leave of the logged propensities; nil for what no
// policy has.
func (f *fitting) hear(rows []int64, xs [][]float64) ([]*point, error) {
	out, runs := make([]*point, len(xs)), []*Run{f.replay.own()}
	for i, x := range xs {
		m := f.mechanism(f.Of(x))
		if m == nil {
			continue
		}
		p := &point{x: x}
		out[i], runs = p, append(runs, &Run{Runner: f.replay.Start(m), take: func(o *Row, want []float64) {
			p.apart = append(p.apart, o.P-want[o.Arm])
		}})
	}
	if _, err := f.replay.Pass(&Pass{Rows: rows, Runs: runs}); err != nil {
		return nil, err
	}
	for i, p := range out {
		if p == nil || len(p.apart) != len(rows) {
			out[i] = nil
			continue
		}
		for _, v := range p.apart {
			p.sum += float64(v * v)
		}
	}
	return out, nil
}
