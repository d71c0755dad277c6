package allocationtest

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"banditaudit/analyze/stat/tail"
)

// played makes a log of rounds in which probabilities(t, dst) fills the arms'
// probabilities, and logs what claim makes of that of the arm drawn.
func played(r *rand.Rand, arms, rounds int, probabilities func(t int, dst []float64), claim func(arm int, p float64) float64) *Allocation {
	a, dst := NewAllocation(arms), make([]float64, arms)
	arm, p := make([]int32, rounds), make([]float64, rounds)
	for t := range rounds {
		probabilities(t, dst)
		u, k := r.Float64(), 0
		for k < arms-1 && u >= dst[k] {
			u -= dst[k]
			k++
		}
		arm[t], p[t] = int32(k), claim(k, dst[k])
	}
	if err := a.Add(arm, p); err != nil {
		panic(err)
	}
	return a
}

func honest(_ int, p float64) float64 { return p }

func even(_ int, dst []float64) {
	for a := range dst {
		dst[a] = 1 / float64(len(dst))
	}
}

// drifting lets probabilities wander over time, as a learning policy does.
func drifting(t int, dst []float64) {
	sum := 0.0
	for a := range dst {
		dst[a] = 1.2 + math.Sin(float64(t)/300+2*float64(a))
		sum += dst[a]
	}
	for a := range dst {
		dst[a] /= sum
	}
}

// z by the formula, on four rows.
func TestAllocationByHand(t *testing.T) {
	a := NewAllocation(2)
	if err := a.Add([]int32{0, 1, -1, 0, 1}, []float64{0.5, 0.25, math.NaN(), 0.8, 0.5}); err != nil {
		t.Fatal(err)
	}
	r := a.Test(AllocationLevel, nil, nil)
	s0, v0 := 1/0.5+1/0.8, 0.5/0.25+0.2/0.64
	z := (s0 - 4) / math.Sqrt(v0)
	// ln of the mean over λ of (1−λ)^(rounds of other arms)·Π(1 + λ(1/p − 1)).
	evidence := func(inverse ...float64) float64 {
		sum, lambda := 0.0, 1.0
		for range WagerSteps {
			lambda /= 2
			m := math.Pow(1-lambda, float64(4-len(inverse)))
			for _, x := range inverse {
				m *= 1 + lambda*(x-1)
			}
			sum += m / WagerSteps
		}
		return math.Log(sum)
	}
	got := r.Arms[0]
	if r.Rounds != 4 || r.Basis != OneSided || got.Rows != 2 || !near(got.Z, z, 1e-14) || !near(got.Deviation, 100*(s0/4-1), 1e-13) || got.LogP != min(0, -evidence(2, 1.25)) {
		t.Errorf("%+v, want z = %g", r, z)
	}
	s1, v1 := 4.0+2, 0.75/0.0625+0.5/0.25
	if got := r.Arms[1]; !near(got.Z, (s1-4)/math.Sqrt(v1), 1e-14) || !near(got.LogP, -evidence(4, 2), 1e-12) || !math.IsInf(got.Detectable, 1) {
		t.Errorf("%+v, want ln p %g", got, -evidence(4, 2))
	}
	a.Complete = true
	if got := a.Test(AllocationLevel, nil, nil); got.Basis != Bounded || !near(got.Arms[1].LogP, min(0, -tail.LogMeanExp([]float64{evidence(4, 2), knownE(0.5-0.75+0.2-0.5, 0.25+0.1875+0.16+0.25, 4*knownResolution)})), 1e-12) {
		t.Errorf("two arms: %+v", got.Arms[1])
	}
}

// Even propensities: pulls follow a binomial law, with 60 of 100 rounds
// 2·P(X ≥ 60) = 0.056888 (scipy.stats.binom.sf(59, 100, .5)·2, SciPy 1.17.1; the
// room for rounding adds 4e-6 relatively). 80 % power at two-sided level
// 0.00025/2 per arm: z quantiles 3.8361 + 0.8416 (NormalDist().inv_cdf(1 −
// 0.0000625) and inv_cdf(.8), Python 3.11 statistics), beside the room.
func TestAllocationEven(t *testing.T) {
	a := NewAllocation(2)
	arm, p := make([]int32, 100), make([]float64, 100)
	for i := range arm {
		p[i] = 0.5
		if i >= 60 {
			arm[i] = 1
		}
	}
	if err := a.Add(arm, p); err != nil {
		t.Fatal(err)
	}
	r := a.Test(AllocationLevel, nil, nil)
	if r.Basis != Binomial || !r.ByForm || r.DF != 1 || !near(math.Exp(r.Arms[0].LogP), 0.056888, 1e-4) || !near(r.LogPJoint, tail.LogChiSquare(r.Joint, 1), 1e-15) {
		t.Errorf("%+v", r)
	}
	if want := 100 * (100*knownResolution/0.5 + (3.836106931176+0.8416212336)*math.Sqrt(120)) / 100; !near(r.Arms[0].Detectable, want, 1e-6) {
		t.Errorf("detectable %g, want %g", r.Arms[0].Detectable, want)
	}
}

func TestAllocationSpecial(t *testing.T) {
	if r := NewAllocation(2).Test(AllocationLevel, nil, nil); r.LogP != 0 || r.Rejected || r.DF != 0 || !math.IsNaN(r.Arms[0].Deviation) || len(r.Warnings) != 1 {
		t.Errorf("no rounds: %+v", r)
	}
	// A deterministic policy that logs 1: the arms it skips are no finding.
	certain := NewAllocation(3)
	if err := certain.Add([]int32{0, 0, 1}, []float64{1, 1, 1}); err != nil {
		t.Fatal(err)
	}
	r := certain.Test(AllocationLevel, nil, nil)
	if r.LogP != 0 || r.Rejected || r.DF != 0 || r.Arms[0].Testable || !math.IsNaN(r.Arms[2].Z) || r.LogPJoint != 0 {
		t.Errorf("probability 1: %+v", r)
	}
	if len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "[0 1 2]") {
		t.Errorf("warnings %q", r.Warnings)
	}
	if few := played(rand.New(rand.NewPCG(1, 1)), 2, 40, even, honest).Test(AllocationLevel, nil, nil); few.ByForm || few.Basis != Binomial {
		t.Errorf("20 expected pulls are too few for χ²: %+v", few)
	}
}

func TestAllocationRefusals(t *testing.T) {
	a := NewAllocation(2)
	if err := a.Add([]int32{0, 0}, []float64{0.5, 0}); err == nil || !strings.Contains(err.Error(), "row 1") || a.rounds != 0 {
		t.Errorf("%v, %d rounds", err, a.rounds)
	}
	for name, call := range map[string]func(){
		"add":   func() { _ = a.Add([]int32{0}, nil) },
		"merge": func() { a.Merge(NewAllocation(3)) },
	} {
		func() {
			defer func() {
				if recover() != BadLength {
					t.Errorf("%s: unequal lengths must panic", name)
				}
			}()
			call()
		}()
	}
}

// With constant probabilities and many rows the joint form is Pearson's χ² with
// K − 1 degrees of freedom, up to the noise of the estimated variances.
func TestAllocationJointIsPearson(t *testing.T) {
	p := []float64{0.5, 0.3, 0.15, 0.05}
	a := played(rand.New(rand.NewPCG(4, 4)), 4, 200_000, func(_ int, dst []float64) { copy(dst, p) }, honest)
	pearson := 0.0
	for k, s := range a.arms {
		e := p[k] * float64(a.rounds)
		pearson += (float64(s.rows) - e) * (float64(s.rows) - e) / e
	}
	r := a.Test(AllocationLevel, nil, nil)
	if r.DF != 3 || !near(r.Joint, pearson, 0.03) || r.ByForm {
		t.Errorf("form %g with %d degrees of freedom, Pearson %g", r.Joint, r.DF, pearson)
	}
	if drift := played(rand.New(rand.NewPCG(5, 5)), 4, 200_000, drifting, honest).Test(AllocationLevel, nil, nil); drift.DF != 4 {
		t.Errorf("probabilities that drift leave no direction undetermined, got %d degrees of freedom", drift.DF)
	}
}

// TestAllocationLevel plays honest logs; the check has level 0.0005. With that
// rate more than 8 rejections in 1,000 logs have probability below 1e-6 (Poisson
// tail 1.1e-6 at 8, 1e-7 at 9), so each line fails falsely at most that often;
// the seeds are fixed.
func TestAllocationLevel(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out the simulation of 6,000 logs; the full run has it")
	}
	for _, c := range []struct {
		name          string
		arms, rounds  int
		probabilities func(int, []float64)
	}{
		{"two even arms", 2, 500, even},
		{"skewed", 4, 2000, func(_ int, dst []float64) { copy(dst, []float64{0.7, 0.2, 0.09, 0.01}) }},
		{"drifting", 5, 2000, drifting},
		{"many arms, few rows", 34, 100, even},
		{"many arms", 34, 1000, even},
		{"many arms, χ²", 30, 1000, even},
	} {
		r := rand.New(rand.NewPCG(20180601, 5))
		rejected := 0
		for range 1000 {
			if played(r, c.arms, c.rounds, c.probabilities, honest).Test(AllocationLevel, nil, nil).Rejected {
				rejected++
			}
		}
		t.Logf("%s: %d of 1000 honest logs rejected", c.name, rejected)
		if rejected > 8 {
			t.Errorf("%s: %d of 1000 honest logs rejected", c.name, rejected)
		}
	}
}

// The exact false-alarm probability of one even arm of 34 in 1,000 rounds, by
// summing over all counts: the binomial p holds its level, the plain ratio
// exceeds it thirtyfold (5.0e-4 against 1.5e-5, SciPy 1.17.1 binom.pmf agrees).
func TestAllocationEvenLevel(t *testing.T) {
	const rounds, arms = 1000, 34
	level := math.Log(AllocationLevel / 2 / arms)
	exact, plain := 0.0, 0.0
	for n := int64(1); n <= rounds; n++ {
		a := NewAllocation(arms)
		arm, p := make([]int32, n), make([]float64, n)
		for i := range p {
			p[i] = 1.0 / arms
		}
		if err := a.Add(arm, p); err != nil {
			t.Fatal(err)
		}
		a.rounds = rounds
		r := a.Test(AllocationLevel, nil, nil)
		if r.Basis != Binomial {
			t.Fatalf("basis %d", r.Basis)
		}
		mass := math.Exp(tail.LogBinomialAtLeast(n, rounds, 1.0/arms)) - math.Exp(tail.LogBinomialAtLeast(n+1, rounds, 1.0/arms))
		if r.Arms[0].LogP <= level {
			exact += mass
		}
		if tail.LogNormalTwoSided(r.Arms[0].Z) <= level {
			plain += mass
		}
	}
	if exact > math.Exp(level) || plain < 4e-4 || plain > 6e-4 {
		t.Errorf("false alarms: binomial %.3g, plain %.3g, level %.3g", exact, plain, math.Exp(level))
	}
}

// A deviation of the stated detectable size is found in about 80 % of logs: of
// 200, fewer than 130 or more than 185 have probability below 1e-6 at 80 %.
func TestAllocationPower(t *testing.T) {
	r := rand.New(rand.NewPCG(20180601, 6))
	claimed := []float64{0.25, 0.25, 0.5}
	right := func(_ int, dst []float64) { copy(dst, claimed) }
	size := played(r, 3, 40_000, right, honest).Test(AllocationLevel, nil, nil).Arms[0].Detectable / 100
	found := 0
	for range 200 {
		// Arm 0 is played more often than the log claims, at the cost of arm 2.
		wrong := func(_ int, dst []float64) { copy(dst, []float64{0.25 * (1 + size), 0.25, 0.5 - 0.25*size}) }
		claim := func(arm int, _ float64) float64 { return claimed[arm] }
		if played(r, 3, 40_000, wrong, claim).Test(AllocationLevel, nil, nil).Rejected {
			found++
		}
	}
	t.Logf("a deviation of %.1f %% was found in %d of 200 logs", 100*size, found)
	if found < 130 || found > 185 {
		t.Errorf("a deviation of %.1f %% was found in %d of 200 logs", 100*size, found)
	}
}

func TestAllocationMerge(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	parts := []*Allocation{}
	for range 4 {
		parts = append(parts, played(r, 3, 500, drifting, honest))
	}
	fold := func() AllocationResult {
		total := NewAllocation(3)
		for _, p := range parts {
			total.Merge(p)
		}
		return total.Test(AllocationLevel, nil, nil)
	}
	a, b := fold(), fold()
	if a.Rounds != 2000 || a.Joint != b.Joint || a.LogP != b.LogP || a.Arms[1] != b.Arms[1] {
		t.Errorf("the same chunks gave %+v and %+v", a, b)
	}
	rows := int64(0)
	for _, arm := range a.Arms {
		rows += arm.Rows
	}
	if rows != 2000 {
		t.Errorf("%d rows", rows)
	}
}

func BenchmarkAllocation(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	arm, p := make([]int32, 65536), make([]float64, 65536)
	for i := range arm {
		arm[i], p[i] = int32(r.IntN(10)), 0.05+0.9*r.Float64()
	}
	a, w := NewAllocation(10), NewWeights(10)
	b.Run("allocation", func(b *testing.B) {
		for b.Loop() {
			if err := a.Add(arm, p); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("weights", func(b *testing.B) {
		for b.Loop() {
			if err := w.Add(arm, p, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// TestDetectableCanBe: no deviation is said to be found that cannot be. An arm of
// probability ½ that is played in all of T rounds has p = 2·½^T, which is below
// 0.0005/4 from T = 14 on; with two propensities that change a bound decides.
func TestDetectableCanBe(t *testing.T) {
	t.Parallel()
	for _, rounds := range []int{1, 2, 10, 13, 14, 16, 30, 400} {
		arm, p := make([]int32, rounds), make([]float64, 0, 2*rounds)
		for range rounds {
			p = append(p, 0.5, 0.5)
		}
		r := exactOf(t, 2, arm, p).Test(AllocationLevel, nil)
		if r.Enough != 14 || r.Finds() != (rounds >= 14) {
			t.Errorf("%d rounds: %d are enough, and something is found: %t", rounds, r.Enough, r.Finds())
		}
		for a, s := range r.Arms {
			if none := math.IsInf(s.Detectable, 1); none != (rounds < 14) || !none && s.Detectable > 100 {
				t.Errorf("arm %d of %d rounds: %g %%", a, rounds, s.Detectable)
			}
		}
		p[0], p[1] = 0.75, 0.25
		for a, s := range exactOf(t, 2, arm, p).Test(AllocationLevel, nil).Arms {
			if s.Detectable > 110 && !math.IsInf(s.Detectable, 1) || rounds < 10 && s.Testable && !math.IsInf(s.Detectable, 1) {
				t.Errorf("varied, arm %d of %d rounds: %g %%", a, rounds, s.Detectable)
			}
		}
	}
}

// near compares relatively; NaN is near NaN.
func near(got, want, tol float64) bool {
	return got == want || math.IsNaN(got) && math.IsNaN(want) || math.Abs(got-want) <= tol*math.Abs(want)
}
