package analyze_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
)

// TestContradictedWeights: where H05 and H17 contradict the propensities, everything
// that rests on them says so; where it does not, nothing does.
func TestContradictedWeights(t *testing.T) {
	for _, c := range []struct {
		name        string
		propensity  float64
		contradicts bool
	}{{"used", 0.5, false}, {"not used", 0.1, true}} {
		r := flipped(t, func(int) float64 { return c.propensity }).analyse(t, 1)
		e := &r.Experiments[0]
		if e.Arms[0].IPWMean == nil {
			t.Fatalf("%s: no IPW means", c.name)
		}
		for _, est := range e.Estimates {
			if est.Estimator == schemas.EstimatorSqrt {
				continue // it is given only where means are declared to stand still
			}
			if est.Estimate == nil || strings.Contains(est.Reason, "the logged propensities are contradicted by H05 and H17") != c.contradicts || c.contradicts && est.CI != nil {
				t.Errorf("%s: %s of %s: %v, %q", c.name, est.Estimator, est.Target, est.CI, est.Reason)
			}
			if strings.Contains(est.ValidUnder, "contradicted by H05 and H17, so this mean is not to be relied on") != c.contradicts {
				t.Errorf("%s: %s is valid under %q", c.name, est.Target, est.ValidUnder)
			}
		}
		warning := slices.ContainsFunc(e.Warnings, func(w string) bool {
			return strings.HasPrefix(w, "the logged propensities are contradicted by H05 and H17: ipw_mean")
		})
		note := slices.ContainsFunc(e.Warnings, func(w string) bool {
			return strings.HasPrefix(w, "note H14, weights, effective sample size, resolution: ") && strings.Contains(w, "H05 contradicts the logged propensities")
		})
		f := claim(t, r, allocation)
		said := strings.HasSuffix(f.Reason, "The IPW means rest on these propensities and are not to be relied on.")
		if warning != c.contradicts || note != c.contradicts || said != c.contradicts || (f.Verdict == schemas.Violated) != c.contradicts {
			t.Errorf("%s: warned %v, noted %v, said %v, %s", c.name, warning, note, said, f.Verdict)
		}
	}
}

// TestNotesWarn: notes of checks that bear on what is said stand among the
// warnings.
func TestNotesWarn(t *testing.T) {
	rows := rolesRows(9, 900)
	for i := range rows {
		if rows[i].Arm == 1 && i%2 == 0 {
			rows[i].Reward = math.NaN()
		}
	}
	spec := rolesSpec()
	spec.MissingReward = true
	e := one(t, rolesLab(t, columns, columns+", missing_reward: exclude-independent", spec, rows))
	if !strings.HasPrefix(e.Warnings[0], "note H11, missing rewards by arm: ") {
		t.Errorf("the first warning is %q, not the note", e.Warnings[0])
	}
	warned(t, e, "a reason to ask about the declaration exclude-independent")

	rows = rolesRows(9, 900)
	for i := range rows {
		rows[i].Unit = "one"
	}
	spec = rolesSpec()
	spec.Unit, spec.Batch = true, true
	e = one(t, rolesLab(t, columns, columns+", unit: unit, batch: batch", spec, rows))
	warned(t, e, "note H07, one unit in several arms of a batch: 9 of 9 pairs")

	for _, w := range one(t, rolesLab(t, "", "", rolesSpec(), rolesRows(9, 900))).Warnings {
		if strings.HasPrefix(w, "note ") {
			t.Errorf("a log of which nothing is noted warns %q", w)
		}
	}
}

// TestEligibleCarried: without propensities only a replay looks at eligible
// arms.
func TestEligibleCarried(t *testing.T) {
	const carried = "log.eligible is carried into the tableau; without logged propensities only the replay of a policy uses it, and there was none"
	for _, propensity := range []bool{false, true} {
		rows := rolesRows(10, 60)
		for i := range rows {
			rows[i].Eligible = []bool{true, true, true}
		}
		spec := rolesSpec()
		spec.Eligible, spec.Propensity = logfile.EligibleFlags, propensity
		log := map[bool]string{false: "eligible: eligible, context: [x0]", true: columns + ", eligible: eligible"}[propensity]
		source := strings.NewReplacer(columns, log, "policy: {name: uniform}\n", "").Replace(roles)
		e := one(t, written(t, t.TempDir(), source, spec, rows))
		if slices.Contains(e.Warnings, carried) == propensity {
			t.Errorf("propensity %v: %q", propensity, e.Warnings)
		}
	}
}

// TestReplayUsesWhatItReads: eligible arms and the time of rewards are used by
// the replay of a policy that learns, also where no propensity is logged.
func TestReplayUsesWhatItReads(t *testing.T) {
	rows := rolesRows(10, 60)
	for i := range rows {
		rows[i].Eligible = []bool{true, true, true}
	}
	spec := rolesSpec()
	spec.Eligible, spec.RewardOrder, spec.Propensity = logfile.EligibleFlags, true, false
	const log = "eligible: eligible, reward_order: reward_order, context: [x0]"
	for _, tc := range []struct {
		policy string
		want   int
	}{
		{"policy: {name: ucb, width: {c: 2}}\ncounter: {name: exact}\n", 0}, // nothing is drawn, so no seed is needed
		{"policy: {name: ucb, width: {c: 2}}\ncounter: {name: hybrid, epsilon: 1}\n", 2},
		{"policy: {name: uniform}\n", 1}, // which arms could be played says with what probabilities
		{"", 2},
	} {
		source := strings.NewReplacer(columns, log, "policy: {name: uniform}\n", tc.policy).Replace(roles)
		got := 0
		for _, w := range one(t, written(t, t.TempDir(), source, spec, rows)).Warnings {
			if strings.Contains(w, "is carried into the tableau; ") {
				got++
			}
		}
		if got != tc.want {
			t.Errorf("%q: %d columns are said to be unused, want %d", tc.policy, got, tc.want)
		}
	}
}

// TestBlankLabels: a label that begins or ends with a blank stands between
// quotation marks in every sentence.
func TestBlankLabels(t *testing.T) {
	source := strings.Replace(plain, "arms: [a, b, c]", "arms: [a, \" b \", c]", 1)
	rows := []logfile.Row{{Arm: 1, Reward: 1}, {Arm: 1}, {Arm: 2}}
	e := &written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", " b ", "c"}, Reward: logfile.RewardBool}, rows).analyse(t, 1).Experiments[0]
	if e.Arms[1].Label != " b " || e.Tests[1].Label != " b " || !strings.Contains(e.Tests[1].Hypothesis, `arm " b " over`) {
		t.Errorf("arm %q, test of %q: %q", e.Arms[1].Label, e.Tests[1].Label, e.Tests[1].Hypothesis)
	}
}
