package analyze_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"banditaudit/analyze/log/check"
	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
)

const splitProtocol = `version: 1
experiment: {id: e, stopping: fixed}
log: {order: [round], action: action, reward: reward, propensity: propensity, context: [x0, {column: batch, levels: ["0", "1", "2"]}, {column: unit, levels: [DE, FR]}]}
arms: [a, b]
reward: {range: [0, 1]}
`

// splitRows are rounds of two arms with the context of splitProtocol, in which a is
// played with the probability that p gives.
func splitRows(p func(t int, x []float64, last float64) float64) []logfile.Row {
	draw := rand.New(rand.NewPCG(8, 8))
	rows := make([]logfile.Row, 1000)
	last := 0.0
	for t := range rows {
		x := []float64{draw.NormFloat64(), float64(draw.IntN(3)), float64(draw.IntN(2))}
		arm := 1
		if draw.Float64() < p(t, x, last) {
			arm = 0
		}
		last = float64(draw.IntN(2))
		rows[t] = logfile.Row{Arm: arm, Reward: last, Propensity: .5, X: x[:1], Batch: int64(x[1]), Unit: []string{"DE", "FR"}[int(x[2])]}
	}
	return rows
}

func splitLab(t *testing.T, source string, rows []logfile.Row) *lab {
	t.Helper()
	return written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b"}, Reward: logfile.RewardBool, Propensity: true, ContextDim: 1, Batch: true, Unit: true}, rows)
}

// TestSplitsAreNamed: whatever the arm follows, the split that shows it is named,
// with its side; reading rewards for it is booked.
func TestSplitsAreNamed(t *testing.T) {
	for _, c := range []struct {
		name, observed string
		p              func(t int, x []float64, last float64) float64
	}{
		{"nothing", "", func(int, []float64, float64) float64 { return .5 }},
		{"a number", "with x0 above its median", func(_ int, x []float64, _ float64) float64 { return both(x[0] > 0) }},
		{"both tails", "with x0 outside its quartiles", func(_ int, x []float64, _ float64) float64 { return both(math.Abs(x[0]) > .6745) }},
		{"stripes", "with x0 in its ", func(_ int, x []float64, _ float64) float64 { return .1 + .8*float64(eighth(x[0])%2) }},
		{"a tide", "than by its propensity in about ", func(t int, _ []float64, _ float64) float64 { return .5 + .3*math.Sin(float64(t)/10) }},
		{"a number that turns", "that were alike by ", func(t int, x []float64, _ float64) float64 { return both((x[0] > 0) == (t/50%2 == 0)) }},
		{"two contexts", " together", func(_ int, x []float64, _ float64) float64 { return both((x[0] > 0) == (x[2] == 1)) }},
		{"a level", "with batch = 2", func(_ int, x []float64, _ float64) float64 { return both(x[1] == 2) }},
		{"the baseline", "with batch = 0", func(_ int, x []float64, _ float64) float64 { return both(x[1] == 0) }},
		{"one of two", "with unit = FR", func(_ int, x []float64, _ float64) float64 { return both(x[2] == 1) }},
		{"the last reward", "behind a reward above the mean of those before it", func(_ int, _ []float64, last float64) float64 { return both(last == 1) }},
		{"a half", "of the first half", func(t int, _ []float64, _ float64) float64 { return both(t < 500) }},
		{"a quarter", "of the third quarter", func(t int, _ []float64, _ float64) float64 { return both(t >= 500 && t < 750) }},
	} {
		r := splitLab(t, splitProtocol, splitRows(c.p)).analyse(t, 1)
		f, h17 := claim(t, r, allocation), check.Find(r.Experiments[0].Data.Checks, "H17")
		if violated := f.Verdict == schemas.Violated; violated != (c.observed != "") || violated != (h17.Status == schemas.CheckFail) || !strings.Contains(h17.Observed, c.observed) {
			t.Errorf("%s: %s, %s: %s", c.name, f.Verdict, h17.Status, h17.Observed)
		}
		if want := "Looked at: the previous action, the last reward, the first half, the first quarter, the second quarter, the third quarter, the last quarter, x0 against its median, x0 against its quartiles, batch = 0, batch = 1, batch = 2, unit = FR, the arm's own pulls in about 8 rounds before, "; !strings.Contains(h17.Detail, want) {
			t.Errorf("%s: %q", c.name, h17.Detail)
		}
		if !slices.ContainsFunc(r.Experiments[0].Disclosures, func(d schemas.Disclosure) bool {
			return d.Purpose == "check:H17" && slices.Equal(d.Columns, []string{"reward", "arm", "propensity"})
		}) {
			t.Errorf("%s: disclosures are %v", c.name, r.Experiments[0].Disclosures)
		}
	}
}

// eighth is that of a number of the normal law.
func eighth(x float64) int {
	return int(8 * (1 + math.Erf(x/math.Sqrt2)) / 2)
}

// both is a probability on the two sides of a split.
func both(yes bool) float64 {
	if yes {
		return .9
	}
	return .3
}

// TestSplitsMarginally: where nothing but the margin was looked at, the claim says
// so; a log that may have ended by what was seen has no halves.
func TestSplitsMarginally(t *testing.T) {
	rows := splitRows(func(int, []float64, float64) float64 { return .5 })
	short := splitLab(t, splitProtocol, rows[:40]).analyse(t, 1)
	if f := claim(t, short, allocation); f.Verdict != schemas.Consistent || !strings.Contains(f.Statement, "marginally") || !strings.Contains(f.Reason, "H17 was not run: The log is too short") {
		t.Errorf("%s: %q, %q", f.Verdict, f.Statement, f.Reason)
	}
	long := splitLab(t, strings.Replace(splitProtocol, ", stopping: fixed", "", 1), rows).analyse(t, 1)
	h17 := check.Find(long.Experiments[0].Data.Checks, "H17")
	if f := claim(t, long, allocation); strings.Contains(f.Statement, "marginally") || strings.Contains(h17.Detail, "half") || strings.Contains(h17.Detail, "quarter") {
		t.Errorf("%q, %q", f.Statement, h17.Detail)
	}
}

// TestSplitsByArm: of contexts by arm each is looked at, in the order of the arms,
// and what is beyond 16 splits is named; an arm that was not eligible loses
// nothing, and a reward that is not known yet is not looked at.
func TestSplitsByArm(t *testing.T) {
	const k = 3
	draw := rand.New(rand.NewPCG(9, 9))
	rows := make([]logfile.Row, 1500)
	for t := range rows {
		may := []bool{true, true, t%3 != 0}
		p := []float64{.5, .3, .2}
		if !may[2] {
			p = []float64{.6, .4, 0}
		}
		arm, u := 0, draw.Float64()
		for arm < k-1 && u >= p[arm] {
			u -= p[arm]
			arm++
		}
		x := make([]float64, 4*k)
		for i := range x {
			x[i] = draw.NormFloat64()
		}
		rows[t] = logfile.Row{Arm: arm, Reward: float64(draw.IntN(2)), PropensityByArm: p, ContextByArm: x, Eligible: may, RewardOrder: int64(t + 1 + draw.IntN(60))}
	}
	source := `version: 1
experiment: {id: e, stopping: fixed}
log: {order: [round], action: action, reward: reward, propensity_by_arm: propensity_by_arm, context_by_arm: context_by_arm, eligible: eligible, reward_order: reward_order}
arms: [a, b, c]
reward: {range: [0, 1]}
`
	spec := &logfile.Layout{Labels: []string{"a", "b", "c"}, Reward: logfile.RewardBool, PropensityByArm: true, ContextByArm: 4, Eligible: logfile.EligibleFlags, RewardOrder: true}
	honest := check.Find(one(t, written(t, t.TempDir(), source, spec, rows)).Data.Checks, "H17")
	if honest.Status != schemas.CheckPass || !strings.Contains(honest.Detail, "Left out, beyond 16: context_by_arm[1] of arm c against its median, context_by_arm[2] of arm c against its median, context_by_arm[3] of arm c against its median.") {
		t.Errorf("%+v", honest)
	}
	for t := range rows { // b is played where its own context is high, as often as before
		if r := &rows[t]; r.Arm != 2 && r.Eligible[2] {
			r.Arm = 0
			if r.ContextByArm[4+2] > .32 {
				r.Arm = 1
			}
		}
	}
	e := one(t, written(t, t.TempDir(), source, spec, rows))
	got := check.Find(e.Data.Checks, "H17")
	if got.Status != schemas.CheckFail || !strings.HasPrefix(got.Observed, "arm b was played ") || !strings.Contains(got.Observed, " in rounds with context_by_arm[2] of arm b not above its median, ") || !strings.Contains(got.Observed, " expected (-") {
		t.Errorf("%+v", got)
	}
	s := e.Data.Splits
	if s == nil || len(s.Looked) != 16+9+5+11 || len(s.LeftOut) != 3 || !s.Deficits || s.Accounts != 2*2*(16+9+7+7*11)*k+2*11+4 || s.Round == nil || s.Worst.Arm != "b" || s.Worst.Split != "context_by_arm[2] of arm b against its median" {
		t.Errorf("%+v", s)
	}
}

// TestComparisonOfMisplayedArms: where an arm follows a context, and no rewards should be
// read, nothing has a corrected p, and the means of what compares arms are contradicted.
func TestComparisonOfMisplayedArms(t *testing.T) {
	source := strings.Replace(splitProtocol, "FR]}]}", "FR]}], context_by: schedule}", 1) + `policy: {name: uniform}
privacy: {definition: pure, epsilon: 0}
analysis:
  decide: corrected
  sequence: normal
  chosen: before
  approximate: accept
  regressions: [{name: all, arms: pooled, covariance: HC3}]
  tests:
    - {id: D, difference: [a, b], value: 0, test: welch}
    - {id: M, arm: a, mean: 0.2, test: t}
    - {id: B, regression: all, coefficient: "arm[b]", value: 0}
    - {id: S, regression: all, coefficient: x0, value: 0}
`
	r := splitLab(t, source, splitRows(func(_ int, x []float64, _ float64) float64 { return .5 + .4*math.Copysign(1, x[0]) })).analyse(t, 1)
	ids, means := applicable(t, r)
	if len(ids) > 0 || means["D"] != moves || means["B"] != moves {
		t.Errorf("%v, %v", ids, means)
	}
	e := &r.Experiments[0]
	for _, c := range e.Regressions[0].Coefficients {
		if c.PCorrected != nil || c.BiasBound != nil {
			t.Errorf("p_corrected of %s is %v", c.Name, c.PCorrected)
		}
	}
	warned(t, e, "regressions: bias_bound, bias_rms, bias_worst, p_corrected and ci_corrected are NOT APPLICABLE: A1: the arms were not played with the probabilities of the declared policy (check H17: arm ")
}

// setRows are rounds of three arms of which two, or all three, may be played, with the
// declared probabilities by Propensity; a is played with the probability that p gives.
func setRows(p func(all bool) float64) []logfile.Row {
	draw := rand.New(rand.NewPCG(6, 6))
	rows := make([]logfile.Row, 1500)
	for t := range rows {
		all := draw.IntN(2) == 0
		may, of := []bool{true, true, all}, []float64{.5, .5, 0}
		if all {
			of = []float64{.25, .25, .5}
		}
		arm := 1
		switch u := draw.Float64(); {
		case all && u < .5:
			arm = 2
		case draw.Float64() < p(all):
			arm = 0
		}
		rows[t] = logfile.Row{Arm: arm, Reward: float64(draw.IntN(2)), PropensityByArm: of, Eligible: may}
	}
	return rows
}

// TestSplitsBySet: an arm whose share goes by the set of eligible arms is found there,
// and the set is named; so it is where later sets than the first 16 are met, and an
// honest log passes.
func TestSplitsBySet(t *testing.T) {
	source := `version: 1
experiment: {id: e, stopping: fixed}
log: {order: [round], action: action, reward: reward, propensity_by_arm: propensity_by_arm, eligible: eligible, eligible_by: schedule}
arms: [a, b, c]
reward: {range: [0, 1]}
`
	spec := &logfile.Layout{Labels: []string{"a", "b", "c"}, Reward: logfile.RewardBool, PropensityByArm: true, Eligible: logfile.EligibleFlags}
	for _, c := range []struct {
		p     func(all bool) float64
		words string
	}{
		{func(bool) float64 { return .5 }, ""},
		{func(all bool) float64 { return map[bool]float64{true: .9, false: .3}[all] }, "in which "},
	} {
		e := one(t, written(t, t.TempDir(), source, spec, setRows(c.p)))
		got := check.Find(e.Data.Checks, "H17")
		if fails := got.Status == schemas.CheckFail; fails != (c.words != "") || !strings.Contains(got.Observed, c.words) || fails && !strings.Contains(got.Observed, "could be played") {
			t.Errorf("%s: %s", got.Status, got.Observed)
		}
		if !slices.Contains(e.Data.Splits.Cells, "the set of eligible arms") {
			t.Errorf("looked at %v", e.Data.Splits.Cells)
		}
	}
}
