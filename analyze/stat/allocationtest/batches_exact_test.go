package allocationtest

import (
	"math"
	"math/rand/v2"
	"testing"

	"banditaudit/ingest/precision"
)

// batchOf is an open batch of given pulls.
func batchOf(number int32, p []float64, pulls ...int64) *openBatch {
	o := &openBatch{batch: number, p: p, pulls: pulls}
	for _, n := range pulls {
		o.rows += n
	}
	return o
}

// The p of a batch is that of the exact law of Pearson's statistic, up to the
// chance of 1,023 draws: six standard errors. The exact ones are sums over all
// outcomes.
func TestTogetherIsTheExactLaw(t *testing.T) {
	p := []float64{0.05, 0.15, 0.8}
	const n = 12
	statistic := func(a, b int) float64 {
		s := 0.0
		for i, c := range []int{a, b, n - a - b} {
			e := n * p[i]
			s += (float64(c) - e) * (float64(c) - e) / e
		}
		return s
	}
	factorial := func(k int) float64 { return math.Gamma(float64(k) + 1) }
	for at, pulls := range [][2]int{{0, 2}, {1, 1}, {2, 2}, {2, 5}, {4, 0}} {
		exact := 0.0
		for a := range n + 1 {
			for b := range n + 1 - a {
				if statistic(a, b) >= statistic(pulls[0], pulls[1])-1e-9 {
					exact += factorial(n) / factorial(a) / factorial(b) / factorial(n-a-b) * math.Pow(p[0], float64(a)) * math.Pow(p[1], float64(b)) * math.Pow(p[2], float64(n-a-b))
				}
			}
		}
		var one together
		one.test(batchOf(int32(at), p, int64(pulls[0]), int64(pulls[1]), int64(n-pulls[0]-pulls[1])), precision.Ends{Room: 1e-12}, togetherDraws)
		got := math.Exp(-one.fisher / 2)
		if math.Abs(got-exact) > 6*math.Sqrt(exact*(1-exact)/togetherDraws)+1.0/togetherDraws {
			t.Errorf("pulls %v: p = %g, exactly %g", pulls, got, exact)
		}
	}
}

// At level 0.05 batches as logged are rejected in 5 of 100 logs at most: more
// than 20 of 80 would be seen with probability below 1e-9. A floor that no batch
// shows alone is found in most.
func TestTogetherHasItsLevelAndPower(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out the simulation of 160 logs of six batches; the full run has it")
	}
	const logs, most = 80, 20
	found := map[float64]int{}
	for i := range logs {
		for _, floor := range []float64{0, 0.03} {
			rng := rand.New(rand.NewPCG(uint64(i), 10))
			b := NewBatches(6)
			b.Together(togetherDraws)
			for batch := range int32(6) {
				p := []float64{0.002, 0.003, 0.005, 0.01, 0.2, 0.78}
				q := make([]float64, 6)
				for a := range q {
					q[a] = floor + (1-6*floor)*p[a]
				}
				for range 40 {
					u, arm := rng.Float64(), int32(0)
					for arm < 5 && u >= q[arm] {
						u -= q[arm]
						arm++
					}
					b.AddExact([]int32{batch}, []int32{arm}, p)
				}
			}
			if r := b.Result(); r.Together != 6 {
				t.Fatalf("%d batches were tested together", r.Together)
			} else if r.LogPAll < math.Log(0.05) {
				found[floor]++
			}
		}
	}
	t.Logf("%d of %d logs as logged, %d with a floor are rejected", found[0], logs, found[0.03])
	if found[0] > most || found[0.03] < logs/2 {
		t.Errorf("%d of %d logs as logged, %d with a floor are rejected", found[0], logs, found[0.03])
	}
}

// How rows are cut into chunks does not matter, and a batch within which
// propensities change is left out.
func TestTogetherDoesNotDependOnChunks(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 11))
	var batch, arm []int32
	var p []float64
	for i := range int32(200) {
		batch, arm = append(batch, i/20), append(arm, int32(rng.IntN(3)))
		row := []float64{0.2, 0.3, 0.5}
		if i == 47 {
			row = []float64{0.3, 0.2, 0.5}
		}
		p = append(p, row...)
	}
	made := func(cuts ...int) *BatchResult {
		all := NewBatches(3)
		all.Together(togetherDraws)
		from := 0
		for _, to := range append(cuts, len(arm)) {
			part := NewBatches(3)
			part.Together(togetherDraws)
			part.AddExact(batch[from:to], arm[from:to], p[3*from:3*to])
			all.Merge(part)
			from = to
		}
		return all.Result()
	}
	want := made()
	if want.Together != 9 {
		t.Errorf("%d batches of which 9 have one propensity for each arm", want.Together)
	}
	for _, cuts := range [][]int{{1}, {45, 48}, {20, 40, 41}, {100, 199}} {
		if got := made(cuts...); got.Together != want.Together || !near(got.LogPAll, want.LogPAll, 1e-12) {
			t.Errorf("cut at %v: %+v, want %+v", cuts, got, want)
		}
	}
}

// The p of one row is the sum of the propensities as rare as that of the arm
// played, to rounding and with nothing drawn: it is as good for one draw.
func TestTogetherOneRow(t *testing.T) {
	p := []float64{0.05, 0.2, 0.2, 0.55}
	for arm, want := range []float64{0.05, 0.45, 0.45, 1} {
		pulls := make([]int64, len(p))
		pulls[arm] = 1
		var one together
		one.test(batchOf(int32(arm), p, pulls...), precision.Ends{Room: 1e-12}, 1)
		if got := math.Exp(-one.fisher / 2); one.batches != 1 || !near(got, want, 1e-9) {
			t.Errorf("arm %d: p = %g, want %g", arm, got, want)
		}
	}
}

// Rounds times draws over all tests of a log are bounded, but for what each test
// may take, and a log of one experiment has all its draws.
func TestTogetherDraws(t *testing.T) {
	for _, tests := range []int{0, 1, 6, 7, 20, 1000, 1 << 20} {
		for _, rounds := range []int64{0, 1, 2, 60, 500, 1040, 1041, 8191, 8192, 8193, 1 << 40} {
			draws := TogetherDraws(rounds, tests)
			if work := max(togetherLeast, togetherWork/int64(max(1, tests))); int64(draws)*rounds > work || draws > togetherDraws || draws != 0 && draws < leastDraws {
				t.Errorf("%d draws of %d rounds in %d tests", draws, rounds, tests)
			}
			if rounds <= togetherRows && tests <= 7 && draws != togetherDraws {
				t.Errorf("%d draws of %d rounds in %d tests, want all", draws, rounds, tests)
			}
			if rounds > togetherRows && draws != 0 {
				t.Errorf("%d draws of %d rounds", draws, rounds)
			}
		}
	}
	b := NewBatches(2)
	b.Together(0)
	b.AddExact([]int32{0}, []int32{1}, []float64{0.5, 0.5})
	if r := b.Result(); r.Together != 0 || r.LogPAll != 0 {
		t.Errorf("without draws: %+v", r)
	}
}

// A batch is drawn in the time of its rows, however many arms there are: a batch
// of two rows among 2¹⁸ arms, which would take 2²⁸ steps otherwise, has the p of
// the pair of pulls.
func TestTogetherOfManyArms(t *testing.T) {
	const arms = 1 << 18
	p, pulls := make([]float64, arms), make([]int64, arms)
	for i := range p {
		p[i] = 0.5 / (arms - 1)
	}
	p[7], pulls[7] = 0.5, 2
	var one together
	one.test(batchOf(1, p, pulls...), precision.Ends{Room: 1e-15}, togetherDraws)
	if one.fisher != 0 { // the likeliest pulls of all: every other pair is as far or farther
		t.Errorf("p = %g, want 1", math.Exp(-one.fisher/2))
	}
}
