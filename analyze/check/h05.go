package check

import (
	"fmt"
	"math"

	"banditaudit/schemas"
)

// H05 compares the allocation with the logged propensities: for every arm
// S_a = Σ 1{A=a}/p_t against T with variance Σ 1{A=a}(1−p_t)/p_t², and jointly
// with Cov(S_a, S_b) = −T. The check as a whole has level 0.001. The statistic
// is the joint form.
//
// Special cases are:
//
//	no propensity is logged: not run
func H05(f *Facts) schemas.Check {
	c := schemas.Check{ID: "H05", Title: "allocation against logged propensities", Expected: "Σ 1{A=a}/p = T for every arm"}
	if f.Propensities == nil {
		c.Status, c.Detail = schemas.CheckNotRun, "Declare log.propensity to make this possible."
		return c
	}
	r := &f.Propensities.Allocation
	c.Statistic, c.P = schemas.Finite(r.Joint), schemas.Finite(probability(r.LogP))
	worst := -1
	for i := range r.Arms {
		if r.Arms[i].Testable && (worst < 0 || r.Arms[i].LogPHolm < r.Arms[worst].LogPHolm) {
			worst = i
		}
	}
	if worst < 0 {
		c.Status, c.Detail = schemas.CheckNotRun, "No arm can be tested: none was played, or every propensity is 1."
		return c
	}
	w := &r.Arms[worst]
	c.Observed = fmt.Sprintf("largest deviation of an arm: %s, %+.3g %% (Holm p %s)", f.Labels[worst], w.Deviation, pWords(w.LogPHolm))
	c.Status = schemas.CheckPass
	if r.Rejected {
		c.Status = schemas.CheckFail
		c.Detail = fmt.Sprintf("The allocation contradicts the logged propensities at level 0.001 (joint statistic %.4g on %s of freedom, p %s). ",
			r.Joint, count(r.DF, "degree"), pWords(r.LogPJoint))
	}
	low, high := detectable(f)
	c.Detail += fmt.Sprintf("Joint p %s on %s of freedom. Smallest deviation of an arm that would have been found with 80 %% power: %.3g %% to %.3g %%, by arm.",
		pWords(r.LogPJoint), count(r.DF, "degree"), low, high)
	return c
}

// pWords writes a p-value from its natural log, also where no float64 holds it.
func pWords(logP float64) string {
	const smallest = -688 // ln of about 1e-299
	if logP < smallest {
		return "below 1e-298"
	}
	return fmt.Sprintf("%.3g", math.Exp(logP))
}

// detectable is the range, over arms, of the smallest detectable deviation in
// per cent.
func detectable(f *Facts) (low, high float64) {
	low = math.Inf(1)
	for _, a := range f.Propensities.Allocation.Arms {
		if a.Testable {
			low, high = min(low, a.Detectable), max(high, a.Detectable)
		}
	}
	return low, high
}
