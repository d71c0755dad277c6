package regression

import (
	"context"
	"fmt"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/regress"
	"banditaudit/schemas"
)

// refitRows is the number of rows between two looks at the context: below a
// second's work with a thousand columns.
const refitRows = 128

// mostRefit bounds what a refit may cost, in products of two numbers of 32
// digits: some minutes of one core, at 15 ns to 40 ns each.
const mostRefit = 1 << 33

// refit repeats, in one more pass, the fits of which the cross-products may have
// lost digits.
func (f *Fits) refit(ctx context.Context, r *Regression) error {
	total := make([]*regress.Refit, len(r.Models))
	wanted := false
	for i, m := range r.Models {
		if m == nil || !m.LosesDigits() {
			continue
		}
		if p := float64(len(m.Columns)); float64(m.N)*p*p/2 > mostRefit {
			f.warn(fmt.Sprintf("%s: columns are so nearly dependent that the sums may have lost digits, and %s rows of %s columns are too many to add them up with more; center or drop columns",
				r.Title(f.facts.Log, r.Arm(i)), schemas.Grouped(m.N), schemas.Grouped(int64(len(m.Columns)))))
			continue
		}
		total[i], wanted = regress.NewRefit(m), true
	}
	if !wanted {
		return nil
	}
	err := publiclog.Fold(ctx, f.facts.Slice, f.facts.Jobs, func(chunk int) ([]*regress.Refit, error) {
		return f.refitChunk(ctx, r, total, chunk)
	}, func(part []*regress.Refit) {
		for i, s := range part {
			if s != nil {
				total[i].Merge(s)
			}
		}
	})
	for i, s := range total {
		if s == nil || err != nil {
			continue
		}
		if r.Models[i], err = s.Model(); err == nil {
			f.warn(r.Title(f.facts.Log, r.Arm(i)) + ": columns are so nearly dependent that sums in float64 may lose digits; one more pass over the rows added them up with 32 digits, and the numbers are of that fit")
		}
	}
	return err
}

// refitChunk is the part of one chunk. Its rows are taken some at a time, so that
// it can be cancelled between them.
func (f *Fits) refitChunk(ctx context.Context, r *Regression, total []*regress.Refit, chunk int) ([]*regress.Refit, error) {
	part := make([]*regress.Refit, len(total))
	for i, s := range total {
		if s != nil {
			part[i] = regress.NewRefit(r.Models[i])
		}
	}
	c := f.facts.Slice.Chunk(chunk)
	x, y, arm := publiclog.Chosen(f.facts.Context(&c), r.columns), r.rewards.Chunk(chunk), r.rewards.Arms(chunk)
	columns := make([][]float64, len(x))
	for from := 0; from < len(y); from += refitRows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		to := min(len(y), from+refitRows)
		for j := range x {
			columns[j] = x[j][from:to]
		}
		var err error
		if r.Pooled() {
			err = part[0].AddPooled(arm[from:to], columns, y[from:to])
		} else {
			err = regress.RefitByArm(part, arm[from:to], columns, y[from:to])
		}
		if err != nil {
			return nil, err
		}
	}
	return part, nil
}
