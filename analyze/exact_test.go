package analyze_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"banditaudit/cmd/banditlab/world"
	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
)

// boxP is the level at which the box of both arms' Clopper–Pearson intervals,
// each at half of it, ends at a difference, by the quantiles of gonum's beta
// law.
func boxP(a, b column, value float64) float64 {
	ends := func(c column, gamma float64) (lo, hi float64) {
		n, mean, _ := c.moments()
		x := n * mean
		lo, hi = 0, 1
		if x > 0 {
			lo = distuv.Beta{Alpha: x, Beta: n - x + 1}.Quantile(gamma)
		}
		if x < n {
			hi = distuv.Beta{Alpha: x + 1, Beta: n - x}.Quantile(1 - gamma)
		}
		return lo, hi
	}
	in, out := 1e-12, 0.5 // levels of one end of one interval
	for range 100 {
		mid := math.Sqrt(in * out)
		aLo, aHi := ends(a, mid)
		bLo, bHi := ends(b, mid)
		if value >= aLo-bHi && value <= aHi-bLo {
			in = mid
		} else {
			out = mid
		}
	}
	return min(1, 4*in)
}

// rareLab is a log of two arms: 30 rows with 3 rewards of 1, and 1,000 with 20.
func rareLab(t *testing.T, reading string, tests ...string) *lab {
	t.Helper()
	var rows []logfile.Row
	for i := range 1030 {
		r := logfile.Row{}
		switch {
		case i < 30:
			r.Reward = float64(max(0, 1-i/3))
		default:
			r.Arm, r.Reward = 1, float64(max(0, 1-(i-30)/20))
		}
		rows = append(rows, r)
	}
	source := "version: 1\nlog: {order: [round], action: action, reward: reward}\n" + reading + "\nexperiment: {id: E, stopping: fixed}\nanalysis:\n  decide: corrected\n  sequence: normal\n  alpha: 0.05\n  approximate: accept\n  chosen: before\n"
	if len(tests) > 0 {
		source += "  tests:\n    - {" + strings.Join(tests, "}\n    - {") + "}\n"
	}
	return written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b"}, Reward: logfile.RewardBool}, rows)
}

// Of 0 and 1 two arms are compared by Fisher's test where none is named; a test
// that takes their means as normal says where they are not.
func TestExactDifference(t *testing.T) {
	l := rareLab(t, "arms: [a, b]\nreward: {range: [0, 1]}",
		"id: D0, difference: [a, b], value: 0", "id: D1, difference: [a, b], value: 0, test: exact, alternative: greater",
		"id: D2, difference: [a, b], value: 0, test: welch", "id: D3, arm: a, mean: 0.02, test: t", "id: D4, arm: a, mean: 0.02")
	e := &l.analyse(t, 1).Experiments[0]
	// R 4.2.2: phyper(2, 23, 1007, 30, lower.tail = FALSE)
	const greater = 0.026651126742108722
	for i, want := range []float64{2 * greater, greater} {
		naive := method(t, &e.Tests[i], schemas.MethodNaive)
		near(t, e.Tests[i].ID+": p", *naive.P, want)
		if naive.Approximate || !strings.Contains(e.Tests[i].Test, "Fisher") {
			t.Errorf("%+v", naive)
		}
	}
	for _, id := range []string{"D2", "D3"} {
		if !slices.ContainsFunc(e.Warnings, func(w string) bool {
			return strings.Contains(w, "test "+id+": ") && strings.Contains(w, "skewed")
		}) {
			t.Errorf("%s: no warning of few rewards of 1: %q", id, e.Warnings)
		}
	}
	for _, w := range e.Warnings {
		if strings.Contains(w, "skewed") && !strings.Contains(w, "test D2: ") && !strings.Contains(w, "test D3: ") {
			t.Errorf("warning %q", w)
		}
	}
}

// A boolean clipped to another range is no longer 0 and 1.
func TestClippedBooleans(t *testing.T) {
	l := rareLab(t, "arms: [a, b]\nreward: {range: [0, 0.5], out_of_range: clip}", "id: D0, difference: [a, b], value: 0", "id: M0, arm: a, mean: 0.05")
	e := &l.analyse(t, 1).Experiments[0]
	arm := &e.Arms[0]
	near(t, "mean", *arm.Mean, 0.05)
	if arm.CI[0] > *arm.Mean || arm.CI[1] < *arm.Mean {
		t.Errorf("interval %v about mean %g", *arm.CI, *arm.Mean)
	}
	for i := range e.Tests {
		if r := method(t, &e.Tests[i], schemas.MethodNaive); r.Approximate || strings.Contains(e.Tests[i].Test, "inomial") || strings.Contains(e.Tests[i].Test, "Fisher") {
			t.Errorf("%s: %s %+v", e.Tests[i].ID, e.Tests[i].Test, r)
		}
	}
}

// statusOf is that of an assumption.
func statusOf(r *schemas.Results, id string) string {
	for _, a := range r.Assumptions {
		if a.ID == id {
			return a.Status
		}
	}
	return ""
}

// The intervals of arms say what they are, and hold at every number of rounds.
func TestIntervalsNamed(t *testing.T) {
	bare, _, _ := strings.Cut(private, "  multiplicity: holm\n")
	units, _ := unitLab(t, bare)
	for _, c := range []struct {
		name           string
		lab            *lab
		interval, want string
	}{
		{"0 and 1, no tests", simulated(t, bare, 4, &world.Spec{Means: []float64{.2, .35, .45}, Rounds: 300}), "Clopper–Pearson, exact", "not needed"},
		{"0 and 1", privateLab(t), "Clopper–Pearson, exact", "checked"},
		{"by unit, no tests", units, "empirical Bernstein, exact", "not needed"},
		{"clipped", rareLab(t, "arms: [a, b]\nreward: {range: [0, 0.5], out_of_range: clip}"), "sixteen fixed bets, exact", "not needed"},
	} {
		r := c.lab.analyse(t, 1)
		if got := statusOf(r, "A3"); got != c.want {
			t.Errorf("%s: A3 is %s, want %s", c.name, got, c.want)
		}
		for _, arm := range r.Experiments[0].Arms {
			if arm.Interval != c.interval {
				t.Errorf("%s: %q, want %q", c.name, arm.Interval, c.interval)
			}
		}
	}
}

// Contexts can give the rows of an arm different means: then an exact test of 0
// and 1 is checked in part, and the bias is not of the population's mean.
func TestMeansOfContexts(t *testing.T) {
	claim := "claims: [{id: B, kind: bias.bound, comparator: \"<=\", threshold: 1}]\n"
	for _, c := range []struct{ test, want string }{{"exact", "partly checked"}, {"hoeffding", "checked"}} {
		l, _ := contextLab(t, "  tests:\n    - {id: H1, arm: a, mean: 0.5, test: "+c.test+"}\n"+claim)
		r := l.analyse(t, 1)
		if got := statusOf(r, "A3"); got != c.want {
			t.Errorf("%s: A3 is %s, want %s", c.test, got, c.want)
		}
		for _, f := range r.Claims {
			if f.Kind == schemas.KindBiasBound && (!strings.Contains(f.Statement, "bias of the mean over the rounds played of every arm") || !strings.Contains(f.Procedure, "which is not the arm's population mean: contexts decide")) {
				t.Errorf("%+v", f)
			}
		}
	}
}

// Where released values stopped the experiment its length is no number fixed
// before the data.
func TestConcentratedNeedsLength(t *testing.T) {
	source := strings.NewReplacer("stopping: fixed", "stopping: rule-on-released", "multiplicity: holm", "correction: {also: [zcdp]}").Replace(private)
	e := &simulated(t, source, 4, &world.Spec{Means: []float64{.2, .35, .45}, Rounds: 300}).analyse(t, 1).Experiments[0]
	for i := range e.Tests {
		m := methods(&e.Tests[i])
		if r := m[schemas.MethodZCDP]; r.Applicable || !strings.Contains(r.Reason, "fixed before the data") || !m[schemas.MethodCorrected].Applicable {
			t.Errorf("%+v", r)
		}
	}
}
