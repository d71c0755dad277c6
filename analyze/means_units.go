package analyze

import (
	"context"
	"math"

	"banditaudit/analyze/moments"
	"banditaudit/ingest/tableau"
)

// unitSums are sums over units, on which the errors of means and of their
// differences rest where a unit owns several rows. Only rows whose reward is
// known count.
type unitSums struct {
	arms  []moments.Units
	tanh  []float64  // by arm: Σ over its rows of tanh(C/4), C the cost of all rows of the unit in nats; NaN where there is no ledger
	pairs []unitPair // of the declared differences
}

// unitPair is a declared difference. Units may have rows of both arms, so that
// the two means are not independent.
type unitPair struct {
	arm, against int
	sums         moments.UnitPair
}

// readUnitSums walks the rows by unit where a unit owns several; nil elsewhere,
// or where the tableau's units are not at hand. It needs the means, and reads
// the rewards under the purpose of the means.
func (a *analysis) readUnitSums(ctx context.Context, rewards *tableau.Rewards) (*unitSums, error) {
	if !a.repeated() || !a.Slice.HasUnits() {
		return nil, nil //nolint:nilnil // rows are their own units
	}
	w := &sumWalk{out: a.newUnitSums(), of: make([]unitOfArm, a.k()), unit: -1}
	y := make([][]float64, a.Slice.Chunks())
	for i := range y {
		y[i] = rewards.Chunk(i)
	}
	costs := &blockCosts{analysis: a, kind: unitBlocks}
	err := a.unitRows(ctx, func(view *chunkView, r unitRow) error {
		if r.unit != w.unit {
			w.endUnit()
			var err error
			w.unit, w.rows = r.unit, 0
			if w.cost, err = costs.of(ctx, r.unit); err != nil {
				return err
			}
		}
		w.rows++
		w.see(view.arm[r.at], y[r.chunk][r.at])
		return nil
	}, func() error {
		w.endUnit()
		return nil
	})
	return w.out, err
}

func (a *analysis) newUnitSums() *unitSums {
	out := &unitSums{arms: make([]moments.Units, a.k()), tanh: make([]float64, a.k())}
	for arm := range out.arms {
		out.arms[arm].Shift = a.sums.scalar[arm].Mean
	}
	h := a.history()
	for _, spec := range a.Protocol.Analysis.Tests {
		if len(spec.Difference) == 0 {
			continue
		}
		p := unitPair{arm: h.labelled(spec.Difference[0]), against: h.labelled(spec.Difference[1])}
		p.sums.A.Shift, p.sums.B.Shift = out.arms[p.arm].Shift, out.arms[p.against].Shift
		out.pairs = append(out.pairs, p)
	}
	return out
}

// pair is the sums of a declared difference.
func (s *unitSums) pair(arm, against int) moments.UnitPair {
	for i := range s.pairs {
		if p := &s.pairs[i]; p.arm == arm && p.against == against {
			return p.sums
		}
	}
	return moments.UnitPair{}
}

// unitOfArm is what one unit has of one arm: its rows, and what their rewards
// sum to above the arm's mean.
type unitOfArm struct {
	rows int64
	sum  float64
}

// sumWalk goes through the rows in order of unit, then row.
type sumWalk struct {
	out     *unitSums
	unit    int64
	rows    int64       // of the unit, of whatever arm
	cost    float64     // of all of them
	of      []unitOfArm // of the unit at hand
	touched []int32     // arms that it has known rewards of, in the order met
}

// see takes up a row; y is NaN where its reward is missing.
func (w *sumWalk) see(arm int32, y float64) {
	if math.IsNaN(y) {
		return
	}
	u := &w.of[arm]
	if u.rows == 0 {
		w.touched = append(w.touched, arm)
	}
	u.rows++
	u.sum += y - w.out.arms[arm].Shift
}

// endUnit adds the unit at hand to the sums.
func (w *sumWalk) endUnit() {
	if len(w.touched) == 0 {
		return
	}
	shift := math.Tanh(w.cost * (1 + float64(float64(w.rows)*0x1p-52)) / 4) // the costs were added one by one
	for i := range w.out.pairs {
		p := &w.out.pairs[i]
		x, y := w.of[p.arm], w.of[p.against]
		p.sums.Add(x.rows, x.sum, y.rows, y.sum)
	}
	for _, arm := range w.touched {
		w.out.arms[arm].Add(w.of[arm].rows, w.of[arm].sum)
		w.out.tanh[arm] += float64(float64(w.of[arm].rows) * shift)
		w.of[arm] = unitOfArm{}
	}
	w.touched = w.touched[:0]
}
