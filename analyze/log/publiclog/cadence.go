package publiclog

import (
	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// cadence is the mean logged propensity of each arm by batch, in at most
// maxPoints groups of neighbouring batches.
type cadence struct {
	bins bins
	sum  []float64 // by arm, then bin
	rows []int64   // likewise: rows that the sum is over
	arms int
}

func newCadence(arms, batches int) *cadence {
	c := &cadence{bins: newBins(int64(batches)), arms: arms}
	c.sum, c.rows = make([]float64, arms*c.bins.count), make([]int64, arms*c.bins.count)
	return c
}

// add takes up the propensities of all arms, or the propensity of the logged action where
// no other is known.
func (c *cadence) add(chunk *tableau.Chunk) {
	for t, arm := range chunk.Arm {
		bin := c.bins.of(int64(chunk.Batch[t]))
		if chunk.PropensityByArm == nil {
			c.sum[int(arm)*c.bins.count+bin] += chunk.Propensity[t]
			c.rows[int(arm)*c.bins.count+bin]++
			continue
		}
		for a, p := range chunk.PropensityByArm[t*c.arms : t*c.arms+c.arms] {
			c.sum[a*c.bins.count+bin] += p
			c.rows[a*c.bins.count+bin]++
		}
	}
}

// Merge joins the batches that follow.
func (c *cadence) Merge(o *cadence) {
	for i := range c.sum {
		c.sum[i] += o.sum[i]
		c.rows[i] += o.rows[i]
	}
}

// CadenceSeries is, per arm, the mean logged propensity by batch. Where only
// the logged action's is known it is the mean over the rounds that played the
// arm, and a batch in which none did has no point.
func (f *Facts) CadenceSeries() []schemas.Series {
	c := f.Pub.cadence
	if c == nil {
		return nil
	}
	var out []schemas.Series
	for arm, label := range f.Manifest.Arms {
		s := schemas.Series{
			ID: schemas.SeriesPropensity + label, Title: "mean logged propensity of " + label + " by batch", Unit: "probability by batch", N: f.Pub.Rounds,
			X: []float64{}, Y: []float64{}, Lo: []float64{}, Hi: []float64{},
		}
		for i := range c.bins.count {
			if n := c.rows[arm*c.bins.count+i]; n > 0 {
				s.X = append(s.X, float64(c.bins.end(i, int64(f.Slice.BatchCount()))))
				s.Y = append(s.Y, c.sum[arm*c.bins.count+i]/float64(n))
			}
		}
		out = append(out, s)
	}
	return out
}
