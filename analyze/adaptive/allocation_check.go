package adaptive

import (
	"fmt"
	"math"

	"banditaudit/analyze/hypothesis"
	"banditaudit/analyze/tail"
)

const (
	// AllocationLevel is the level of the allocation test as a whole, over all
	// experiments of a log. Half of it goes to the arms one by one (Holm), half
	// to the joint test; with batches a third each, and a third to the batches
	// (Bonferroni).
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
	Batches   *BatchResult // nil where there are no batches
	LogP      float64      // min(1, m·min(smallest Holm p, joint p, p of the batches)), m the number of these parts; to compare with Level
	Level     float64      // of the check as a whole in this log
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
// has the given level. Where o counts in which rounds an arm could be played, T
// is that number for each arm, and Σ_ab = −(rounds in which both could be);
// batches is the test of single batches, nil without them.
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
func (a *Allocation) Test(level float64, o *Opportunity, batches *BatchResult) AllocationResult {
	f := family{rounds: a.rounds, level: level, batches: batches}
	for i, s := range a.arms {
		t := a.expected(i, o)
		f.arms = append(f.arms, tally{
			rows: s.rows, expected: t, deviation: s.inverse - t, variance: s.variance, guarded: s.guarded(t),
			few: float64(s.variance*s.variance) < fewRows*s.squares,
		})
	}
	return f.test(func(testable []int) (float64, int) { return a.joint(testable, o) })
}

// expected is what Σ 1/p of an arm is expected to be.
func (a *Allocation) expected(arm int, o *Opportunity) float64 {
	if o == nil {
		return float64(a.rounds)
	}
	return float64(o.Rounds(arm))
}

// guarded is the variance of S − T that p-values use.
func (s armSums) guarded(t float64) float64 {
	if s.rows == 0 {
		return 0
	}
	return s.variance * max(1, t/s.inverse)
}

// tally is one arm's part of an allocation test.
type tally struct {
	rows                int64
	expected, deviation float64 // what was expected, and observed less that
	variance, guarded   float64 // of the deviation, and as p-values use it
	few                 bool    // the normal law is a rough guide
}

// family is an allocation test over all arms.
type family struct {
	rounds  int64
	level   float64
	arms    []tally
	batches *BatchResult
}

// parts is by how many tests the level is shared.
func (f *family) parts() float64 {
	if f.batches != nil {
		return 3
	}
	return 2
}

// test carries the family out; joint is the quadratic form over given arms.
func (f *family) test(joint func(testable []int) (form float64, df int)) AllocationResult {
	r := AllocationResult{Rounds: f.rounds, Arms: make([]AllocationArm, len(f.arms)), Level: f.level, Batches: f.batches}
	var testable, few, not []int
	for i, t := range f.arms {
		r.Arms[i] = f.single(t)
		switch {
		case !r.Arms[i].Testable:
			not = append(not, i)
			continue
		case t.few:
			few = append(few, i)
		}
		testable = append(testable, i)
	}
	f.adjust(&r, testable)
	if len(testable) <= maxJoint && len(f.arms) <= maxJoint {
		r.Joint, r.DF = joint(testable)
	} else {
		r.Joint = math.NaN()
		r.Warnings = append(r.Warnings, fmt.Sprintf("allocation: %d arms are more than the %d of which the joint form is computed; arms are tested one by one", len(f.arms), maxJoint))
	}
	r.LogPJoint = 0
	if r.DF > 0 {
		r.LogPJoint = tail.LogChiSquare(r.Joint, float64(r.DF))
	}
	least := min(smallest(r.Arms, testable), r.LogPJoint)
	if f.batches != nil {
		least = min(least, f.batches.LogP)
	}
	r.LogP = min(0, math.Log(f.parts())+least)
	r.Rejected = r.LogP <= math.Log(f.level)
	if len(not) > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("allocation: arms %v were never played or always with probability 1, so their allocation cannot be tested", not))
	}
	if len(few) > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("allocation: arms %v rest on fewer than %d effective rows; their p-values are rough", few, fewRows))
	}
	return r
}

func (f *family) single(t tally) AllocationArm {
	nan := math.NaN()
	r := AllocationArm{Rows: t.rows, Deviation: nan, Z: nan, LogP: nan, LogPHolm: nan, Detectable: nan}
	if !(t.expected > 0) {
		return r
	}
	r.Deviation = 100 * (t.deviation / t.expected)
	if !(t.variance > 0) {
		return r
	}
	r.Testable = true
	r.Z = t.deviation / math.Sqrt(t.variance)
	r.LogP = tail.LogNormalTwoSided(t.deviation / math.Sqrt(t.guarded))
	return r
}

// adjust fills what depends on the number of testable arms.
func (f *family) adjust(r *AllocationResult, testable []int) {
	logP := make([]float64, len(testable))
	for k, i := range testable {
		logP[k] = r.Arms[i].LogP
	}
	first := math.Log(f.level / f.parts() / float64(max(1, len(testable))))
	reach := tail.NormalQuantile(first-math.Ln2) + tail.NormalQuantile(math.Log(1-allocationPower))
	for k, p := range hypothesis.Holm(logP) {
		i := testable[k]
		r.Arms[i].LogPHolm = p
		r.Arms[i].Detectable = 100 * reach * math.Sqrt(f.arms[i].guarded) / f.arms[i].expected
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
