package noise

import (
	"math"
	"slices"

	"banditaudit/replay/policy/bitexact"
)

// twins counts draws, other than 0, that a draw before them in the same group
// equals but for its sign, of another stream only if apart says so, and sums bounds on the
// probability of that given all before: a draw equals each of two given numbers on
// its lattice with probability at most the probability of the likeliest,
//
//	tanh(step/2),   step = lattice/scale
//
// of one variable, and of a sum of several no more; rounded by e at most it is
// one of 1 + 2e/lattice numbers. Draws without a lattice are
// left out. Groups are numbered from 0; nil: all draws are in one.
func (s *drawn) twins(group []int, apart bool, ratio float64) (again int64, expected float64) {
	const none, several = -1, -1
	s.number()
	before, rest, last, most := make([]int64, s.groups(group)+1), []int32(nil), math.NaN(), 0.0
	for i := range s.vars {
		v := &s.vars[i]
		if v.lattice == 0 || v.mixed != nil {
			continue
		}
		g := at(group, i)
		if step := v.lattice / (v.scale * ratio); step != last {
			last, most = step, bitexact.Tanh(step/2)
		}
		expected += min(1, float64(2*float64(before[g])*v.points())*most)
		before[g]++
		if v.k != 0 {
			rest = append(rest, int32(i))
		}
	}
	rest = inGroups(rest, before, group)
	of, stream := make([]int, len(s.vars)), make([]int, len(s.vars)) // by number of a value: where it was met last
	for i := range of {
		of[i] = none
	}
	for _, i := range rest {
		v, g := &s.vars[i], at(group, int(i))
		switch n := s.values[i]; {
		case of[n] != g:
			of[n], stream[n] = g, v.stream
		case stream[n] != v.stream:
			stream[n] = several
			again++
		case !apart:
			again++
		}
	}
	return again, expected
}

// at is the group of a draw: 0 where there is one.
func at(group []int, i int) int {
	if group == nil {
		return 0
	}
	return group[i]
}

// groups is the largest number of a group.
func (s *drawn) groups(group []int) int {
	if len(group) == 0 {
		return 0
	}
	return slices.Max(group)
}

// inGroups orders draws by their groups, each of which has at most room, and keeps their
// order within one.
func inGroups(draws []int32, room []int64, group []int) []int32 {
	if group == nil {
		return draws
	}
	from, total := room, int64(0) // where each begins
	for g, n := range room {
		from[g], total = total, total+n
	}
	const free = -1
	out := make([]int32, total)
	for i := range out {
		out[i] = free
	}
	for _, i := range draws {
		out[from[group[i]]] = i
		from[group[i]]++
	}
	return slices.DeleteFunc(out, func(i int32) bool { return i == free })
}

// number numbers the values of draws on a lattice.
func (s *drawn) number() {
	if s.values != nil {
		return
	}
	var all numbering
	s.values = make([]int, len(s.vars))
	for i := range s.vars {
		v := &s.vars[i]
		s.values[i] = all.of([3]uint64{math.Float64bits(v.k), math.Float64bits(v.lattice)})
	}
}

// numbering numbers different keys from 0 on, in the order in which they are met.
type numbering struct {
	keys  [][3]uint64
	slots []int32 // by hash, open addressing: a number and 1; 0: none. At most half full
}

func (n *numbering) of(key [3]uint64) int {
	if 2*len(n.keys) >= len(n.slots) {
		n.slots = make([]int32, max(64, 2*len(n.slots)))
		for i, k := range n.keys {
			n.slots[n.slot(&k)] = int32(i) + 1
		}
	}
	slot := n.slot(&key)
	if n.slots[slot] == 0 {
		n.keys = append(n.keys, key)
		n.slots[slot] = int32(len(n.keys)) //nolint:gosec // likewise
	}
	return int(n.slots[slot]) - 1
}

// slot is where a key has its number, or room for it.
func (n *numbering) slot(key *[3]uint64) int {
	h := uint64(0)
	for _, word := range key {
		h = (h ^ word) * 0x9e3779b97f4a7c15
		h ^= h >> 32
	}
	mask := len(n.slots) - 1
	slot := int(h) & mask
	for n.slots[slot] != 0 && n.keys[n.slots[slot]-1] != *key {
		slot = (slot + 1) & mask
	}
	return slot
}

// rarely bounds P(N ≥ n) for a count of events whose probabilities, each given
// all before, add up to at most expected: for every θ
//
//	exp(θ·n − (e^θ−1)·expected)
//
// has a mean of at most 1, and so has its mean over a few θ; by Markov's
// inequality P is at most its inverse.
func rarely(n int64, expected float64) float64 {
	times := [...]float64{2, 10, 1e3, 1e5, 1e7, 1e9}
	var most float64
	for _, x := range times {
		most = max(most, float64(float64(n)*math.Log(x))-float64((x-1)*expected))
	}
	return min(1, float64(len(times))*bitexact.Exp(-most))
}

// aligned numbers the groups of draws that streams would share if they shared
// their noise: those drawn when the same number of rows had arrived, at the same
// place among the draws of that row. It returns the number of each draw.
func (s *drawn) aligned() []int {
	var numbers numbering
	group := make([]int, len(s.vars))
	for _, stream := range s.streams {
		at := 0
		for j, i := range stream {
			v := &s.vars[i]
			if j > 0 && s.vars[stream[j-1]].row == v.row {
				at++
			} else {
				at = 0
			}
			group[i] = numbers.of([3]uint64{uint64(v.row), uint64(at), math.Float64bits(v.scale)}) //nolint:gosec // counts
		}
	}
	return group
}

// points bounds the numbers of its lattice that a rounded draw may have been.
func (v *variable) points() float64 { return 1 + math.Floor(2*v.err/v.lattice) }
