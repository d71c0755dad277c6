package adaptive

import (
	"fmt"
	"math"

	"banditaudit/analyze/hypothesis"
	"banditaudit/analyze/tail"
)

const (
	// AllocationLevel is the level of the allocation test as a whole. Half of
	// it goes to the arms one by one (Holm), half to the joint test.
	AllocationLevel = 0.001
	// allocationPower is the power at which the detectable deviation is stated.
	allocationPower = 0.8
	// fewRows is the effective number of rows below which the normal law is a
	// rough guide.
	fewRows = 30
)

// AllocationArm is what the allocation test says about one arm.
type AllocationArm struct {
	Rows       int64   // rounds that played the arm
	Deviation  float64 // 100·(S/T − 1), in per cent
	Z          float64 // (S − T)/√V
	LogP       float64 // two-sided, of the guarded z; see Test
	LogPHolm   float64 // adjusted over the testable arms
	Detectable float64 // deviation in per cent that this test finds with 80 % power
	Testable   bool    // false: never played, or every propensity is 1
}

// AllocationResult is the outcome of the allocation test.
type AllocationResult struct {
	Rounds    int64
	Arms      []AllocationArm
	Joint     float64 // z'Σ⁻z
	DF        int     // rank of Σ that was used
	LogPJoint float64
	LogP      float64 // min(1, 2·min(smallest Holm p, joint p)), to compare with AllocationLevel
	Rejected  bool
	Warnings  []string
}

// maxJoint bounds the arms of the joint form, whose eigenvalues take K³ steps.
const maxJoint = 500

// Test compares the allocation with the logged propensities, per arm
//
//	z_a = (S_a − T)/√V_a
//
// two-sided with Holm's adjustment, and jointly z'Σ⁻z with Σ_aa = V_a and
// Σ_ab = −T, against the χ² law with as many degrees of freedom as Σ has
// directions that the data resolve (see generalizedForm). The check as a whole
// has level 0.001.
//
// V_a is itself an estimate, and is too small exactly when chance played an arm
// too rarely: of honest logs of 1,000 rounds over 34 even arms, the plain ratio
// would refuse 1.7 % by the arms alone, where 0.05 % is allowed. Therefore p,
// the joint form and the detectable deviation use V_a·max(1, T/S_a), which for
// a constant propensity and a deficit is the variance of the binomial law; Z
// is the plain ratio.
//
// An arm whose propensity was 0 in some rounds shows a deficit without any
// fault of the log: the logged action's propensity alone cannot tell. Special
// cases are:
//
//	an arm never played, or whose propensities are all 1, is not testable: Z and LogP are NaN, a warning
//	no testable arm: LogP = 0, DF = 0, nothing is rejected
//	an arm with an effective number of rows below 30: a warning
//	more than 500 testable arms: no joint form (Joint is NaN, DF = 0), a warning
func (a *Allocation) Test() AllocationResult {
	r := AllocationResult{Rounds: a.rounds, Arms: make([]AllocationArm, len(a.arms))}
	var testable, few, not []int
	for i, s := range a.arms {
		r.Arms[i] = a.single(s)
		switch {
		case !r.Arms[i].Testable:
			not = append(not, i)
			continue
		case float64(s.variance*s.variance) < fewRows*s.squares:
			few = append(few, i)
		}
		testable = append(testable, i)
	}
	a.adjust(&r, testable)
	if len(testable) <= maxJoint {
		r.Joint, r.DF = a.joint(testable)
	} else {
		r.Joint = math.NaN()
		r.Warnings = append(r.Warnings, fmt.Sprintf("allocation: %d arms are more than the %d of which the joint form is computed; arms are tested one by one", len(testable), maxJoint))
	}
	r.LogPJoint = 0
	if r.DF > 0 {
		r.LogPJoint = tail.LogChiSquare(r.Joint, float64(r.DF))
	}
	r.LogP = min(0, math.Ln2+min(smallest(r.Arms, testable), r.LogPJoint))
	r.Rejected = r.LogP <= math.Log(AllocationLevel)
	if len(not) > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("allocation: arms %v were never played or always with probability 1, so their allocation cannot be tested", not))
	}
	if len(few) > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("allocation: arms %v rest on fewer than %d effective rows; their p-values are rough", few, fewRows))
	}
	return r
}

// guarded is the variance of S − T that p-values use.
func (a *Allocation) guarded(s armSums) float64 {
	return s.variance * max(1, float64(a.rounds)/s.inverse)
}

func (a *Allocation) single(s armSums) AllocationArm {
	nan := math.NaN()
	r := AllocationArm{Rows: s.rows, Deviation: nan, Z: nan, LogP: nan, LogPHolm: nan, Detectable: nan}
	if a.rounds == 0 {
		return r
	}
	t := float64(a.rounds)
	r.Deviation = 100 * (s.inverse/t - 1)
	if !(s.variance > 0) {
		return r
	}
	r.Testable = true
	r.Z = (s.inverse - t) / math.Sqrt(s.variance)
	r.LogP = tail.LogNormalTwoSided((s.inverse - t) / math.Sqrt(a.guarded(s)))
	return r
}

// adjust fills what depends on the number of testable arms.
func (a *Allocation) adjust(r *AllocationResult, testable []int) {
	logP := make([]float64, len(testable))
	for k, i := range testable {
		logP[k] = r.Arms[i].LogP
	}
	first := math.Log(AllocationLevel / 2 / float64(max(1, len(testable))))
	reach := tail.NormalQuantile(first-math.Ln2) + tail.NormalQuantile(math.Log(1-allocationPower))
	for k, p := range hypothesis.Holm(logP) {
		i := testable[k]
		r.Arms[i].LogPHolm = p
		r.Arms[i].Detectable = 100 * reach * math.Sqrt(a.guarded(a.arms[i])) / float64(a.rounds)
	}
}

// smallest returns the smallest adjusted ln p, 0 if there is none.
func smallest(arms []AllocationArm, testable []int) float64 {
	least := 0.0
	for _, i := range testable {
		least = min(least, arms[i].LogPHolm)
	}
	return least
}
