package ingest

import (
	"fmt"
	"math"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/logfile"
	"banditaudit/ingest/pages"
	"banditaudit/schemas"
)

// rewardRange applies the declared range to rewards, and the declaration of
// missing ones.
type rewardRange struct {
	lo, hi  float64
	clip    bool
	exclude bool // a null reward is missing, not a fault
	counts  *counts
	column  string
	rows    int64
	missing int64 // rows without a reward
}

func newRewardRange(p *schemas.Protocol, c *counts) rewardRange {
	return rewardRange{
		counts: c,
		lo:     p.Reward.Range[0], hi: p.Reward.Range[1], clip: p.Reward.OutOfRange == schemas.OutOfRangeClip,
		exclude: p.Log.MissingReward == schemas.MissingExclude || p.Log.MissingReward == schemas.MissingIndependent,
	}
}

// fits reports whether a value is a reward as it stands. NaN is none.
func (g *rewardRange) fits(y float64) bool { return y >= g.lo && y <= g.hi }

// clips reports whether a value that does not fit is clipped. A NaN never is,
// nor is an infinity: neither is a reward.
func (g *rewardRange) clips(y float64) bool { return g.clip && cell.IsFinite(y) }

// clamp is the value of the range that is nearest to y.
func (g *rewardRange) clamp(y float64) float64 { return min(max(y, g.lo), g.hi) }

// refuse says what is wrong with a value that neither fits nor is clipped.
func (g *rewardRange) refuse(y float64, column string, at fault.Place, f *fault.List) {
	if !cell.IsFinite(y) {
		mend := mendNotFinite
		if g.exclude {
			mend = "write null for a reward that is missing (log.missing_reward), and not NaN; else correct the value"
		}
		f.Row(fault.RuleNotFinite, column, at, "NaN or an infinity", mend)
		return
	}
	f.Row(fault.RuleRange, column, at, fmt.Sprintf("a reward outside the declared range [%g, %g]", g.lo, g.hi),
		"correct reward.range, or declare reward.out_of_range: clip if the mechanism clipped rewards before it used them")
}

// absent returns what stands for a missing reward.
func (g *rewardRange) absent(column string, at fault.Place, f *fault.List) float64 {
	if !g.exclude {
		f.Row(fault.RuleMissing, column, at, "a null reward",
			"complete the log, or declare log.missing_reward: exclude, or exclude-independent where nothing but chance decided which are missing")
	}
	return math.NaN()
}

// close reports a log that has no reward at all.
func (g *rewardRange) close(f *fault.List) {
	if g.exclude && g.rows > 0 && g.missing == g.rows {
		f.File(&fault.InputError{
			RowGroup: -1, Row: -1, Column: g.column, Rule: fault.RuleEmpty, What: "every reward of the log is null, so that there is nothing to estimate",
			Mend: "name the column that holds the rewards, or join them to the log", Count: g.rows,
		})
	}
}

// rewardRule converts the rewards of the chosen arms.
type rewardRule struct {
	want   int
	column string
	limits *rewardRange
}

func newReward(c *converter, i int) columnRule {
	return &rewardRule{want: i, column: c.log.wants[i].Name, limits: &c.reward}
}

func (rule *rewardRule) apply(r *rows, out *converted, f *fault.List) error {
	g, b, c := rule.limits, r.cols[rule.want], r.types[rule.want]
	out.Reward = cell.Resize(out.Reward, r.n)
	g.rows += int64(r.n)
	g.column = rule.column
	if !cell.Take(out.Reward, b, c) {
		refuseInts(r, rule.want, rule.column, 1, f)
	}
	for i, y := range out.Reward {
		if g.fits(y) || b.Nulls > 0 && b.Null[i] {
			continue
		}
		if !g.clips(y) {
			g.refuse(y, rule.column, r.place(i), f)
			continue
		}
		out.Reward[i] = g.clamp(y)
		g.counts.row(reasonClipped, out.Experiment[i], out.Arm[i])
	}
	eachNull(b, r.n, func(i int) {
		out.Reward[i] = g.absent(rule.column, r.place(i), f)
		g.missing++
		g.counts.row(reasonMissing, out.Experiment[i], out.Arm[i])
	})
	return g.counts.full
}

// rewardType is the type of the reward column over all files. A decimal without
// digits after the point is a whole number: SQL engines unload integers so.
func rewardType(types []cell.Typed) string {
	word := logfile.RewardBool
	for i := range types {
		c := &types[i].Column
		switch {
		case cell.Fractions(c):
			return logfile.RewardFloat
		case c.Kind != pages.Bool && c.Kind != pages.Null:
			word = "int"
		}
	}
	return word
}
