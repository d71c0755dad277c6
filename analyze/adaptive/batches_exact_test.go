package adaptive

import (
	"math"
	"math/rand/v2"
	"testing"
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
		one.test(batchOf(int32(at), p, int64(pulls[0]), int64(pulls[1]), int64(n-pulls[0]-pulls[1])), 1e-12) //nolint:gosec // small
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
	const logs, most = 80, 20
	found := map[float64]int{}
	for i := range logs {
		for _, floor := range []float64{0, 0.03} {
			rng := rand.New(rand.NewPCG(uint64(i), 10)) //nolint:gosec // small
			b := NewBatches(6)
			b.Together(0)
			for batch := range int32(6) {
				p := []float64{0.002, 0.003, 0.005, 0.01, 0.2, 0.78}
				q := make([]float64, 6)
				Mixture(floor)(q, &Choice{All: p, Eligible: anyArm, Choices: 6})
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
		batch, arm = append(batch, i/20), append(arm, int32(rng.IntN(3))) //nolint:gosec // small
		row := []float64{0.2, 0.3, 0.5}
		if i == 47 {
			row = []float64{0.3, 0.2, 0.5}
		}
		p = append(p, row...)
	}
	made := func(cuts ...int) *BatchResult {
		all := NewBatches(3)
		all.Together(0)
		from := 0
		for _, to := range append(cuts, len(arm)) {
			part := NewBatches(3)
			part.Together(0)
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
