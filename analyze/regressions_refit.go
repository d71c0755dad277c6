package analyze

import (
	"context"
	"fmt"

	"banditaudit/analyze/regress"
)

// refit replaces the models that lost digits to nearly dependent columns, by one
// more pass over the rows of all of them. Where no model did there is no pass.
func (a *analysis) refit(ctx context.Context, r *regression) error {
	losing := make([]bool, len(r.models))
	needed := false
	for i, m := range r.models {
		losing[i] = m != nil && m.LosesDigits()
		needed = needed || losing[i]
	}
	if !needed {
		return nil
	}
	total := refits(r, losing)
	err := fold(ctx, a.Slice, a.Jobs, func(i int) ([]*regress.Refit, error) {
		part := refits(r, losing)
		c := a.Slice.Chunk(i)
		x, arm, y := chosen(a.context(&c), r.columns), r.rewards.Arms(i), r.rewards.Chunk(i)
		if r.pooled() {
			return part, part[0].AddPooled(arm, x, y)
		}
		return part, regress.RefitByArm(part, arm, x, y)
	}, func(part []*regress.Refit) {
		for i, s := range part {
			if s != nil {
				total[i].Merge(s)
			}
		}
	})
	if err != nil {
		return err
	}
	for i, s := range total {
		if s == nil {
			continue
		}
		if r.models[i], err = s.Model(); err != nil {
			return fmt.Errorf("%s: %w", a.regressionTitle(r, r.arm(i)), err)
		}
	}
	return nil
}

// refits are empty passes over the rows of the models that lose digits.
func refits(r *regression, losing []bool) []*regress.Refit {
	out := make([]*regress.Refit, len(r.models))
	for i, m := range r.models {
		if losing[i] {
			out[i] = regress.NewRefit(m)
		}
	}
	return out
}
