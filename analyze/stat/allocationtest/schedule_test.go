package allocationtest

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// TestSchedule compares with a plain count, for rows cut anywhere.
func TestSchedule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 25).Draw(t, "rows")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
		byArm := rapid.Bool().Draw(t, "by arm")
		batch, arm, p, all := make([]int32, n), make([]int32, n), make([]float64, n), make([]float64, 0, 2*n)
		for i := range batch {
			if i > 0 {
				batch[i] = batch[i-1] + int32(r.IntN(2))
			}
			arm[i] = int32(r.IntN(2))
			q := 0.5
			if r.IntN(6) == 0 {
				q = 0.25
			}
			all = append(all, q, 1-q)
			p[i] = all[2*i+int(arm[i])]
		}
		seen, changed := map[[2]int32]float64{}, map[int32]bool{}
		see := func(i int, a int32, q float64) {
			key := [2]int32{batch[i], a}
			if have, ok := seen[key]; ok && have != q {
				changed[batch[i]] = true
			} else if !ok {
				seen[key] = q
			}
		}
		for i := range batch {
			if byArm {
				see(i, 0, all[2*i])
				see(i, 1, all[2*i+1])
			} else {
				see(i, arm[i], p[i])
			}
		}
		total, start := NewSchedule(2), 0
		for start < n {
			end := min(n, start+1+r.IntN(7))
			part := NewSchedule(2)
			if byArm {
				part.Add(batch[start:end], arm[start:end], p[start:end], all[2*start:2*end])
			} else {
				part.Add(batch[start:end], arm[start:end], p[start:end], nil)
			}
			total.Merge(part)
			start = end
		}
		batches, got := total.Changed()
		if batches != int64(batch[n-1])+1 || got != int64(len(changed)) {
			t.Fatalf("changed in %d of %d batches, want %d of %d", got, batches, len(changed), batch[n-1]+1)
		}
	})
	if batches, changed := NewSchedule(3).Changed(); batches != 0 || changed != 0 {
		t.Errorf("no rows: %d of %d", changed, batches)
	}
}
