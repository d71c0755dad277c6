package analyze

import (
	"context"
	"fmt"

	"banditaudit/analyze/regress"
	"banditaudit/schemas"
)

// mostRefit bounds what a refit may cost, in products of two numbers of 32
// digits: some minutes of one core.
const mostRefit = 1 << 35

// refit repeats, in one more pass, the fits of which the cross-products may have
// lost digits.
func (a *analysis) refit(ctx context.Context, r *regression) error {
	total := make([]*regress.Refit, len(r.models))
	wanted := false
	for i, m := range r.models {
		if m == nil || !m.LosesDigits() {
			continue
		}
		if p := float64(len(m.Columns)); float64(m.N)*p*p/2 > mostRefit {
			a.warn(fmt.Sprintf("%s: columns are so nearly dependent that the sums may have lost digits, and %s rows of %s columns are too many to add them up with more; center or drop columns",
				a.regressionTitle(r, r.arm(i)), schemas.Grouped(m.N), schemas.Grouped(int64(len(m.Columns)))))
			continue
		}
		total[i], wanted = regress.NewRefit(m), true
	}
	if !wanted {
		return nil
	}
	err := fold(ctx, a.Slice, a.Jobs, func(chunk int) ([]*regress.Refit, error) {
		return a.refitChunk(r, total, chunk)
	}, func(part []*regress.Refit) {
		for i, s := range part {
			if s != nil {
				total[i].Merge(s)
			}
		}
	})
	for i, s := range total {
		if s != nil && err == nil {
			r.models[i], err = s.Model()
		}
	}
	return err
}

func (a *analysis) refitChunk(r *regression, total []*regress.Refit, chunk int) ([]*regress.Refit, error) {
	part := make([]*regress.Refit, len(total))
	for i, s := range total {
		if s != nil {
			part[i] = regress.NewRefit(r.models[i])
		}
	}
	c := a.Slice.Chunk(chunk)
	x, y, arm := chosen(a.context(&c), r.columns), r.rewards.Chunk(chunk), r.rewards.Arms(chunk)
	if r.pooled() {
		return part, part[0].AddPooled(arm, x, y)
	}
	return part, regress.RefitByArm(part, arm, x, y)
}
