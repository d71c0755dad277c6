package analyze_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"banditaudit/analyze"
	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
)

// carried are rewards of .9 after arm 0 and .1 after the others, whatever their own arm.
func carried(seed uint64) func(int, *logfile.Row) {
	draw, before := rand.New(rand.NewPCG(seed, 3)), 0
	return func(_ int, row *logfile.Row) {
		mean := .1
		if before == 0 {
			mean = .9
		}
		if row.Reward = 0; draw.Float64() < mean {
			row.Reward = 1
		}
		before = row.Arm
	}
}

const equalOfTwo = "{chosen: before, tests: [{id: E, equal: all}]}"

// carryLab is a log of UCB1 over two arms.
func carryLab(t *testing.T, fill func(int, *logfile.Row)) *lab {
	t.Helper()
	source := strings.NewReplacer("[a, b, c]", "[a, b]", "{chosen: before}", equalOfTwo).Replace(rerunSource("", "name: ucb, width: {c: 2}", "name: exact"))
	return written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b"}, Reward: logfile.RewardBool}, rerunRows(t, source, 600, nil, fill))
}

func caution(r *schemas.Results, part string) bool {
	return slices.ContainsFunc(r.Experiments[0].Cautions, func(words string) bool { return strings.Contains(words, part) })
}

// A condition of every run stands beside its answer; where rewards follow the arm of the
// round before there is none, and other methods may decide.
func TestRerunCarryover(t *testing.T) {
	t.Parallel()
	none := changes{"{chosen: before": "{chosen: before, carryover: none"}
	honest := carryLab(t, coins(5))
	for _, of := range []struct {
		l    *lab
		want string
	}{{honest, schemas.ValidIfNoCarryover}, {honest.but(t, none), schemas.ValidIfNoneDeclared}} {
		test, _ := decidedBy(t, of.l.analyse(t, 1), "E", schemas.MethodRerun)
		if !strings.Contains(test.OnlyIf, of.want) {
			t.Errorf("valid if %q, want %q", test.OnlyIf, of.want)
		}
	}
	follows := carryLab(t, carried(1))
	for _, of := range []struct {
		l       *lab
		bound   string
		caution bool
	}{{follows, "above 1.96)", false}, {follows.but(t, none), "above 3.29)", true}} {
		found := of.l.again(t, 1, analyze.RerunAsked{})
		if r := found.Result; found.Final || r.Applicable || !math.IsNaN(found.LogP) || !strings.HasPrefix(r.Reason, "rewards follow the arm of the round before (z = ") || !strings.Contains(r.Reason, of.bound) {
			t.Errorf("%+v", found)
		}
		r := of.l.analyse(t, 1)
		if test, _ := decidedBy(t, r, "E", ""); !strings.Contains(test.Choice, "no method applies") {
			t.Errorf("choice %q", test.Choice)
		}
		if caution(r, "analysis.carryover: none is declared, and rewards follow the arm") != of.caution {
			t.Errorf("cautions %q", r.Experiments[0].Cautions)
		}
	}
}

// Where all propensities are known wagers on the arm come first: they need nothing of what an
// arm does to later rewards.
func TestAssignmentBeforeRerun(t *testing.T) {
	t.Parallel()
	source := strings.Replace(rerunSource(", propensity: propensity", "name: uniform", "name: exact"), "{chosen: before}", equalOfTwo, 1)
	source = strings.Replace(source, "[a, b, c]", "[a, b]", 1)
	rows := func(fill func(int, *logfile.Row)) []logfile.Row {
		out, draw := make([]logfile.Row, 600), rand.New(rand.NewPCG(4, 2))
		for i := range out {
			out[i] = logfile.Row{Arm: draw.IntN(2), Propensity: .5}
			fill(i, &out[i])
		}
		return out
	}
	layout := &logfile.Layout{Labels: []string{"a", "b"}, Reward: logfile.RewardBool, Propensity: true}
	for _, fill := range []func(int, *logfile.Row){coins(2), carried(2)} {
		l := written(t, t.TempDir(), source, layout, rows(fill))
		test, _ := decidedBy(t, l.analyse(t, 1), "E", schemas.MethodAssignment)
		if !strings.HasPrefix(test.Choice, "assignment, the first that applies of assignment, rerun and any-time") || test.Decision != schemas.DecisionKept {
			t.Errorf("%s: %s", test.Decision, test.Choice)
		}
	}
}

// sticky are rewards that repeat the one before with this probability.
func sticky(seed uint64, repeat float64) func(int, *logfile.Row) {
	draw, last := rand.New(rand.NewPCG(seed, 7)), 0.0
	return func(_ int, row *logfile.Row) {
		if draw.Float64() >= repeat {
			last = float64(draw.IntN(2))
		}
		row.Reward = last
	}
}

// The corrected p of a mean takes rows as independent: where neighbouring rounds are not, bets
// decide, which take each round given everything before it.
func TestNeighboursOfAMean(t *testing.T) {
	t.Parallel()
	source := rerunSource(", propensity: propensity", "name: uniform", "name: exact")
	source = strings.Replace(source, "{chosen: before}", "{chosen: before, tests: [{id: M, arm: a, mean: 0.5}, {id: B, arm: a, mean: 0.5, test: bets, decide: corrected}]}", 1)
	of := func(repeat float64) *lab {
		rows, draw, fill := make([]logfile.Row, 900), rand.New(rand.NewPCG(8, 2)), sticky(3, repeat)
		for i := range rows {
			rows[i] = logfile.Row{Arm: draw.IntN(3), Propensity: 1. / 3}
			fill(i, &rows[i])
		}
		return written(t, t.TempDir(), source, &logfile.Layout{Labels: []string{"a", "b", "c"}, Reward: logfile.RewardBool, Propensity: true}, rows)
	}
	status := func(r *schemas.Results) schemas.Assumption { return r.Assumptions[1] }
	r := of(0).analyse(t, 1)
	decidedBy(t, r, "M", schemas.MethodCorrected)
	if a := status(r); a.ID != "A2" || a.Status != "partly checked" || !strings.HasPrefix(a.CheckedBy, "a check of neighbouring rounds found nothing; dependence at longer distances passes unseen") || caution(r, "(A2)") {
		t.Errorf("%+v, %q", a, r.Experiments[0].Cautions)
	}
	if !slices.ContainsFunc(r.Experiments[0].Disclosures, func(d schemas.Disclosure) bool { return d.Purpose == "check:A2" && d.Rows == 900 }) {
		t.Errorf("not booked: %+v", r.Experiments[0].Disclosures)
	}
	r = of(.6).analyse(t, 1)
	test, _ := decidedBy(t, r, "M", schemas.MethodAnyTime)
	if c := method(t, test, schemas.MethodCorrected); c.Applicable || !strings.Contains(c.Reason, "A2: rewards follow those of the rounds just before them (z = ") {
		t.Errorf("%+v", c)
	}
	if !strings.Contains(test.Hypothesis, "each given everything before it,") || test.OnlyIf != schemas.ValidIfGiven {
		t.Errorf("%q, valid if %q", test.Hypothesis, test.OnlyIf)
	}
	decidedBy(t, r, "B", schemas.MethodCorrected)
	if a := status(r); a.Status != "contradicted" || !caution(r, "rows are not independent (A2)") {
		t.Errorf("%+v, %q", a, r.Experiments[0].Cautions)
	}
}
