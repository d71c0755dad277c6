package ingest

import (
	"slices"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/tableau"
)

// emitter hands converted rows, in their final order, to a tableau writer and
// numbers the rounds, the batches and the rows of units.
type emitter struct {
	run   *intake
	round []int64 // by index in the tableau
	batch tableau.Batch
}

// ranks returns, for experiments in order of first appearance, their index in
// the tableau, and their ids by index.
func ranks(names []string) (rank []int32, ids []string) {
	codes, order := make([]int32, len(names)), cell.LabelOrder(names)
	for i := range codes {
		codes[i] = int32(i)
	}
	slices.SortFunc(codes, func(a, b int32) int { return order(names[a], names[b]) })
	rank, ids = make([]int32, len(names)), make([]string, len(names))
	for index, code := range codes {
		rank[code], ids[index] = int32(index), names[code]
	}
	return rank, ids
}

func newEmitter(r *intake) *emitter {
	return &emitter{run: r, round: make([]int64, len(r.rank))}
}

// add takes all rows of c, whose experiments are indexes; at has their numbers
// in the log. After a fault nothing is written, but the rules of batches are
// still checked.
func (e *emitter) add(c *converted, at []int64) error {
	r := e.run
	if r.batches != nil {
		r.batches.renumber(c.Experiment, c.Batch, at)
	}
	if r.strata != nil {
		r.strata.renumber(c.Experiment, c.Stratum, at)
	}
	if r.faults.Any() {
		return nil
	}
	if r.unitsBy != nil {
		if err := r.unitsBy.add(c.Experiment, c.Unit); err != nil {
			return err
		}
	}
	rounds := cell.Resize(e.batch.Round, len(c.Arm))
	e.batch = tableau.Batch(*c)
	e.batch.Round = rounds
	for i, index := range c.Experiment {
		e.round[index]++
		e.batch.Round[i] = e.round[index]
	}
	return fault.NotWritten(r.writer.Append(&e.batch))
}
