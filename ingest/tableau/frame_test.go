package tableau

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// Bits that were packed in pieces of any length are those that were given, and
// the bits behind the last are zero.
func TestPackBits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		src := make([]bool, r.IntN(200))
		for i := range src {
			src[i] = r.IntN(2) == 1
		}
		dst := make([]byte, len(src)/8+1)
		for i := range dst {
			dst[i] = byte(r.Uint32()) // what an earlier batch left
		}
		dst[0] &= 0xF0
		for at := 0; at < len(src); {
			to := min(len(src), at+1+r.IntN(20))
			packBits(dst, int64(at), bytesOf(src[at:to]))
			at = to
		}
		for i, want := range src {
			if dst[i/8]>>(i%8)&1 == 1 != want {
				t.Fatalf("bit %d of %d is %v", i, len(src), !want)
			}
		}
		if n := len(src); n%8 != 0 && dst[n/8]>>(n%8) != 0 {
			t.Fatalf("bits behind the last of %d", n)
		}
	}
}

func TestCheckGivenNamesTheColumn(t *testing.T) {
	s, b := sampleAll(1, 4)
	plain, _ := sample(false, 0, 4)
	for name, tc := range map[string]struct {
		s     Schema
		spoil func(b *Batch)
		says  string
	}{
		"no batch":         {s, func(b *Batch) { b.Batch = nil }, `column "batch" has 0 values`},
		"short contexts":   {s, func(b *Batch) { b.ContextByArm = b.ContextByArm[:39] }, `column "context_by_arm" has 39 values in a batch of 4 rows with 10 each`},
		"short eligible":   {s, func(b *Batch) { b.Eligible = b.Eligible[:4] }, `column "eligible" has 4 values`},
		"no x0":            {s, func(b *Batch) { b.X = nil }, `without its column "x0"`},
		"one more x":       {s, func(b *Batch) { b.X = append(b.X, b.X[0]) }, `without its column "context_by_arm"`},
		"what is not ours": {plain, func(*Batch) {}, `a column "propensity" that the schema does not have`},
	} {
		bad := b
		bad.X = append([][]float64{}, b.X...)
		tc.spoil(&bad)
		err := checkGiven(bad.columns(nil, &tc.s), tc.s.layout().fields, 4)
		if err == nil || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
