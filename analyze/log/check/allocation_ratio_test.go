package check

import (
	"math"
	"strings"
	"testing"

	"banditaudit/analyze/stat/allocationtest"
	"banditaudit/schemas"
)

// evenly is a log of n rounds in which the two arms take turns and both have
// propensity p.
func evenly(t *testing.T, n int, p float64) *Propensities {
	t.Helper()
	arm, propensity := make([]int32, n), make([]float64, n)
	for i := range arm {
		arm[i], propensity[i] = int32(i%2), p
	}
	return weighted(t, arm, propensity)
}

func TestH05(t *testing.T) {
	f := good()
	expect(t, "no propensity", allocationRatio().on(f), schemas.Check{ID: "H05", Status: schemas.CheckNotRun, Detail: "Declare log.propensity or log.propensity_by_arm to make this possible."})

	f.Propensities = evenly(t, 100, 1)
	c := allocationRatio().on(f)
	if c.Status != schemas.CheckNotRun || c.Detail != "Nothing was left to chance, so that there is no draw to test: every logged propensity is 1. If that is so, leave log.propensity out, and nothing is claimed of draws; if another arm could have been played, its probability is missing in the log, and that of the played arm is not 1." || c.Observed != "" {
		t.Errorf("propensities of 1: %+v", c)
	}

	f.Propensities = evenly(t, 100, 0.5)
	c = allocationRatio().on(f)
	if c.Status != schemas.CheckPass || *c.P != 1 || *c.Statistic != 0 {
		t.Errorf("propensities that were used: %+v", c)
	}
	if !strings.HasPrefix(c.Observed, "farthest off: arm a was played 50 times, 50 expected (+0.0 %)") || !strings.Contains(c.Detail, " doubled (at most 1). Joint p 1 (joint statistic 0 on 1 degree of freedom). Smallest deviation of an arm") ||
		!strings.HasSuffix(c.Detail, "the binomial law, as the propensities are the same in all rounds.") {
		t.Errorf("observed %q, detail %q", c.Observed, c.Detail)
	}

	f.Propensities = evenly(t, 1000, 0.4)
	c = allocationRatio().on(f)
	if c.Status != schemas.CheckFail || !(*c.P < 0.0005) || !strings.HasPrefix(c.Detail, "The allocation contradicts the logged propensities at level 0.0005. The p of this check, ") {
		t.Errorf("propensities that were not used: %+v", c)
	}
	if *c.P != math.Exp(f.Propensities.Allocation.LogP) || *c.Statistic != f.Propensities.Allocation.Joint {
		t.Errorf("p %v, statistic %v of %+v", *c.P, *c.Statistic, f.Propensities.Allocation)
	}
}

// TestH05Worst names the arm with the smallest adjusted p among those that can
// be tested, and the range of what they would have found.
func TestH05Worst(t *testing.T) {
	nan := math.NaN()
	f := good()
	f.Labels = []string{"a", "b", "c", "d"}
	f.Propensities = &Propensities{Allocation: allocationtest.AllocationResult{
		DF: 2, Joint: 5, LogPJoint: math.Log(0.08), LogP: math.Log(0.16), Arms: []allocationtest.AllocationArm{
			{LogPHolm: nan, Deviation: nan, Detectable: nan},
			{LogPHolm: math.Log(0.5), Deviation: 9, Detectable: 4, Testable: true},
			{Rows: 98, LogPHolm: math.Log(0.25), Deviation: -2, Detectable: 7, Testable: true},
			{LogPHolm: math.Log(0.25), Deviation: 3, Detectable: 5, Testable: true},
		},
	}}
	c := allocationRatio().on(f)
	if c.Observed != "farthest off: arm c was played 98 times; Σ 1/p over these plays is 2.0 % below its expectation (Holm p 0.25)" {
		t.Errorf("observed %q", c.Observed)
	}
	if want := "The p of this check, 0.16, is the smaller of the arms' smallest Holm p and the joint p, doubled (at most 1). Joint p 0.08, by a bound; no p rests on the joint statistic, 5 on 2 degrees of freedom. Smallest excess of an arm that would have been found with 80 % power: 4 % to 7 %, by arm. " + f.basisWords(); c.Detail != want {
		t.Errorf("detail %q, want %q", c.Detail, want)
	}
	f.Propensities.Allocation.LogP = -1e6
	if c = allocationRatio().on(f); *c.P != math.SmallestNonzeroFloat64 || c.Status != schemas.CheckPass {
		t.Errorf("p %v, status %s; want the smallest float64, and the test's own decision", *c.P, c.Status)
	}
	f.Propensities.Allocation.Rejected = true
	if c = allocationRatio().on(f); c.Status != schemas.CheckFail {
		t.Errorf("status %s of a test that rejects", c.Status)
	}
	r := &f.Propensities.Allocation
	for _, by := range []struct {
		batches *allocationtest.BatchResult
		want    string
	}{
		{nil, "pulls of all arms together (joint p 0.08); farthest off: arm c was played 98 times; Σ 1/p over these plays is 2.0 % below its expectation (Holm p 0.25)"},
		{&allocationtest.BatchResult{Batches: 9, Batch: 2, Arm: 1, Deviation: -20, Pulls: 4, Expected: 5, Known: true, LogP: math.Log(.01)}, "arm b was played 4 times in rounds of batch 3 of 9, 5 expected (-20.0 %) (p 0.01 of all batches)"},
		{&allocationtest.BatchResult{Arm: -1, Together: 9, LogPAll: math.Log(.001)}, "pulls within batches, 9 of them together (p 0.001)"},
		{&allocationtest.BatchResult{Arm: -1, Together: 9}, "pulls of all arms together (joint p 0.08); farthest off: arm c was played 98 times; Σ 1/p over these plays is 2.0 % below its expectation (Holm p 0.25)"},
	} {
		if r.Batches = by.batches; allocationRatio().on(f).Observed != by.want {
			t.Errorf("observed %q, want %q", allocationRatio().on(f).Observed, by.want)
		}
	}
}

// TestH05Basis: the detail says what decided, what it cannot see, and which
// deviation it would have found.
func TestH05Basis(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		basis      allocationtest.Basis
		detectable []float64
		labels     int
		declared   bool
		byArm      *ByArm
		want       []string
	}{
		{allocationtest.Binomial, []float64{1, 2, 3}, 3, true, nil, []string{"Smallest deviation of an arm that would have been found with 80 % power: 1 % to 3 %, by arm.", "the binomial law"}},
		{allocationtest.OneSided, []float64{1, inf, 3}, 3, false, nil, []string{"Smallest excess of an arm", "1 % to 3 %, by arm; none of 1 of the 3 arms.", "played too seldom shows only in those played in its stead", "others; log.propensity_by_arm shows it"}},
		{allocationtest.OneSided, []float64{inf, inf}, 2, false, nil, []string{"No excess of a single arm would have been found", "declare arms, or log.propensity_by_arm, to see it"}},
		{allocationtest.Bounded, []float64{1, 2}, 2, true, nil, []string{"1 % to 2 %, by arm.", "with 1 − p for the arm not played"}},
		{allocationtest.Bounded, []float64{1, 2}, 2, true, &ByArm{}, []string{"Freedman's supermartingale for Σ(1{A=a} − p)"}},
	} {
		f := good()
		f.Labels, f.Declared = []string{"a", "b", "c"}[:c.labels], c.declared
		r := allocationtest.AllocationResult{Basis: c.basis, ByForm: c.basis == allocationtest.Binomial, DF: 1}
		for _, d := range c.detectable {
			r.Arms = append(r.Arms, allocationtest.AllocationArm{Testable: true, Detectable: d})
		}
		f.Propensities = &Propensities{Allocation: r, ByArm: c.byArm}
		for _, want := range c.want {
			if got := allocationRatio().on(f).Detail; !strings.Contains(got, want) {
				t.Errorf("basis %d: %q lacks %q", c.basis, got, want)
			}
		}
	}
}

// TestPWords: a p that no float64 holds is not printed as one that is.
func TestPWords(t *testing.T) {
	for logP, want := range map[float64]string{0: "1", math.Log(0.0123456): "0.0123", -687: "4.36e-299", -691: "below 1e-300", math.Inf(-1): "below 1e-300"} {
		if got := pWords(logP); got != want {
			t.Errorf("pWords(%v) is %q, want %q", logP, got, want)
		}
	}
}
