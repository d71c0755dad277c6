package noise

import "math"

// drawn is the draws of all streams under one law, in their order.
type drawn struct {
	vars    []variable
	streams [][]int // indices of vars, stream by stream, in their order
	rounded bool    // values are off by rounding
	blurred bool    // values are off too far for any test but the scale's, see blur
	omitted int64   // draws whose law is not computed
	most    int     // largest count that is computed exactly
	stopped bool    // what was released may have decided the number of draws
	smooth  *race   // of the continuous law
	values  []int   // by draw: the number of its k and lattice; nil before they are asked for
	jobs    int     // see both
}

// sample is salted with what the input says of all draws.
func (in *Input) sample(draws []Draw, laws []*mixture) *drawn {
	s := salted(draws, laws, in.Salt)
	s.stopped, s.jobs = in.Stopped, in.Jobs
	return s
}

// both does two things, at one time where there are workers for it. Neither uses what the
// other writes. A panic is raised in the caller's goroutine.
func (s *drawn) both(first, second func()) {
	if s.jobs < 2 {
		first()
		second()
		return
	}
	done := make(chan any, 1)
	go func() {
		defer func() { done <- recover() }()
		first()
	}()
	defer func() {
		if p := <-done; p != nil {
			panic(p)
		}
	}()
	second()
}

// salted takes one coin for each draw. laws holds the law of draws whose
// variables differ in scale; nil where none do.
func salted(draws []Draw, laws []*mixture, salt string) *drawn {
	s, coin, ids := &drawn{most: 1, vars: make([]variable, 0, len(draws))}, coins(draws, salt), map[Stream]int{}
	for i, d := range draws {
		var mixed *mixture
		if laws != nil {
			mixed = laws[i]
		}
		v, ok := newVariable(d, mixed, coin())
		if !ok {
			s.omitted++
			continue
		}
		id, known := ids[d.Stream]
		if !known {
			id = len(s.streams)
			ids[d.Stream] = id
			s.streams = append(s.streams, nil)
		}
		v.stream = id
		s.streams[id] = append(s.streams[id], len(s.vars))
		s.vars = append(s.vars, v)
		if v.count <= mostExact && mixed == nil {
			s.most = max(s.most, v.count)
		}
	}
	s.blur()
	s.smooth = newRace(0, s.most)
	return s
}

// races are the tables of one ratio, by step of the lattice.
type races map[float64]*race

func (s *drawn) race(of races, step float64) *race {
	if step == 0 {
		return s.smooth
	}
	r, ok := of[step]
	if !ok {
		r = newRace(step, s.most)
		of[step] = r
	}
	return r
}

// weight returns w = −ln P(|Y| ≥ |y|) of a variable whose scale is ratio times
// the declared one, its atom split at u.
func (s *drawn) weight(v *variable, ratio float64, of races) float64 {
	return s.weightOf(v, v.size, ratio, of)
}

// weightOf is weight with another |y| where the law is taken as continuous.
func (s *drawn) weightOf(v *variable, size, ratio float64, of races) float64 {
	b := v.scale * ratio
	switch {
	case v.mixed != nil:
		return -v.mixed.lnTail(size / ratio)
	case v.grid > 0:
		step := v.grid / b
		at, beyond := s.lnAtom(v, step, of)
		return -at - math.Log1p(float64((1-v.u)*math.Expm1(beyond-at)))
	case v.count == 1:
		return size / b
	case v.count > mostExact:
		return -lnTailMany(size/b, v.count)
	}
	return -lnTailSum(size/b, 0, v.count, s.smooth)
}

// lnAtom returns the tails that enclose the atom of a variable on a lattice.
func (s *drawn) lnAtom(v *variable, step float64, of races) (at, beyond float64) {
	if v.count == 1 {
		return lnTailOne(v.k, step), lnTailOne(v.k+1, step)
	}
	r := s.race(of, step)
	return lnTailSum(v.k, step, v.count, r), lnTailSum(v.k+1, step, v.count, r)
}

// weights returns w of all variables.
func (s *drawn) weights(ratio float64) []float64 {
	w, of := make([]float64, len(s.vars)), races{}
	for i := range s.vars {
		w[i] = s.weight(&s.vars[i], ratio, of)
	}
	return w
}

// total returns Σw over the variables that keep names; nil: all. What is linear
// in 1/ratio is summed once.
func (s *drawn) total(keep []int) func(ratio float64) float64 { return s.totalOf(keep, 0) }

// totalOf is total with side times what rounding may have moved them by added to
// all |y|: side 1 and −1 give the ends of Σw.
func (s *drawn) totalOf(keep []int, side float64) func(ratio float64) float64 {
	if keep == nil {
		keep = make([]int, len(s.vars))
		for i := range keep {
			keep[i] = i
		}
	}
	var linear float64
	var rest []int
	for _, i := range keep {
		if v := &s.vars[i]; v.linear() {
			linear += v.moved(side) / v.scale
		} else {
			rest = append(rest, i)
		}
	}
	return func(ratio float64) float64 {
		sum, of := linear/ratio, races{}
		for _, i := range rest {
			v := &s.vars[i]
			sum += s.weightOf(v, v.moved(side), ratio, of)
		}
		return sum
	}
}
