package allocationtest

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"banditaudit/analyze/stat/tail"
)

// TestEvidenceExpectation sums, over all 3⁷ sequences of actions of a policy
// that learns, probability times evidence: each kind is a supermartingale and
// has expectation 1 at most.
func TestEvidenceExpectation(t *testing.T) {
	const arms, rounds = 3, 7
	policy := func(pulls []int64, t int, p []float64) { // gives up what was played
		for a := range p {
			p[a] = math.Pow(0.05, float64(pulls[a])) + 0.01*float64(t%(a+2))
		}
		normal(p)
	}
	var totals [2 + 2*arms]float64
	var walk func(arm []int32, all, logged []float64, pulls []int64, mass float64)
	walk = func(arm []int32, all, logged []float64, pulls []int64, mass float64) {
		if len(arm) == rounds {
			a, e := NewAllocation(arms), exactOf(t, arms, arm, all)
			if err := a.Add(arm, logged); err != nil {
				t.Fatal(err)
			}
			e.flush()
			totals[0] += mass * math.Exp(a.overall.logE(pulls))
			totals[1] += mass
			for i := range arms {
				totals[2+i] += mass * math.Exp(a.arms[i].wager.logE(rounds, 1))
				totals[2+arms+i] += mass * math.Exp(knownE(float64(pulls[i])-e.expected[i], e.variance(i), knownResolution*rounds))
			}
			return
		}
		p := make([]float64, arms)
		policy(pulls, len(arm), p)
		for i, v := range p {
			pulls[i]++
			walk(slices.Concat(arm, []int32{int32(i)}), slices.Concat(all, p), slices.Concat(logged, []float64{v}), pulls, mass*v)
			pulls[i]--
		}
	}
	walk(nil, nil, nil, make([]int64, arms), 1)
	if !near(totals[1], 1, 1e-12) {
		t.Fatalf("probabilities sum to %v", totals[1])
	}
	for i, v := range totals {
		if v > 1+1e-12 || v < 0.3 {
			t.Errorf("expectation %d is %v", i, v)
		}
	}
	// The bets on single arms are fair: every propensity is above 0.
	for i := range arms {
		if !near(totals[2+i], 1, 1e-12) {
			t.Errorf("arm %d: %v", i, totals[2+i])
		}
	}
}

// TestWager compares the account with sums of logarithms, for values of all
// sizes, cut anywhere.
func TestWager(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.Float64Range(-300, 300), 0, 60).Draw(t, "sizes")
		repeat := rapid.SampledFrom([]int{1, 50}).Draw(t, "repeat")
		cut := rapid.IntRange(0, len(sizes)).Draw(t, "cut")
		w, rest := newWager(), newWager()
		var want [WagerSteps]float64
		for i, s := range sizes {
			x := math.Pow(10, s)
			for range repeat {
				if i < cut {
					w.add(x)
				} else {
					rest.add(x)
				}
				lambda := 1.0
				for j := range want {
					lambda /= 2
					want[j] += math.Log(1 + lambda*(x-1))
				}
			}
		}
		w.merge(rest)
		idle := int64(rapid.IntRange(0, 1000).Draw(t, "idle"))
		lambda := 1.0
		for j := range want {
			lambda /= 2
			want[j] += float64(idle) * math.Log1p(-lambda)
		}
		if got, want := w.logE(w.rows+idle, 1), tail.LogMeanExp(want[:]); math.Abs(got-want) > 1e-9*(1+math.Abs(want)) {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}

// TestRoundedThirds: 0.333 logged for a third, in 10⁵ rounds of which each arm
// gets its share, contradicts nothing, though Σ ln p is 100 off.
func TestRoundedThirds(t *testing.T) {
	const rounds = 99_999
	arm, p, all := make([]int32, rounds), make([]float64, rounds), make([]float64, 3*rounds)
	for i := range arm {
		arm[i], p[i] = int32(i%3), 0.333
		all[3*i], all[3*i+1], all[3*i+2] = 0.333, 0.333, 0.333
	}
	p[0] = 0.334 // not even
	for i, r := range verdicts(t, 3, arm, all, p) {
		if r.Rejected {
			t.Errorf("way %d: %+v", i, r)
		}
	}
}
