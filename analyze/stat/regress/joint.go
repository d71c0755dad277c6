package regress

import (
	"fmt"
	"slices"

	"banditaudit/analyze/stat/hypothesis"
)

// Joint tests that the named coefficients have the given values, by
// [hypothesis.Wald] with the table's covariance and degrees of freedom: F(q, df)
// for q names, with the warnings of these coefficients. There is no statistic
// where the clusters are no more than the coefficients of the model, for then
// the covariance is singular. names and values have equal length, otherwise
// Joint panics. It
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
	cov := t.Cov
	few := t.Clusters > 0 && int64(len(estimates)) >= t.Clusters
	if few {
		cov = make([]float64, len(t.Cov)) // what a covariance without full rank tells of several
	}
	r := t.crowded(hypothesis.Wald(estimates, cov, hypothesis.Equal(len(estimates), places, values), df))
	if few && len(places) > 0 {
		r.Warnings = []string{fmt.Sprintf("Wald test: %d clusters leave the covariance of %d coefficients singular; more clusters or fewer columns are needed", t.Clusters, len(estimates))}
	}
	for _, j := range places {
		for _, w := range t.Coefficients[j].Warnings {
			if !slices.Contains(r.Warnings, w) {
				r.Warnings = append(r.Warnings, w)
			}
		}
	}
	return r
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
