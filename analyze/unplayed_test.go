package analyze_test

import (
	"strings"
	"testing"

	"banditaudit/analyze/log/check"
	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
)

// TestUnplayedArms: an arm that was never played is noted, and contradicts only
// where its probability is known in every round and leaves too little to chance.
// Probabilities are those of python, as in
//
//	from fractions import Fraction as F; float(F(2,3)**400)
func TestUnplayedArms(t *testing.T) {
	const policy = "policy: {name: uniform, seed: {file: seed.hex}}\n"
	third := 1.0 / 3
	for _, c := range []struct {
		name       string
		policy     string
		rows       int
		propensity float64   // of the logged action; 0 for no such column
		byArm      []float64 // of all arms; without it there is no such column
		eligible   []bool    // of the first half of the rows; nil: all
		want       schemas.CheckStatus
		says       string
	}{
		{"nothing known", "", 400, 0, nil, nil, schemas.CheckNote, "it takes log.propensity_by_arm"},
		{"a policy that learns", "policy: {name: ucb, width: {c: 2}}\ncounter: {name: exact}\n", 400, 0, nil, nil, schemas.CheckNote, "it takes log.propensity_by_arm"},
		{"uniform", "policy: {name: uniform}\n", 400, 0, nil, nil, schemas.CheckFail, "By the declared policy the probability of never playing an arm is 3.66e-71 (c)"},
		{"uniform, few rounds", "policy: {name: uniform}\n", 8, 0, nil, nil, schemas.CheckNote, "such an arm is 0.039; the level is 0.0003333"},
		{"uniform, seldom eligible", "policy: {name: uniform}\n", 16, 0, nil, []bool{true, true, false}, schemas.CheckNote, "such an arm is 0.039; the level is 0.0003333"},
		{"fixed", "policy: {name: fixed, probabilities: [0.5, 0.49, 0.01]}\n", 200, 0, nil, nil, schemas.CheckNote, "such an arm is 0.134; the level is 0.0003333"},
		{"fixed with a floor", "policy: {name: fixed, probabilities: [0.5, 0.5, 0], floor: 0.1}\n", 400, 0, nil, nil, schemas.CheckFail, "an arm is 4.98e-19 (c)"},
		{"all logged", "", 400, 0.45, []float64{.45, .45, .1}, nil, schemas.CheckFail, "By the logged propensities of all arms the probability of never playing an arm is 4.98e-19 (c)"},
		{"all logged, few rounds", "", 60, 0.45, []float64{.45, .45, .1}, nil, schemas.CheckNote, "such an arm is 0.0018; the level"},
		{"all logged, given up", "", 400, 0.5, []float64{.5, .5, 0}, nil, schemas.CheckNote, "such an arm is 1; the level"},
		{"exactly 1/m", "", 400, third, nil, nil, schemas.CheckFail, "exactly 1/m among the m arms that could be played the probability of never playing an arm is 3.66e-71 (c)"},
		{"nearly 1/m", "", 400, 0.3333, nil, nil, schemas.CheckNote, "it takes log.propensity_by_arm"},
	} {
		t.Run(c.name, func(t *testing.T) {
			log := ""
			spec := &logfile.Layout{Labels: []string{"a", "b", "c"}, Reward: logfile.RewardBool}
			if c.propensity > 0 {
				log, spec.Propensity = ", propensity: propensity", true
			}
			if c.byArm != nil {
				log, spec.PropensityByArm = log+", propensity_by_arm: propensity_by_arm", true
			}
			if c.eligible != nil {
				log, spec.Eligible = log+", eligible: eligible", logfile.EligibleFlags
			}
			rows := make([]logfile.Row, c.rows)
			for i := range rows {
				rows[i] = logfile.Row{Arm: i % 2, Reward: float64(i / 2 % 2), Propensity: c.propensity, PropensityByArm: c.byArm}
				if i < c.rows/2 {
					rows[i].Eligible = c.eligible
				}
			}
			source := strings.NewReplacer(policy, c.policy, ", propensity: propensity", log, "[a, b]", "[a, b, c]").Replace(uniform)
			r := written(t, t.TempDir(), source, spec, rows).analyse(t, 2)
			h08 := check.Find(r.Experiments[0].Data.Checks, "H08")
			if h08.Status != c.want || !strings.Contains(h08.Detail, c.says) {
				t.Errorf("%s: %s; want %s and %q", h08.Status, h08.Detail, c.want, c.says)
			}
			f := claim(t, r, quality)
			if verdict := map[schemas.CheckStatus]schemas.Verdict{schemas.CheckNote: schemas.Verified, schemas.CheckFail: schemas.Violated}[c.want]; f.Verdict != verdict {
				t.Errorf("data.quality is %s, want %s", f.Verdict, verdict)
			}
			if (h08.P != nil) != strings.Contains(f.Procedure, "; H08 at level 0.001") {
				t.Errorf("procedure %q, p %v", f.Procedure, h08.P)
			}
		})
	}
}

// TestAlteredPropensities: with a seed, propensities that the policy does not
// give are a contradiction, even where every action is its own.
func TestAlteredPropensities(t *testing.T) {
	l := uniformLab(t)
	f := claim(t, l.analyse(t, 1), conforms)
	if f.Verdict != schemas.Verified || f.Observed != "400 of 400 rounds match; the propensities of 400 do; any number of rewards could be changed unseen, for the policy reads none" ||
		f.Statement != "Every logged action is the one that the declared policy chooses, and every logged propensity the one that it gives." ||
		f.Procedure != "teacher-forced replay, evidence: seed; logged propensities against recomputed ones, to 1e-6 of the larger and 1e-8, and half a unit of their last decimal (0.05)" {
		t.Errorf("unaltered: %+v", f)
	}
	altered := *l
	altered.replays = []schemas.ReplayExperiment{l.replays[0]}
	altered.replays[0].Conformance.Propensities = &schemas.PropensityReplay{
		Rounds: 400, Matched: 397, FirstMismatch: &schemas.PropensityMismatch{Round: 17, Arm: "b", Logged: 0.96, Replayed: 0.95},
	}
	r := altered.analyse(t, 1)
	f = claim(t, r, conforms)
	if f.Verdict != schemas.Violated || f.Reason != "round 17: logged propensity 0.96 of arm b, the policy plays it with 0.95; the propensities of 3 of 400 rounds differ" || r.Overall != "EXCEPTIONS NOTED (1)" ||
		!strings.HasPrefix(f.Observed, "3 of 400 logged propensities are not the policy's (first: round 17, b, logged 0.96, expected 0.95)") || float64(*f.ObservedValue) != 397 || float64(*f.ThresholdValue) != 400 {
		t.Errorf("altered: %s, %+v", r.Overall, f)
	}
}
