package conformance

import (
	"slices"
	"testing"

	"banditaudit/ingest/tableau"
	"banditaudit/replay"
	"banditaudit/schemas"
)

// keptLog is a log of softmax, with the propensities of all arms, in which units own
// several rounds, keep the arm of the first, and learn by batches. logs says which
// propensities are logged, of those of the unit's first round and of the round's own.
func keptLog(tb testing.TB, p *schemas.Protocol, logs func(t int64, first, own []float64) []float64) *tableau.Slice {
	tb.Helper()
	const rounds, units = 700, 90
	m := mechanismOf(tb, p, four())
	s := tableau.Schema{
		Propensity: true, PropensityByArm: true, Arms: 4, Reward: [2]float64{0, 1}, Batch: true, Unit: true,
		Experiments: []tableau.Range{{ID: "shop", Rows: rounds}},
	}
	b := &tableau.Batch{}
	run := m.NewRunner(replay.Seed(1), "shop")
	arm, first := map[int64]int{}, map[int64][]float64{}
	for t := int64(1); t <= rounds; t++ {
		unit := (t - 1) * (t - 1) / 7 % units
		run.Next(&replay.Round{Batch: int32((t - 1) / 70)})
		own := slices.Clone(run.Propensities())
		if first[unit] == nil {
			arm[unit], first[unit] = int(t*t/3%4), own
		}
		a, all := arm[unit], logs(t, first[unit], own)
		reward := weekly{}.Reward(t, a)
		run.Add(a, reward)
		b.Experiment, b.Round, b.Arm, b.Unit = append(b.Experiment, 0), append(b.Round, t), append(b.Arm, int32(a)), append(b.Unit, unit)
		b.Reward, b.Propensity, b.PropensityByArm = append(b.Reward, reward), append(b.Propensity, all[a]), append(b.PropensityByArm, all...)
		b.Batch = append(b.Batch, int32((t-1)/70))
	}
	at, next := map[int64]int64{}, int64(0) // units are numbered without a gap
	for i, u := range b.Unit {
		if _, ok := at[u]; !ok {
			at[u] = next
			next++
		}
		b.Unit[i] = at[u]
	}
	return slice(tb, s, b)
}

// Later rounds of a unit that hold the propensities of its draw are counted and not
// compared; those that hold neither them nor their own are beyond tolerance, and so is
// a first round that is another policy's.
func TestKeptDraws(t *testing.T) {
	t.Parallel()
	declared := func(draw string) *schemas.Protocol {
		p := softmax(0.02)
		p.Policy.Update = &schemas.Update{Batch: true}
		if draw != "" {
			p.Policy.Draw = &schemas.Draw{By: draw}
		}
		return p
	}
	ofDraw := func(_ int64, first, _ []float64) []float64 { return first }
	ofRound := func(_ int64, _, own []float64) []float64 { return own }
	neither := func(t int64, first, own []float64) []float64 {
		if t != 699 {
			return first
		}
		return []float64{own[0] + 0.1, own[1] - 0.1, own[2], own[3]}
	}
	for _, tt := range []struct {
		name, draw string
		eta        float64
		logs       func(t int64, first, own []float64) []float64
		kept       bool
		beyond     bool
	}{
		{"of the draw", schemas.DrawByUnit, 0.02, ofDraw, true, false},
		{"of the draw, open", "", 0.02, ofDraw, true, false},
		{"of the draw, by round", schemas.DrawByRound, 0.02, ofDraw, false, true},
		{"of the round", schemas.DrawByUnit, 0.02, ofRound, false, false},
		{"neither", schemas.DrawByUnit, 0.02, neither, true, true},
		{"another policy's", schemas.DrawByUnit, 0.04, ofDraw, true, true},
	} {
		p := declared(tt.draw)
		truth := declared(tt.draw)
		truth.Policy.Own = truth.Policy.Own.With("eta", tt.eta)
		got := explained(t, p, keptLog(t, truth, tt.logs))
		if (got.Kept > 0) != tt.kept || (got.FirstMismatch != nil) != tt.beyond || (got.Matched == got.Rounds) == tt.beyond || got.Rounds+got.Kept != 700 {
			t.Errorf("%s: %d kept, %d of %d match, first %+v", tt.name, got.Kept, got.Matched, got.Rounds, got.FirstMismatch)
		}
	}
}
