package analyze_test

import (
	"math"
	"strings"
	"testing"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/cmd/banditlab/world"
	"banditaudit/schemas"
)

// linesOf are the series of an experiment whose ids begin so.
func linesOf(e *schemas.Experiment, prefix string) []schemas.Series {
	var out []schemas.Series
	for _, s := range e.Series {
		if strings.HasPrefix(s.ID, prefix) {
			out = append(out, s)
		}
	}
	return out
}

// TestSeries recomputes weights, updates and means up to every point from the rows; and the
// confidence sequence at a point is that of a log that ends there.
func TestSeries(t *testing.T) {
	rows, _ := withMissing(rolesRows(11, 1000))
	for i := range rows {
		rows[i].Propensity = []float64{.2, .3, .5}[i*i%3]
	}
	source := strings.NewReplacer(columns, columns+", batch: batch, missing_reward: exclude", "policy: {name: uniform}\n", "", "  sequence: normal\n", "").Replace(roles)
	spec := rolesSpec()
	spec.Batch, spec.MissingReward = true, true
	e := one(t, written(t, t.TempDir(), source, spec, rows))

	updates := linesOf(e, schemas.SeriesUpdates)[0]
	if len(updates.X) != 9 || updates.X[0] != 101 || updates.X[8] != 901 || updates.Y[8] != 10 || updates.N != 10 {
		t.Errorf("updates %+v", updates)
	}
	effective, heaviest := linesOf(e, schemas.SeriesEffective)[0], linesOf(e, schemas.SeriesHeaviest)[0]
	for i, end := range effective.X {
		sum, squares, largest := 0.0, 0.0, 0.0
		for _, r := range rows[:int(end)] {
			w := 1 / r.Propensity
			sum, squares, largest = sum+w, squares+w*w, max(largest, w)
		}
		near(t, "effective", effective.Y[i], sum*sum/squares/end)
		near(t, "heaviest", heaviest.Y[i], largest/sum)
	}
	means := linesOf(e, schemas.SeriesMean)
	if len(means) != 3 {
		t.Fatalf("%d means over time", len(means))
	}
	for _, s := range means {
		arm := strings.Index("abc", strings.TrimPrefix(s.ID, schemas.SeriesMean))
		before := 0.0
		for i, end := range s.X {
			n, sum := 0.0, 0.0
			for _, r := range rows[:int(end)] {
				if r.Arm == arm && !math.IsNaN(r.Reward) {
					n, sum = n+1, sum+r.Reward
				}
			}
			near(t, s.ID, s.Y[i], sum/n)
			if n-before < 20 {
				t.Errorf("%s: %g rewards between two points", s.ID, n-before)
			}
			before = n
		}
	}
	s := means[0]
	arm := strings.Index("abc", strings.TrimPrefix(s.ID, schemas.SeriesMean))
	for _, i := range []int{len(s.X) / 2, len(s.X) - 1} {
		ci := one(t, written(t, t.TempDir(), source, spec, rows[:int(s.X[i])])).Arms[arm].ConfidenceSequence
		if math.Abs(ci[0]-s.Lo[i]) > 1e-9 || math.Abs(ci[1]-s.Hi[i]) > 1e-9 {
			t.Errorf("up to round %g: [%g, %g], a log that ends there has %v", s.X[i], s.Lo[i], s.Hi[i], *ci)
		}
	}
}

// TestSpentSeries: the last is what the row that paid most paid, and before it is no less than
// what a log that ends there says.
func TestSpentSeries(t *testing.T) {
	e := &privateLab(t).analyse(t, 1).Experiments[0]
	s := linesOf(e, schemas.SeriesSpent)[0]
	if last := s.Y[len(s.Y)-1]; last != float64(*e.Privacy.EpsilonRealized) {
		t.Errorf("%g at the end, and %g is realised", last, float64(*e.Privacy.EpsilonRealized))
	}
	for _, i := range []int{20, 40} {
		short := simulated(t, private, 4, &world.Spec{Means: []float64{.2, .35, .45}, Rounds: int64(s.X[i])}).analyse(t, 1).Experiments[0]
		if paid := float64(*short.Privacy.EpsilonRealized); paid > s.Y[i] || paid < s.Y[i]/2 {
			t.Errorf("up to round %g: %g, a log that ends there has %g", s.X[i], s.Y[i], paid)
		}
	}
	if !(&publiclog.Log{Index: schemas.SeriesExperiments - 1}).Figured() || (&publiclog.Log{Index: schemas.SeriesExperiments}).Figured() {
		t.Error("series of other experiments than the first are kept")
	}
}
