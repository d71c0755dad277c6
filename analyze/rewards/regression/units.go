package regression

import (
	"context"
	"math"
	"slices"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/ingest/tableau"
)

// unitRun is a run of rows in order of unit, with a bound on the shift of each
// of their rewards; nil where none is asked for.
type unitRun struct {
	unit, row []int64
	tau       []float64
}

// passByUnit goes through the rows in order of unit, which is also the order of clusters.
// Workers gather the rows of some runs at a time, so that memory does not grow with the
// rows.
func (f *Fits) passByUnit(ctx context.Context, r *Regression, p *passes) error {
	g := newGatherer(f.facts.Log, r)
	w := publiclog.NewWave(f.facts.Slice, f.facts.Jobs, func(in unitRun) (*passes, error) {
		part, err := p.part()
		for from, n := 0, len(in.row); err == nil && from < n; from += g.most {
			err = part.add(g.gather(in, from, min(n, from+g.most)))
		}
		return part, err
	}, p.merge)
	costs := f.costs.Units
	return f.facts.Slice.Guard(func() error {
		g.open()
		for c := range f.facts.Slice.Units() {
			in := unitRun{unit: slices.Clone(c.Unit), row: slices.Clone(c.Row)}
			if p.influence != nil && !f.costs.Unmoved {
				var err error
				if in.tau, err = shifts(ctx, costs, in.unit); err != nil {
					return err
				}
			}
			if err := w.Push(ctx, in); err != nil {
				return err
			}
		}
		return w.Flush(ctx)
	})
}

// gatherer copies rows from wherever they are in the log. It keeps some words
// for each column of each chunk.
type gatherer struct {
	*publiclog.Log
	r      *Regression
	most   int // rows at a time: as many as a chunk has, 16 MiB of columns
	chunks []tableau.Chunk
	y      [][]float64 // by chunk
}

func newGatherer(in *publiclog.Log, r *Regression) *gatherer {
	schema := in.Slice.Schema()
	return &gatherer{Log: in, r: r, most: schema.BatchRows()}
}

// open looks up where the columns of the chunks are.
func (g *gatherer) open() {
	for i := range g.Slice.Chunks() {
		g.chunks = append(g.chunks, g.Slice.Chunk(i))
		g.y = append(g.y, g.r.rewards.Chunk(i))
	}
}

// gather copies rows from…to−1 of a run. One whose reward is missing does not
// count.
func (g *gatherer) gather(in unitRun, from, to int) *passRows {
	n, width := to-from, g.Slice.Schema().ContextByArm
	out := &passRows{arm: make([]int32, n), y: make([]float64, n), cluster: in.unit[from:to], x: make([][]float64, len(g.r.columns))}
	if in.tau != nil {
		out.tau = in.tau[from:to]
	}
	for j := range out.x {
		out.x[j] = make([]float64, n)
	}
	for t, row := range in.row[from:to] {
		chunk, at := g.Slice.Locate(row)
		c := &g.chunks[chunk]
		out.arm[t], out.y[t] = c.Arm[at], g.y[chunk][at]
		if math.IsNaN(out.y[t]) {
			out.arm[t] = -1
			continue
		}
		for j, column := range g.r.columns {
			if width > 0 {
				out.x[j][t] = c.ContextByArm[(at*g.K()+int(c.Arm[at]))*width+column]
			} else {
				out.x[j][t] = c.X[column][at]
			}
		}
	}
	return out
}
