package check

import (
	"fmt"
	"math"
	"strings"

	"banditaudit/analyze/adaptive"
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
		c.Status, c.Detail = schemas.CheckNotRun, "Declare log.propensity or log.propensity_by_arm to make this possible."
		return c
	}
	if f.Propensities.ByArm != nil {
		c.Expected = "pulls = Σ p over the rounds, for every arm"
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
	c.Observed = fmt.Sprintf("largest deviation of an arm: %s, %s (Holm p %s)", f.Labels[worst], percent(w.Deviation), pWords(w.LogPHolm))
	c.Status = schemas.CheckPass
	if r.Rejected {
		c.Status = schemas.CheckFail
		c.Detail = fmt.Sprintf("The allocation contradicts the logged propensities at level %s (joint statistic %s on %s of freedom, p %s). ",
			f.levelWords(), figure(r.Joint), count(r.DF, "degree"), pWords(r.LogPJoint))
	}
	low, high := detectable(f)
	parts := "the smaller of the arms' smallest Holm p and the joint p, doubled"
	if r.Batches != nil {
		parts = "the smallest of the arms' smallest Holm p, the joint p and that of the batches, times three"
	}
	c.Detail += fmt.Sprintf("The p of this check, %s, is %s (at most 1). Joint p %s on %s of freedom. Smallest deviation of an arm that would have been found with 80 %% power: %s to %s, by arm.",
		pWords(r.LogP), parts, pWords(r.LogPJoint), count(r.DF, "degree"), share(low), share(high))
	if b := r.Batches; b != nil && b.Arm >= 0 {
		c.Detail += fmt.Sprintf(" Batches one by one: %s; the farthest is arm %s in batch %s of %s, %s (p %s after correction for all of them).",
			count(int(b.Cells), "pair")+" of batch and arm", f.Labels[b.Arm], schemas.Grouped(b.Batch+1), schemas.Grouped(b.Batches), percent(b.Deviation), pWords(b.LogP))
	}
	return c
}

// level is that of one experiment's test, for 0.001 over all of the log.
func (f *Facts) level() float64 {
	return adaptive.AllocationLevel / float64(max(1, f.Experiments))
}

// levelWords says what the level is over.
func (f *Facts) levelWords() string {
	if f.Experiments > 1 {
		return fmt.Sprintf("0.001 over all %s experiments", schemas.Grouped(int64(f.Experiments)))
	}
	return "0.001"
}

// pWords writes a p-value from its natural log, also where no float64 holds it.
func pWords(logP float64) string {
	const smallest = -688 // ln of about 1e-299
	if logP < smallest {
		return "below 1e-298"
	}
	return fmt.Sprintf("%.3g", math.Exp(logP))
}

// share writes a size in per cent, which has no sign.
func share(x float64) string { return strings.TrimPrefix(percent(x), "+") }

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
