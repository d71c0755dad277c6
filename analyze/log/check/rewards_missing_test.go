package check

import (
	"math"
	"strings"
	"testing"

	"banditaudit/schemas"
)

func TestH11(t *testing.T) {
	expect(t, "none may be", rewardsMissing().on(good()), schemas.Check{
		ID: "H11", Status: schemas.CheckPass, Observed: "0 rows", Detail: "missing_reward: error refuses a log with one.",
	})
	f := good()
	f.Missing = []int64{0, 0}
	expect(t, "none is", rewardsMissing().on(f), schemas.Check{ID: "H11", Status: schemas.CheckPass, Observed: "0 rows"})

	f.Missing = []int64{40, 60} // of 400 and 600
	expect(t, "equal", rewardsMissing().on(f), schemas.Check{
		ID: "H11", Status: schemas.CheckPass, Observed: "100 rows of 1,000: a 10 % of 400, b 10 % of 600", Statistic: new(0.1), P: new(1.0),
		Detail: "Equal shares: p 1 (chi-square, rows taken as independent).",
	})
	f.Missing = []int64{80, 20}
	got := rewardsMissing().on(f)
	// SciPy 1.17.1: chi2_contingency([[80, 20], [320, 580]], correction=False).pvalue
	if got.Status != schemas.CheckNote || math.Abs(*got.P/7.524003528881426e-18-1) > 1e-12 || !strings.Contains(got.Detail, "The shares differ") {
		t.Errorf("unequal: %+v, p %g", got, *got.P)
	}
	if strings.Contains(got.Detail, "exclude-independent") {
		t.Errorf("unequal, not declared independent: %q", got.Detail)
	}
	f.Rule = schemas.MissingIndependent
	if got = rewardsMissing().on(f); !strings.HasSuffix(got.Detail, "a reason to ask about the declaration exclude-independent: that a reward is not missing because of its value.") {
		t.Errorf("unequal, declared independent: %q", got.Detail)
	}
	f.Missing = []int64{3, 0}
	if got = rewardsMissing().on(f); got.Status != schemas.CheckPass || !strings.Contains(got.Detail, "hypergeometric, times the arms") {
		t.Errorf("few: %+v", got)
	}
	f.Missing, f.Units = []int64{80, 20}, &Units{Count: 500, Largest: 2}
	if got = rewardsMissing().on(f); got.Status != schemas.CheckNote || got.P != nil || !strings.HasPrefix(got.Detail, "Units own several rows") {
		t.Errorf("units: %+v", got)
	}
}

// TestH11InTime: shares that are equal over all rounds differ within a quarter of them.
func TestH11InTime(t *testing.T) {
	f := good()
	f.Missing = []int64{40, 60}
	third := []int64{100, 150}
	f.Quarters = []Quarter{{[]int64{5, 25}, third}, {[]int64{0, 30}, third}, {[]int64{5, 5}, third}, {[]int64{30, 0}, third}}
	got := rewardsMissing().on(f)
	// SciPy 1.17.1: 4*chi2_contingency([[30, 0], [70, 150]], correction=False).pvalue
	if _, quarter := f.missingInTime(); quarter != 3 || *got.P != 1 || got.Status != schemas.CheckNote || !strings.Contains(got.Detail, "Within each quarter of the log: p 3.45e-12, times the quarters. The shares differ in quarter 4 of the log") {
		t.Errorf("%+v", got)
	}
}

// TestH11Level: the level is shared by the experiments of the log.
func TestH11Level(t *testing.T) {
	f := good()
	f.Missing = []int64{62, 50} // p about 0.0004
	if got := rewardsMissing().on(f); got.Status != schemas.CheckNote {
		t.Errorf("one experiment: %s", got.Detail)
	}
	f.Experiments = 10
	if got := rewardsMissing().on(f); got.Status != schemas.CheckPass {
		t.Errorf("ten experiments: %s", got.Detail)
	}
}
