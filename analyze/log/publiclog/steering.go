package publiclog

import (
	"context"
	"fmt"
	"math"
	"slices"

	"banditaudit/analyze/stat/drift"
	"banditaudit/analyze/stat/subgroups"
	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// steeringLevel is that at which arms are found to follow a context, over all arms and
// contexts. What is found changes no verdict: means as played then rank no arm.
const steeringLevel = 0.001

// Steering says that arms follow a declared context: a policy that sees the contexts of a
// round is declared, or how often arms were played shows it. It reads no reward. nil: there
// are no contexts, or nothing says so.
func (f *Facts) Steering(ctx context.Context) (*schemas.Steering, error) {
	if ContextDim(f.Slice) == 0 {
		return nil, nil //nolint:nilnil // there is nothing to say, and no fault
	}
	if m := f.Mechanism; m != nil && m.Linear() {
		return &schemas.Steering{Policy: true}, nil
	}
	looks := f.steeringLooks()
	err := EachChunk(ctx, f.Slice, func(_ int, c *tableau.Chunk) error {
		for _, l := range looks {
			l.add(c)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return f.steered(looks), nil
}

// steered is the arm that follows a context most; nil where none is found to.
func (f *Facts) steered(looks []*steeringLook) *schemas.Steering {
	n, most, out := 0, 0.0, &schemas.Steering{}
	for _, l := range looks {
		for i := range l.arms {
			n++
			if z := l.arms[i].Z(); math.Abs(z) > math.Abs(most) {
				most, out.Context, out.Label = z, l.side.Name, f.Manifest.Arms[l.first+i]
			}
		}
	}
	limit := drift.Bonferroni(steeringLevel, n)
	if !(math.Abs(most) > limit) {
		return nil
	}
	out.Statistic, out.Threshold = schemas.Finite(most), schemas.Finite(limit)
	return out
}

// steeringLook holds arms, from the first of them on, against a side of a context.
type steeringLook struct {
	side   ContextSide
	first  int
	arms   []drift.Steering
	column func(c *tableau.Chunk) [][]float64
	cells  []uint8
}

// steeringLooks are all arms against each context, or each arm against its own.
func (f *Facts) steeringLooks() []*steeringLook {
	var out []*steeringLook
	w, k := f.Slice.Schema().ContextByArm, f.K()
	if w == 0 {
		for _, side := range f.ContextSides() {
			out = append(out, &steeringLook{side: side, arms: f.steerings(k), column: func(c *tableau.Chunk) [][]float64 { return c.X }})
		}
		return out
	}
	for at := range min(w*k, maxContexts) {
		name := fmt.Sprintf("%s[%d]", schemas.Named(f.Protocol.Log.ContextByArm), at%w)
		x := [][]float64{nil}
		out = append(out, &steeringLook{
			side: ContextSide{name, []int{0}, &subgroups.Eighths{}}, first: at / w, arms: f.steerings(1),
			column: func(c *tableau.Chunk) [][]float64 {
				x[0] = x[0][:0]
				for t := range c.Arm {
					x[0] = append(x[0], c.ContextByArm[(t*k+at/w)*w+at%w])
				}
				return x
			},
		})
	}
	return out
}

// steerings begins one steering for each of the arms.
func (f *Facts) steerings(arms int) []drift.Steering {
	return slices.Repeat([]drift.Steering{{Block: drift.SteeringBlock(f.Slice.Rows())}}, arms)
}

// add takes up the rounds of a chunk.
func (l *steeringLook) add(c *tableau.Chunk) {
	l.cells = l.side.Cells(l.cells[:0], l.column(c))
	for t, cell := range l.cells {
		if cell == subgroups.NoCell {
			continue
		}
		for i := range l.arms {
			l.arms[i].Add(cell == 1, int(c.Arm[t]) == l.first+i)
		}
	}
}
