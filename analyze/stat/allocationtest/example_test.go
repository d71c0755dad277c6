package allocationtest_test

import (
	"fmt"
	"math"

	"banditaudit/analyze/stat/allocationtest"
	"banditaudit/analyze/stat/confseq"
	"banditaudit/analyze/stat/subgroups"
)

// After 900 rewards in [0, 1] of one of two arms the radius is
// √(1000·(ln 10 + 2·ln 40))/1800 = 0.05466, which holds at every time at once; at one
// time that was fixed before, Hoeffding's is √(ln 40/1800) = 0.04527. And
// ln p = ln 2 + ½·ln 10 − (2·900·0.1)²/(2·1000) = −14.3556.
func ExampleConfidenceSequence() {
	s := confseq.Sequence{Lo: 0, Hi: 1, K: 2, LogAlpha: math.Log(0.05)}
	lo, hi := confseq.ConfidenceSequence(900, 0.6, s)
	fmt.Printf("[%.5f, %.5f]\n", lo, hi)
	fmt.Printf("p = %.1e against a mean of 0.5\n", math.Exp(confseq.SequenceP(900, 0.6, 0.5, s)))
	// Output:
	// [0.54534, 0.65466]
	// p = 5.8e-07 against a mean of 0.5
}

// With even odds 8 or more of 10 come up in 56 of 1024 ways, on either side: pulls of
// 8 and 2 are no evidence against probabilities of a half. 80 and 20 are:
//
//	python3 -c "from math import *; print(2*sum(comb(100,k) for k in range(80,101))/2**100)"
func ExampleFixedLogP() {
	fair := []float64{0.5, 0.5}
	few, _ := allocationtest.FixedLogP([]int64{8, 2}, fair)
	many, _ := allocationtest.FixedLogP([]int64{80, 20}, fair)
	fmt.Printf("%.4f\n%.1e\n", math.Exp(few), math.Exp(many))
	// Output:
	// 0.1094
	// 1.1e-09
}

// Of 1,000 rounds 30 played the second arm, and a floor gives it a twentieth of them,
// 50. That an arm of a chance of 1/20 comes so seldom has probability 0.0013:
//
//	python3 -c "from math import *; from fractions import *; p=Fraction(1,20); print(float(sum(comb(1000,k)*p**k*(1-p)**(1000-k) for k in range(31))))"
//
// Of two arms each is looked at for what it lacks, so that p is twice that.
func ExampleFloored() {
	f := allocationtest.NewFloored(2)
	f.AddPulls([]int64{970, 30}, []int{0, 1})
	x := f.Test(0.05, true)
	fmt.Printf("arm %d: %d of %d, at least %.0f expected, p = %.4f\n", x.Arm, x.Pulls, x.Rounds, x.Expected, math.Exp(x.LogP))
	// Output: arm 1: 30 of 1000, at least 50 expected, p = 0.0026
}

// Two arms take turns, each with a logged probability of ¼. Over the 200 rounds of an
// arm Σ1/p is 800, where right probabilities make it about the 400 rounds of the log:
// 100 % too much.
func ExampleAllocation() {
	arm, p := make([]int32, 400), make([]float64, 400)
	for t := range arm {
		arm[t], p[t] = int32(t%2), 0.25
	}
	a := allocationtest.NewAllocation(2)
	if err := a.Add(arm, p); err != nil {
		fmt.Println(err)
		return
	}
	r := a.Test(allocationtest.AllocationLevel, nil, nil)
	fmt.Println(r.Arms[0].Rows, "rounds,", r.Arms[0].Deviation, "%", "rejected:", r.Rejected)
	// Output: 200 rounds, 100 % rejected: true
}

// An arm that is played where a context is high, and p = 0.5 is logged: over all
// rounds nothing is wrong with that.
func ExampleSplits() {
	const rounds = 200
	s := subgroups.NewSplits(subgroups.SplitPlan{
		Arms: 2, Level: allocationtest.SplitsLevel,
		Cells:  []int{2}, // low, high
		Splits: []subgroups.SplitOf{{Sides: []subgroups.Side{subgroups.SideNo, subgroups.SideYes}}},
	})
	rows := &subgroups.SplitRows{Cells: make([][]uint8, 1)}
	for t := range rounds {
		high := uint8(t * 7 % 10 / 5) // of the context
		arm := int32(high)
		if t%5 == 0 {
			arm = 1 - arm
		}
		rows.Cells[0] = append(rows.Cells[0], high)
		rows.Arm, rows.High = append(rows.Arm, arm), append(rows.High, 0.5)
	}
	s.Add(rows)
	r := s.Result()
	fmt.Printf("rejected: %t, by round %d\n", r.Rejected, r.Row)
	fmt.Printf("arm %d on side %d: %+.0f %%\n", r.Worst.Arm, r.Worst.Side, r.Worst.Deviation)
	// Output:
	// rejected: true, by round 128
	// arm 0 on side 0: +60 %
}
