package report

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"banditaudit/report/digest"
	"banditaudit/schemas"
)

// openBandit is a log that nothing private was declared for: 34 arms, logged
// propensities, one arm never played, a rank-deficient fit.
func openBandit() *schemas.Results {
	const arms, rounds = 34, 10000
	x := schemas.Experiment{
		ID: "bts-men", Rounds: rounds, ContextDim: 20,
		Data: schemas.Data{RowsRead: rounds, RowsAnalysed: rounds, Checks: []schemas.Check{
			{ID: "H05", Title: "allocation against logged propensities", Observed: "largest deviation 3.1 % (arm 12)", Expected: "p ≥ 0.001, jointly and per arm", Statistic: new(41.27), P: new(0.1534), Status: schemas.CheckPass, Detail: "smallest deviation that would have been detected: 24 %"},
			{ID: "H08", Title: "arms never played", Observed: "1 of 34", Expected: "0", Status: schemas.CheckFail, Detail: "arm 33"},
			{ID: "H14", Title: "effective sample size", Observed: "ESS/n = 0.06, largest weight 4,761", Expected: "ESS/n at least 0.1", Statistic: new(0.0604), Status: schemas.CheckNote, Detail: "mean of 1/p is 33.81 against K = 34"},
		}},
		Replay:      schemas.Conformance{Mode: schemas.ModeNone, Rounds: rounds},
		Disclosures: []schemas.Disclosure{{Purpose: "arms", Rows: rounds, Columns: []string{"reward"}}},
		Estimates: []schemas.Estimate{
			{Target: "value", Estimator: "ipw", EvaluationPolicy: "uniform", Estimate: new(0.004613), StdError: new(0.0011), CI: schemas.NewInterval(0.00244, 0.00679), ESS: new(604.2), ValidUnder: "logged propensities are right"},
			{Target: "value", Estimator: "ipw", EvaluationPolicy: "fixed", ValidUnder: "logged propensities are right", Anytime: true},
		},
		Warnings: []string{"no privacy is declared: bias bounds and corrected p are NOT APPLICABLE", "regression main, arm 33: no rows"},
	}
	columns := []string{"intercept"}
	for j := range 20 {
		columns = append(columns, fmt.Sprintf("user_feature_%d=81ce123cbb5bd8ce818f60fb3586bba%d", j%4, j))
	}
	var labels []string
	var pulls []int64
	for i := range arms {
		labels = append(labels, strconv.Itoa(i))
		pulls = append(pulls, int64(60+17*((i*i)%37)))
	}
	pulls[33] = 0
	x.Series = allocation(labels, pulls, rounds, 100)
	for i := range arms {
		mean := 0.002 + 0.0004*float64(i%11)
		a := schemas.Arm{Arm: i, Label: labels[i], Pulls: pulls[i]}
		if pulls[i] > 0 {
			se, ci := normalCI(mean, pulls[i])
			a.Mean, a.StdError, a.CI, a.IPWMean = &mean, &se, ci, new(mean*1.1)
			a.ConfidenceSequence = sequence(mean, pulls[i], arms)
		}
		if pulls[i] < 100 {
			a.Vacuous = []string{"confidence_sequence"}
		}
		f := fit(i, labels[i], pulls[i], mean, columns)
		if pulls[i] == 0 {
			f = schemas.Regression{Name: "main", Arm: i, Label: labels[i], Columns: columns, Dropped: columns, Covariance: "HC3"}
		} else if i%5 == 0 {
			f.Dropped, f.Rank, f.ConditionNumber = []string{columns[7], columns[12]}, len(columns)-2, new(23456.7)
		}
		x.Arms, x.Regressions = append(x.Arms, a), append(x.Regressions, f)
	}
	na := func(id, kind, why string) schemas.Finding {
		return schemas.Finding{ID: id, Experiment: x.ID, Kind: kind, Severity: schemas.SeverityRequired, Statement: kind, Verdict: schemas.NotApplicable, Reason: why}
	}
	return &schemas.Results{
		Schema: schemas.ResultsSchema, Tool: schemas.Tool{Name: "banditaudit", Version: "v0.1.0"},
		RunID:    strings.Repeat("4e", 32),
		Protocol: json.RawMessage(`{"version":1,"experiment":{"id":"bts-men"},"log":{"order":["ts","position"],"action":"item_id","reward":"click","propensity":"propensity_score","context":[{"column":"user_feature_0","levels":["81ce123cbb5bd8ce818f60fb3586bba5","4ae385d792f81dde128124a925a830de"]}]},"reward":{"range":[0,1]},"analysis":{"alpha":0.05,"evaluate":[{"id":"uniform","target":"uniform"}]}}`),
		Inputs:   []schemas.Input{{URI: "bts-men.parquet", Bytes: 1063110, Rows: rounds, SHA256: strings.Repeat("5d", 32)}},
		Overall:  "INCOMPLETE (1)",
		Claims: []schemas.Finding{
			{ID: "data.quality", Experiment: x.ID, Kind: schemas.KindDataQuality, Severity: schemas.SeverityRequired, Statement: "the checks H01–H04, H08 and H09 hold", Verdict: schemas.NotEstablished, Observed: "1 failed", Reason: "H08: arm 33 was never played", Procedure: "exact counts", Evidence: []string{"/experiments/0/data/checks/1"}},
			{ID: "allocation", Experiment: x.ID, Kind: schemas.KindAllocation, Severity: schemas.SeverityRequired, Statement: "logged actions follow logged propensities", Verdict: schemas.Consistent, Observed: "joint p = 0.1534", Comparator: ">=", Threshold: "0.001", Procedure: "H05, H14", Evidence: []string{"/experiments/0/data/checks/0", "/experiments/0/data/checks/2/statistic"}},
			na("conformance", schemas.KindConformance, "no policy is declared"),
			na("privacy", schemas.KindPrivacyTotal, "no privacy is declared"),
		},
		Experiments: []schemas.Experiment{x},
	}
}

// twoExperiments holds one experiment that passes and one with a mismatch, no
// noise and tests that nothing can correct.
func twoExperiments() *schemas.Results {
	r := homepage()
	second := homepage().Experiments[0]
	second.ID = "homepage-footer"
	second.Replay.Matched, second.Replay.FirstMismatch = 19999, &schemas.Mismatch{Round: 4711, Logged: "blue", Replayed: "video"}
	second.Privacy = schemas.Accounting{Definition: "pure", Unit: "round", EpsilonClaimed: schemas.Ext(0.25), EpsilonMechanism: schemas.Ext(math.Inf(1)), EpsilonRealized: schemas.Ext(math.Inf(1)), SumSquaredCosts: schemas.Ext(math.Inf(1)), LowerBound: &schemas.LowerBound{Epsilon: 0.3321, Confidence: 0.95, Runs: 10000, Event: "arm of round 3"}}
	second.Data.Excluded = []schemas.Exclusion{{Reason: "reward clipped to range", Rows: 12}}
	for i := range second.Arms {
		a := &second.Arms[i]
		a.BiasBound, a.BiasBoundPaper, a.CICorrected, a.Sigma = nil, nil, nil, schemas.Ext(math.Inf(1))
		a.Vacuous = []string{"bias_bound"}
	}
	for i := range second.Tests {
		t := &second.Tests[i]
		t.Decision, t.Verdict = "not applicable", schemas.NotApplicable
		t.Results[0].Approximate = true
		for _, j := range []int{1, 2} {
			t.Results[j] = schemas.TestResult{Method: t.Results[j].Method, Reason: "A1: the declared mechanism reads rewards without noise."}
		}
	}
	second.Series = nil
	r.Experiments = append(r.Experiments, second)
	r.Overall = "EXCEPTIONS NOTED (2)"
	for _, c := range homepageClaims() {
		c.Experiment = second.ID
		switch c.Kind {
		case schemas.KindConformance:
			c.Verdict, c.Observed, c.Reason = schemas.Violated, "19,999 of 20,000 rounds", "round 4,711: logged blue, the policy chooses video"
		case schemas.KindPrivacyTotal:
			c.Verdict, c.Observed, c.Reason = schemas.Violated, "ε = ∞", "the accounting of the declared mechanism gives ε = ∞, not 0.25"
		case schemas.KindBiasBound:
			c.Verdict, c.Observed, c.Vacuous = schemas.NotEstablished, "", true
		}
		c.Evidence = []string{"/experiments/1/replay"}
		r.Claims = append(r.Claims, c)
	}
	return r
}

// hostileNames are labels as an attacker, or an accident, would log them.
func hostileNames() []string {
	return []string{"<script>alert(1)</script>", "a|b", "](http://x)", "two\nlines", "rtl\u202Egnp.exe", "`tick``s`", "", " padded ", "**bold** _x_ ~~s~~", "\u200bzero", "日本語のラベル", "--></style><!--", `"quoted' & co`, "www.example.org", strings.Repeat("long", 60), "{{.Title}}", "\u115f\ufe0f", "</text></svg><script>x</script>", "![x](http://x/y.png)", "=1+1", "+1", "-1", "@SUM(A1)", "\x1b]0;t\x07", "\x00\x1b[31m"}
}

// question makes tests of every kind, with n for every name.
func question(t *schemas.Test, i int, n string) {
	t.Kind = []string{schemas.TestMean, schemas.TestDifference, schemas.TestCoefficient, schemas.TestJoint}[i%4]
	t.Against, t.Regression, t.Coefficients, t.Test, t.Selector = n, n, []string{n, n}, n, n
	for j := range t.Results {
		t.Results[j].Correction = n
	}
	t.Results = append(t.Results, schemas.TestResult{Method: schemas.MethodDelta, Correction: n, Reason: n, Applicable: true})
}

// hostile is homepage with hostile names everywhere that a log can put text.
func hostile() *schemas.Results {
	names := hostileNames()
	r := homepage()
	x := &r.Experiments[0]
	pulls := make([]int64, len(names))
	x.Arms, x.Tests, x.Regressions = nil, nil, nil
	for i, n := range names {
		pulls[i] = int64(500 + 10*i)
		x.Arms = append(x.Arms, privateArm(i, n, pulls[i], 0.3+0.02*float64(i)))
		x.Tests = append(x.Tests, meanTest(n, n, i, &x.Arms[i]))
		x.Regressions = append(x.Regressions, correctedFit(fit(i, n, pulls[i], 0.3, []string{n, "x0"})))
		x.Regressions[i].Dropped, x.Regressions[i].Covariance, x.Regressions[i].BiasWorstForm = []string{n}, n, n
		question(&x.Tests[i], i, n)
		x.Warnings = append(x.Warnings, n)
		x.Disclosures = append(x.Disclosures, schemas.Disclosure{Purpose: n, Columns: []string{n, n}})
		x.Data.Excluded = append(x.Data.Excluded, schemas.Exclusion{Reason: n})
		x.Data.Checks = append(x.Data.Checks, schemas.Check{ID: n, Title: n, Observed: n, Expected: n, Detail: n, Status: schemas.CheckStatus(n)})
		x.Estimates = append(x.Estimates, schemas.Estimate{Target: n, Estimator: n, EvaluationPolicy: n, ValidUnder: n})
		r.Inputs = append(r.Inputs, schemas.Input{URI: n, SHA256: n})
		r.Claims = append(r.Claims, schemas.Finding{ID: n, Kind: n, Severity: n, Statement: n, Verdict: schemas.Verdict(n), Observed: n, Comparator: n, Threshold: n, Procedure: n, Reason: n, Evidence: []string{n, "/" + n}})
		r.Assumptions = append(r.Assumptions, schemas.Assumption{ID: n, Text: n, CheckedBy: n, Status: n})
		x.Privacy.Mechanisms = append(x.Privacy.Mechanisms, schemas.Mechanism{Name: n, Arm: n})
		x.Privacy.Levels = append(x.Privacy.Levels, schemas.CostLevel{Arm: n, Cost: 0.1, Rows: 1})
		x.Allocation = append(x.Allocation, schemas.Hypothesis{Name: n, Words: n})
	}
	x.Series = allocation(names, pulls, 20000, 64)
	x.ID = names[0]
	x.Replay = hostileReplay(names)
	x.Privacy.Definition, x.Privacy.Unit = names[0], names[1]
	x.Privacy.LowerBound = &schemas.LowerBound{Event: names[0]}
	r.Overall, r.Tool.Version = names[0], names[0]
	r.Experiments = append(r.Experiments, schemas.Experiment{ID: "second"}) // for the family stands where there are several
	r.Family = &schemas.Family{Method: names[0], Note: names[1], Smallest: &schemas.FamilyTest{Experiment: names[0], Test: names[2], Evidence: names[3]}}
	for _, n := range names {
		r.Family.Rejections = append(r.Family.Rejections, schemas.FamilyTest{Experiment: n, Test: n, Evidence: n})
	}
	raw, err := json.Marshal(map[string]any{
		"arms": names, "policy": map[string]any{"name": names[0], "exec": names, "parameters": map[string]any{names[1]: names[2]}},
		"analysis": map[string]any{"tests": []any{map[string]any{"id": names[0], "joint": map[string]float64{names[3]: 0}}}},
	})
	if err != nil {
		panic(err)
	}
	r.Protocol = raw
	return r
}

// hostileReplay has names wherever a replay can.
func hostileReplay(names []string) schemas.Conformance {
	c := faultyPropensities()
	c.FirstMismatch, c.LastMismatch, c.Matched = &schemas.Mismatch{Round: 1, Logged: names[0], Replayed: names[2]}, new(int64(1)), 1
	c.Propensities.FirstMismatch.Arm, c.Propensities.Worst.Arm, c.Propensities.Hypotheses = names[0], names[1], nil
	x := c.Released
	x.Actions, x.FirstMismatch, x.Allocation.Arm, x.FirstDiffer.Arm = names[0], c.FirstMismatch, names[0], names[1]
	x.FirstChanged, x.Noise = &schemas.ReleasedPlace{Round: 1, Arm: names[2]}, &schemas.NoiseFit{Rejected: true}
	for _, n := range names {
		x.Noise.Groups = append(x.Noise.Groups, schemas.NoiseGroup{Arm: n})
		x.Noise.Tests = append(x.Noise.Tests, schemas.NoiseTest{Name: n, Detail: n})
		x.Noise.Hypotheses = append(x.Noise.Hypotheses, schemas.Hypothesis{Name: n, Words: n})
		c.Propensities.Hypotheses = append(c.Propensities.Hypotheses, schemas.Hypothesis{Name: n, Words: n, Fits: true})
	}
	return c
}

// many holds more experiments than are shown in full.
func many(n int) *schemas.Results {
	r := homepage()
	x := r.Experiments[0]
	claims := r.Claims
	r.Experiments, r.Claims = nil, nil
	for i := range n {
		if i == digest.MaxDrawn { // what is not drawn need not be heavy
			x.Regressions, x.Series, x.Privacy.Levels = nil, nil, nil
		}
		x.ID = fmt.Sprintf("exp-%04d", i)
		r.Experiments = append(r.Experiments, x)
		for _, c := range claims {
			c.Experiment = x.ID
			if i == n-1 && c.Kind == schemas.KindConformance {
				c.Verdict = schemas.Violated
			}
			r.Claims = append(r.Claims, c)
		}
	}
	return r
}

// fixtures are the results that every renderer is tested on.
func fixtures() map[string]*schemas.Results {
	return map[string]*schemas.Results{
		"homepage":    homepage(),
		"open-bandit": openBandit(),
		"two":         twoExperiments(),
		"questions":   questions(),
		"faulty":      faulty(),
		"hostile":     hostile(),
		"many":        many(25),
		"empty":       {Tool: schemas.Tool{Name: "banditaudit", Version: "v0.1.0"}},
		"bare": {
			Experiments: []schemas.Experiment{{Arms: []schemas.Arm{{}}, Tests: []schemas.Test{{Results: []schemas.TestResult{{Applicable: true}}}, {}}, Regressions: []schemas.Regression{{Coefficients: []schemas.Coefficient{{}}}}, Estimates: []schemas.Estimate{{}}, Privacy: schemas.Accounting{Mechanisms: []schemas.Mechanism{{}}}, Series: []schemas.Series{{ID: "allocation/"}, {ID: "allocation/x", X: []float64{1}, Y: []float64{1}}}}},
		},
	}
}

// TestFixturesAreResults guards the fixtures: what they hold must survive the
// JSON that a real audit writes.
func TestFixturesAreResults(t *testing.T) {
	for name, r := range fixtures() {
		raw, err := json.Marshal(r)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var back schemas.Results
		if err := json.Unmarshal(raw, &back); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
