package publiclog

import (
	"context"
	"fmt"
	"math"
	"slices"

	"banditaudit/ingest/precision"
	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// UnlikeWithinBatches says why the arms had other chances in one round of a batch than
// in another; "" where nothing that is logged shows that. It reads no reward. Where the
// rewards of a batch are to be held, one that is too long is ErrMemory.
func (in *Log) UnlikeWithinBatches(ctx context.Context, held bool) (string, error) {
	w := &batchWalk{Log: in, p: make([]float64, in.K()), could: make([]bool, 0, in.K())}
	var err error
	if w.ends, err = in.PropensityEnds(ctx); err != nil {
		return "", err
	}
	err = EachChunk(ctx, in.Slice, func(_ int, c *tableau.Chunk) error {
		if w.why == "" {
			w.chunk(c)
		}
		return nil
	})
	w.end()
	const bytes = 40 // of a row: what is appended to, its label, and its reward among those that change places
	if need := bytes * w.longest; err == nil && held && in.Memory > 0 && need > in.Memory/2 {
		return "", fmt.Errorf("%w: the rewards of a batch of %s take about %d MiB (method %s), and half of the %d MiB allowed may be used; raise --max-memory",
			ErrMemory, schemas.Counted(w.longest, "row"), need>>20, schemas.MethodBatchExact, in.Memory>>20)
	}
	return w.why, err
}

// batchWalk compares the public columns of each round with the columns of the first round
// of its batch.
type batchWalk struct {
	*Log

	ends          PropensityEnds
	batch         int32
	rows, longest int64
	p             []float64 // of each arm, as the batch had it first; NaN: not yet
	could         []bool    // the arms that could be played in its first round
	why           string
}

func (w *batchWalk) chunk(c *tableau.Chunk) {
	for t, b := range c.Batch {
		if b != w.batch {
			w.end()
			w.batch = b
		}
		if w.rows++; w.rows == 1 {
			w.begin(c, t)
		}
		if w.why == "" {
			w.eligible(c, t)
			w.propensities(c, t)
		}
	}
}

func (w *batchWalk) begin(c *tableau.Chunk, t int) {
	w.could = w.could[:0]
	for arm := range w.p {
		w.p[arm] = math.NaN()
		w.could = append(w.could, c.Eligible(t, arm))
	}
}

// eligible compares the arms that could be played in a round with the arms that could be
// played in the first.
func (w *batchWalk) eligible(c *tableau.Chunk, t int) {
	if !w.Slice.Schema().Eligible {
		return
	}
	for arm, could := range w.could {
		if c.Eligible(t, arm) != could {
			w.why = w.unlike("the arms that could be played are others")
			return
		}
	}
}

// propensities compares the propensities of a round with the propensities of the first.
func (w *batchWalk) propensities(c *tableau.Chunk, t int) {
	switch k := w.K(); {
	case c.PropensityByArm != nil:
		for arm, p := range c.PropensityByArm[t*k : t*k+k] {
			w.hold(arm, p, w.ends.All)
		}
	case c.Propensity != nil:
		w.hold(int(c.Arm[t]), c.Propensity[t], w.ends.Action)
	}
}

// hold compares a propensity of an arm with the arm's first propensity of the batch. Equal
// propensities are written alike, whatever their decimals.
func (w *batchWalk) hold(arm int, p float64, ends precision.Ends) {
	switch before := w.p[arm]; {
	case before != before:
		w.p[arm] = p
	case !(math.Abs(p-before) <= float64(ends.At(p)/2)+float64(2*ends.Relative*p)):
		w.why = w.unlike(fmt.Sprintf("the propensity of arm %s is %.6g and %.6g", w.Name(arm), before, p))
	}
}

// unlike says what is unlike in rounds of the batch.
func (w *batchWalk) unlike(what string) string {
	return fmt.Sprintf("%s in rounds of one batch (log.batch, number %s in the order of the log), and batches tell only where every round of a batch had the same chances; decide: assignment needs no batches", what, schemas.Grouped(int64(w.batch)+1))
}

// end ends a batch. Of two arms in all the propensities of both must add up to 1.
func (w *batchWalk) end() {
	w.longest = max(w.longest, w.rows)
	w.rows = 0
	if w.why != "" || w.Slice.Schema().PropensityByArm || !w.Slice.HasPropensity() || w.K() != 2 || !w.Manifest.Declared || slices.Contains(w.could, false) {
		return
	}
	ends, room := w.ends.Action, 0.0
	for _, p := range w.p {
		room += ends.At(p) + float64(ends.Relative*p)
	}
	const digits = 2
	if precision.Write(w.p[0], digits) && precision.Write(w.p[1], digits) {
		room = max(room, twoDecimals)
	}
	if off := math.Abs(w.p[0] + w.p[1] - 1); off > room {
		w.why = w.unlike(fmt.Sprintf("the propensities of the two arms are %.6g and %.6g", w.p[0], w.p[1]))
	}
}

// twoDecimals is how far two probabilities that are rounded to two decimals may be from
// adding up to 1, and some rounding.
const twoDecimals = 0.0100001
