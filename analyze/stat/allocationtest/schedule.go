package allocationtest

import "math"

// Schedule counts batches within which propensities changed, which they may
// not where they are a function of the batch alone. Like Batches it holds only
// the batches at the ends of what was added.
type Schedule struct {
	arms        int
	first, last *openSchedule
	batches     int64 // closed
	changed     int64 // of these
}

// openSchedule is a batch with the propensities seen in it; NaN is none yet.
type openSchedule struct {
	batch   int32
	p       []float64
	changed bool
}

// NewSchedule returns an empty accumulator for arms 0…arms−1.
func NewSchedule(arms int) *Schedule { return &Schedule{arms: arms} }

func (s *Schedule) at(batch int32) *openSchedule {
	if s.last != nil && s.last.batch == batch {
		return s.last
	}
	if s.last != nil && s.last != s.first {
		s.close(s.last)
	}
	s.last = &openSchedule{batch: batch, p: make([]float64, s.arms)}
	for a := range s.last.p {
		s.last.p[a] = math.NaN()
	}
	if s.first == nil {
		s.first = s.last
	}
	return s.last
}

func (s *Schedule) close(o *openSchedule) {
	s.batches++
	if o.changed {
		s.changed++
	}
}

// see compares an arm's propensity with the first one of the batch.
func (o *openSchedule) see(arm int, p float64) {
	switch have := o.p[arm]; {
	case math.IsNaN(p):
	case math.IsNaN(have):
		o.p[arm] = p
	case have != p:
		o.changed = true
	}
}

// Add joins a chunk: the propensities of all arms where byArm is not nil, else
// the propensity of the played arm.
func (s *Schedule) Add(batch, arm []int32, p, byArm []float64) {
	for t, a := range arm {
		o := s.at(batch[t])
		if byArm == nil {
			o.see(int(a), p[t])
			continue
		}
		for i, v := range byArm[t*s.arms : t*s.arms+s.arms] {
			o.see(i, v)
		}
	}
}

// Merge joins the accumulator of the rows that follow, which is not to be used
// any more.
func (s *Schedule) Merge(o *Schedule) {
	switch {
	case s.arms != o.arms:
		panic(BadLength)
	case o.first == nil:
		return
	case s.first == nil:
		*s = *o
		return
	case s.last.batch == o.first.batch:
		s.last.changed = s.last.changed || o.first.changed
		for a, p := range o.first.p {
			s.last.see(a, p)
		}
	case s.last != s.first:
		s.close(s.last)
		fallthrough
	default:
		s.last = o.first
	}
	if o.last != o.first {
		if s.last != s.first {
			s.close(s.last)
		}
		s.last = o.last
	}
	s.batches += o.batches
	s.changed += o.changed
}

// Changed returns how many batches there are, and in how many of them the
// propensity of an arm changed.
func (s *Schedule) Changed() (batches, changed int64) {
	end := *s
	if end.first != nil {
		end.close(end.first)
	}
	if end.last != end.first {
		end.close(end.last)
	}
	return end.batches, end.changed
}
