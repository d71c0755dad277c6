package allocation

import (
	"banditaudit/analyze/log/check"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/allocationtest"
	"banditaudit/ingest/tableau"
)

// maxUnitCounts bounds the numbers that are kept of units, 8 MiB, and maxUnitArms their last
// arms, 32 MiB. Of more units several share theirs.
const (
	maxUnitCounts = 1 << 20
	maxUnitArms   = 1 << 24
)

// unitWager holds the arms of a unit's rounds against the arms of its earlier rounds, where
// every round is declared to be drawn anew, at declared or recomputed probabilities. Logged
// propensities are held so by the walk over units, see publiclog.Wagered.
type unitWager struct {
	*allocationtest.Repeats

	past []float64 // of units one behind the other, see allocationtest.UnitPlays
	last []uint16  // by unit: the arm of its round before and 1; 0: there was none
}

// newUnitWager begins a wager; nil where there is none.
func newUnitWager(f *publiclog.Facts) *unitWager {
	if !f.DrawnAnew() || !AtDeclared(f.Log) && !f.Recomputable() || f.K() > publiclog.MostFollowed {
		return nil
	}
	u := &unitWager{Repeats: allocationtest.NewRepeats(allocationtest.RepeatsLevel/float64(max(1, f.Whole().Experiments)), true)}
	u.Plays = allocationtest.NewUnitPlays(f.K())
	units, size := max(1, f.Slice.UnitCount()), int64(u.Plays.PastSize())
	u.past, u.last = make([]float64, min(units, maxUnitCounts/size)*size), make([]uint16, min(units, maxUnitArms))
	return u
}

// see takes up a round whose propensities lie between low and high, by arm. A round whose arm
// could not be played is passed over: it contradicts the probabilities by itself.
func (u *unitWager) see(c *tableau.Chunk, t int, low, high []float64) {
	if u == nil || !(high[c.Arm[t]] > 0) {
		return
	}
	arm, last := c.Arm[t], &u.last[c.Unit[t]%int64(len(u.last))]
	if before := int(*last) - 1; before >= 0 && high[before] > 0 {
		u.Add(int(arm) == before, high[arm], low[before])
		u.Expect(float64((low[before] + high[before]) / 2))
	}
	*last = uint16(arm + 1) //nolint:gosec // at most publiclog.MostFollowed
	size := int64(u.Plays.PastSize())
	at := c.Unit[t] % (int64(len(u.past)) / size) * size
	u.Plays.Add(u.past[at:at+size], int(arm), low, high)
}

// foundAgain is what the wager on the arms of units came to; nil where there is none.
func (r *splitReader) foundAgain() *check.RepeatedArms {
	if r.units == nil {
		return r.facts.Wagered()
	}
	return &check.RepeatedArms{Result: r.units.Result(), Deficits: true}
}
