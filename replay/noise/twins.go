package noise

import "math"

// twins counts pairs of equal draws, other than 0, on the same lattice and in
// the same group, and bounds their mean number under the declared law: a draw
// equals one before it with probability at most that of the likeliest value,
//
//	tanh(step/2),   step = lattice/scale
//
// of one variable, and of a sum of several no more. Draws without a lattice are
// left out.
func (s *sample) twins(group func(i int) int) (pairs int64, expected float64) {
	type value struct {
		group, sign int
		k, lattice  float64
	}
	seen, before := map[value]int64{}, map[int]int64{}
	for i := range s.vars {
		v := &s.vars[i]
		if v.lattice == 0 || v.mixed != nil {
			continue
		}
		g := group(i)
		expected += float64(before[g]) * math.Tanh(v.lattice/v.scale/2)
		before[g]++
		if v.sign == 0 {
			continue
		}
		at := value{g, v.sign, v.k, v.lattice}
		pairs += seen[at]
		seen[at]++
	}
	return pairs, expected
}

// aligned numbers the groups of draws that streams would share if they shared
// their noise: those drawn when the same number of rows had arrived, at the same
// place among the draws of that row. It returns the number of each draw.
func (s *sample) aligned() []int {
	type place struct {
		row   int64
		at    int
		scale float64
	}
	numbers, group := map[place]int{}, make([]int, len(s.vars))
	for _, stream := range s.streams {
		at := 0
		for j, i := range stream {
			v := &s.vars[i]
			if j > 0 && s.vars[stream[j-1]].row == v.row {
				at++
			} else {
				at = 0
			}
			key := place{v.row, at, v.scale}
			n, ok := numbers[key]
			if !ok {
				n = len(numbers)
				numbers[key] = n
			}
			group[i] = n
		}
	}
	return group
}
