package ingest

import (
	"fmt"

	"banditaudit/ingest/pages"
	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// rewardRule applies the declared range.
type rewardRule struct {
	lo, hi  float64
	clip    bool
	clipped int64
}

func newRewardRule(p *schemas.Protocol) rewardRule {
	return rewardRule{lo: p.Reward.Range[0], hi: p.Reward.Range[1], clip: p.Reward.OutOfRange == outClip}
}

// reasonClipped is the reason under which the manifest counts clipped rewards.
const reasonClipped = "reward clipped to range"

// apply converts a block of rewards. A NaN is never clipped, nor is an
// infinity: neither is a reward.
func (rule *rewardRule) apply(r *rows, w int, name string, dst []float64, f *faults) []float64 {
	dst = numbers(r, w, name, dst, f)
	eachNull(r.cols[w], r.n, func(i int) {
		f.row(RuleMissing, name, r.place(i), "a null reward", "complete the log; a missing reward cannot be left out unless the protocol declares how it came to be missing")
		dst[i] = rule.lo
	})
	for i, y := range dst {
		if y >= rule.lo && y <= rule.hi {
			continue
		}
		switch {
		case !isFinite(y):
			dst[i] = rule.lo // numbers reported it
		case rule.clip:
			dst[i] = min(max(y, rule.lo), rule.hi)
			rule.clipped++
		default:
			f.row(RuleRange, name, r.place(i), fmt.Sprintf("a reward outside the declared range [%g, %g]", rule.lo, rule.hi),
				"correct reward.range, or declare reward.out_of_range: clip if the mechanism clipped rewards before it used them")
		}
	}
	return dst
}

// numbers converts a block of booleans, integers or floats. What float64 does
// not hold exactly, NaN and infinities are faults; nulls become 0.
func numbers(r *rows, w int, name string, dst []float64, f *faults) []float64 {
	dst = resizeTo(dst, r.n)
	b, kind := r.cols[w], r.types[w].Kind
	if kind == pages.Float {
		copy(dst, b.Float)
		for i, v := range dst {
			if !isFinite(v) {
				f.row(RuleNotFinite, name, r.place(i), "NaN or an infinity", "correct the value, or leave the row out")
			}
		}
		return dst
	}
	for i := range dst {
		if !exactly(b.Int[i], kind) {
			f.row(RuleNotExact, name, r.place(i), "a whole number beyond ±2^53, which a float64 does not hold exactly", "scale the column down, or cast it to DOUBLE knowingly")
		}
		dst[i] = float64(b.Int[i])
	}
	return dst
}

// propensities converts a block of propensities.
func propensities(r *rows, w int, name string, dst []float64, f *faults) []float64 {
	dst = resizeTo(dst, r.n)
	b := r.cols[w]
	copy(dst, b.Float)
	for i, p := range dst {
		switch {
		case b.Nulls > 0 && b.Null[i]:
			f.row(RuleNull, name, r.place(i), "a null in the propensity column", "complete the log, or leave log.propensity out of the protocol")
		case !isFinite(p):
			f.row(RuleNotFinite, name, r.place(i), "NaN or an infinity", "correct the value, or leave log.propensity out of the protocol")
		case p <= 0 || p > 1:
			f.row(RulePropensity, name, r.place(i), "a propensity outside (0, 1]", "correct it: an action that was taken had a probability above 0 and at most 1")
		case p < tableau.MinPropensity:
			f.row(RulePropensity, name, r.place(i), fmt.Sprintf("a propensity below %g, so that its weight cannot be computed with", tableau.MinPropensity),
				"correct it: an action of so small a probability is never taken; or leave log.propensity out of the protocol")
		}
	}
	return dst
}

// rewardType is the type of the reward column over all files.
func rewardType(kinds []pages.Kind) string {
	word := RewardBool
	for _, k := range kinds {
		switch {
		case k == pages.Float:
			return RewardFloat
		case k != pages.Bool:
			word = "int"
		}
	}
	return word
}
