package ingest

import (
	"fmt"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/pages"
)

// batchRule numbers batches in order of first appearance in the log.
type batchRule struct {
	want   int
	column string
	budget *pages.Budget
	found  *cell.Finder
}

func newBatch(c *converter, i int) columnRule {
	return &batchRule{want: i, column: c.log.wants[i].Name, budget: c.log.budget, found: cell.NewFinder(cell.NewLabels(nil))}
}

// maxBatches bounds the batches of one log.
const maxBatches = 1<<31 - 1

func (rule *batchRule) apply(r *rows, out *converted, f *fault.List) error {
	out.Batch = cell.Resize(out.Batch, r.n)
	b, c := r.cols[rule.want], r.types[rule.want]
	if rule.found.Block(b, c, out.Batch) == 0 {
		return nil
	}
	for i, code := range out.Batch {
		switch {
		case code >= 0:
		case b.Nulls > 0 && b.Null[i]:
			f.Row(fault.RuleNull, rule.column, r.place(i), "a null in the batch column", "leave the row out, or name its batch")
		default:
			next, err := rule.number(b, c, i)
			if err != nil {
				return fault.Resource(r.uri, err)
			}
			if next < 0 {
				f.Row(fault.RuleNotText, rule.column, r.place(i), "a batch that is neither a text in UTF-8 of at most 4,096 bytes without a zero byte nor a number or time of 64 bits", "write labels as short texts in UTF-8")
			}
			out.Batch[i] = next
		}
	}
	return nil
}

// number returns the number of the batch of row i, which is new, or was when
// the block was looked up; -1 where it has no label.
func (rule *batchRule) number(b *pages.Block, c *pages.Column, i int) (int32, error) {
	known := rule.found.Labels
	if code := rule.found.At(b, c, i); code >= 0 {
		return code, nil
	}
	label := cell.LabelAt(b, c, i)
	if !cell.IsText(label) {
		return -1, nil
	}
	if len(known.Names) == maxBatches {
		return -1, fmt.Errorf("more than %d batches: %w", maxBatches, pages.ErrLimit)
	}
	if err := rule.budget.Take(int64(len(label)) + cell.LabelBytes); err != nil {
		return -1, fmt.Errorf("the labels of batches: %w", err)
	}
	return known.Add(label), nil
}

// batchNumbers numbers the batches of every experiment from 0 in the order of
// the rounds. A batch is a stretch of rounds: one that is left and come back to
// is a fault, because no policy updates twice at one point.
type batchNumbers struct {
	log   *logFiles
	want  int
	names *cell.Labels // by code
	seen  []seenBatch  // not used where there are no names: a clock comes back to no period
	last  struct {
		experiment int32 // index
		code       int32
	}
	number int32
	count  []int64 // batches by index of the experiment
	broken int64
	first  [3]int64 // code, row before the break, row of the return
}

// seenBatch is where a batch was seen last.
type seenBatch struct {
	experiment int32 // index + 1
	row        int64 // of the log
}

// newBatchNumbers returns the numbers of the batches that c finds.
func newBatchNumbers(l *logFiles, want int, c *converter, experiments int) *batchNumbers {
	b := &batchNumbers{log: l, want: want, count: make([]int64, experiments)}
	for _, rule := range c.rules {
		if found, ok := rule.(*batchRule); ok {
			b.names = found.found.Labels
		}
	}
	b.last.experiment = -1
	return b
}

// renumber turns labels' codes of rounds in their final order into numbers of
// batches. At has the rows' numbers in the log.
func (b *batchNumbers) renumber(experiment, batch []int32, at []int64) {
	for i, code := range batch {
		if code < 0 || experiment[i] < 0 {
			continue // a fault
		}
		index := experiment[i]
		for b.names != nil && int(code) >= len(b.seen) {
			b.seen = append(b.seen, seenBatch{})
		}
		s := new(seenBatch)
		if b.names != nil {
			s = &b.seen[code]
		}
		switch {
		case index != b.last.experiment:
			b.number = 0
			b.count[index] = 1
		case code != b.last.code:
			b.number++
			b.count[index]++
			if s.experiment == index+1 {
				b.returned(code, s.row, at[i])
			}
		}
		b.last.experiment, b.last.code = index, code
		*s = seenBatch{index + 1, at[i]}
		batch[i] = b.number
	}
}

// returned counts a batch that is come back to.
func (b *batchNumbers) returned(code int32, before, row int64) {
	if b.broken == 0 {
		b.first = [3]int64{int64(code), before, row}
	}
	b.broken++
}

// report records batches that were come back to as one fault.
func (b *batchNumbers) report() {
	if b.broken == 0 {
		return
	}
	before, row := b.log.placeOf(b.first[1]), b.log.placeOf(b.first[2])
	b.log.faults.File(&fault.InputError{
		File: row.File, RowGroup: row.RowGroup, Row: row.Row, Column: b.log.wants[b.want].Name, Rule: fault.RuleBatch,
		What:  fmt.Sprintf("batch %s is come back to after another batch began; its rounds before that end at %s", fault.Quoted(b.names.Names[b.first[0]:b.first[0]+1]), before),
		Mend:  "correct log.order, or name a column in log.batch whose values hold for one stretch of rounds each",
		Count: b.broken, Places: []fault.Place{before, row},
	})
}
