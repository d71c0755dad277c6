package accounting

import (
	"context"
	"errors"
	"fmt"
	"math"

	"banditaudit/ingest/tableau"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// Costs calls visit with what every row of an experiment costs, in the order of rows: costs[r]
// is c_t(a) ≥ 0 of row r of chunk s.Chunk(chunk), in nats, rounded up; +Inf where nothing
// bounds it. Chunks come in order, each once. Account gives the histogram of the costs. Under a
// law of paths that histogram is rounded up, and the costs are not; where OwnCosts holds, each
// cost is by the row's own context, and at most as large as in the histogram. The slice is used
// again for the next chunk.
//
// It reads the public columns only, and holds at most 17 MiB of costs, whatever
// the number of rows, beside 32 bytes for each reward that is out at one time.
// Where rewards become known within some two million rows, one pass over the log
// serves; else there is at most one for every two million rows, or so.
//
// An error is one that Account gives, or one of visit, which ends it. A protocol without a
// policy is an error: there is nothing to account for.
func (d *Declared) Costs(ctx context.Context, s *tableau.Slice, visit func(chunk int, costs []float64) error) error {
	if d.Protocol.Policy == nil {
		return errors.New("accounting: no policy is declared, so that no row has a cost; declare the policy")
	}
	err := s.Guard(func() error {
		e := &Experiment{Declared: d, Context: ctx, Slice: s}
		if err := e.Contradict(); err != nil {
			return err
		}
		k, err := e.known()
		if err != nil {
			return err
		}
		return e.rowCosts(e.law(), &k, costWindow, e.owned(visit))
	})
	if err != nil {
		return fmt.Errorf("accounting: experiment %s: %w", schemas.Quoted(s.ID()), err)
	}
	return nil
}

// law is what the mechanism costs over this log.
func (e *Experiment) law() ledger.Law {
	law := e.lawOf(e.Slice)
	if e.Against != nil {
		return unbounded{law}
	}
	return law
}

// costWindow is the number of rows whose costs wait for an earlier one: 16 MiB.
const costWindow = 1 << 21

// errPassed ends a pass over the log of which nothing more is needed.
var errPassed = errors.New("passed")

// rowCosts is Costs. Rows arrive in an order of their own; a window of them, or
// one chunk where that is larger, waits for the oldest, and one that arrives
// beyond it is left to a pass of its own.
func (e *Experiment) rowCosts(law ledger.Law, k *known, window int64, visit func(chunk int, costs []float64) error) error {
	w := &costs{experiment: e, visit: visit}
	_, ahead := law.(*ledger.PathLaw)
	for w.next < e.Slice.Chunks() {
		w.begin(window)
		cost := e.costs(law, k)
		err := e.arrivals(k, ahead, func(at *arrival) error { return w.row(at.row, cost(at)) })
		if err != nil && !errors.Is(err, errPassed) {
			return err
		}
	}
	return nil
}

// costs puts the costs of rows in the order of rows.
type costs struct {
	experiment *Experiment
	visit      func(chunk int, costs []float64) error
	next       int       // the first chunk that was not visited
	start      int64     // its first row
	end        int64     // the first row behind it
	ring       []float64 // of the rows from start on, by row modulo its length; NaN: none yet
	out        []float64 // of a chunk
	open       int64     // rows of chunk next without a cost
	lost       int64     // the first row that was beyond the ring in this pass
}

// begin makes ready for a pass.
func (w *costs) begin(window int64) {
	schema := w.experiment.Slice.Schema()
	size := min(max(window, int64(schema.BatchRows())), w.experiment.Slice.Rows())
	if int64(len(w.ring)) != size {
		w.ring = make([]float64, size)
	}
	for i := range w.ring {
		w.ring[i] = math.NaN()
	}
	w.lost = w.experiment.Slice.Rows()
	w.look()
}

// look says where chunk next lies, and how many of its rows have no cost.
func (w *costs) look() {
	c := w.experiment.Slice.Chunk(w.next)
	w.start, w.end, w.open = c.Start, c.Start+int64(len(c.Arm)), 0
	for row := w.start; row < w.end; row++ {
		if math.IsNaN(w.ring[row%int64(len(w.ring))]) {
			w.open++
		}
	}
}

// row takes up the cost of a row.
func (w *costs) row(row int64, cost float64) error {
	switch size := int64(len(w.ring)); {
	case row < w.start:
		return nil // of an earlier pass
	case row >= w.start+size:
		w.lost = min(w.lost, row)
		return nil
	default:
		w.ring[row%size] = cost
	}
	if row < w.end {
		w.open--
	}
	for w.open == 0 {
		if err := w.flush(); err != nil {
			return err
		}
	}
	return nil
}

// flush visits chunk next, which is whole.
func (w *costs) flush() error {
	size := int64(len(w.ring))
	w.out = w.out[:0]
	for row := w.start; row < w.end; row++ {
		w.out = append(w.out, w.ring[row%size])
		w.ring[row%size] = math.NaN()
	}
	if err := w.visit(w.next, w.out); err != nil {
		return err
	}
	if w.next++; w.next == w.experiment.Slice.Chunks() {
		return errPassed
	}
	if w.look(); w.end > w.lost {
		return errPassed // rows of it were beyond the ring
	}
	return nil
}

// costs returns a function that gives the cost of a row, rounded up.
func (e *Experiment) costs(law ledger.Law, k *known) func(*arrival) float64 {
	if p, ok := law.(*ledger.PathLaw); ok {
		path := ledger.NewPath(p, len(e.Arms))
		return func(at *arrival) float64 { return path.Row(at.arm, at.later, at.same) }
	}
	byArm := make([]func(n int64) float64, len(k.read))
	for arm, read := range k.read {
		byArm[arm] = ledger.Costs(law, read)
	}
	return func(at *arrival) float64 { return byArm[at.from](at.place) }
}
