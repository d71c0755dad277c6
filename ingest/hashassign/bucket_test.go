package hashassign

import (
	"hash/fnv"
	"testing"
)

// Vectors of the platform's package for Python (growthbook, core.gbhash), as
// policies-in-the-wild.md (O2) prints them.
func TestPositionsOfThePlatform(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		hash, seed, unit string
		want             int64
	}{
		{"growthbook-v2", "seed", "a", 505},
		{"growthbook-v2", "seed", "b", 2696},
		{"growthbook-v2", "foo", "ab", 2575},
		{"growthbook-v2", "foo", "def", 2019},
		{"growthbook-v1", "", "a", 220},
		{"growthbook-v1", "b", "a", 946},
		{"growthbook-v1", "ef", "d", 652},
	} {
		h, ok := Named(c.hash)
		if !ok {
			t.Fatalf("%s is unknown", c.hash)
		}
		if got := h.Position(c.seed, c.unit); got != c.want {
			t.Errorf("%s(%q, %q) = %d, want %d", c.hash, c.seed, c.unit, got, c.want)
		}
	}
}

// Over UTF-16 code units "ü" is one step; over its UTF-8 bytes it is two
// (policies-in-the-wild.md, O2).
func TestUnitsOfText(t *testing.T) {
	t.Parallel()
	if got := fnv1a("ü"); got != 2030796987 {
		t.Errorf("FNV-1a of ü = %d", got)
	}
	bytewise := fnv.New32a()
	_, _ = bytewise.Write([]byte("ü"))
	if got := bytewise.Sum32(); got != 295556170 {
		t.Errorf("FNV-1a of the bytes of ü = %d", got)
	}
	// A pair of code units: D83D, DE00.
	want := uint32(fnvBasis)
	for _, unit := range []uint32{0xd83d, 0xde00} {
		want = (want ^ unit) * fnvPrime
	}
	if got := fnv1a("😀"); got != want {
		t.Errorf("FNV-1a of 😀 = %d, want %d", got, want)
	}
}

// FuzzASCII holds texts of ASCII against the standard library.
func FuzzASCII(f *testing.F) {
	f.Add("unit")
	f.Fuzz(func(t *testing.T, text string) {
		for _, r := range text {
			if r >= 0x80 {
				return
			}
		}
		h := fnv.New32a()
		_, _ = h.Write([]byte(text))
		if got := fnv1a(text); got != h.Sum32() {
			t.Errorf("FNV-1a of %q = %d, want %d", text, got, h.Sum32())
		}
	})
}

func TestRanges(t *testing.T) {
	t.Parallel()
	whole := Ranges{Coverage: 1}
	for _, c := range []struct {
		name    string
		ranges  Ranges
		n       int64
		weights []float64
		want    int
		reach   []bool // of every arm
	}{
		{"first", whole, 0, []float64{.5, .5}, 0, []bool{true, false}},
		{"an end is the next arm's", whole, 500, []float64{.5, .5}, 1, []bool{false, true}},
		{"last", whole, 999, []float64{.5, .5}, 1, []bool{false, true}},
		{"an arm without weight", whole, 500, []float64{.5, 0, .5}, 2, []bool{false, false, true}},
		{"outside the coverage", Ranges{Coverage: .5}, 250, []float64{.5, .5}, None, []bool{false, false}},
		{"inside the coverage", Ranges{Coverage: .5}, 749, []float64{.5, .5}, 1, []bool{false, true}},
		{"weights that end early", whole, 999, []float64{.5, .4}, None, []bool{false, false}},
		{"near an end", Ranges{Coverage: 1, Within: 1e-3}, 333, []float64{1. / 3, 2. / 3}, 0, []bool{true, true}},
		{"near an end, from above", Ranges{Coverage: 1, Within: 1e-3}, 334, []float64{1. / 3, 2. / 3}, 1, []bool{true, true}},
		{"near an arm without weight", Ranges{Coverage: 1, Within: 1e-3}, 500, []float64{.5, 0, .5}, 2, []bool{true, false, true}},
		{"near the end of all", Ranges{Coverage: 1, Within: 1e-3}, 999, []float64{.5, .498}, None, []bool{false, true}},
	} {
		if got := c.ranges.Arm(c.n, 1000, c.weights); got != c.want {
			t.Errorf("%s: arm %d, want %d", c.name, got, c.want)
		}
		for arm, want := range c.reach {
			if got := c.ranges.Reaches(c.n, 1000, c.weights, arm); got != want {
				t.Errorf("%s: arm %d reached: %v, want %v", c.name, arm, got, want)
			}
		}
	}
}

// Weights that add up to one leave no position without an arm, and give each its share.
func TestRangesCoverAll(t *testing.T) {
	t.Parallel()
	const steps = 10_000
	weights := []float64{.1, .2, .3, .4}
	counts := make([]int, len(weights))
	for n := range int64(steps) {
		arm := Ranges{Coverage: 1}.Arm(n, steps, weights)
		if arm == None {
			t.Fatalf("position %d has no arm", n)
		}
		counts[arm]++
	}
	for i, w := range weights {
		if d := float64(counts[i]) - w*steps; d < -1 || d > 1 {
			t.Errorf("arm %d has %d positions of %d", i, counts[i], steps)
		}
	}
}
