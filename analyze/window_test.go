package analyze_test

import (
	"strings"
	"testing"

	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
)

// TestWindowSaid: propensities that match only by what their decimals or the
// declared resolution allow are said to be within that, and not to be equal; a
// declared resolution takes the place of decimals where these are fewer than three.
func TestWindowSaid(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, policy, log string
		logged            [2]float64
		want              schemas.Verdict
		says              string
	}{
		{"equal", "[0.5, 0.5]", "", [2]float64{.5, .5}, schemas.Consistent, "recomputed propensities equal the logged ones; "},
		{"rounded to one decimal", "[0.52, 0.48]", "", [2]float64{.5, .5}, schemas.Consistent, "recomputed propensities are within half a unit of their last decimal (0.05) of the logged ones; the largest deviation is 0.02 (round 1, arm a: logged 0.5, the policy's 0.52); in any round, a propensity further off than 1e-6 of the larger and 1e-8, and half a unit of their last decimal (0.05) would"},
		{"declared to be exact", "[0.52, 0.48]", ", propensity_resolution: 1e-6", [2]float64{.5, .5}, schemas.Violated, "round 1: logged propensity 0.5 of arm a, the policy plays it with 0.52"},
		{"declared to be rounded", "[0.52, 0.48]", ", propensity_resolution: 0.02", [2]float64{.5, .5}, schemas.Consistent, "recomputed propensities are within their declared resolution (log.propensity_resolution: 0.02) of the logged ones; the largest deviation is 0.02 "},
		{"three decimals, and a finer resolution", "[0.5204, 0.4796]", ", propensity_resolution: 1e-6", [2]float64{.52, .48}, schemas.Violated, "round 1: "},
		{"rounded to three decimals, and a finer resolution", "[0.5214, 0.4786]", ", propensity_resolution: 1e-6", [2]float64{.521, .479}, schemas.Consistent, "recomputed propensities are within half a unit of their last decimal (0.0005) of the logged ones; the largest deviation is 0.0004 "},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			rows := make([]logfile.Row, 400)
			for i := range rows {
				arm := i % 2
				rows[i] = logfile.Row{Arm: arm, Reward: float64(i / 2 % 2), Propensity: c.logged[arm]}
			}
			source := strings.Replace(uniform, ", seed: {file: seed.hex}", "", 1)
			source = strings.Replace(source, "{name: uniform", "{name: fixed, probabilities: "+c.policy, 1)
			source = strings.Replace(source, "propensity: propensity", "propensity: propensity"+c.log, 1)
			l := written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b"}, Reward: logfile.RewardBool, Propensity: true}, rows)
			if f := claim(t, l.analyse(t, 1), conforms); f.Verdict != c.want || !strings.HasPrefix(f.Reason, c.says) {
				t.Errorf("%s, because %q", f.Verdict, f.Reason)
			}
		})
	}
}
