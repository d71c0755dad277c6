package schemas

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// asked is goodProtocol's second test with another question.
const asked = "arm: blue, mean: 0.4, test: z, sigma: 0.5"

const declaredRegression = "{name: main, arms: each, covariance: HC3, intercept: true}"

// Each row is a question about regressions that is right.
func TestRegressionsThatAreRight(t *testing.T) {
	for _, tc := range []struct{ name, regression, test string }{
		{"coefficient", declaredRegression, "regression: main, arm: blue, coefficient: age, value: 0"},
		{"intercept", declaredRegression, "regression: main, arm: each, coefficient: (intercept), value: 0.5, alternative: less"},
		{"level", declaredRegression, "regression: main, arm: most-pulled, coefficient: country=FR, value: -1"},
		{"joint", declaredRegression, "regression: main, arm: blue, joint: {age: 0, country: 0}"},
		{"one arm", "{name: main, arms: blue}", "regression: main, arm: blue, coefficient: age, value: 0"},
		{"pooled", "{name: main, arms: pooled}", "regression: main, coefficient: 'arm[green]', value: 0"},
		{"interactions", "{name: main, arms: pooled, interactions: true}", "regression: main, joint: {'arm[green]:country': 0, 'arm[blue]:age': 1}"},
		{"columns", "{name: main, columns: [country]}", "regression: main, arm: blue, coefficient: country=FR, value: 0"},
		{"a level of a column", "{name: main, columns: [country=FR, age]}", "regression: main, arm: blue, coefficient: country=FR, value: 0"},
		{"pooled without an intercept", "{name: main, arms: pooled, intercept: false}", "regression: main, joint: {'arm[blue]': 0, 'arm[green]': 0}"},
	} {
		m := mistake{name: tc.name, old: declaredRegression, new: tc.regression}
		src := strings.Replace(string(m.source(t)), asked, tc.test, 1)
		m.check(t, messages(standard().ParseProtocol("p.yaml", []byte(src))))
	}
}

// Each row breaks one rule about regressions, in the declaration of one.
func TestRulesOfRegressions(t *testing.T) {
	for _, tc := range []mistake{
		{
			"covariance by user", "covariance: HC3",
			"covariance: {cluster: user}",
			[]string{
				`p.yaml:26:64: analysis.regressions[0].covariance.cluster is "user" (it must be one of: unit, batch); write one of them`,
			},
		},
		{
			"cluster by unit without one", "covariance: HC3",
			"covariance: {cluster: unit}",
			[]string{
				`p.yaml:26:64: analysis.regressions[0].covariance.cluster is "unit" (no unit is declared); add unit: COLUMN to log, or write covariance: HC3`,
			},
		},
		{
			"cluster by batch without one", "covariance: HC3",
			"covariance: {cluster: batch}",
			[]string{
				`p.yaml:26:64: analysis.regressions[0].covariance.cluster is "batch" (no batch is declared); add batch: COLUMN to log, or write covariance: HC3`,
			},
		},
		{
			"kind of cluster", "covariance: HC3",
			"covariance: {cluster: batch, kind: CR2}",
			[]string{
				`p.yaml:26:64: analysis.regressions[0].covariance.cluster is "batch" (no batch is declared); add batch: COLUMN to log, or write covariance: HC3`,
				`p.yaml:26:77: analysis.regressions[0].covariance.kind is "CR2" (it must be one of: CR0, CR1; the nearest is CR0); write CR0`,
			},
		},
		{
			"kind without a cluster", "covariance: HC3",
			"covariance: {kind: CR1}",
			[]string{
				`p.yaml:26:54: analysis.regressions[0].covariance.cluster is missing (a covariance with keys is one by cluster); add cluster: unit or batch, or write covariance: HC3`,
			},
		},
		{
			"HC of a cluster", "covariance: HC3",
			"covariance: {cluster: unit, kind: HC1}",
			[]string{
				`p.yaml:26:64: analysis.regressions[0].covariance.cluster is "unit" (no unit is declared); add unit: COLUMN to log, or write covariance: HC3`,
				`p.yaml:26:76: analysis.regressions[0].covariance.kind is "HC1" (it must be one of: CR0, CR1); write one of them`,
			},
		},
		{
			"interactions of one arm", "intercept: true",
			"interactions: true",
			[]string{
				`p.yaml:26:73: analysis.regressions[0].interactions is true (they are of arms with columns, and only a pooled regression has more than one arm); write arms: pooled, or delete the key`,
			},
		},
		{
			"unknown column", "intercept: true",
			"columns: [age, contry]",
			[]string{
				`p.yaml:26:74: analysis.regressions[0].columns[1] is "contry" (there is no column of the declared context of that name; there are: age, country, country=FR); write country`,
			},
		},
		{
			"no columns", "intercept: true",
			"columns: []",
			[]string{
				`p.yaml:26:68: analysis.regressions[0].columns names no column (an empty list leaves none of the context); name columns of log.context, or delete the key: all are then read`,
			},
		},
		{
			"column twice", "intercept: true",
			"columns: [age, age]",
			[]string{
				`p.yaml:26:74: analysis.regressions[0].columns[1] is "age" again (entries must differ, and analysis.regressions[0].columns[0] is the same); delete one of them`,
			},
		},
		{
			"unknown arm", "arms: each",
			"arms: poled",
			[]string{
				`p.yaml:26:36: analysis.regressions[0].arms is "poled" (no arm has that label; there are: "control", "blue", "green"); write a label of arms`,
			},
		},
		{
			"bh beside another correction", "multiplicity: holm\n  control: control\n  correction: {method: conditional",
			"multiplicity: bh\n  control: control\n  correction: {method: theorem20",
			[]string{
				`p.yaml:23:17: analysis.multiplicity is "bh" (Benjamini and Hochberg's procedure runs on raw p-values, and only the correction conditional holds for what it rejects); write by, or correction: {method: conditional}`,
			},
		},
		{
			"bh", "multiplicity: holm",
			"multiplicity: bh",
			nil,
		},
		{
			"also", "beta: best",
			"beta: best, also: [approximate, zcpd]",
			[]string{
				`p.yaml:25:69: analysis.correction.also[1] is "zcpd" (it must be one of: approximate, zcdp; the nearest is zcdp); write zcdp`,
			},
		},
		{
			"also twice", "beta: best",
			"beta: best, also: [zcdp, zcdp]",
			[]string{
				`p.yaml:25:62: analysis.correction.also[1] is "zcdp" again (entries must differ, and analysis.correction.also[0] is the same); delete one of them`,
			},
		},
		{
			"also both", "beta: best",
			"beta: 0.01, also: [approximate, zcdp]",
			nil,
		},
	} {
		tc.check(t, messages(standard().ParseProtocol("p.yaml", tc.source(t))))
	}
}

// Each row asks for a coefficient that cannot be.
func TestRulesOfCoefficients(t *testing.T) {
	for _, tc := range []struct {
		name, regression, test string
		want                   []string
	}{
		{
			"unknown coefficient", "{name: main}",
			"regression: main, arm: blue, coefficient: agee, value: 0",
			[]string{
				`p.yaml:29:58: analysis.tests[1].coefficient is "agee" (there is no coefficient of regression "main" of that name; there are: (intercept), age, country=FR); write age`,
			},
		},
		{
			"intercept by another name", "{name: main}",
			"regression: main, arm: blue, coefficient: intercept, value: 0",
			[]string{
				`p.yaml:29:58: analysis.tests[1].coefficient is "intercept" (there is no coefficient of regression "main" of that name; there are: (intercept), age, country=FR); write (intercept)`,
			},
		},
		{
			"categorical coefficient", "{name: main}",
			"regression: main, arm: blue, coefficient: country, value: 0",
			[]string{
				`p.yaml:29:58: analysis.tests[1].coefficient is "country" (that column is categorical and has a coefficient for every level but the baseline: country=FR); write one of these, or joint: {country: 0} for all of them`,
			},
		},
		{
			"baseline", "{name: main}",
			"regression: main, arm: blue, coefficient: country=DE, value: 0",
			[]string{
				`p.yaml:29:58: analysis.tests[1].coefficient is "country=DE" (there is no coefficient of regression "main" of that name; there are: (intercept), age, country=FR); write country=FR`,
			},
		},
		{
			"no intercept", "{name: main, intercept: false}",
			"regression: main, arm: blue, coefficient: (intercept), value: 0",
			[]string{
				`p.yaml:29:58: analysis.tests[1].coefficient is "(intercept)" (there is no coefficient of regression "main" of that name; there are: age, country=FR); write one of these`,
			},
		},
		{
			"column left out", "{name: main, columns: [age]}",
			"regression: main, arm: blue, joint: {age: 0, country: 0}",
			[]string{
				`p.yaml:29:70: analysis.tests[1].joint.country is "country=FR" (there is no coefficient of regression "main" of that name; there are: (intercept), age); write one of these`,
			},
		},
		{
			"joint twice", "{name: main}",
			"regression: main, arm: blue, joint: {country: 0, country=FR: 0}",
			[]string{
				`p.yaml:29:77: analysis.tests[1].joint.country=FR stands beside "country" (both speak of "country=FR"); delete one of the two`,
			},
		},
		{
			"joint with a side", "{name: main}",
			"regression: main, arm: blue, joint: {age: 0}, alternative: greater",
			[]string{
				`p.yaml:29:75: analysis.tests[1].alternative is "greater" (a joint test of several coefficients has no side); write two-sided, or delete the key`,
			},
		},
		{
			"arm of a pooled regression", "{name: main, arms: pooled}",
			"regression: main, arm: blue, coefficient: age, value: 0",
			[]string{
				`p.yaml:29:39: analysis.tests[1].arm does not belong here (regression "main" reads the rows of all arms); delete the key`,
			},
		},
		{
			"dummy of the control", "{name: main, arms: pooled}",
			"regression: main, coefficient: 'arm[control]', value: 0",
			[]string{
				`p.yaml:29:47: analysis.tests[1].coefficient is "arm[control]" (there is no coefficient of regression "main" of that name; there are: (intercept), arm[blue], arm[green], age, country=FR); write one of these`,
			},
		},
		{
			"interaction that is not there", "{name: main, arms: pooled}",
			"regression: main, coefficient: 'arm[blue]:age', value: 0",
			[]string{
				`p.yaml:29:47: analysis.tests[1].coefficient is "arm[blue]:age" (there is no coefficient of regression "main" of that name; there are: (intercept), arm[blue], arm[green], age, country=FR); write arm[blue]`,
			},
		},
		{
			"dummy of one arm's regression", "{name: main}",
			"regression: main, arm: blue, coefficient: 'arm[blue]', value: 0",
			[]string{
				`p.yaml:29:58: analysis.tests[1].coefficient is "arm[blue]" (there is no coefficient of regression "main" of that name; there are: (intercept), age, country=FR); write one of these`,
			},
		},
		{
			"another arm", "{name: main, arms: green}",
			"regression: main, arm: blue, coefficient: age, value: 0",
			[]string{
				`p.yaml:29:39: analysis.tests[1].arm is "blue" (regression "main" is fitted for arm "green" only); write arm: green, or arms: each in the regression`,
			},
		},
		{
			"any arm of one", "{name: main, arms: green}",
			"regression: main, arm: most-pulled, coefficient: age, value: 0",
			[]string{
				`p.yaml:29:39: analysis.tests[1].arm is "most-pulled" (regression "main" is fitted for arm "green" only); write arm: green, or arms: each in the regression`,
			},
		},
		{
			"no arm", "{name: main}",
			"regression: main, coefficient: age, value: 0",
			[]string{
				`p.yaml:29:7: analysis.tests[1].arm is missing (it says whose rows are read); add arm: most-pulled, least-pulled, each or a label`,
			},
		},
		{
			"no value", "{name: main}",
			"regression: main, arm: blue, coefficient: age",
			[]string{
				`p.yaml:29:7: analysis.tests[1].value is missing (it is the value under the null hypothesis); add value: 0`,
			},
		},
		{
			"unknown regression", "{name: main}",
			"regression: mian, arm: blue, coefficient: age, value: 0",
			[]string{
				`p.yaml:29:28: analysis.tests[1].regression is "mian" (no regression has that name; the nearest is "main"); write the name of a declared regression`,
			},
		},
		{
			"nothing follows from a regression that is wrong", "{name: main, arms: pooled, columns: [agee]}",
			"regression: main, coefficient: agee, value: 0",
			[]string{
				`p.yaml:26:54: analysis.regressions[0].columns[0] is "agee" (there is no column of the declared context of that name; there are: age, country, country=FR); write age`,
			},
		},
	} {
		m := mistake{name: tc.name, old: declaredRegression, new: tc.regression, want: tc.want}
		src := strings.Replace(string(m.source(t)), asked, tc.test, 1)
		m.check(t, messages(standard().ParseProtocol("p.yaml", []byte(src))))
	}
}

// What only the log knows is not judged: the length of a list, labels of arms
// that are not declared.
func TestCoefficientsThatOnlyTheLogKnows(t *testing.T) {
	head := "version: 1\nexperiment: {id: e}\nlog: {order: [t], action: a, reward: r, context: {list: f}}\nreward: {range: [0, 1]}\nanalysis:\n  chosen: before\n"
	for _, tc := range []struct {
		rest string
		want []string
	}{
		{"  regressions: [{name: m}]\n  tests: [{id: H, regression: m, arm: each, joint: {'f[0]': 0, 'f[12]': 1}}]\n", nil},
		{"  regressions: [{name: m, columns: ['f[3]']}]\n  tests: [{id: H, regression: m, arm: each, coefficient: 'f[3]', value: 0}]\n", nil},
		{"  regressions: [{name: m, arms: pooled, interactions: true}]\n  tests: [{id: H, regression: m, coefficient: 'arm[x]:f[1]', value: 0}]\n", nil},
		{
			"  regressions: [{name: m}]\n  tests: [{id: H, regression: m, arm: each, coefficient: 'f[-1]', value: 0}]\n",
			[]string{`p.yaml:8:58: analysis.tests[0].coefficient is "f[-1]" (there is no coefficient of regression "m" of that name; there are: (intercept), f[0]); write f[0]`},
		},
		{
			"  regressions: [{name: m, columns: [f]}]\n",
			[]string{`p.yaml:7:37: analysis.regressions[0].columns[0] is "f" (there is no column of the declared context of that name; there are: f[0]); write one of these`},
		},
	} {
		mistake{name: tc.rest, want: tc.want}.check(t, messages(standard().ParseProtocol("p.yaml", []byte(head+tc.rest))))
	}
}

func TestExpand(t *testing.T) {
	p := mustParse(t, strings.Replace(goodProtocol, "levels: [DE, FR]", "levels: [FR, DE, US]", 1)).Protocol
	for name, want := range map[string][]string{
		"age": {"age"}, "country": {"country=FR", "country=US"}, "country=FR": {"country=FR"}, "arm[green]": {"arm[green]"},
		"arm[green]:country": {"arm[green]:country=FR", "arm[green]:country=US"}, "arm[a]:b]:age": {"arm[a]:b]:age"},
	} {
		if d := cmp.Diff(want, p.Log.Expand(name)); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
	if Control(&p) != "control" {
		t.Errorf("the control is %s", Control(&p))
	}
	p.Analysis.Control, p.Arms = "", []string{"a", "b"}
	if Control(&p) != "a" {
		t.Errorf("without a declared control it is %s", Control(&p))
	}
	p.Arms = nil
	if Control(&p) != "" {
		t.Errorf("without arms it is %s", Control(&p))
	}
}

// TestArmCalledPooled: an arm of that name is as good as any, and only a
// regression that could mean it or all arms is refused.
func TestArmCalledPooled(t *testing.T) {
	head := "version: 1\nexperiment: {id: e}\nlog: {order: [t], action: a, reward: r}\narms: [x, pooled]\nreward: {range: [0, 1]}\nanalysis:\n  chosen: before\n"
	for rest, want := range map[string][]string{
		"  regressions: [{name: m, arms: each}]\n  tests: [{id: H, arm: pooled, mean: 0.5}, {id: D, difference: [x, pooled], value: 0}]\n": nil,
		"  regressions: [{name: m, arms: pooled}]\n": {
			`p.yaml:8:33: analysis.regressions[0].arms is "pooled" (an arm has that label, and the word also asks for one regression over all arms); write arms: each, or rename the arm in the log`,
		},
	} {
		mistake{name: rest, want: want}.check(t, messages(standard().ParseProtocol("p.yaml", []byte(head+rest))))
	}
}

// TestCheckCoefficients: with the log's arms and columns every name is judged,
// and what the protocol accepts alone passes.
func TestCheckCoefficients(t *testing.T) {
	p := mustParse(t, "version: 1\nexperiment: {id: e}\nlog: {order: [t], action: a, reward: r, context: {list: f}}\nreward: {range: [0, 1]}\nanalysis:\n  chosen: before\n"+
		"  regressions: [{name: m}, {name: all, arms: pooled}]\n"+
		"  tests: [{id: H, regression: m, arm: each, coefficient: 'f[1]', value: 0}, {id: J, regression: all, joint: {'arm[b]': 0, 'arm[a]': 0, 'f[2]': 0}}, {id: M, arm: a, mean: 0.5}]\n").Protocol
	want := []string{
		`protocol: analysis.tests[1].joint.arm[a] is "arm[a]" (there is no coefficient of regression "all" of that name; there are: (intercept), arm[b], f[0], f[1]); write arm[b]`,
		`protocol: analysis.tests[1].joint.f[2] is "f[2]" (there is no coefficient of regression "all" of that name; there are: (intercept), arm[b], f[0], f[1]); write f[0]`,
	}
	if d := cmp.Diff(want, lines(CheckCoefficients(&p, []string{"a", "b"}, []string{"f[0]", "f[1]"}))); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if got := CheckCoefficients(&p, []string{"x", "a", "b"}, []string{"f[0]", "f[1]", "f[2]"}); got != nil {
		t.Errorf("all names are there, and got %v", got)
	}
}
