package ingest

import (
	"slices"

	"banditaudit/ingest/tableau"
)

// emitter hands converted rows, in their final order, to a tableau writer and
// numbers the rounds.
type emitter struct {
	writer *tableau.Writer
	rank   []int32 // by experiment in order of first appearance: index in the tableau
	round  []int64 // by index in the tableau
	batch  tableau.Batch
}

// ranks returns, for experiments in order of first appearance, their index in
// the tableau, and their ids by index.
func ranks(names []string) (rank []int32, ids []string) {
	ids = sortedLabels(names)
	rank = make([]int32, len(names))
	sorted := newLabels(ids)
	for i, n := range names {
		rank[i] = sorted.codes[n]
	}
	return rank, ids
}

func newEmitter(w *tableau.Writer, rank []int32) *emitter {
	return &emitter{writer: w, rank: rank, round: make([]int64, len(rank))}
}

// add appends rows of c: all of them.
func (e *emitter) add(c *converted) error {
	n := len(c.arm)
	e.batch.Experiment, e.batch.Round = resizeTo(e.batch.Experiment, n), resizeTo(e.batch.Round, n)
	for i, code := range c.experiment {
		index := e.rank[code]
		e.round[index]++
		e.batch.Experiment[i], e.batch.Round[i] = index, e.round[index]
	}
	e.batch.Arm, e.batch.Reward, e.batch.Propensity = c.arm, c.reward, slices.Clip(c.propensity)
	e.batch.X = c.x
	return e.writer.Append(&e.batch)
}
