package allocationtest

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// batchesOf cuts rows into chunks and joins them again.
func batchesOf(arms int, batch, arm []int32, p []float64, cuts []int, exact bool) *BatchResult {
	total, start := NewBatches(arms), 0
	for _, end := range append(cuts, len(arm)) {
		part := NewBatches(arms)
		if exact {
			part.AddExact(batch[start:end], arm[start:end], p[start*arms:end*arms])
		} else {
			part.AddLogged(batch[start:end], arm[start:end], p[start:end], nil)
		}
		total.Merge(part)
		start = end
	}
	return total.Result()
}

// TestBatchesByHand: one batch of nine rows of arm 0 where five were expected,
// by the mean of exp(±4λ − (e^λ−1−λ)·2.5) over λ, less the room for rounding.
func TestBatchesByHand(t *testing.T) {
	batch, arm, p := make([]int32, 20), make([]int32, 20), make([]float64, 40)
	for i := range batch {
		batch[i], p[2*i], p[2*i+1] = int32(i/10), 0.5, 0.5
		arm[i] = int32(i % 2)
	}
	for i := 10; i < 19; i++ {
		arm[i] = 0
	}
	r := batchesOf(2, batch, arm, p, nil, true)
	evidence, lambda := 0.0, 8.0
	for range 16 {
		for _, d := range []float64{4 - 1e-5, -4 - 1e-5} {
			evidence += math.Exp(lambda*d-(math.Exp(lambda)-1-lambda)*(2.5+1e-5)) / 32
		}
		lambda /= 2
	}
	want := math.Log(4) - math.Log(evidence)
	if r.Batches != 2 || r.Cells != 4 || r.Batch != 1 || r.Arm != 0 || !near(r.Deviation, 80, 1e-12) || !near(r.LogP, min(0, want), 1e-12) {
		t.Errorf("%+v, want ln p %v", r, want)
	}
	if r = NewBatches(2).Result(); r.LogP != 0 || r.Arm != -1 || r.Batches != 0 {
		t.Errorf("no rows: %+v", r)
	}
}

// TestBatchesMerge: however rows are cut into chunks, the same is found.
func TestBatchesMerge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "rows")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		batch, arm, p, logged := make([]int32, n), make([]int32, n), make([]float64, 0, 2*n), make([]float64, n)
		for i := range batch {
			if i > 0 {
				batch[i] = batch[i-1] + int32(r.IntN(2))
			}
			arm[i] = int32(r.IntN(2))
			q := 0.25 * float64(1+r.IntN(3))
			p = append(p, q, 1-q)
			logged[i] = p[2*i+int(arm[i])]
		}
		var cuts []int
		for i := 1; i < n; i++ {
			if r.IntN(3) == 0 {
				cuts = append(cuts, i)
			}
		}
		for _, exact := range []bool{true, false} {
			given := logged
			if exact {
				given = p
			}
			a, b := batchesOf(2, batch, arm, given, nil, exact), batchesOf(2, batch, arm, given, cuts, exact)
			if int64(batch[n-1])+1 != a.Batches {
				t.Fatalf("%d batches of %d", a.Batches, batch[n-1]+1)
			}
			if diff := cmp.Diff(a, b, cmp.Comparer(func(x, y float64) bool { return near(x, y, 1e-9) || math.Abs(x-y) < 1e-9 })); diff != "" {
				t.Fatalf("cut at %v:\n%s", cuts, diff)
			}
		}
	})
}

// TestBatchesFindWhatCancels: arms exchanged in one batch, and back in the next,
// are as expected over all rounds; the batches tell. Of 300 honest logs more
// than 4 are refused with probability below 1e-4 at the level of 0.0005.
func TestBatchesFindWhatCancels(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	shares := func(t int, dst []float64) {
		copy(dst, [][]float64{{0.8, 0.2}, {0.2, 0.8}}[t/500%2])
	}
	batch := make([]int32, 2000)
	for i := range batch {
		batch[i] = int32(i / 500)
	}
	arm, p := everyArm(r, 2, 2000, shares, func(dst []float64) { dst[0], dst[1] = dst[1], dst[0] })
	e := exactOf(t, 2, arm, p)
	if whole := e.Test(AllocationLevel, nil).Arms; whole[0].LogPHolm < -2 || whole[1].LogPHolm < -2 {
		t.Errorf("over all rounds nothing is wrong with an arm: %+v", whole)
	}
	if r := e.Test(AllocationLevel, batchesOf(2, batch, arm, p, nil, true)); !r.Rejected || r.Batches.LogP > -100 {
		t.Errorf("batch by batch: %+v", r.Batches)
	}
	logged := make([]float64, len(arm))
	for i, a := range arm {
		logged[i] = p[2*i+int(a)]
	}
	if r := batchesOf(2, batch, arm, logged, nil, false); r.LogP > -100 {
		t.Errorf("batch by batch, of the logged action: %+v", r)
	}
	refused := 0
	for range 300 {
		arm, p = everyArm(r, 2, 2000, shares, asItIs)
		if exactOf(t, 2, arm, p).Test(AllocationLevel, batchesOf(2, batch, arm, p, nil, true)).Rejected {
			refused++
		}
	}
	if refused > 4 {
		t.Errorf("%d of 300 honest logs are refused", refused)
	}
}
