package hypothesis

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// alike is q constraints that hold badly, with df degrees of freedom.
func alike(q int, df float64) Result {
	estimates, cov, places := make([]float64, q), make([]float64, q*q), make([]int, q)
	for i := range q {
		estimates[i], cov[i*q+i], places[i] = 3, 1, i
	}
	return Wald(estimates, cov, Equal(q, places, make([]float64, q)), df)
}

func TestCrowded(t *testing.T) {
	for _, r := range []struct {
		q        int
		df       float64
		clusters bool
		p        bool
		warns    int
	}{
		{3, 30, true, true, 0},
		{4, 39, true, true, 1},
		{13, 39, true, true, 1},
		{14, 39, true, false, 1},
		{14, 39, false, true, 1},
		{3, 30, false, true, 0},
		{14, math.Inf(1), true, true, 0},
	} {
		plain := alike(r.q, r.df)
		got := Crowded(plain, r.clusters)
		if !math.IsNaN(got.LogP) != r.p || len(got.Warnings) != r.warns || r.p && got.LogP != plain.LogP {
			t.Errorf("%+v: %+v", r, got)
		}
	}
	none := alike(0, 30)
	if got := Crowded(none, true); !slices.Equal(got.Warnings, none.Warnings) {
		t.Errorf("%q", got.Warnings)
	}
	if !strings.Contains(none.Assumes, "holds poorly where the coefficients asked about are not few beside the rows or clusters") {
		t.Error(none.Assumes)
	}
}
