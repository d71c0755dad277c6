package rewards

import (
	"context"
	"fmt"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/eprocess"
	"banditaudit/analyze/stat/moments"
	"banditaudit/analyze/stat/stratified"
	"banditaudit/ingest/tableau"
	"banditaudit/replay"
	"banditaudit/replay/conformance"
	"banditaudit/schemas"
)

// Batches is what each batch of the log holds of two arms.
type Batches struct {
	Sample *Sample

	Test     string // its id
	Of       [2]int
	Combines bool // exact p-values of batches are made and combined

	Bets          *eprocess.Batches
	Greater, Less stratified.Combination
	Standard      stratified.Standardised
	Number, Both  int64 // of batches, and of those with both arms
	Rounds        int64 // that what decides rests on

	rewards *tableau.Rewards
	chosen  func(c *tableau.Chunk) []bool // the rounds that count; nil: all
	table   eprocess.Table                // of the batch
	sums    [2]moments.Scalar
	labels  stratified.Labels
}

// Read goes over the rounds, batch by batch in their order. It books its rewards.
func (r *Batches) Read(ctx context.Context) error {
	columns, slice := []string{tableau.Arm, tableau.BatchNumber}, r.Sample.Facts.Slice
	if publiclog.Repeated(slice) {
		columns = append(columns, tableau.Unit)
	}
	var err error
	if r.rewards, err = slice.Disclose(r.Sample.Book, "test:"+r.Test+":"+schemas.MethodBatchExact, columns...); err != nil {
		return err
	}
	r.Bets, r.chosen = eprocess.NewBatches(), chosenRounds(r.Sample.Facts)
	batch := int32(0)
	err = publiclog.EachChunk(ctx, slice, func(i int, c *tableau.Chunk) error {
		batch = r.chunk(i, c, batch)
		return nil
	})
	r.end(true)
	return err
}

// chunk takes up the rounds of a chunk. batch is the batch of the round before it; the
// batch of the chunk's last round is returned.
func (r *Batches) chunk(i int, c *tableau.Chunk, batch int32) int32 {
	y, known := r.rewards.Chunk(i), r.rewards.Arms(i)
	var counts []bool
	if r.chosen != nil {
		counts = r.chosen(c)
	}
	for t, b := range c.Batch {
		if b != batch {
			r.end(false)
			batch = b
		}
		if t < len(counts) && !counts[t] {
			continue
		}
		switch int(known[t]) {
		case r.Of[0]:
			r.row(0, y[t])
		case r.Of[1]:
			r.row(1, y[t])
		}
	}
	return batch
}

// row takes up a reward of the first or the second arm.
func (r *Batches) row(arm int, y float64) {
	r.table.Plays[arm]++
	if y == 1 {
		r.table.Ones[arm]++
	}
	r.sums[arm].AddOne(y)
	if r.Combines {
		r.labels.Reward, r.labels.First = append(r.labels.Reward, y), append(r.labels.First, arm == 0)
	}
}

// end ends a batch. The last one may have been cut off because of its rewards where the end of
// the log is not fixed, and then nothing is wagered on it.
func (r *Batches) end(last bool) {
	r.Number++
	if r.table.Plays[0] > 0 && r.table.Plays[1] > 0 {
		r.Both++
	}
	switch {
	case !r.Sample.Facts.Binary():
		r.Rounds += r.table.Plays[0] + r.table.Plays[1]
	case !last || FixedEnd(r.Sample.Protocol):
		r.Rounds += r.table.Plays[0] + r.table.Plays[1]
		r.Bets.Add(r.table)
	}
	if facts := r.Sample.Facts; r.Combines {
		greater, less := r.labels.LogP(labelDraws(facts.Slice), stratified.Source(replay.Seed(facts.Seed), facts.Slice.ID()+"\x00"+r.Test, r.Number))
		r.Greater.Add(greater)
		r.Less.Add(less)
	}
	r.Standard.Add(r.sums[0], r.sums[1])
	r.table, r.sums = eprocess.Table{}, [2]moments.Scalar{}
	r.labels.Reward, r.labels.First = r.labels.Reward[:0], r.labels.First[:0]
}

// FixedEnd reports whether the number of rounds was fixed.
func FixedEnd(protocol *schemas.Protocol) bool {
	return protocol.Experiment.Stopping == schemas.StoppingFixed
}

// Sets of labels that are drawn of a batch of which there are too many to go through: a
// number that follows from the rounds alone, so that every machine draws as many.
const (
	mostLabelDraws   = 9_999
	fewestLabelDraws = 99
	labelSteps       = 400_000_000 // rounds times draws
)

// labelDraws is that number.
func labelDraws(slice *tableau.Slice) int {
	return int(min(mostLabelDraws, max(fewestLabelDraws, labelSteps/slice.Rows())))
}

// chosenRounds are the first of each unit where a unit owns several: of the log where it
// keeps its arm, and else of each batch, for what a unit is paid in a batch may depend on
// what it was played before. nil: all.
func chosenRounds(f *publiclog.Facts) func(c *tableau.Chunk) []bool {
	if firsts := f.Drawn.Firsts(f.Slice); firsts != nil {
		return firsts.Next
	}
	if !publiclog.Repeated(f.Slice) {
		return nil
	}
	last := make([]int32, f.Slice.UnitCount()) // batch in which the unit was met, from 1
	var mask []bool
	return func(c *tableau.Chunk) []bool {
		mask = mask[:0]
		for t, unit := range c.Unit {
			mask = append(mask, last[unit] != c.Batch[t]+1)
			last[unit] = c.Batch[t] + 1
		}
		return mask
	}
}

// Over says which rounds an answer is over. Of wagers the last batch may be left out.
func (r *Batches) Over(wagers bool) string {
	out := fmt.Sprintf("over the rounds that played one of them in %s, of which %s", schemas.Plural(r.Number, "batch", "batches"),
		schemas.Plural(r.Both, "holds both arms", "hold both arms"))
	switch {
	case r.Sample.Facts.Drawn == conformance.DrawsByUnit:
		out += "; by the first round of each unit (log.unit), which keeps its arm (policy.draw)"
	case publiclog.Repeated(r.Sample.Facts.Slice):
		out += "; by the first round of each unit (log.unit) in a batch"
	}
	out += r.Sample.IfMissing("; over the rounds whose reward is known")
	if wagers && !FixedEnd(r.Sample.Protocol) {
		out += "; nothing is wagered on the last batch, which may have ended because of its rewards (experiment.stopping)"
	}
	return out
}

// Unusable is why the batches that were read cannot be standardised; "" where they can,
// or none was read.
func (r *Batches) Unusable() string {
	if _, n := r.Standard.Batches(); n > 0 {
		return fmt.Sprintf("in %s of %s an arm was not played or the rewards do not vary, and to leave a batch out would be a choice by its rewards", schemas.Grouped(n), schemas.Plural(r.Number, "batch", "batches"))
	}
	return ""
}
