package noise

import (
	"cmp"
	"math"
	"slices"
)

// twins counts pairs of equal draws, other than 0, on the same lattice and in
// the same group, and bounds their mean number under the declared law: a draw
// equals one before it with probability at most that of the likeliest value,
//
//	tanh(step/2),   step = lattice/scale
//
// of one variable, and of a sum of several no more. Draws without a lattice are
// left out.
func (s *sample) twins(group func(i int) int) (pairs int64, expected float64) {
	values := make([]value, 0, len(s.vars))
	var before []int64 // by group
	var likeliest, lattice, scale float64 // of a draw with this lattice and scale
	for i := range s.vars {
		v := &s.vars[i]
		if v.lattice == 0 || v.mixed != nil {
			continue
		}
		if v.lattice != lattice || v.scale != scale {
			lattice, scale = v.lattice, v.scale
			likeliest = math.Tanh(lattice / scale / 2)
		}
		g := group(i)
		for len(before) <= g {
			before = append(before, 0)
		}
		expected += float64(float64(before[g]) * likeliest)
		before[g]++
		if v.sign != 0 {
			values = append(values, value{g, v.sign, v.k, v.lattice})
		}
	}
	return equals(values), expected
}

// value is that of a draw in a group.
type value struct {
	group, sign int
	k, lattice  float64
}

// equals counts the pairs of equal values, and sorts them.
func equals(values []value) (pairs int64) {
	slices.SortFunc(values, func(a, b value) int {
		switch { // most differ in k, and none is NaN
		case a.k < b.k:
			return -1
		case a.k > b.k:
			return 1
		}
		return cmp.Or(cmp.Compare(a.group, b.group), cmp.Compare(a.sign, b.sign), cmp.Compare(a.lattice, b.lattice))
	})
	run := int64(0) // values before this one that equal it
	for i := range values {
		if i > 0 && values[i] == values[i-1] {
			run++
		} else {
			run = 0
		}
		pairs += run
	}
	return pairs
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
