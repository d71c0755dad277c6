package allocationtest

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// everyArm makes a log of rounds in which probabilities(t, dst) fills the arms'
// probabilities; claim changes what is logged of them.
func everyArm(r *rand.Rand, arms, rounds int, probabilities func(t int, dst []float64), claim func(dst []float64)) (arm []int32, p []float64) {
	dst := make([]float64, arms)
	for t := range rounds {
		probabilities(t, dst)
		u, k := r.Float64(), 0
		for k < arms-1 && u >= dst[k] {
			u -= dst[k]
			k++
		}
		arm = append(arm, int32(k))
		claim(dst)
		p = append(p, dst...)
	}
	return arm, p
}

func asItIs([]float64) {}

func exactOf(t *testing.T, arms int, arm []int32, p []float64) *Exact {
	t.Helper()
	e := NewExact(arms)
	if err := e.Add(arm, p, nil); err != nil {
		t.Fatal(err)
	}
	return e
}

// z and the joint form by the formula, on three rows of two arms.
func TestExactByHand(t *testing.T) {
	r := exactOf(t, 2, []int32{0, 1, 0}, []float64{0.5, 0.5, 0.25, 0.75, 0.25, 0.75}).Test(AllocationLevel, nil)
	v := 0.25 + 2*0.1875
	if a := r.Arms[0]; a.Rows != 2 || !near(a.Z, 1/math.Sqrt(v), 1e-15) || !near(a.Deviation, 100, 1e-12) {
		t.Errorf("arm 0: %+v", a)
	}
	if a := r.Arms[1]; a.Rows != 1 || !near(a.Z, -1/math.Sqrt(v), 1e-15) || !near(a.Deviation, -50, 1e-12) {
		t.Errorf("arm 1: %+v", a)
	}
	if r.DF != 1 || !near(r.Joint, 1/v, 1e-12) {
		t.Errorf("joint %v on %d degrees of freedom", r.Joint, r.DF)
	}
}

func TestExactSpecialCases(t *testing.T) {
	r := NewExact(2).Test(AllocationLevel, nil)
	if r.LogP != 0 || r.DF != 0 || r.Rejected || r.Arms[0].Testable {
		t.Errorf("no rows: %+v", r)
	}
	r = exactOf(t, 2, []int32{0, 0}, []float64{1, 0, 1, 0}).Test(AllocationLevel, nil)
	if r.Arms[0].Testable || r.Arms[1].Testable || r.Rejected || len(r.Warnings) == 0 {
		t.Errorf("propensities of 0 and 1: %+v", r)
	}
	// An arm that was never played has a propensity all the same.
	arm, p := make([]int32, 200), make([]float64, 0, 400)
	for range arm {
		p = append(p, 0.5, 0.5)
	}
	if r = exactOf(t, 2, arm, p).Test(AllocationLevel, nil); !r.Rejected || !r.Arms[1].Testable {
		t.Errorf("an arm that was never played: %+v", r)
	}
	for name, bad := range map[string]error{
		"arm":        NewExact(2).Add([]int32{2}, []float64{0.5, 0.5}, nil),
		"propensity": NewExact(2).Add([]int32{0}, []float64{0.5, -0.5}, nil),
		"NaN":        NewExact(2).Add([]int32{0}, []float64{0.5, math.NaN()}, nil),
	} {
		if bad == nil || !strings.Contains(bad.Error(), "row 0") {
			t.Errorf("%s: %v", name, bad)
		}
	}
	many := maxJoint + 1
	arm, p = everyArm(rand.New(rand.NewPCG(1, 1)), many, 3000, even, asItIs)
	if r = exactOf(t, many, arm, p).Test(AllocationLevel, nil); !math.IsNaN(r.Joint) || r.DF != 0 || r.Rejected {
		t.Errorf("%d arms: joint %v on %d, rejected %v", many, r.Joint, r.DF, r.Rejected)
	}
}

// Of 2,000 honest logs with wandering probabilities, more than 11 are refused
// with probability below 1e-5 at the level of 0.0005.
func TestExactFalseAlarms(t *testing.T) {
	r := rand.New(rand.NewPCG(2026, 5))
	refused := 0
	for range 2000 {
		arm, p := everyArm(r, 4, 400, drifting, asItIs)
		if exactOf(t, 4, arm, p).Test(AllocationLevel, nil).Rejected {
			refused++
		}
	}
	if refused > 11 {
		t.Errorf("%d of 2000 honest logs are refused", refused)
	}
}

// A log that lies about one arm by the detectable size is refused in about 80 %
// of logs: of 200, fewer than 130 or more than 185 have probability below 1e-6.
func TestExactPower(t *testing.T) {
	r := rand.New(rand.NewPCG(2026, 6))
	claimed := []float64{0.25, 0.25, 0.5}
	right := func(_ int, dst []float64) { copy(dst, claimed) }
	arm, p := everyArm(r, 3, 20_000, right, asItIs)
	size := exactOf(t, 3, arm, p).Test(AllocationLevel, nil).Arms[0].Detectable / 100
	found := 0
	for range 200 {
		wrong := func(_ int, dst []float64) { copy(dst, []float64{0.25 * (1 + size), 0.25, 0.5 - 0.25*size}) }
		arm, p = everyArm(r, 3, 20_000, wrong, func(dst []float64) { copy(dst, claimed) })
		if exactOf(t, 3, arm, p).Test(AllocationLevel, nil).Rejected {
			found++
		}
	}
	if found < 130 || found > 185 {
		t.Errorf("a deviation of %.2f %% was found in %d of 200 logs", 100*size, found)
	}
}

// The same where propensities change, and a bound decides.
func TestExactPowerBounded(t *testing.T) {
	r := rand.New(rand.NewPCG(2026, 7))
	claimed := func(t int, dst []float64) { copy(dst, [][]float64{{0.25, 0.25, 0.5}, {0.3, 0.3, 0.4}}[t/100%2]) }
	arm, p := everyArm(r, 3, 5000, claimed, asItIs)
	first := exactOf(t, 3, arm, p).Test(AllocationLevel, nil)
	size := first.Arms[0].Detectable / 100
	found := 0
	for range 200 {
		wrong := func(t int, dst []float64) {
			claimed(t, dst)
			more := size * dst[0]
			dst[0] += more
			dst[2] -= more
		}
		round := 0
		arm, p = everyArm(r, 3, 5000, wrong, func(dst []float64) {
			claimed(round, dst)
			round++
		})
		if exactOf(t, 3, arm, p).Test(AllocationLevel, nil).Rejected {
			found++
		}
	}
	t.Logf("a deviation of %.2f %% was found in %d of 200 logs", 100*size, found)
	if first.Basis != Bounded || found < 130 || found > 185 {
		t.Errorf("basis %d: a deviation of %.2f %% was found in %d of 200 logs", first.Basis, 100*size, found)
	}
}

// Chunks give what the whole gives, but for the order of sums.
func TestExactMerge(t *testing.T) {
	arm, p := everyArm(rand.New(rand.NewPCG(3, 1)), 3, 900, func(t int, dst []float64) { drifting(t/100*100, dst) }, asItIs)
	whole := exactOf(t, 3, arm, p).Test(AllocationLevel, nil)
	merged := NewExact(3)
	for i := 0; i < 900; i += 150 {
		merged.Merge(exactOf(t, 3, arm[i:i+150], p[3*i:3*i+450]))
	}
	got := merged.Test(AllocationLevel, nil)
	if !near(got.Joint, whole.Joint, 1e-9) || !near(got.LogP, whole.LogP, 1e-9) || got.Rounds != 900 {
		t.Errorf("merged %+v, whole %+v", got, whole)
	}
}
