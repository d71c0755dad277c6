package check

import (
	"testing"

	"banditaudit/analyze/stat/allocationtest"
	"banditaudit/schemas"
)

func TestH14(t *testing.T) {
	f := good()
	expect(t, "no propensity", weightsESS().on(f), schemas.Check{ID: "H14", Status: schemas.CheckNotRun, Detail: "Declare log.propensity or log.propensity_by_arm to make this possible."})

	f.Propensities = evenly(t, 1000, 0.5)
	c := weightsESS().on(f)
	if c.Expected != "mean of 1/p near 2 if every arm could always be played" {
		t.Errorf("expected %q", c.Expected)
	}
	expect(t, "uniform", c, schemas.Check{
		ID: "H14", Status: schemas.CheckPass, Statistic: new(1000.0),
		Observed: "effective sample size 1,000 of 1,000 rows, largest weight 2, mean of 1/p 2",
		Detail:   "1 propensity, written with up to 1 decimal; 1,000 rows exactly uniform.",
	})

	f.Declared, f.Labels, f.Pulls = false, []string{"a", "b", "elsewhere"}, []int64{500, 500, 0}
	c = weightsESS().on(f)
	if c.Expected != "mean of 1/p near 2, the arms played here, if each of them and no other could always be played" {
		t.Errorf("expected %q", c.Expected)
	}
	if want := "1 propensity, written with up to 1 decimal; 1,000 rows exactly uniform over the arms of all experiments."; c.Detail != want {
		t.Errorf("%q", c.Detail)
	}

	f = good()
	for _, r := range []struct {
		name    string
		weights allocationtest.WeightsResult
		status  schemas.CheckStatus
		detail  string
	}{
		{"a tenth", allocationtest.WeightsResult{Rows: 1000, ESS: 100, MeanInverse: 2.19, Distinct: 7, Decimals: 3, Uniform: 1}, schemas.CheckPass, "7 different propensities, written with up to 3 decimals; 1 row exactly uniform."},
		{"below a tenth", allocationtest.WeightsResult{Rows: 1000, ESS: 99, MeanInverse: 1.8, Distinct: 7, Decimals: 12}, schemas.CheckNote, "7 different propensities, written with up to 12 decimals; 0 rows exactly uniform. The effective sample size is below a tenth of the rows: weighted means rest on few of them."},
		{"many", allocationtest.WeightsResult{Rows: 1000, ESS: 500, MeanInverse: 2, Distinct: 1001, Capped: true, Decimals: 13}, schemas.CheckPass, "More than 1,000 different propensities, written with more than 12 decimals; 0 rows exactly uniform."},
	} {
		f.Propensities = &Propensities{Weights: r.weights}
		if got := weightsESS().on(f); got.Status != r.status || got.Detail != r.detail || *got.Statistic != r.weights.ESS {
			t.Errorf("%s: %s, %q; want %s, %q", r.name, got.Status, got.Detail, r.status, r.detail)
		}
	}
}

// TestH14Mean: the mean of 1/p is noted where it is more than 10 % off the arms
// that can be played, or where H05 contradicts the propensities.
func TestH14Mean(t *testing.T) {
	const few = "the propensities are not those of the log, or few rows carry much weight."
	for _, r := range []struct {
		name           string
		mean, choices  float64
		rejected, note bool
		detail         string
	}{
		{"within", 2.19, 0, false, false, ""},
		{"above", 17.56, 0, false, true, "The mean of 1/p is +778 % from 2, more than the 10 % that are let pass: " + few},
		{"far above", 117.56, 0, false, true, "The mean of 1/p is +5,778 % from 2, more than the 10 % that are let pass: " + few},
		{"below", 1.7, 0, false, true, "The mean of 1/p is -15 % from 2, more than the 10 % that are let pass: some arm could not be played in every round, or its propensity fell so low that it hardly was, " + few},
		{"fewer choices", 1.5, 1.5, false, false, ""},
		{"against fewer choices", 2, 1.5, false, true, "The mean of 1/p is +33.3 % from 1.5, more than the 10 % that are let pass: " + few},
		{"contradicted", 2, 0, true, true, "H05 contradicts the logged propensities; the mean of 1/p is +0 % from 2."},
	} {
		f := good()
		f.Propensities = &Propensities{
			Weights: allocationtest.WeightsResult{Rows: 1000, ESS: 500, MeanInverse: r.mean, Distinct: 7, Decimals: 3}, Choices: r.choices,
			Allocation: allocationtest.AllocationResult{Rejected: r.rejected},
		}
		got := weightsESS().on(f)
		want := "7 different propensities, written with up to 3 decimals; 0 rows exactly uniform."
		if r.detail != "" {
			want += " " + r.detail
		}
		if (got.Status == schemas.CheckNote) != r.note || got.Detail != want {
			t.Errorf("%s: %s, %q; want %q", r.name, got.Status, got.Detail, want)
		}
	}
}

// TestH14Lattice: the lattice is named beside the decimals, with the rows off it
// where they are few.
func TestH14Lattice(t *testing.T) {
	for _, r := range []struct {
		lattice *Lattice
		want    string
	}{
		{nil, "7 different propensities, written with up to 3 decimals; 0 rows exactly uniform."},
		{&Lattice{N: 2000}, "7 different propensities, written with up to 3 decimals, all multiples of 1/2,000, as shares of 2,000 draws are; 0 rows exactly uniform."},
		{&Lattice{N: 400, Off: 2, At: []int64{4, 1233}}, "7 different propensities, written with up to 3 decimals, all but 2 rows (rounds 5, 1,234) multiples of 1/400, as shares of 400 draws are; 0 rows exactly uniform."},
		{&Lattice{N: 400, Off: 9, At: []int64{0, 1, 2, 3, 4, 5, 6, 7}}, "7 different propensities, written with up to 3 decimals, all but 9 rows multiples of 1/400, as shares of 400 draws are; 0 rows exactly uniform."},
	} {
		f := good()
		f.Propensities = &Propensities{Weights: allocationtest.WeightsResult{Rows: 1000, ESS: 500, MeanInverse: 2, Distinct: 7, Decimals: 3}, Lattice: r.lattice}
		if got := weightsESS().on(f); got.Status != schemas.CheckPass || got.Detail != r.want {
			t.Errorf("%s: %q, want %q", got.Status, got.Detail, r.want)
		}
	}
}
