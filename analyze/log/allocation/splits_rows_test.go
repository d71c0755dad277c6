package allocation

import (
	"testing"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/ingest/ingesttest"
	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// TestSplitRowsAreBounded: of rows and arms no more is kept at one time than is asked for,
// and of that no more than fits.
func TestSplitRowsAreBounded(t *testing.T) {
	t.Parallel()
	const arms, rows = 500, 5000
	for _, c := range []struct{ eligible, all bool }{{}, {eligible: true}, {all: true}} {
		schema := tableau.Schema{Arms: arms, Reward: [2]float64{0, 1}, Propensity: true, Eligible: c.eligible, PropensityByArm: c.all, Experiments: []tableau.Range{{ID: "e", Rows: rows}}}
		b := &tableau.Batch{Experiment: make([]int32, rows), Round: make([]int64, rows), Arm: make([]int32, rows), Reward: make([]float64, rows), Propensity: make([]float64, rows)}
		for i := range rows {
			b.Round[i], b.Arm[i], b.Propensity[i] = int64(i+1), int32(i%arms), 1./arms
			for range arms {
				if c.eligible {
					b.Eligible = append(b.Eligible, true)
				}
				if c.all {
					b.PropensityByArm = append(b.PropensityByArm, 1./arms)
				}
			}
		}
		in := &publiclog.Log{
			Protocol: &schemas.Protocol{}, Manifest: &schemas.Manifest{Arms: make([]string, arms)}, Slice: ingesttest.Tableau(t, schema, b).Slice(0),
		}
		slice, from, seen := splitSlice(in), newSplitSource(&publiclog.Facts{Log: in, Sampled: &publiclog.Sampled{}}, nil), 0
		for i := range slice.Chunks() {
			chunk, to := slice.Chunk(i), splitRows{}
			if err := from.take(&chunk, &to, nil); err != nil {
				t.Fatal(err)
			}
			seen += len(to.Arm)
			most := 0
			if c.eligible || c.all {
				most = maxSplitPairs
			}
			if len(to.could) > most || len(to.low) > most || (to.Could != nil) != (c.eligible || c.all) || (to.Low != nil) != c.all {
				t.Errorf("%+v: chunk %d keeps %d and %d pairs", c, i, len(to.could), len(to.low))
			}
		}
		if seen != rows {
			t.Errorf("%+v: %d rows", c, seen)
		}
	}
}
