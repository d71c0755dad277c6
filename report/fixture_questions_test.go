package report

import (
	"encoding/json"
	"math"

	"banditaudit/schemas"
)

// questions are two experiments with tests of every kind and by every method,
// fits by arm and over all arms with corrected coefficients, units that have
// several rounds, forms on request, and the family over both.
func questions() *schemas.Results {
	r := homepage()
	r.Protocol = json.RawMessage(questionsProtocol)
	first := &r.Experiments[0]
	first.Privacy.LargestUnit, first.Privacy.SumSquaredUnitCosts = new(int64(9)), schemas.Ext(612.5)
	for i := range first.Arms {
		a := &first.Arms[i]
		a.Units, a.BiasBoundDelta = new(a.Pulls/3), new(0.0634)
	}
	first.Regressions = nil
	for i, a := range first.Arms {
		first.Regressions = append(first.Regressions, correctedFit(fit(i, a.Label, a.Pulls, *a.Mean, []string{"(intercept)", "age", "country=FR", "country=US"})))
	}
	first.Regressions = append(first.Regressions, pooledFit())
	first.Tests = everyKind(first)
	second := *first
	second.ID = "homepage-footer"
	second.Tests = everyKind(first)
	for i := range second.Tests {
		t := &second.Tests[i]
		t.Decision, t.Verdict = schemas.DecisionKept, schemas.NotEstablished
		t.Results[1].PAdjusted = new(1.0)
	}
	r.Experiments = append(r.Experiments, second)
	for _, c := range homepageClaims() {
		c.Experiment = second.ID
		r.Claims = append(r.Claims, c)
	}
	r.Family = &schemas.Family{
		Method: "holm", Alpha: 0.05, Experiments: 2, Tests: 12, Decided: 10, Rejected: 2, Alone: 3,
		Smallest: &schemas.FamilyTest{Experiment: "homepage-cta", Test: "H1", PAdjusted: new(0.0), Log2P: schemas.Ext(-1203.5), Evidence: "/experiments/0/tests/0"},
		Rejections: []schemas.FamilyTest{
			{Experiment: "homepage-cta", Test: "H1", PAdjusted: new(0.0), Log2P: schemas.Ext(-1203.5), Evidence: "/experiments/0/tests/0"},
			{Experiment: "homepage-cta", Test: "H3", PAdjusted: new(0.0123), Log2P: schemas.Ext(math.Log2(0.0123)), Evidence: "/experiments/0/tests/2"},
		},
		Note: "Two tests have no corrected p and take part as p = 1.",
	}
	return r
}

const questionsProtocol = `{"version":1,"experiment":{"column":"experiment","stopping":"fixed"},
"log":{"order":["round"],"action":"action","reward":"reward","context":["age",{"column":"country","levels":["DE","FR","US"],"baseline":"DE"}],"unit":"user_id","batch":"day"},
"arms":["control","blue","green","headline-b","video"],"reward":{"range":[0,1]},
"policy":{"name":"ucb","width":{"delta":0.05},"bonus":"quantile","seed":{"sha256":"5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef"}},
"counter":{"name":"hybrid","epsilon":0.25,"horizon":20000,"grid":"2^-20"},
"privacy":{"definition":"approximate","epsilon":0.25,"delta":1e-6,"unit":"round"},
"analysis":{"chosen":"from-actions","alpha":0.05,"multiplicity":"holm","approximate":"accept","control":"control","correction":{"method":"best","beta":"best","also":["approximate","zcdp"]},
"regressions":[{"name":"main","arms":"each","covariance":"HC3"},{"name":"all","arms":"pooled","interactions":true,"covariance":{"cluster":"unit","kind":"CR1"}}],
"tests":[{"id":"H1","arm":"most-pulled","mean":0.5,"test":"t"},{"id":"H2","arm":"blue","mean":0.5,"test":"bernstein"},{"id":"H3","difference":["video","control"],"value":0,"test":"welch"},
{"id":"H4","regression":"main","arm":"green","coefficient":"age","value":0},{"id":"H5","regression":"all","coefficient":"arm[video]","value":0,"alternative":"greater"},
{"id":"H6","regression":"all","joint":{"country":0,"arm[video]:country":0}}]},
"claims":[{"id":"P1","kind":"privacy.total"}]}`

// correctedFit adds what a finite ledger allows to a fit.
func correctedFit(f schemas.Regression) schemas.Regression {
	f.FDF1, f.FDF2, f.FLog2P = new(float64(f.Rank-1)), new(float64(f.DFResidual)), schemas.Ext(math.Log2(*f.FP))
	f.MaxLeverage, f.Sigma, f.Contexts = new(0.0041), schemas.Ext(0.5*meanCost*math.Sqrt(float64(f.N))), new(int64(231))
	f.BiasRMS, f.BiasWorst, f.BiasWorstForm, f.BiasPaper = new(math.Tanh(meanCost/4)), new(0.0912), "exact over 231 distinct contexts", new(math.Expm1(0.25))
	for i := range f.Coefficients {
		c := &f.Coefficients[i]
		l := corrected(float64(*c.Log2P)*math.Ln2, float64(*f.Sigma))
		c.PCorrected, c.Log2PCorrected = new(math.Exp(l)), schemas.Ext(l/math.Ln2)
		half := (1.96 + float64(*f.Sigma)) * *c.StdError
		c.BiasBound, c.CICorrected = new(0.0251), schemas.NewInterval(*c.Estimate-half, *c.Estimate+half)
	}
	return f
}

// pooledFit has dummies, slopes and interactions.
func pooledFit() schemas.Regression {
	arms, slopes := []string{"blue", "green", "headline-b", "video"}, []string{"age", "country=FR", "country=US"}
	columns := []string{"(intercept)"}
	for _, a := range arms {
		columns = append(columns, "arm["+a+"]")
	}
	columns = append(columns, slopes...)
	for _, a := range arms {
		for _, c := range slopes {
			columns = append(columns, "arm["+a+"]:"+c)
		}
	}
	f := correctedFit(fit(-1, "", 20000, 0.4731, columns))
	f.Name, f.Covariance, f.Clusters, f.Contexts = "all", "CR1", new(int64(6667)), nil
	f.BiasWorst, f.BiasWorstForm = new(3.316), "√(h·Σ tanh²(c/4)) at the largest leverage: more than 10,000 distinct contexts"
	f.Columns, f.Dropped = append(f.Columns, "is_new"), []string{"is_new"}
	return f
}

// everyKind holds a test of each kind, with results by every method.
func everyKind(x *schemas.Experiment) []schemas.Test {
	const student = "t test by unit; the mean of a unit's rewards is taken to be normal, or the units to be many (30 or more): asymptotic"
	best := "the least of the Rényi form, moments and any law, all of this one p and given the actions"
	h1 := meanTest("H1", "most-pulled", 4, &x.Arms[4])
	h2 := meanTest("H2", "blue", 1, &x.Arms[1])
	h3 := meanTest("H3", "", 4, &x.Arms[4])
	h4, h5, h6 := meanTest("H4", "green", 2, &x.Arms[2]), meanTest("H5", "", 3, &x.Arms[3]), meanTest("H6", "", 0, &x.Arms[0])
	h1.Test, h2.Test = student, "empirical Bernstein by unit; rewards within the declared range, units independent: valid at every number of units"
	h1.Hypothesis, h2.Hypothesis = "the mean reward of arm video over the rounds played is 0.5", "the mean reward of arm blue over the rounds played is 0.5"
	h3.Kind, h3.Against, h3.Test, h3.Value = schemas.TestDifference, "control", "Welch's t by unit; asymptotic", 0
	h3.Hypothesis = "the mean rewards of arms video and control over the rounds played differ by 0"
	h3.Comparison = &schemas.Comparison{
		Means: schemas.MeansNotContradicted, ValidIf: schemas.ValidIfConstant, Words: "H13 finds no mean that moves; a smaller drift that the arms share can reject",
		Played: []schemas.PlayedArm{{Label: "video", First: 5, Last: 20000, Quarters: []int64{800, 1600, 2400, 3200}}, {Label: "control", First: 1, Last: 19990, Quarters: []int64{900, 500, 300, 200}}},
	}
	h4.Kind, h4.Regression, h4.Coefficients, h4.Hypothesis = schemas.TestCoefficient, "main", []string{"age"}, "the coefficient of age in regression main of arm green is 0"
	h5.Kind, h5.Regression, h5.Coefficients, h5.Hypothesis = schemas.TestCoefficient, "all", []string{"arm[video]"}, "the coefficient of arm[video] in regression all is at most 0"
	h6.Kind, h6.Regression, h6.Coefficients = schemas.TestJoint, "all", []string{"country=FR", "country=US", "arm[video]:country=FR", "arm[video]:country=US"}
	h6.Hypothesis = "in regression all country=FR = 0, country=US = 0, arm[video]:country=FR = 0 and arm[video]:country=US = 0"
	for _, t := range []*schemas.Test{&h5, &h6} {
		t.Arm, t.Label, t.N = -1, "", 20000
	}
	for _, t := range []*schemas.Test{&h4, &h5, &h6} {
		t.Test = "Wald test with the errors of the fit; asymptotic"
		t.Results = t.Results[:3] // there is no confidence sequence of a coefficient
	}
	h5.Alternative, h6.Alternative = "greater", ""
	h6.Estimate = nil
	tests := []schemas.Test{h1, h2, h3, h4, h5, h6}
	for i := range tests {
		t := &tests[i]
		t.Units = new(t.N / 3)
		t.Results[1].Correction, t.Results[2].Correction = best, "Theorem 20 at its best β"
		for j := range t.Results[:3] {
			t.Results[j].Approximate = i != 1
		}
		t.Results = append(t.Results, moreMethods(t)...)
	}
	return tests
}

// moreMethods are the answers beside the headline.
func moreMethods(t *schemas.Test) []schemas.TestResult {
	logP := float64(*t.Results[1].Log2P) * math.Ln2
	result := func(method, correction string, l float64, conditional bool) schemas.TestResult {
		return schemas.TestResult{
			Method: method, Correction: correction, P: new(math.Exp(l)), Log2P: schemas.Ext(l / math.Ln2), Bits: new(-l), ValidFor: "selected-arm",
			Conditional: conditional, Applicable: true, Vacuous: l == 0, Approximate: true,
		}
	}
	const heading = "own proof, internally reviewed; averaged over the actions; loose"
	out := []schemas.TestResult{
		result(schemas.MethodConditional, "Rényi form, by σ", logP*0.9, true),
		result(schemas.MethodMoments, "moments, the smallest over α", logP*1.01, true),
		result(schemas.MethodAnyLaw, "any law, E over the rows it reads", logP*0.3, true),
		result(schemas.MethodZCDP, "information Σρ by the inverse of the binary divergence", logP*0.2, false),
		result(schemas.MethodDelta, "max-information of (ε,δ)", 0, false),
	}
	out[3].Reason, out[4].Reason = heading, heading
	if t.ID == "H2" {
		out = append([]schemas.TestResult{{Method: schemas.MethodRecursion, ValidFor: "selected-arm", Reason: "the recursion is computed up to 1,000 rows or units; the moments form stands in its place"}}, out...)
	}
	return out
}
