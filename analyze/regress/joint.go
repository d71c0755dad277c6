package regress

import (
	"fmt"

	"banditaudit/analyze/hypothesis"
)

// Joint tests that the named coefficients have the given values, by
// [hypothesis.Wald] with the table's covariance and degrees of freedom: F(q, df)
// for q names. names and values have equal length, otherwise Joint panics. It
// returns an error for a name without a coefficient, be it dropped or unknown,
// and for a name given twice.
func (t *Table) Joint(names []string, values []float64) (hypothesis.Result, error) {
	places := make([]int, len(names))
	taken := make(map[int]bool)
	for i, name := range names {
		j := t.place(name)
		switch {
		case j < 0:
			return hypothesis.Result{}, fmt.Errorf("regress: the model has no coefficient %q (it has %q); name one that was kept", name, t.names())
		case taken[j]:
			return hypothesis.Result{}, fmt.Errorf("regress: the joint hypothesis names coefficient %q twice; name it once", name)
		}
		places[i], taken[j] = j, true
	}
	return t.wald(places, values), nil
}

// Slopes tests that all coefficients but the intercept are 0, with the table's
// covariance; with the classical one it is [Model.F].
func (t *Table) Slopes() hypothesis.Result {
	var places []int
	for j, c := range t.Coefficients {
		if c.Name != InterceptName {
			places = append(places, j)
		}
	}
	return t.wald(places, make([]float64, len(places)))
}

func (t *Table) wald(places []int, values []float64) hypothesis.Result {
	estimates, df := make([]float64, len(t.Coefficients)), 0.0
	for j, c := range t.Coefficients {
		estimates[j], df = c.Estimate, c.DF
	}
	return t.crowded(hypothesis.Wald(estimates, t.Cov, hypothesis.Equal(len(estimates), places, values), df))
}

// place is the index of a coefficient, −1 if there is none of the name.
func (t *Table) place(name string) int {
	for j, c := range t.Coefficients {
		if c.Name == name {
			return j
		}
	}
	return -1
}

func (t *Table) names() []string {
	out := make([]string, len(t.Coefficients))
	for j, c := range t.Coefficients {
		out[j] = c.Name
	}
	return out
}
