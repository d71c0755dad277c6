package allocationtest

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Counts that are fixed are found with the length of their runs; those of draws, of one
// arm, of a log that is too short, and of one with an odd round are not.
func TestDeals(t *testing.T) {
	t.Parallel()
	draw := rand.New(rand.NewPCG(3, 5))
	turn := func(n, k int) (out []int32) {
		for t := range n {
			out = append(out, int32(t%k))
		}
		return out
	}
	blocks := func(n int, block ...int32) (out []int32) {
		for len(out) < n {
			block = slices.Clone(block)
			draw.Shuffle(len(block), func(i, j int) { block[i], block[j] = block[j], block[i] })
			out = append(out, block...)
		}
		return out[:n]
	}
	var drawn []int32
	for range 2000 {
		drawn = append(drawn, draw.Int32N(3))
	}
	odd := turn(300, 3)
	odd[100] = 0
	for _, c := range []struct {
		name   string
		arms   []int32
		length int64
		counts []int64
	}{
		{"in turn", turn(300, 3), 3, []int64{1, 1, 1}},
		{"an unfinished run", turn(301, 3), 3, []int64{1, 1, 1}},
		{"shuffled blocks", blocks(400, 0, 0, 1, 2), 4, []int64{2, 1, 1}},
		{"an odd round", odd, 0, nil},
		{"drawn", drawn, 0, nil},
		{"one arm", make([]int32, 300), 0, nil},
		{"too short", turn(23, 3), 0, nil},
		{"none", nil, 0, nil},
	} {
		d := NewRoundRobin(3)
		d.Add(c.arms[:len(c.arms)/2])
		d.Add(c.arms[len(c.arms)/2:])
		if length, counts := d.Found(); length != c.length || !slices.Equal(counts, c.counts) {
			t.Errorf("%s: %d, %v", c.name, length, counts)
		}
	}
	many := NewRoundRobin(mostDealt + 1)
	many.Add(turn(3000, 3))
	if length, _ := many.Found(); length != 0 {
		t.Errorf("too many arms: %d", length)
	}
}
