package conformance

import (
	"banditaudit/ingest/precision"
	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// purposeWritten is what rewards are booked for where a replay contradicts the policy:
// how finely they are written is a function of all of them.
const purposeWritten = "conformance:rewards as written"

// mostRewardDecimals is the most decimals with which rewards count as rounded.
const mostRewardDecimals = 6

// writing finds how rewards are written. It takes them from a feed.
type writing struct {
	numbers precision.Numbers
	between bool // a reward is at neither end of the range
	lo, hi  float64
}

// Add looks at a reward.
func (w *writing) Add(_ int, reward float64) {
	w.numbers.Take(reward)
	w.between = w.between || reward != w.lo && reward != w.hi
}

// rewards says how finely those are written by which a replay contradicts the policy,
// which may have read them in full; nil where it contradicts nothing, or goes by none,
// or they are at the ends of the range alone, or are written in full.
func (j *job) rewards(c *schemas.Conformance) (*schemas.RewardsWritten, error) {
	differ := c.FirstMismatch != nil || c.Propensities != nil && c.Propensities.FirstMismatch != nil
	if j.costs.Against != nil || !differ || c.Mode == schemas.ModeReleased || !j.mechanism.ReadsRewards() {
		return nil, nil //nolint:nilnil // nothing to say is no error
	}
	w := &writing{lo: j.protocol.Reward.Range[0], hi: j.protocol.Reward.Range[1]}
	if err := j.book.Disclose(purposeWritten, j.s.Rows(), []string{tableau.Reward}); err != nil {
		return nil, err
	}
	feed, err := j.s.Feed(j.book, j.mechanism.Law().Name()+", rewards as written", w)
	if err != nil {
		return nil, err
	}
	for row := range j.s.Rows() {
		feed.Row(row)
	}
	out := &schemas.RewardsWritten{Decimals: w.numbers.Decimals(mostRewardDecimals), Float32: w.numbers.Float32()}
	if !w.between || out.Decimals == nil && !out.Float32 {
		return nil, nil //nolint:nilnil // likewise
	}
	return out, nil
}
