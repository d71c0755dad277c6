package analyze_test

import (
	"math"
	"strings"
	"testing"

	"banditaudit/ingest/logfile"
)

// A column of all arms that holds what another target is gives what that gives; one of the
// played arm alone gives the same but for what needs all arms.
func TestTargetColumns(t *testing.T) {
	t.Parallel()
	uniform, fixed := []float64{1. / 3, 1. / 3, 1. / 3}, []float64{.1, .1, .8}
	for name, share := range map[string][]float64{"uniform": uniform, "{fixed: [0.1, 0.1, 0.8]}": fixed} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			source, spec, rows := smallValues(0, 1)
			spec.TargetByArm, spec.Target = true, true
			for i := range rows {
				rows[i].TargetByArm, rows[i].Target = share, share[rows[i].Arm]
			}
			source = unasked(source) + "analysis: {evaluate: [{id: A, target: " + name + "}, {id: B, target: {column: target_by_arm}}, {id: C, target: {column: target}}]}\n"
			e := one(t, written(t, t.TempDir(), source, spec, rows))
			for _, by := range []string{"ips", "snips", "dr", "gain"} {
				against := ""
				if by == "gain" {
					by, against = "ips", "the logging policy"
				}
				want := valueOf(t, e, "A", by, against, false)
				for _, id := range []string{"B", "C"} {
					x := valueOf(t, e, id, by, against, false)
					if id == "C" && by == "dr" {
						if x.Estimate != nil || !strings.Contains(x.Reason, "column target has that of the played arm alone") {
							t.Errorf("dr of the played arm: %+v", x)
						}
						continue
					}
					within(t, id+" "+by, *x.Estimate, *want.Estimate, 1e-14)
					within(t, id+" "+by+", error", *x.StdError, *want.StdError, 1e-14)
					if !strings.Contains(x.ValidUnder, "was set without reading the reward of its own round") {
						t.Errorf("%s: %s", id, x.ValidUnder)
					}
				}
			}
			for _, against := range []string{"", "the logging policy"} {
				want, b, c := valueOf(t, e, "A", "ips", against, true), valueOf(t, e, "B", "ips", against, true), valueOf(t, e, "C", "ips", against, true)
				within(t, "low"+against, b.CI[0], want.CI[0], 1e-14)
				within(t, "high"+against, b.CI[1], want.CI[1], 1e-14)
				// Of the played arm the plain wagers alone: of the value these are in analyze/stat/eprocess,
				// to the decimals of the column. At .1 and .8 the lower ends are .0995 and .7995.
				limits := map[string][2]float64{"uniform": {.1647308235, .9531323270}, "{fixed: [0.1, 0.1, 0.8]}": {.1942795726, .9863850298}}[name]
				if against == "" && (c.CI[0] > limits[0]+1e-9 || c.CI[1] < limits[1]-1e-9 || math.Abs(c.CI[0]-limits[0]) > 5e-4 || math.Abs(c.CI[1]-limits[1]) > 5e-4) {
					t.Errorf("of the played arm: %v, want about %v and no less wide", c.CI, limits)
				}
			}
		})
	}
}

// A column moves with the round: values are those of a loop over the rows, and a policy of 0
// and 1 is one.
func TestTargetColumnsByRound(t *testing.T) {
	t.Parallel()
	source, spec, rows := smallValues(0, 1)
	spec.TargetByArm, spec.Target, spec.Eligible = true, true, logfile.EligibleFlags
	sum := [2]float64{}
	for i := range rows {
		rows[i].Eligible = []bool{true, true, true}
		rows[i].TargetByArm = [][]float64{{1, 0, 0}, {0, .25, .75}, {.2, .3, .5}}[i%3]
		rows[i].Target = rows[i].TargetByArm[rows[i].Arm]
		rho := rows[i].Target / rows[i].PropensityByArm[rows[i].Arm]
		sum[0] += rho * rows[i].Reward / 12
		sum[1] += min(rho, 1.5) * rows[i].Reward / 12
	}
	source = strings.Replace(unasked(source), "propensity_by_arm:", "eligible: eligible, eligible_by: schedule, propensity_by_arm:", 1) +
		"analysis: {evaluate: [{id: B, target: {column: target_by_arm}}, {id: C, target: {column: target}}, {id: D, target: {column: target}, clip_weights: 1.5}]}\n"
	e := one(t, written(t, t.TempDir(), source, spec, rows))
	for id, want := range map[string]float64{"B": sum[0], "C": sum[0], "D": sum[1]} {
		within(t, id, raw(valueOf(t, e, id, "ips", "", false)), want, 1e-14)
	}
	d := valueOf(t, e, "D", "ips", "", false) // what is hidden is seen of played arms alone
	within(t, "B", *d.ClipBias, raw(valueOf(t, e, "C", "ips", "", false))-raw(valueOf(t, e, "D", "ips", "", false))+hiddenZeros(rows), 1e-14)
	if !strings.Contains(d.ValidUnder, "estimated from the weights of the played arms") {
		t.Errorf("%s", d.ValidUnder)
	}
}

// hiddenZeros is what of (ρ − 1.5)₊ lies in rounds that earned nothing, of all rounds.
func hiddenZeros(rows []logfile.Row) float64 {
	sum := 0.0
	for i := range rows {
		if rows[i].Reward == 0 {
			sum += max(0, rows[i].Target/rows[i].PropensityByArm[rows[i].Arm]-1.5) / float64(len(rows))
		}
	}
	return sum
}
