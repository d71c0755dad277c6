package analyze_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"banditaudit/analyze/stat/hypothesis"
	"banditaudit/analyze/stat/moments"
	"banditaudit/ingest/logfile"
	"banditaudit/schemas"
)

// early are rows of three arms that pay .3, and arm a in each of its first 5 rounds.
func early() []logfile.Row {
	rows := movingRows(4, 3000, .3)
	left := 5
	for i := range rows {
		if rows[i].Arm == 0 && left > 0 {
			rows[i].Reward, left = 1, left-1
		}
	}
	return rows
}

// onArm are the bets on an arm of rows, at the end and on the way.
func onArm(rows []logfile.Row, arm int, counted bool) (*hypothesis.Betted, *hypothesis.BetLooks) {
	looks, betting, sum, known := hypothesis.NewBetLooks(0, 1), moments.NewBetting(0, 1), 0.0, 0.0
	out := &hypothesis.Betted{Lo: 0, Hi: 1}
	for i := range rows {
		switch y := rows[i].Reward; {
		case rows[i].Arm != arm:
		case !math.IsNaN(y):
			looks.Add(y)
			betting.Add(&out.Bets, y)
			sum, known = sum+y, known+1
		case counted:
			looks.Miss()
			out.N++
		}
	}
	out.Mean = sum / known
	return out, looks
}

const meansOf = "analysis: {chosen: before, MEANS, multiplicity: MULTIPLICITY, decide: any-time, tests: [{id: M, arm: a, mean: 0.3}, {id: N, arm: b, mean: 0.3}]}\n"

// Where means are declared constant, the mean of an arm is decided by the largest of what
// bets held on the way, in the arm's own rounds, and the sequences of arms are met at the
// same times; else by what they hold at the end. The e-value is that of the end always.
func TestRunningMeans(t *testing.T) {
	t.Parallel()
	rows := early()
	for i := range rows {
		if i%7 == 3 {
			rows[i].Reward = math.NaN()
		}
	}
	for _, missing := range []string{"exclude", "exclude-independent"} {
		for _, means := range []string{"constant", "varying"} {
			name := means + " " + missing
			spec := movingSpec()
			spec.MissingReward = true
			source := strings.Replace(moving, "reward: reward", "reward: reward, missing_reward: "+missing, 1) +
				strings.NewReplacer("MEANS", "means: "+means, "MULTIPLICITY", "holm").Replace(meansOf)
			l := written(t, t.TempDir(), source, spec, rows)
			e := one(t, l)
			arm, looks := onArm(rows, 0, missing == "exclude")
			if means == "varying" {
				looks = hypothesis.NewBetLooks(0, 1)
			}
			want := hypothesis.RunningBets(arm, looks, .3, hypothesis.TwoSided, math.Log(.05))
			r := method(t, &e.Tests[0], schemas.MethodAnyTime)
			near(t, name+": p", *r.P, math.Exp(want.LogP))
			near(t, name+": lower end", r.CI[0], want.Lo)
			near(t, name+": upper end", r.CI[1], want.Hi)
			if means == "constant" && !(want.LogP < hypothesis.Bets(arm, .3, hypothesis.TwoSided, 0).LogP) {
				t.Errorf("%s: the largest evidence is that of the end", name)
			}
			if strings.Contains(r.Reason, "at its largest after the first") != (means == "constant") {
				t.Errorf("%s: %s", name, r.Reason)
			}
			want = hypothesis.RunningBets(arm, looks, .3, hypothesis.TwoSided, math.Log(.05/3))
			near(t, name+": lower end of the sequence", e.Arms[0].ConfidenceSequence[0], want.Lo)
			near(t, name+": upper end of the sequence", e.Arms[0].ConfidenceSequence[1], want.Hi)
			for _, jobs := range []int{2, 7} {
				if other := l.analyse(t, jobs).Experiments[0]; *method(t, &other.Tests[0], schemas.MethodAnyTime).P != *r.P || *other.Arms[0].ConfidenceSequence != *e.Arms[0].ConfidenceSequence {
					t.Errorf("%s: other numbers with %d workers", name, jobs)
				}
			}
			l = l.but(t, changes{"multiplicity: holm": "multiplicity: e-bh"})
			end := hypothesis.Bets(arm, .3, hypothesis.TwoSided, 0).LogP
			near(t, name+": adjusted p by e-values", *method(t, &one(t, l).Tests[0], schemas.MethodAnyTime).PAdjusted, math.Exp(min(0, end+math.Ln2)))
		}
	}
}

// Where H13 finds that a mean moves, every mean is held against what bets hold at the end,
// whatever is declared, and so it is where units own several rows.
func TestRunningMeansNotConstant(t *testing.T) {
	t.Parallel()
	source := moving + strings.NewReplacer("MEANS", "means: constant", "MULTIPLICITY", "holm").Replace(meansOf)
	rows := movingRows(1, 3000, .7)
	e := one(t, written(t, t.TempDir(), source, movingSpec(), rows))
	for i, value := range []float64{.3, .3} {
		arm, _ := onArm(rows, i, false)
		want := hypothesis.Bets(arm, value, hypothesis.TwoSided, math.Log(.05))
		r := method(t, &e.Tests[i], schemas.MethodAnyTime)
		near(t, e.Tests[i].ID+": p", *r.P, math.Exp(want.LogP))
		near(t, e.Tests[i].ID+": lower end", r.CI[0], want.Lo)
	}
	rows = early()
	for i := range rows {
		rows[i].Unit = fmt.Sprint("u", i/2)
	}
	spec := movingSpec()
	spec.Unit = true
	e = one(t, written(t, t.TempDir(), strings.Replace(source, "reward: reward", "reward: reward, unit: unit", 1), spec, rows))
	arm, _ := onArm(rows, 0, false)
	near(t, "p with units", *method(t, &e.Tests[0], schemas.MethodAnyTime).P, math.Exp(hypothesis.Bets(arm, .3, hypothesis.TwoSided, 0).LogP))
	if !slices.ContainsFunc(e.Disclosures, func(d schemas.Disclosure) bool { return d.Purpose == "estimate:arms" }) {
		t.Error("the purpose under which bets read rewards is not booked")
	}
}
