package analyze_test

import (
	"strings"
	"testing"

	"banditaudit/cmd/banditlab/world"
	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
)

// TestClaimOfDeclaredMechanism: below VERIFIED a claim on a test says whose
// correction it rests on, and so does every corrected p.
func TestClaimOfDeclaredMechanism(t *testing.T) {
	verified := privateLab(t).but(t, changes{
		"    - {id: H1, arm: most-pulled, mean: 0.5}\n":        "    - {id: H, arm: each, mean: 0.95}\n",
		"    - {id: H2, arm: each, mean: 0.25, test: exact}\n": "claims: [{id: C, kind: hypothesis, test: H, finding: rejected}]\n",
	})
	r := verified.analyse(t, 1)
	f := claim(t, r, "C")
	if f.Verdict != schemas.Consistent || f.Statement != "After correction for adaptivity and multiplicity, H is rejected for each of its 3 arms." || f.Reason != "" {
		t.Errorf("verified: %+v", f)
	}
	r = verified.but(t, changes{", seed: {file: seed.hex}": ""}).analyse(t, 1)
	f = claim(t, r, "C")
	if f.Verdict != schemas.Consistent || f.Statement != "After correction for adaptivity of the declared mechanism and multiplicity, H is rejected for each of its 3 arms." ||
		!strings.HasPrefix(f.Reason, "of the declared mechanism: policy.conformance is NOT ESTABLISHED") {
		t.Errorf("without a seed: %+v", f)
	}
	for _, test := range r.Experiments[0].Tests {
		for _, m := range test.Results {
			if corrected := !own(m.Method); corrected != strings.Contains(m.Reason, "of the declared mechanism: policy.conformance is NOT ESTABLISHED") {
				t.Errorf("%s, %s: %q", test.ID, m.Method, m.Reason)
			}
		}
	}
}

// TestSameQuestion: tests that ask the same are named, and A7 is not checked
// then.
func TestSameQuestion(t *testing.T) {
	for _, c := range []struct{ tests, want string }{
		{"id: A, arm: a, mean: 0.5}\n    - {id: B, arm: b, mean: 0.5}\n    - {id: C, arm: a, mean: 0.4}\n    - {id: D, arm: a, mean: 0.5, alternative: greater}\n    - {id: E, difference: [a, b], value: 0", ""},
		{"id: A, arm: a, mean: 0.5, test: exact}\n    - {id: B, arm: each, mean: 0.5, test: hoeffding", "tests that ask the same: A and B/a;"},
		{"id: A, difference: [a, b], value: 0.1}\n    - {id: B, difference: [b, a], value: -0.1", "tests that ask the same: A and B;"},
		{"id: A, difference: [a, b], value: 0.1, alternative: greater}\n    - {id: B, difference: [b, a], value: -0.1, alternative: greater", ""},
		{"id: A, difference: [a, b], value: 0.1, alternative: greater}\n    - {id: B, difference: [b, a], value: -0.1, alternative: less", "tests that ask the same: A and B;"},
	} {
		source := strings.Replace(plain, "id: H, arm: each, mean: 0.5", c.tests, 1)
		r := plainLab(t, source, logfile.RewardBool, []int{0, 1, 2, 0, 1, 2, 0, 1, 2}, 0, 1, 1, 0, 1).analyse(t, 1)
		status := map[bool]string{true: "checked", false: "declared"}[c.want == ""]
		if got := r.Assumptions[6].Status; got != status {
			t.Errorf("%s: A7 is %s, want %s", c.tests, got, status)
		}
		if c.want != "" {
			warned(t, &r.Experiments[0], c.want)
		}
	}
}

// TestFalseDiscoveryByUnit: where every unit has one row, a regression by unit
// reads rows like a test of a mean, and bh has one block for both.
func TestFalseDiscoveryByUnit(t *testing.T) {
	spec := rolesSpec()
	spec.Unit = true
	source := strings.NewReplacer(
		columns, columns+", unit: unit", "covariance: HC3", "covariance: {cluster: unit}", "  chosen: before\n", "  chosen: before\n  multiplicity: bh\n",
		"{id: H, arm: each, mean: 0.4, test: t}", "{id: C, regression: main, arm: a, coefficient: x0, value: 0}\n    - {id: H, arm: a, mean: 0.4, test: t}",
	).Replace(roles)
	for _, test := range one(t, written(t, t.TempDir(), source, spec, rolesRows(5, 300))).Tests {
		if m := method(t, &test, schemas.MethodCorrected); !m.Applicable || m.PAdjusted == nil {
			t.Errorf("%s: %+v", test.ID, m)
		}
	}
}

// TestPublishedByBatch: where the published route is the headline it has no p of
// batches, rather than one that says nothing, and no coefficient has one.
func TestPublishedByBatch(t *testing.T) {
	spec := rolesSpec()
	spec.Batch = true
	source := strings.NewReplacer(
		columns, columns+", batch: batch", "covariance: HC3", "covariance: {cluster: batch}", "  chosen: before\n", "  chosen: before\n  correction: {method: theorem20}\n",
		"{id: H, arm: each, mean: 0.4, test: t}", "{id: C, regression: main, arm: a, coefficient: x0, value: 0}\n    - {id: H, arm: a, mean: 0.4, test: t}",
	).Replace(roles)
	rows := rolesRows(5, 600)
	for i := range rows {
		rows[i].Batch = int64(i / 20)
	}
	e := one(t, written(t, t.TempDir(), source, spec, rows))
	const why = "A4: Theorem 20 is of independent rows or units, and the regression takes batches as independent"
	if m := method(t, &e.Tests[0], schemas.MethodCorrected); m.Applicable || m.Reason != why || e.Tests[0].Decision != "not applicable" {
		t.Errorf("%+v, %s", m, e.Tests[0].Decision)
	}
	if m := method(t, &e.Tests[0], schemas.MethodConditional); !m.Applicable {
		t.Errorf("what holds given the actions: %+v", m)
	}
	if m := method(t, &e.Tests[1], schemas.MethodCorrected); !m.Applicable {
		t.Errorf("a test of rows: %+v", m)
	}
	for _, c := range e.Regressions[0].Coefficients {
		if c.P == nil || c.PCorrected != nil || c.CICorrected != nil {
			t.Errorf("%+v", c)
		}
	}
	warned(t, e, "p_corrected and ci_corrected of coefficients of main are NOT APPLICABLE: "+why)
}

// TestSameRows: a test without a corrected p has the rows of one with.
func TestSameRows(t *testing.T) {
	l := simulated(t, withTests(private, "id: H, arm: most-pulled, mean: 0.5"), 4, &world.Spec{Means: []float64{.2, .35, .4}, Rounds: 40})
	names := func(l *lab) string {
		var out []string
		for _, m := range l.analyse(t, 1).Experiments[0].Tests[0].Results {
			out = append(out, m.Method)
		}
		return strings.Join(out, " ")
	}
	const first = "naive corrected paper confidence-sequence any-time "
	for name, want := range map[string]string{
		"conditional": "corrected-moments any-law",
		"theorem20":   "conditional corrected-moments any-law",
		"recursion":   "conditional corrected-moments any-law",
		"best":        "conditional corrected-moments corrected-recursion any-law",
	} {
		with := l.but(t, changes{"multiplicity: holm": "correction: {method: " + name + "}"})
		without := with.but(t, changes{"chosen: before": "chosen: after-rewards"})
		if got := names(with); got != first+want {
			t.Errorf("%s: %s", name, got)
		}
		if got := names(without); got != first+want {
			t.Errorf("%s, not applicable: %s", name, got)
		}
	}
}

// TestRecursionOfTests: the recursion is made for the rows of tests, and the
// intervals of other arms say that they are without.
func TestRecursionOfTests(t *testing.T) {
	l := simulated(t, withTests(private, "id: H, arm: a, mean: 0.5"), 4, &world.Spec{Means: []float64{.2, .35, .4}, Rounds: 60})
	e := &l.but(t, changes{"multiplicity: holm": "correction: {method: recursion}"}).analyse(t, 1).Experiments[0]
	m := method(t, &e.Tests[0], schemas.MethodCorrected)
	if *e.Arms[0].CICorrected != *m.CI || !strings.Contains(m.Correction, "recursion") {
		t.Errorf("arm a: %v, test %v by %q", *e.Arms[0].CICorrected, *m.CI, m.Correction)
	}
	warned(t, e, "arms: ci_corrected is without the recursion where no declared test reads just those rows")
}

// TestBetaAboveAlpha: a given β that no adjusted p can be below is named.
func TestBetaAboveAlpha(t *testing.T) {
	const never = "no test can be rejected"
	for _, c := range []struct {
		multiplicity, beta string
		want               bool
	}{
		{"holm", "0.0125", true}, // 4 tests at level 0.04 are 0.01 each
		{"holm", "0.009", false},
		{"bonferroni", "0.01", true},
		{"none", "0.03", false},
		{"none", "0.05", true},
		{"by", "0.015", false}, // times 25/12 is 0.031
		{"by", "0.02", true},   // 0.042
		{"holm", "best", false},
	} {
		l := privateLab(t).but(t, changes{"multiplicity: holm": "multiplicity: " + c.multiplicity + "\n  correction: {method: theorem20, beta: " + c.beta + "}"})
		e := &l.analyse(t, 1).Experiments[0]
		if got := strings.Contains(strings.Join(e.Warnings, "\n"), never); got != c.want {
			t.Errorf("%s, β = %s: warned %v", c.multiplicity, c.beta, got)
		}
		for _, test := range e.Tests {
			if c.want && test.Decision == "rejected" {
				t.Errorf("%s, β = %s: %s is rejected", c.multiplicity, c.beta, test.ID)
			}
		}
	}
}

// TestClippedReward: where rewards were clipped, what is said is of the clipped
// ones.
func TestClippedReward(t *testing.T) {
	source := strings.Replace(withTests(plain, "id: H, arm: a, mean: 0.5", "id: D, difference: [a, b], value: 0"), "range: [0, 1]", "range: [0, 1], out_of_range: clip", 1)
	for _, c := range []struct {
		reward float64
		what   string
	}{{1.5, "clipped reward"}, {1, "reward"}} {
		e := &plainLab(t, source, logfile.RewardFloat, []int{0, 1, 2, 0, 1, 2, 0, 1}, .25, .5, c.reward).analyse(t, 1).Experiments[0]
		for i, want := range []string{
			"the mean " + c.what + " of arm a over the rounds played is 0.5",
			"the mean " + c.what + " of arm a less that of arm b over the rounds played is 0",
		} {
			if got := e.Tests[i].Hypothesis; got != want {
				t.Errorf("%q, want %q", got, want)
			}
		}
		if c.reward > 1 {
			warned(t, e, "2 rewards outside the declared range were clipped to it: estimates, tests and regressions are about the clipped reward")
		}
	}
}
