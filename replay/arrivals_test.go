package replay

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Whatever is pushed and popped in between, what comes out is what a sort of
// (Known, Round) gives of what is known.
func TestArrivalsAreSorted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var heap Arrivals
		var list []Arrival
		for now := range rapid.Int64Range(1, 60).Draw(t, "rounds") {
			for range rapid.IntRange(0, 3).Draw(t, "pushed") {
				a := Arrival{Known: now + rapid.Int64Range(-2, 9).Draw(t, "delay"), Round: now, Arm: len(list), Reward: float64(len(list))}
				if rapid.IntRange(0, 5).Draw(t, "never") == 0 {
					a.Known = NeverKnown
				}
				heap.Push(a)
				list = append(list, a)
			}
			slices.SortStableFunc(list, func(a, b Arrival) int {
				return cmp.Or(cmp.Compare(a.Known, b.Known), cmp.Compare(a.Round, b.Round))
			})
			for a, ok := heap.Pop(now); ok; a, ok = heap.Pop(now) {
				if len(list) == 0 || a.Known != list[0].Known || a.Round != list[0].Round {
					t.Fatalf("round %d: popped %+v of %+v", now, a, list)
				}
				i := slices.Index(list, a) // of equal keys any may come first
				if i < 0 {
					t.Fatalf("round %d: %+v was never pushed, or popped already", now, a)
				}
				list = slices.Delete(list, i, i+1)
			}
			if len(list) > 0 && list[0].Known <= now || len(heap) != len(list) {
				t.Fatalf("round %d: %d are left in the heap, and %+v in the list", now, len(heap), list)
			}
		}
	})
}
