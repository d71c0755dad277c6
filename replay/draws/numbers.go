package draws

import "slices"

// Numbers are the numbers of draws of a log whose rows have their own: the
// smallest and the largest of all rows, and the median of the updates that are
// kept, the lower of two.
type Numbers struct{ Least, Median, Most float64 }

// take takes up the number of draws of a row.
func (n *Numbers) take(draws float64) {
	if n.Least == 0 || draws < n.Least {
		n.Least = draws
	}
	n.Most = max(n.Most, draws)
}

// Numbers returns the numbers of draws of the rows; 0 where Add was told none.
func (s *Shares) Numbers() Numbers {
	out := s.numbers
	all := make([]float64, len(s.entries))
	for i := range s.entries {
		all[i] = s.entries[i].n
	}
	if slices.Sort(all); len(all) > 0 {
		out.Median = all[(len(all)-1)/2]
	}
	return out
}

// OnTheirs reports whether the shares of all but 1 % of the rows are multiples of
// one over their own number of draws, written to within tau.
func (s *Shares) OnTheirs(tau float64) bool {
	var off, all int64
	for i := range s.entries {
		e := &s.entries[i]
		if all += e.rows; !OnAll(e.q, e.n, tau) {
			off += e.rows
		}
	}
	return float64(off) <= float64(Astray*float64(all))
}
