package analyze_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"banditaudit/analyze/stat/hypothesis"
	"banditaudit/analyze/stat/moments"
	"banditaudit/analyze/stat/onesample"
	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
)

// A raw p that holds for many rounds only decides nothing unless the protocol
// accepts it. It is printed all the same, and the others decide.
func TestApproximateRefused(t *testing.T) {
	t.Parallel()
	base := privateLab(t)
	l := base.but(t, changes{"    - {id: H2, arm: each, mean: 0.25, test: exact}\n": `    - {id: T, arm: a, mean: 0.25, test: t}
    - {id: W, difference: [a, b], value: 0, test: welch}
    - {id: Z, arm: a, mean: 0.25, test: z, sigma: 0.5}
    - {id: B, arm: a, mean: 0.25, test: bets}
    - {id: D, difference: [a, b], value: 0, test: bernstein}
`})
	refused := l.but(t, changes{"  approximate: accept\n": ""})
	for _, c := range []struct {
		lab    *lab
		accept bool
	}{{l, true}, {refused, false}} {
		e := &c.lab.analyse(t, 1).Experiments[0]
		for i := range e.Tests {
			test := &e.Tests[i]
			of, head := method(t, test, schemas.MethodNaive), method(t, test, schemas.MethodCorrected)
			approximate := slices.Contains([]string{"T", "W", "Z"}, test.ID)
			if of.Approximate != approximate || !of.Applicable || of.P == nil {
				t.Errorf("%s: %+v", test.ID, of)
			}
			decided := c.accept || !approximate
			if head.Applicable != decided || (test.Decision == "not applicable") == decided || decided && head.Approximate != approximate {
				t.Errorf("%s, accepted %t: %s %+v", test.ID, c.accept, test.Decision, head)
			}
			if !decided && !strings.Contains(head.Reason, "write analysis.approximate: accept") {
				t.Errorf("%s: %q does not name the key", test.ID, head.Reason)
			}
		}
	}
}

// What a test's descriptor says of its p is what its results say.
func TestApproximateDescribed(t *testing.T) {
	t.Parallel()
	y := []float64{0, 1, 1, 0, 1, 1, 1, 0, 0, 1}
	bet, bets := moments.NewBetting(0, 1), moments.Bets{}
	var s moments.Scalar
	s.Add(y)
	for _, v := range y {
		bet.Add(&bets, v)
	}
	x := onesample.Rewards{Scalar: s, Ones: 6, Hi: 1, Bets: &bets}
	h := onesample.Null{Value: 0, Sigma: new(.5), Alternative: hypothesis.TwoSided, LogAlpha: -3}
	for _, test := range onesample.Tests() {
		if test.Mean != nil {
			if r := test.Mean(x, h); r.Exact == test.Approximate {
				t.Errorf("%s of a mean: exact %t", test.Name, r.Exact)
			}
		}
		if test.Difference != nil {
			if r := test.Difference(onesample.Pair{A: x, B: x}, h); r.Exact == test.Approximate {
				t.Errorf("%s of a difference: exact %t", test.Name, r.Exact)
			}
		}
		if len(test.Usual) > 0 && test.Approximate {
			t.Errorf("%s is approximate, and a default", test.Name)
		}
	}
}

// Where no test is named, one is taken that holds at every number of rounds: by the
// type of the reward, by the question, and by unit.
func TestUsual(t *testing.T) {
	t.Parallel()
	source := withTests(plain, "id: M, arm: a, mean: 0.5", "id: D, difference: [a, b], value: 0")
	arms := []int{0, 1, 2, 0, 1, 2, 0, 1, 2}
	units, _ := unitLab(t, withTests(private, "id: M, arm: a, mean: 0.5", "id: D, difference: [a, b], value: 0"))
	for name, c := range map[string]struct {
		lab              *lab
		mean, difference string
	}{
		"0 and 1": {plainLab(t, source, logfile.RewardBool, arms, 0, 1), "inomial", "Fisher"},
		"others":  {plainLab(t, source, logfile.RewardFloat, arms, .2, .7, .4), "fixed bets", "Bernstein"},
		"by unit": {units, "Bernstein", "Bernstein"},
	} {
		e := &c.lab.analyse(t, 1).Experiments[0]
		for i, want := range []string{c.mean, c.difference} {
			if !strings.Contains(e.Tests[i].Test, want) || method(t, &e.Tests[i], schemas.MethodNaive).Approximate {
				t.Errorf("%s: %s is %q", name, e.Tests[i].ID, e.Tests[i].Test)
			}
		}
	}
}

// A test that takes means as normal says where rewards are too skewed for that, and
// no other does: of an arm, of a difference of arms that are not alike, by unit.
func TestSkewed(t *testing.T) {
	t.Parallel()
	tests := []string{
		"id: T, arm: a, mean: 0.1, test: t", "id: W, difference: [a, b], value: 0, test: welch", "id: B, arm: a, mean: 0.1, test: bets",
		"id: S, arm: b, mean: 0.1, test: t", "id: L, difference: [a, c], value: 0, test: welch",
	}
	// Of a and c one reward in ten is 1, and b pays .4 and .6 in turn.
	var rows []logfile.Row
	for i := range 240 {
		r := logfile.Row{Arm: i % 3, Reward: .4 + .2*float64(i/3%2), Unit: strconv.Itoa(i)}
		if r.Arm != 1 {
			r.Reward = float64(max(0, 1-i/3%10))
		}
		rows = append(rows, r)
	}
	for name, unit := range map[string]string{"rows": "", "units": ", unit: unit"} {
		source := strings.Replace(withTests(plain, tests...), "reward: reward}", "reward: reward"+unit+"}", 1)
		if unit != "" {
			source = strings.Replace(source, "test: bets", "test: bernstein", 1)
			for i := range rows {
				rows[i].Unit = strconv.Itoa(i / 9)
			}
		}
		e := &written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b", "c"}, Reward: logfile.RewardFloat, Unit: true}, rows).analyse(t, 1).Experiments[0]
		for _, id := range []string{"T", "W", "B", "S", "L"} {
			got := slices.ContainsFunc(e.Warnings, func(w string) bool { return strings.HasPrefix(w, "test "+id+": ") && strings.Contains(w, "skewed") })
			if want := id == "T" || id == "W"; got != want {
				t.Errorf("%s, %s: warned %t, of %q", name, id, got, e.Warnings)
			}
		}
	}
}
