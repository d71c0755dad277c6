package allocationtest

import (
	"testing"

	"pgregory.net/rapid"
)

// TestOpportunity compares the counts with plain ones, for rounds cut into
// chunks anywhere.
func TestOpportunity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		arms := rapid.IntRange(1, 5).Draw(t, "arms")
		masks := rapid.SliceOfN(rapid.IntRange(0, 1<<arms-1), 0, 20).Draw(t, "masks")
		asks := rapid.Bool().Draw(t, "asks whether a row is as the one before")
		cut := rapid.IntRange(0, len(masks)).Draw(t, "cut")
		of := func(part []int) *Opportunity {
			o := NewOpportunity(arms)
			sizes := o.Add(len(part), func(row, arm int) bool { return part[row]>>arm&1 != 0 }, func(row int) bool { return asks && part[row] == part[row-1] })
			for i, m := range part {
				n := int32(0)
				for a := range arms {
					n += int32(m >> a & 1)
				}
				if sizes[i] != n {
					t.Fatalf("row %d could play %d arms, want %d", i, sizes[i], n)
				}
			}
			return o
		}
		o := of(masks[:cut])
		o.Merge(of(masks[cut:]))
		total := int64(0)
		for a := range arms {
			for b := range arms {
				n := int64(0)
				for _, m := range masks {
					n += int64(m >> a & (m >> b) & 1)
				}
				if got := o.both(a, b); got != n {
					t.Fatalf("arms %d and %d together in %d rounds, want %d", a, b, got, n)
				}
				if a == b {
					total += n
					if o.Rounds(a) != n {
						t.Fatalf("arm %d in %d rounds, want %d", a, o.Rounds(a), n)
					}
				}
			}
		}
		if o.Total() != total {
			t.Fatalf("total %d, want %d", o.Total(), total)
		}
	})
}

// TestAllocationAmongEligible: an arm that could be played in half of the
// rounds is no deficit once the log says so.
func TestAllocationAmongEligible(t *testing.T) {
	const rounds = 4000
	arm, p := make([]int32, rounds), make([]float64, rounds)
	o, a := NewOpportunity(3), NewAllocation(3)
	for i := range arm { // three arms by turns in the first half, two in the second
		arm[i], p[i] = int32(i%3), 1.0/3
		if i >= rounds/2 {
			arm[i], p[i] = int32(i%2), 0.5
		}
	}
	o.Add(rounds, func(row, arm int) bool { return row < rounds/2 || arm < 2 }, nil)
	if err := a.Add(arm, p); err != nil {
		t.Fatal(err)
	}
	if r := a.Test(AllocationLevel, nil, nil); r.Rejected || !near(r.Arms[2].Deviation, -50, 0.01) {
		t.Errorf("without knowing what could be played the third arm has a deficit, which is no contradiction: %+v", r.Arms[2])
	}
	r := a.Test(AllocationLevel, o, nil)
	if r.Rejected || r.Arms[2].Deviation < -1 || r.Arms[2].Deviation > 1 {
		t.Errorf("with it: %+v", r)
	}
}
