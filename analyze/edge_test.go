package analyze_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/analyze"
	"banditaudit/analyze/log/check"
	"banditaudit/cmd/banditlab/world"
	"banditaudit/ingest/logfile"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// plain is a log of float rewards without policy; uniform allocation makes its
// corrected p-values the raw ones.
const plain = `version: 1
experiment: {id: plain, stopping: fixed}
log: {order: [round], action: action, reward: reward}
arms: [a, b, c]
reward: {range: [0, 1]}
policy: {name: uniform}
analysis:
  decide: corrected
  sequence: normal
  approximate: accept
  chosen: before
  tests:
    - {id: H, arm: each, mean: 0.5}
`

// plainLab is a log in which round t plays arms[t] and pays rewards[t].
func plainLab(t *testing.T, source, reward string, arms []int, rewards ...float64) *lab {
	t.Helper()
	rows := make([]logfile.Row, len(arms))
	for i, arm := range arms {
		rows[i] = logfile.Row{Arm: arm, Reward: rewards[i%len(rewards)]}
	}
	return written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b", "c"}, Reward: reward}, rows)
}

// TestOneRow: a single round is read by no decision, so it costs nothing and
// the corrected p is the raw one.
func TestOneRow(t *testing.T) {
	l := simulated(t, private, 4, &world.Spec{Means: []float64{1, 0, 0}, Rounds: 1})
	r := l.analyse(t, 4)
	e := &r.Experiments[0]
	a := &e.Arms[0]
	if e.Rounds != 1 || *a.Mean != 1 || *a.Sigma != 0 || *a.BiasBound != 0 || *a.CI != *a.CICorrected || a.StdError != nil {
		t.Errorf("one row: %+v", a)
	}
	if *a.CI != (schemas.Interval{a.CI[0], 1}) || a.CI[0] <= 0 || *a.ConfidenceSequence != (schemas.Interval{0, 1}) {
		t.Errorf("one row: ci %v, confidence sequence %v", *a.CI, *a.ConfidenceSequence)
	}
	warned(t, e, "arm a: std_error needs at least two rows")
	h1 := &e.Tests[0]
	if h1.Label != "a" {
		t.Errorf("H1 is of arm %s", h1.Label)
	}
	near(t, "p of H1", *method(t, h1, schemas.MethodCorrected).P, 1)
	near(t, "p of H2/a", *method(t, &e.Tests[1], schemas.MethodCorrected).P, 0.5) // 2·P(X ≥ 1), X ~ Bin(1, ¼)
	if f := claim(t, r, quality); f.Verdict != schemas.Verified || !strings.Contains(f.Observed, "2 of 3 arms") {
		t.Errorf("two arms cannot have been played: %s is %s, %s", quality, f.Verdict, f.Observed)
	}
	if f := claim(t, r, conforms); f.Verdict != schemas.Verified {
		t.Errorf("%s is %s: %s", conforms, f.Verdict, f.Reason)
	}
}

// TestNeverPlayed: an arm without rounds has no estimates and no test of it, or
// of a difference from it, whatever the raw test.
func TestNeverPlayed(t *testing.T) {
	bools := plainLab(t, plain, logfile.RewardBool, []int{0, 2, 0, 2, 2}, 0, 1, 1)
	e := &bools.analyse(t, 1).Experiments[0]
	if diff := cmp.Diff(schemas.Arm{Arm: 1, Label: "b", Vacuous: []string{}}, e.Arms[1]); diff != "" {
		t.Errorf("arm b (-want +got):\n%s", diff)
	}
	warned(t, e, "arm b was never played, so it has no estimates")
	b := &e.Tests[1]
	if m := method(t, b, schemas.MethodSequence); m.Applicable || m.Reason != "the arm was never played" {
		t.Errorf("confidence sequence of an arm without rounds: %+v", m)
	}
	for _, name := range []string{"exact", "t", "hoeffding", "bets", "bernstein"} {
		r := bools.but(t, changes{"mean: 0.5}": "mean: 0.5, test: " + name + "}"}).analyse(t, 1)
		test := &r.Experiments[0].Tests[1]
		if m := method(t, test, schemas.MethodCorrected); m.Applicable || m.Reason != "A3: there is no raw p-value: the arm was never played" || test.Decision != "not applicable" || test.Estimate != nil || test.N != 0 {
			t.Errorf("%s test of an arm without rounds: %+v", name, test)
		}
		// Arms a and c have a p, exact at every N or not.
		if want := map[bool]string{true: "declared", false: "checked"}[name == "t"]; r.Assumptions[2].Status != want {
			t.Errorf("%s: A3 is %s", name, r.Assumptions[2].Status)
		}
	}
	for _, name := range []string{"welch", "t", "hoeffding", "bernstein"} {
		r := bools.but(t, changes{"arm: each, mean: 0.5}": "difference: [a, b], value: 0, test: " + name + "}"}).analyse(t, 1)
		m := method(t, &r.Experiments[0].Tests[0], schemas.MethodCorrected)
		if m.Applicable || m.Reason != "A3: there is no raw p-value: arm b: the arm was never played" {
			t.Errorf("%s test of a difference from an arm without rounds: %+v", name, m)
		}
		if r.Assumptions[2].Status != "failed" {
			t.Errorf("A3 is %s of no test with a p", r.Assumptions[2].Status)
		}
	}
}

// TestNoRawP: where the raw test gives no p there is no corrected one, and the
// test stays in the family of the others.
func TestNoRawP(t *testing.T) {
	arms := []int{0, 0, 0, 0, 1, 1, 1, 1, 2}
	l := plainLab(t, strings.Replace(plain, "mean: 0.5}", "mean: 0.5, test: t}", 1), logfile.RewardFloat, arms, .9, .8, .9, .7, .3, .3, .3, .3, .4)
	e := &l.analyse(t, 1).Experiments[0]
	for id, why := range map[int]string{
		1: "the raw test gives no p-value: t test: all rewards are equal, so their variance is 0 and t does not exist",
		2: "the raw test gives no p-value: t test: 1 row has no variance; at least 2 are needed",
	} {
		test := &e.Tests[id]
		for _, name := range []string{schemas.MethodCorrected, schemas.MethodPaper} {
			if m := method(t, test, name); m.Applicable || m.Reason != "A3: "+why {
				t.Errorf("%s: %s applicable %v, %q", test.ID, name, m.Applicable, m.Reason)
			}
		}
		if m := method(t, test, schemas.MethodNaive); m.Applicable || m.Reason != why {
			t.Errorf("%s: raw test applicable %v, %q", test.ID, m.Applicable, m.Reason)
		}
		if a := &e.Arms[id]; a.CI == nil || a.CICorrected == nil || a.Mean == nil || a.ConfidenceSequence == nil {
			t.Errorf("arm %s: %+v", a.Label, a)
		}
	}
	warned(t, e, "test H/b: t test: all rewards are equal")
	m := method(t, &e.Tests[0], schemas.MethodCorrected)
	near(t, "p of H/a, adjusted in a family of three", *m.PAdjusted, 3**m.P)
}

// TestExactNeedsBinary: the exact test of float rewards is NOT APPLICABLE,
// even where every one of them is 0 or 1.
func TestExactNeedsBinary(t *testing.T) {
	arms := []int{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2}
	l := plainLab(t, strings.Replace(plain, "mean: 0.5}", "mean: 0.5, test: exact}", 1), logfile.RewardFloat, arms, 0, 1, 1, 0, 1)
	r := l.analyse(t, 1)
	for i := range r.Experiments[0].Tests {
		test := &r.Experiments[0].Tests[i]
		m := method(t, test, schemas.MethodCorrected)
		if want := "A3: the exact test is for boolean rewards under a range that holds 0 and 1, or whole numbers with range [0, 1]; the reward column is of type float, with range [0, 1]; write test: bets, hoeffding or bernstein; if every reward is 0 or 1, " + schemas.CastRewards; m.Reason != want || m.Applicable {
			t.Errorf("%s: applicable %v, %q; want %q", test.ID, m.Applicable, m.Reason, want)
		}
		if test.Estimate == nil || *test.Estimate != *r.Experiments[0].Arms[test.Arm].Mean || test.Decision != "not applicable" {
			t.Errorf("%s: estimate %v, decision %s", test.ID, test.Estimate, test.Decision)
		}
	}
	if r.Assumptions[2].Status != "failed" {
		t.Errorf("A3 is %s, want failed", r.Assumptions[2].Status)
	}
	// A note says that a cast helps, of rewards that are all 0 or 1 alone.
	third := plainLab(t, plain, logfile.RewardFloat, arms, 0, 1, 1.0/3).analyse(t, 1)
	whole := plainLab(t, plain, logfile.RewardBool, arms, 0, 1, 1).analyse(t, 1)
	for results, noted := range map[*schemas.Results]bool{r: true, third: false, whole: false} {
		if text := strings.Join(results.Experiments[0].Warnings, "\n"); strings.Contains(text, "all rewards that are known are 0 or 1") != noted {
			t.Errorf("noted is not %v in %s", noted, text)
		}
	}
	// Whole numbers within [0, 1] are 0 or 1 by declaration.
	integer := *l
	m := *l.manifest
	m.Reward.Type, integer.manifest = "int", &m
	for i := range 3 {
		if n := method(t, &integer.analyse(t, 1).Experiments[0].Tests[i], schemas.MethodNaive); !n.Applicable || n.Approximate || *n.Statistic != math.Round(7**r.Experiments[0].Arms[i].Mean) {
			t.Errorf("whole numbers: %+v", n)
		}
	}
	wide := *integer.but(t, changes{"range: [0, 1]": "range: [0, 2]", "mean: 0.5, test: exact}": "mean: 0.5}"})
	for i := range 3 {
		if n := method(t, &wide.analyse(t, 1).Experiments[0].Tests[i], schemas.MethodNaive); !strings.Contains(wide.analyse(t, 1).Experiments[0].Tests[i].Test, "bets") {
			t.Errorf("whole numbers in [0, 2] are tested exactly: %+v", n)
		}
	}
}

// TestImpossibleMean: a boolean reward in a wider range may be asked for a
// mean that no coin has. There is no raw p, so there is no corrected one.
func TestImpossibleMean(t *testing.T) {
	source := strings.NewReplacer("range: [0, 1]", "range: [-2, 6]", "mean: 0.5}", "mean: 3}").Replace(plain)
	e := &plainLab(t, source, logfile.RewardBool, []int{0, 1, 2, 0, 1, 2}, 0, 1).analyse(t, 1).Experiments[0]
	for i := range e.Tests {
		if m := method(t, &e.Tests[i], schemas.MethodCorrected); m.Applicable || !strings.HasPrefix(m.Reason, "A3: the raw test gives no p-value: binomial test: needs") {
			t.Errorf("%s: applicable %v, %q", e.Tests[i].ID, m.Applicable, m.Reason)
		}
	}
}

// TestRangeScales plays one run with rewards in [0, 1] and in [−2, 6]: what is
// in the units of the reward is scaled, what is not stays.
func TestRangeScales(t *testing.T) {
	unit := simulated(t, strings.NewReplacer("mean: 0.5}", "mean: 0.5, test: t}", "test: exact", "test: t, alternative: greater").Replace(private), 4, &world.Spec{Means: []float64{.2, .35, .45}, Rounds: 900})
	// The log in [−2, 6] has the same actions, as floats.
	s := unit.tableau.Slice(0)
	rewards, err := s.Disclose(&ledger.Disclosures{}, "test")
	if err != nil {
		t.Fatal(err)
	}
	var rows []logfile.Row
	for i := range s.Chunks() {
		for j, arm := range s.Chunk(i).Arm {
			rows = append(rows, logfile.Row{Arm: int(arm), Reward: 8*rewards.Chunk(i)[j] - 2})
		}
	}
	source := strings.NewReplacer("range: [0, 1]", "range: [-2, 6]", "mean: 0.5,", "mean: 2,", "mean: 0.25,", "mean: 0,", "seed: {file", "seed: {file").Replace(unit.source)
	wide := &lab{source: source, master: unit.master}
	wide.parse(t)
	spec := &logfile.Layout{Labels: []string{"a", "b", "c"}, Reward: logfile.RewardFloat}
	wide = rewritten(t, wide, spec, rows)
	// The unit log is read as floats too, so that both have intervals by t.
	m := *unit.manifest
	m.Reward.Type, unit.manifest = "float", &m
	ru, rw := unit.analyse(t, 1), wide.analyse(t, 1)
	if f := claim(t, rw, conforms); f.Verdict != schemas.Verified {
		t.Fatalf("the scaled log is not what the policy chose: %s", f.Reason)
	}
	scaled := func(what string, got, want *schemas.Interval) {
		t.Helper()
		near(t, what+"[0]", got[0], 8*want[0]-2)
		near(t, what+"[1]", got[1], 8*want[1]-2)
	}
	for i := range ru.Experiments[0].Arms {
		u, w := &ru.Experiments[0].Arms[i], &rw.Experiments[0].Arms[i]
		near(t, "mean", *w.Mean, 8**u.Mean-2)
		near(t, "std_error", *w.StdError, 8**u.StdError)
		near(t, "bias_bound", *w.BiasBound, 8**u.BiasBound)
		near(t, "bias_bound_paper", *w.BiasBoundPaper, 8**u.BiasBoundPaper)
		near(t, "sigma", float64(*w.Sigma), float64(*u.Sigma))
		scaled("ci", w.CI, u.CI)
		scaled("ci_corrected", w.CICorrected, u.CICorrected)
		scaled("confidence_sequence", w.ConfidenceSequence, u.ConfidenceSequence)
	}
	for i := range ru.Experiments[0].Tests {
		u, w := &ru.Experiments[0].Tests[i], &rw.Experiments[0].Tests[i]
		for _, name := range []string{schemas.MethodNaive, schemas.MethodCorrected, schemas.MethodPaper, schemas.MethodSequence} {
			near(t, u.ID+" "+name, *method(t, w, name).P, *method(t, u, name).P)
		}
		scaled(u.ID+" ci", method(t, w, schemas.MethodCorrected).CI, method(t, u, schemas.MethodCorrected).CI)
		if c := method(t, w, schemas.MethodCorrected).CI; i > 0 && c[1] != 6 {
			t.Errorf("%s: the one-sided interval %v ends at the range", w.ID, *c)
		}
	}
}

// rewritten gives a parsed lab a log of rows.
func rewritten(t *testing.T, l *lab, spec *logfile.Layout, rows []logfile.Row) *lab {
	t.Helper()
	out := written(t, t.TempDir(), l.source, spec, rows)
	out.master = l.master
	return out.but(t, nil)
}

// TestClipping cuts intervals at the declared range.
func TestClipping(t *testing.T) {
	source := strings.NewReplacer("range: [0, 1]", "range: [-2, 6]", "mean: 0.5}", "mean: 5.5, test: z, sigma: 4}").Replace(plain)
	e := &plainLab(t, source, logfile.RewardFloat, []int{0, 0, 1, 1, 2, 2}, 6, 5.5, -2, -1.5, 2, 3).analyse(t, 1).Experiments[0]
	if e.Arms[0].CI[1] != 6 || e.Arms[1].CI[0] != -2 || *e.Arms[2].ConfidenceSequence != (schemas.Interval{-2, 6}) {
		t.Errorf("intervals %v, %v, %v", *e.Arms[0].CI, *e.Arms[1].CI, *e.Arms[2].ConfidenceSequence)
	}
	if c := method(t, &e.Tests[0], schemas.MethodNaive).CI; c[1] != 6 || c[0] <= -2 {
		t.Errorf("interval of H/a %v", *c)
	}
	if c := method(t, &e.Tests[1], schemas.MethodCorrected).CI; c[0] != -2 || c[1] >= 6 {
		t.Errorf("interval of H/b %v", *c)
	}
}

// TestAlternatives holds one-sided tests against whole-number tails, and the
// confidence sequence's p against the side on which the mean lies.
func TestAlternatives(t *testing.T) {
	base := privateLab(t)
	for _, alternative := range []string{"greater", "less"} {
		for _, value := range []string{"0.125", "0.75"} {
			two := base.but(t, changes{"mean: 0.5}": "mean: " + value + "}"}).analyse(t, 1)
			one := base.but(t, changes{"mean: 0.5}": "mean: " + value + ", alternative: " + alternative + "}"}).analyse(t, 1)
			test := &one.Experiments[0].Tests[0]
			arm := &one.Experiments[0].Arms[test.Arm]
			x := math.Round(*arm.Mean * float64(arm.Pulls))
			num := map[string]float64{"0.125": 1. / 8, "0.75": 3. / 4}[value]
			p := atLeast(int(x), int(arm.Pulls), num)
			if alternative == "less" {
				p = atLeast(int(float64(arm.Pulls)-x), int(arm.Pulls), 1-num)
			}
			naive := method(t, test, schemas.MethodNaive)
			if p > 1e-300 && math.Abs(*naive.P-p) > 1e-9*p {
				t.Errorf("%s than %s: p %v, want %v", alternative, value, *naive.P, p)
			}
			end := map[string]int{"greater": 1, "less": 0}[alternative]
			if naive.CI[end] != float64(end) || method(t, test, schemas.MethodCorrected).CI[end] != float64(end) || naive.CI[1-end] == float64(1-end) {
				t.Errorf("%s than %s: interval %v is not open to one side", alternative, value, *naive.CI)
			}
			sequence := method(t, test, schemas.MethodSequence)
			if (*arm.Mean > num) == (alternative == "greater") {
				if *sequence.Log2P != *method(t, &two.Experiments[0].Tests[0], schemas.MethodSequence).Log2P {
					t.Errorf("%s than %s: the sequence's p %v is not the two-sided one", alternative, value, *sequence.P)
				}
			} else if *sequence.P != 1 || sequence.Vacuous {
				t.Errorf("%s than %s: the mean %v is on the other side, and the sequence's p is %v", alternative, value, *arm.Mean, *sequence.P)
			}
		}
	}
}

// TestSelectors: ties go to the lowest index, and an arm without rounds is
// never selected.
func TestSelectors(t *testing.T) {
	for _, c := range []struct {
		arms        []int
		most, least string
	}{
		{[]int{2, 1, 0}, "a", "a"},
		{[]int{2, 1, 2, 1}, "b", "b"},
		{[]int{2, 1, 2, 1, 0}, "b", "a"},
		{[]int{2}, "c", "c"},
		{[]int{0, 0, 1, 2, 2}, "a", "b"},
		{[]int{2, 1, 2, 0, 0, 2}, "c", "b"},
	} {
		source := strings.Replace(plain, "    - {id: H, arm: each, mean: 0.5}\n", "    - {id: M, arm: most-pulled, mean: 0.5}\n    - {id: L, arm: least-pulled, mean: 0.5}\n    - {id: B, arm: b, mean: 0.5}\n", 1)
		e := &plainLab(t, source, logfile.RewardBool, c.arms, 1, 0).analyse(t, 1).Experiments[0]
		if e.Tests[0].Label != c.most || e.Tests[1].Label != c.least || e.Tests[2].Label != "b" {
			t.Errorf("%v: most %s, least %s, label %s; want %s, %s, b", c.arms, e.Tests[0].Label, e.Tests[1].Label, e.Tests[2].Label, c.most, c.least)
		}
		for i, selector := range []string{"most-pulled", "least-pulled", "b"} {
			test := &e.Tests[i]
			if test.Selector != selector || e.Arms[test.Arm].Label != test.Label || e.Arms[test.Arm].Pulls != test.N {
				t.Errorf("%v: %+v", c.arms, test)
			}
		}
	}
}

// TestVacuous flags bounds that say nothing.
func TestVacuous(t *testing.T) {
	source := strings.NewReplacer("epsilon: 0.1", "epsilon: 1000000", "privacy: {epsilon: 0.1}", "privacy: {epsilon: 1000000}").Replace(private)
	source += "claims: [{id: B, kind: bias.bound, comparator: \"<=\", threshold: 0.5}]\n"
	r := simulated(t, source, 4, &world.Spec{Means: []float64{.2, .35, .45}, Rounds: 200}).analyse(t, 1)
	full := 0
	for _, a := range r.Experiments[0].Arms {
		if a.BiasBoundPaper != nil || !slices.Contains(a.Vacuous, "bias_bound_paper") || !slices.Contains(a.Vacuous, "ci_corrected") {
			t.Errorf("arm %s: %+v", a.Label, a)
		}
		if slices.Contains(a.Vacuous, "bias_bound") != (*a.BiasBound == 1) {
			t.Errorf("arm %s: bias_bound %v, vacuous %v", a.Label, *a.BiasBound, a.Vacuous)
		}
		if *a.BiasBound == 1 {
			full++
		}
	}
	if full != 2 { // the arm of the last round has a row that costs nothing
		t.Errorf("%d arms have a bias bound of 1, want 2", full)
	}
	warned(t, &r.Experiments[0], "arms: bias_bound_paper, e^ε − 1, is beyond the largest number")
	if f := claim(t, r, "B"); f.Verdict != schemas.NotEstablished || !f.Vacuous {
		t.Errorf("bias bound of the range: %s, vacuous %v", f.Verdict, f.Vacuous)
	}
	for _, a := range privateLab(t).analyse(t, 1).Experiments[0].Arms {
		if len(a.Vacuous) != 0 {
			t.Errorf("arm %s at ε = 0.1: %v is vacuous", a.Label, a.Vacuous)
		}
	}
}

// TestUnknownLabels: where arms come from the log, a protocol can name one that
// is not there. That is a fault of the protocol, and all of them are named.
func TestUnknownLabels(t *testing.T) {
	source := `version: 1
experiment: {id: found}
log: {order: [round], action: action, reward: reward}
reward: {range: [0, 1]}
analysis:
  decide: corrected
  sequence: normal
  approximate: accept
  chosen: before
  regressions: [{name: main, arms: r}]
  tests: [{id: H, arm: s, mean: 0.5}, {id: G, arm: a, mean: 0.5}]
claims: [{id: B, kind: bias.bound, comparator: "<=", threshold: 1, arms: [a, u]}]
`
	l := plainLab(t, source, logfile.RewardBool, []int{0, 1, 2}, 1, 0)
	out, err := analyze.Run(context.Background(), l.input(0, 1))
	problems, ok := errors.AsType[schemas.Problems](err)
	if out != nil || !ok {
		t.Fatalf("got %v, %v; want the problems of the protocol", out, err)
	}
	var paths []string
	for _, p := range problems {
		paths = append(paths, p.Path)
	}
	if diff := cmp.Diff([]string{"analysis.regressions[0].arms", "analysis.tests[0].arm", "claims[0].arms[1]"}, paths); diff != "" {
		t.Errorf("paths (-want +got):\n%s", diff)
	}
	if !strings.Contains(err.Error(), `analysis.tests[0].arm is "s"`) {
		t.Errorf("message %q", err)
	}
	e := &l.but(t, changes{"arms: r}": "arms: c}", "arm: s": "arm: least-pulled", "[a, u]": "all"}).analyse(t, 1).Experiments[0]
	warned(t, e, "the confidence sequences hold jointly only if no other arm could be played")
	if h08 := check.Find(e.Data.Checks, "H08"); h08.Status != schemas.CheckNote {
		t.Errorf("H08 of undeclared arms is %s", h08.Status)
	}
	if len(e.Regressions) != 1 || e.Regressions[0].Label != "c" {
		t.Errorf("regressions %+v", e.Regressions)
	}
}

// TestCounts: what ingest clipped of an experiment stands in its data, and by
// arm in H03.
func TestCounts(t *testing.T) {
	source := strings.NewReplacer("experiment: {id: plain", "experiment: {column: experiment", "range: [0, 1]", "range: [0, 1], out_of_range: clip").Replace(plain)
	rows := make([]logfile.Row, 12)
	for i := range rows {
		rows[i] = logfile.Row{Experiment: int64(i / 6), Round: int64(i + 1), Arm: i % 3, Reward: 0.3 * float64(i%6)}
	}
	l := written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b", "c"}, Reward: logfile.RewardFloat, Experiments: true}, rows)
	r := l.analyse(t, 1)
	for i := range r.Claims {
		if c := &r.Claims[i]; c.Kind == quality && c.Observed != "6 rows, 2 rewards clipped" {
			t.Errorf("data.quality observed %q", c.Observed)
		}
	}
	for i, e := range r.Experiments {
		if diff := cmp.Diff([]schemas.Exclusion{{Reason: "reward clipped to range", Rows: 2}}, e.Data.Excluded); diff != "" {
			t.Errorf("excluded (-want +got):\n%s", diff)
		}
		if e.Data.RowsRead != 6 || e.Data.RowsAnalysed != 6 || e.ID != string(rune('0'+i)) {
			t.Errorf("experiment %s: %+v", e.ID, e.Data)
		}
		if h03 := check.Find(e.Data.Checks, "H03"); h03.Observed != "reward clipped to range: 2 rows (b 1, c 1)" {
			t.Errorf("H03 observed %q", h03.Observed)
		}
	}
}

// TestNullsSaid: data.quality says how many nulls were read as all arms and as never.
func TestNullsSaid(t *testing.T) {
	rows := make([]logfile.Row, 12)
	for i := range rows {
		rows[i] = logfile.Row{Round: int64(i + 1), Arm: i % 3, RewardOrder: int64(i + 1)}
		if i > 0 {
			rows[i].Eligible = []bool{true, true, true}
		}
	}
	rows[3].RewardOrder, rows[4].RewardOrder = math.MaxInt64, math.MaxInt64
	source := strings.Replace(plain, "log: {", "log: {eligible: eligible, eligible_by: schedule, reward_order: reward_order, ", 1)
	l := written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b", "c"}, Reward: logfile.RewardFloat, Eligible: logfile.EligibleFlags, RewardOrder: true}, rows)
	r := l.analyse(t, 1)
	for i := range r.Claims {
		if c := &r.Claims[i]; c.Kind == quality && c.Observed != "12 rows, 1 with eligible null (all arms), 2 with reward_order null (never known)" {
			t.Errorf("data.quality observed %q", c.Observed)
		}
	}
}

// TestFacts: what the checks look at is what the log holds.
func TestFacts(t *testing.T) {
	rows := make([]logfile.Row, 12)
	for i := range rows {
		rows[i] = logfile.Row{Round: int64(1 + i + i/5), Arm: i % 3, Reward: float64(i % 2)} // two gaps
	}
	spec := &logfile.Layout{Labels: []string{"a", "b", "c"}, Reward: logfile.RewardBool, RowsPerFile: 5}
	l := written(t, t.TempDir(), plain, spec, rows)
	for ties, status := range map[string]schemas.CheckStatus{"error": schemas.CheckPass, "file-order": schemas.CheckNote} {
		e := &l.but(t, changes{"order: [round]": "order: [round], ties: " + ties}).analyse(t, 1).Experiments[0]
		if c := check.Find(e.Data.Checks, "H01"); c.Observed != "3 columns in 3 files" {
			t.Errorf("H01 observed %q", c.Observed)
		}
		if c := check.Find(e.Data.Checks, "H02"); c.Status != status {
			t.Errorf("ties: %s: H02 is %s, want %s", ties, c.Status, status)
		}
		if c := check.Find(e.Data.Checks, "H09"); c.Observed != "total order by round; 2 gaps" || c.Status != schemas.CheckNote {
			t.Errorf("H09 %s, observed %q", c.Status, c.Observed)
		}
	}
}

// TestAllocationSeries recomputes the share of each arm in each interval of
// rounds.
func TestAllocationSeries(t *testing.T) {
	for _, rounds := range []int{1, 2, 63, 64, 65, 129, 1000} {
		arms := make([]int, rounds)
		for i := range arms {
			arms[i] = i * i % 5 % 3
		}
		e := &plainLab(t, plain, logfile.RewardBool, arms, 1, 0).analyse(t, 1).Experiments[0]
		if lines := linesOf(e, schemas.SeriesAllocation); len(lines) != 3 {
			t.Fatalf("%d series, want one per arm", len(lines))
		}
		for a, s := range linesOf(e, schemas.SeriesAllocation) {
			from := 0
			if len(s.X) != len(s.Y) || len(s.X) == 0 || len(s.X) > 512 || s.X[len(s.X)-1] != float64(rounds) || s.ID != "allocation/"+e.Arms[a].Label || s.N != int64(rounds) {
				t.Fatalf("%d rounds: series %+v", rounds, s)
			}
			for i, end := range s.X {
				played := 0
				for _, arm := range arms[from:int(end)] {
					if arm == a {
						played++
					}
				}
				near(t, s.ID, s.Y[i], float64(played)/(end-float64(from)))
				from = int(end)
			}
		}
	}
}
