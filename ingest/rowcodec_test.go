package ingest

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// blockOf draws a block of n rows with any of the columns.
func blockOf(t *rapid.T, n int) *converted {
	floats := func(name string, widths ...int) []float64 {
		width := rapid.SampledFrom(widths).Draw(t, name+" width")
		return rapid.SliceOfN(rapid.Float64(), n*width, n*width).Draw(t, name)
	}
	longs := func(name string) []int64 {
		size := n * rapid.IntRange(0, 1).Draw(t, name+" there")
		return rapid.SliceOfN(rapid.Int64(), size, size).Draw(t, name)
	}
	codes := rapid.SliceOfN(rapid.Int32(), n, n)
	c := &converted{
		Arm: codes.Draw(t, "arm"), Reward: floats("reward", 1), Propensity: floats("propensity", 0, 1), X: make([][]float64, rapid.IntRange(0, 3).Draw(t, "contexts")),
		ContextByArm: floats("context by arm", 0, 6), PropensityByArm: floats("propensity by arm", 0, 3), ReleasedByArm: floats("released", 0, 3, 6),
		RewardByArm: floats("reward by arm", 0, 3), Unit: longs("unit"), RewardRound: longs("round"), RewardBefore: longs("before"), Time: longs("time"), Draws: longs("draws"),
	}
	for j := range c.X {
		c.X[j] = floats("x", 1)
	}
	bools := n * rapid.SampledFrom([]int{0, 1, 3, 8, 9, 17}).Draw(t, "arms")
	c.Eligible = rapid.SliceOfN(rapid.Bool(), bools, bools).Draw(t, "eligible")
	if rapid.Bool().Draw(t, "batch there") {
		c.Batch = codes.Draw(t, "batch")
	}
	return c
}

// What was written is read, row by row, into any row of a block.
func TestRowCodecRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5).Draw(t, "rows")
		c := blockOf(t, n)
		var (
			k   rowCodec
			got converted
		)
		k.learn(c)
		if err := k.fits(c); err != nil {
			t.Fatal(err)
		}
		k.resize(&got, n+2)
		for i := range n {
			row := k.append(nil, c, i)
			if len(row) != k.size {
				t.Fatalf("%d bytes, not %d", len(row), k.size)
			}
			if err := k.read(row, &got, i); err != nil {
				t.Fatal(err)
			}
			if err := k.read(row[:len(row)-1], &got, i); err == nil {
				t.Fatal("a row that was cut is read")
			}
		}
		k.resize(&got, n)
		got.Experiment = nil
		if diff := cmp.Diff(c, &got, cmp.AllowUnexported(converted{}), cmpopts.EquateEmpty(), cmpopts.EquateNaNs()); diff != "" {
			t.Fatal(diff)
		}
	})
}

// A block with other columns than the first is an error.
func TestRowCodecFits(t *testing.T) {
	first := &converted{Arm: []int32{0, 1}, Reward: []float64{0, 1}, Unit: []int64{1, 2}, Eligible: make([]bool, 6)}
	var k rowCodec
	k.learn(&converted{}) // a block without rows says nothing
	k.learn(first)
	if err := k.fits(first); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(c *converted){
		"contexts":   func(c *converted) { c.X = [][]float64{{1, 2}} },
		"propensity": func(c *converted) { c.Propensity = []float64{1, 1} },
		"unit":       func(c *converted) { c.Unit = nil },
		"batch":      func(c *converted) { c.Batch = []int32{1, 1} },
		"eligible":   func(c *converted) { c.Eligible = c.Eligible[:4] },
	} {
		c := *first
		change(&c)
		if k.fits(&c) == nil {
			t.Errorf("%s: a block that does not fit is taken", name)
		}
	}
}
