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
