package adaptive

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
// by Bernstein's inequality, times two arms.
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
	want := math.Ln2 - 16/(2*(2.5+4.0/3)) + math.Log(4)
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
// than 4 are refused with probability below 1e-4 at the level of 0.001.
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
	if e.Test(AllocationLevel, nil).Rejected {
		t.Error("over all rounds nothing is wrong")
	}
	if r := e.Test(AllocationLevel, batchesOf(2, batch, arm, p, nil, true)); !r.Rejected {
		t.Errorf("batch by batch: %+v", r.Batches)
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
