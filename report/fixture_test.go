package report

import (
	"encoding/json"
	"math"
	"strings"

	"banditaudit/schemas"
)

// The fixtures are results as an audit writes them. Their numbers are made
// here, by the formulas that the report names, so that a reader of a golden
// file can follow them; the statistics themselves are tested where they live.

// homepage is a private experiment: PrivUCB with five arms and six tests.
func homepage() *schemas.Results {
	labels := []string{"control", "blue", "green", "headline-b", "video"}
	pulls := []int64{4095, 2048, 2047, 4096, 7714}
	means := []float64{0.3016, 0.4053, 0.4461, 0.5010, 0.6024}
	x := schemas.Experiment{
		ID: "homepage-cta", Rounds: 20000, ContextDim: 3,
		Data: schemas.Data{RowsRead: 20000, RowsAnalysed: 20000, Checks: []schemas.Check{
			{ID: "H01", Title: "schema and types", Observed: "all columns as declared", Expected: "as declared", Status: schemas.CheckPass},
			{ID: "H02", Title: "duplicate rounds", Observed: "0", Expected: "0", Status: schemas.CheckPass},
			{ID: "H03", Title: "missing, NaN, infinite, out of range", Observed: "0", Expected: "0", Status: schemas.CheckPass},
			{ID: "H05", Title: "allocation against logged propensities", Expected: "p ≥ 0.001", Status: schemas.CheckNotRun, Detail: "needs the column log.propensity"},
			{ID: "H08", Title: "arms never played", Observed: "0 of 5", Expected: "0", Status: schemas.CheckPass},
			{ID: "H09", Title: "order, gaps, ties", Observed: "0 gaps", Expected: "0", Status: schemas.CheckPass},
			{ID: "H15", Title: "design of main", Observed: "largest condition number 1.062", Expected: "at most 1000", Statistic: new(1.0624), Status: schemas.CheckPass},
		}},
		Replay:      schemas.Conformance{Mode: schemas.ModeSeed, Rounds: 20000, Replayable: 20000, Matched: 20000, Binding: homepageBinding(labels)},
		Privacy:     homepagePrivacy(labels, pulls),
		Disclosures: []schemas.Disclosure{{Purpose: "arms", Rows: 20000, Columns: []string{"reward"}}, {Purpose: "regression:main", Rows: 20000, Columns: []string{"reward"}}, {Purpose: "test:H1", Rows: 7714, Columns: []string{"reward"}}},
		Series:      allocation(labels, pulls, 20000, 256),
	}
	for i := range labels {
		x.Arms = append(x.Arms, privateArm(i, labels[i], pulls[i], means[i]))
		x.Regressions = append(x.Regressions, fit(i, labels[i], pulls[i], means[i], []string{"intercept", "x0", "x1", "x2"}))
	}
	x.Tests = append(x.Tests, meanTest("H1", "most-pulled", 4, &x.Arms[4]))
	for i := range labels {
		x.Tests = append(x.Tests, meanTest("H2/"+labels[i], "each", i, &x.Arms[i]))
	}
	return &schemas.Results{
		Schema: schemas.ResultsSchema, Tool: schemas.Tool{Name: "banditaudit", Version: "v0.1.0"},
		RunID:    "9f2c4b61d07e5a3388c1f0a9b4d2e6735c8a1f40b6e29d7c5301fa8e4b7d9c12",
		Protocol: json.RawMessage(homepageProtocol),
		Inputs: []schemas.Input{
			{URI: "part-00000.parquet", Bytes: 402113, Rows: 8192, SHA256: strings.Repeat("0a", 32)},
			{URI: "part-00001.parquet", Bytes: 402118, Rows: 8192, SHA256: strings.Repeat("1b", 32)},
			{URI: "part-00002.parquet", Bytes: 178406, Rows: 3616, SHA256: strings.Repeat("2c", 32)},
		},
		Overall:     schemas.OverallClean,
		Claims:      homepageClaims(),
		Assumptions: assumptionList(),
		Experiments: []schemas.Experiment{x},
	}
}

const homepageProtocol = `{"version":1,"experiment":{"id":"homepage-cta","stopping":"fixed"},
"log":{"order":["round"],"action":"action","reward":"reward","context":["x0","x1","x2"]},
"arms":["control","blue","green","headline-b","video"],"reward":{"range":[0,1]},
"policy":{"name":"ucb","width":{"delta":0.05},"bonus":"quantile","seed":{"sha256":"5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef"}},
"counter":{"name":"hybrid","epsilon":0.25,"horizon":20000,"grid":"2^-20"},
"privacy":{"definition":"pure","epsilon":0.25,"unit":"round"},
"analysis":{"chosen":"before","alpha":0.05,"multiplicity":"holm","regressions":[{"name":"main","arms":"each","covariance":"HC3"}],
"tests":[{"id":"H1","arm":"most-pulled","mean":0.5,"test":"exact"},{"id":"H2","arm":"each","mean":0.5,"test":"exact"}]},
"claims":[{"id":"P1","kind":"privacy.total"}]}`

func homepageClaims() []schemas.Finding {
	c := func(id, kind, statement string, v schemas.Verdict, observed, reason, procedure string, evidence ...string) schemas.Finding {
		return schemas.Finding{
			ID: id, Experiment: "homepage-cta", Kind: kind, Severity: schemas.SeverityRequired, Statement: statement,
			Verdict: v, Observed: observed, Reason: reason, Procedure: procedure, Evidence: evidence,
		}
	}
	claims := []schemas.Finding{
		c("data.quality", schemas.KindDataQuality, "the checks H01–H04, H08 and H09 hold", schemas.Verified, "0 failed", "", "exact counts", "/experiments/0/data/checks"),
		c("allocation.matches_propensity", schemas.KindAllocation, "logged actions follow logged propensities", schemas.NotApplicable, "", "no propensity is logged", ""),
		c("policy.conformance", schemas.KindConformance, "the log is what the policy would have chosen", schemas.Verified, "20,000 of 20,000 rounds", "", "teacher-forced replay with the logged seed", "/experiments/0/replay"),
		c("P1", schemas.KindPrivacyTotal, "the accounting of the declared mechanism gives at most ε = 0.25", schemas.Verified, "ε = 0.25", "", "exact fractions over all action sequences", "/experiments/0/privacy/epsilon_mechanism"),
		c("B1", schemas.KindBiasBound, "the bias of every arm mean is at most 0.5", schemas.Verified, "0.025", "", "tanh(c/4), averaged over the rows of the arm", "/experiments/0/arms"),
	}
	claims[3].Comparator, claims[3].Threshold = "<=", "0.25"
	claims[4].Comparator, claims[4].Threshold, claims[4].Severity = "<=", "0.5", schemas.SeverityAdvisory
	return claims
}

func assumptionList() []schemas.Assumption {
	return []schemas.Assumption{
		{ID: "A1", Text: "the ledger is one of pure noise, drawn once per release", CheckedBy: "policy.conformance", Status: "checked"},
		{ID: "A2", Text: "given contexts and actions, the rows are independent", CheckedBy: "", Status: "not checkable"},
		{ID: "A3", Text: "the raw p holds its level given actions and contexts", CheckedBy: "choice of the test", Status: "checked"},
		{ID: "A4", Text: "a unit owns one row, or rows are taken by unit", CheckedBy: "log.unit is not declared", Status: "declared"},
		{ID: "A5", Text: "nobody who chose the tests had seen rewards or the seed", CheckedBy: "analysis.chosen: before", Status: "declared"},
		{ID: "A6", Text: "rows read include those used for cleaning", CheckedBy: "disclosures", Status: "checked"},
		{ID: "A7", Text: "one p per hypothesis", CheckedBy: "the protocol", Status: "checked"},
		{ID: "A8", Text: "the end of the log does not depend on raw rewards", CheckedBy: "experiment.stopping: fixed", Status: "declared"},
	}
}

// meanCost is the cost of every row of the fixture's arms, so that sums stay
// easy to follow.
const meanCost = 0.1

func homepagePrivacy(labels []string, pulls []int64) schemas.Accounting {
	a := schemas.Accounting{
		Definition: "pure", Unit: "round", EpsilonClaimed: schemas.Ext(0.25), DeltaClaimed: new(0.0), EpsilonMechanism: schemas.Ext(0.25),
		RhoMechanism: schemas.Ext(0.02302), EpsilonRealized: schemas.Ext(0.2083333333333334), SumSquaredCosts: schemas.Ext(200.00000000000003),
		Notes: []string{"Losses of different arms are not added: each row enters the counter of one arm, and which one follows from outputs before it. The total, in ε as in ρ, is then that of the row that can lose most."},
	}
	for i, l := range labels {
		a.Mechanisms = append(a.Mechanisms,
			schemas.Mechanism{Name: "hybrid: logarithmic", Arm: l, Scale: schemas.Ext(8), Sensitivity: 1, Releases: 12, Epsilon: schemas.Ext(0.125)},
			schemas.Mechanism{Name: "hybrid: tree of 11 levels", Arm: l, Scale: schemas.Ext(88), Sensitivity: 1, Releases: pulls[i] / 2, Epsilon: schemas.Ext(1.0 / 88)})
		for k := range 6 {
			rows := pulls[i] / 6
			if k == 5 {
				rows = pulls[i] - 5*rows
			}
			a.Levels = append(a.Levels, schemas.CostLevel{Arm: l, Cost: schemas.Extended(0.125 * (1 + float64(k)/9)), Rows: rows})
		}
	}
	return a
}

// normalCI is the raw interval of a mean of 0/1 rewards.
func normalCI(mean float64, n int64) (se float64, ci *schemas.Interval) {
	se = math.Sqrt(mean * (1 - mean) / float64(n))
	return se, schemas.NewInterval(mean-1.959964*se, mean+1.959964*se)
}

// sequence is the confidence sequence for K arms at level 0.05.
func sequence(mean float64, n int64, arms int) *schemas.Interval {
	half := math.Sqrt((float64(n)+100)*(math.Log((float64(n)+100)/100)+2*math.Log(float64(arms)/0.05))) / (2 * float64(n))
	return schemas.NewInterval(mean-half, mean+half)
}

func privateArm(i int, label string, n int64, mean float64) schemas.Arm {
	se, ci := normalCI(mean, n)
	sigma := 0.5 * meanCost * math.Sqrt(float64(n))
	half := (2.4477 + sigma) * se // √(2·ln(1/0.05)) = 2.4477
	a := schemas.Arm{
		Arm: i, Label: label, Pulls: n, Mean: &mean, StdError: &se, CI: ci,
		BiasBound: new(math.Tanh(meanCost / 4)), BiasBoundPaper: new(math.Expm1(0.25)), Sigma: schemas.Ext(sigma),
		CICorrected: schemas.NewInterval(mean-half, mean+half), ConfidenceSequence: sequence(mean, n, 5),
	}
	return a
}

// corrected is the corrected p of a raw one, by its natural logarithm.
func corrected(logP, sigma float64) float64 {
	d := math.Sqrt(-2*logP) - sigma
	if d <= 0 {
		return 0
	}
	return -0.5 * d * d
}

func meanTest(id, selector string, arm int, a *schemas.Arm) schemas.Test {
	z := (*a.Mean - 0.5) / math.Sqrt(0.25/float64(a.Pulls))
	logP := math.Min(0, -z*z/2-math.Log(math.Abs(z)+1)) // close to the normal tail, also far out
	sigma := float64(*a.Sigma)
	logC := corrected(logP, sigma)
	logPaper := math.Min(0, logP+0.25*0.25*20000/2)
	result := func(method string, l float64, valid string) schemas.TestResult {
		return schemas.TestResult{Method: method, P: new(math.Exp(l)), Log2P: schemas.Ext(l / math.Ln2), ValidFor: valid, Applicable: true, Vacuous: l == 0}
	}
	t := schemas.Test{
		ID: id, Kind: schemas.TestMean, Hypothesis: "mean = 0.5 (two-sided, exact)", Selector: selector, Arm: arm, Label: a.Label, Alternative: "two-sided", Value: 0.5,
		Estimate: a.Mean, N: a.Pulls, Assumptions: []string{"A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8"},
		Decision: schemas.DecisionKept, Verdict: schemas.NotEstablished, Decide: schemas.MethodCorrected, DecidedBy: schemas.MethodCorrected,
		Choice: "corrected is declared to decide (analysis.decide)", Agreement: "each method by itself at alpha 0.05: all that apply reject (corrected and any-time)",
		Results: []schemas.TestResult{
			result(schemas.MethodNaive, logP, "fixed-arm"), result(schemas.MethodCorrected, logC, "selected-arm"),
			result(schemas.MethodPaper, logPaper, "selected-arm"), result(schemas.MethodAnyTime, math.Min(0, logP+9), "any-time"),
		},
	}
	c := &t.Results[1]
	c.PAdjusted, c.Sigma, c.Conditional, c.CI = new(math.Min(1, 6**c.P)), schemas.Ext(sigma), true, a.CICorrected
	c.Bits = new((logC - logP) / math.Ln2)
	t.Results[2].Beta, t.Results[2].Bits = new(0.0004131), new(901.6844)
	if *c.PAdjusted <= 0.05 {
		t.Decision, t.Verdict = schemas.DecisionRejected, schemas.Consistent
	}
	return t
}

func fit(arm int, label string, n int64, mean float64, columns []string) schemas.Regression {
	f := schemas.Regression{
		Name: "main", Arm: arm, Label: label, N: n, Columns: columns, Rank: len(columns), ConditionNumber: new(1.0624),
		Covariance: "HC3", DFResidual: n - int64(len(columns)), RSquared: new(0.000412), AdjRSquared: new(-0.000113),
		FStatistic: new(0.8412), FP: new(0.471), Sigma2: new(mean * (1 - mean)),
	}
	for j, name := range columns {
		estimate := 0.004 * math.Sin(float64(7*arm+3*j))
		if j == 0 {
			estimate = mean
		}
		se := math.Sqrt(mean*(1-mean)/float64(n)) * (1 + 0.01*float64(j))
		z := estimate / se
		p := math.Erfc(math.Abs(z) / math.Sqrt2)
		f.Coefficients = append(f.Coefficients, schemas.Coefficient{
			Name: name, Estimate: new(estimate), StdError: new(se), Statistic: new(z), P: new(p),
			Log2P: schemas.Ext(-z * z / 2 / math.Ln2), CI: schemas.NewInterval(estimate-1.96*se, estimate+1.96*se),
		})
	}
	return f
}

// allocation is a series per arm, whose shares drift from even to final.
func allocation(labels []string, pulls []int64, rounds int64, bins int) []schemas.Series {
	out := make([]schemas.Series, len(labels))
	var total int64
	for _, n := range pulls {
		total += n
	}
	for i, l := range labels {
		s := schemas.Series{ID: "allocation/" + l, Title: "share of rounds: " + l, Unit: "share of rounds", N: rounds}
		for b := range bins {
			even, final := 1/float64(len(labels)), float64(pulls[i])/float64(total)
			w := float64(b) / float64(bins)
			wiggle := 0.15 * even * math.Sin(float64(b)/9+2*math.Pi*float64(i)/float64(len(labels)))
			s.X = append(s.X, float64(int64(b+1)*rounds/int64(bins)))
			s.Y = append(s.Y, max(0, (1-w)*even+w*final+wiggle))
		}
		out[i] = s
	}
	return out
}

// homepageBinding is that of two arms, as if the others had been too many.
func homepageBinding(labels []string) *schemas.Binding {
	return &schemas.Binding{Left: int64(len(labels) - 2), Arms: []schemas.ArmBinding{
		{Arm: labels[4], Up: schemas.Changeable{AtLeast: 1204, Of: 2408}, Down: schemas.Changeable{AtLeast: 0, Of: 5306}},
		{Arm: labels[0], Up: schemas.Changeable{AtLeast: 2, Of: 3100}, Down: schemas.Changeable{AtLeast: 1, Of: 1400}},
	}}
}
