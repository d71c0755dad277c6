package noise

import "math"

// twins counts draws, other than 0, that a draw before them in the same group
// equals but for its sign, of another stream only if apart says so, and sums bounds on the
// probability of that given all before: a draw equals each of two given numbers on
// its lattice with probability at most that of the likeliest,
//
//	tanh(step/2),   step = lattice/scale
//
// of one variable, and of a sum of several no more; rounded by e at most it is
// one of 1 + 2e/lattice numbers. Draws without a lattice are
// left out.
func (s *drawn) twins(group func(i int) int, apart bool, ratio float64) (again int64, expected float64) {
	type value struct {
		group      int
		k, lattice float64
	}
	const several = -1
	streams, before := map[value]int{}, map[int]int64{}
	for i := range s.vars {
		v := &s.vars[i]
		if v.lattice == 0 || v.mixed != nil {
			continue
		}
		g := group(i)
		expected += min(1, float64(2*float64(before[g])*v.points())*math.Tanh(v.lattice/(v.scale*ratio)/2))
		before[g]++
		if v.k == 0 {
			continue
		}
		at := value{g, v.k, v.lattice}
		stream, known := streams[at]
		switch {
		case !known:
			streams[at] = v.stream
			continue
		case stream != v.stream:
			streams[at] = several
			again++
		case !apart:
			again++
		}
	}
	return again, expected
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
	return min(1, float64(len(times))*math.Exp(-most))
}

// aligned numbers the groups of draws that streams would share if they shared
// their noise: those drawn when the same number of rows had arrived, at the same
// place among the draws of that row. It returns the number of each draw.
func (s *drawn) aligned() []int {
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

// points bounds the numbers of its lattice that a rounded draw may have been.
func (v *variable) points() float64 { return 1 + math.Floor(2*v.err/v.lattice) }
