package ingest

import (
	"banditaudit/ingest/cell"
	"banditaudit/ingest/fault"
)

// rewardByArm converts the rewards of all arms; the reward of a row is the reward of the
// chosen arm. A null list is a missing reward, of all arms.
type rewardByArm struct {
	armLists
	limits *rewardRange
}

func newRewardByArm(c *converter, i int) columnRule {
	return &rewardByArm{armLists: c.lists(i), limits: &c.reward}
}

func (rule *rewardByArm) apply(r *rows, out *converted, f *fault.List) error {
	g, k := rule.limits, rule.shape.outer
	out.Reward = cell.Resize(out.Reward, r.n)
	out.RewardByArm = cell.Resize(out.RewardByArm, r.n*k)
	if k == 0 {
		return nil // there are no arms, which is a fault
	}
	g.rows += int64(r.n)
	g.column = rule.column
	rule.numbers(r, out.RewardByArm, f)
	whole := rule.lengths(r, f, func(i int) {
		y := g.absent(rule.column, r.place(i), f)
		for arm := range k {
			out.RewardByArm[i*k+arm] = y
			g.counts.add(reasonMissing, out.Experiment[i], int32(arm))
		}
		g.missing++
		g.counts.rows[reasonMissing]++
	})
	if !whole || !cell.AllWithin(out.RewardByArm, g.lo, g.hi) {
		rule.limitAll(r, out, f)
	}
	for i, arm := range out.Arm {
		if arm >= 0 {
			out.Reward[i] = out.RewardByArm[i*k+int(arm)]
		}
	}
	return g.counts.full
}

// limitAll applies the range to the rewards of all rows that have any.
func (rule *rewardByArm) limitAll(r *rows, out *converted, f *fault.List) {
	for i := range r.n {
		if !rule.broken(r, i) {
			rule.limit(r, out, i, f)
		}
	}
}

// limit applies the range to the rewards of row i. A row is refused, and counted
// as clipped, once, however many of its rewards are.
func (rule *rewardByArm) limit(r *rows, out *converted, i int, f *fault.List) {
	g, k := rule.limits, rule.shape.outer
	var clipped, outside, odd bool
	for arm, y := range out.RewardByArm[i*k : (i+1)*k] {
		refused := &outside
		if !cell.IsFinite(y) {
			refused = &odd
		}
		switch {
		case g.fits(y):
		case g.clips(y):
			out.RewardByArm[i*k+arm] = g.clamp(y)
			clipped = true
			g.counts.add(reasonClipped, out.Experiment[i], int32(arm))
		case !*refused:
			*refused = true
			g.refuse(y, rule.column, r.place(i), f)
		}
	}
	if clipped {
		g.counts.rows[reasonClipped]++
	}
}
