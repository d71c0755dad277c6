package draws

import (
	"math"
	"slices"
)

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

// mostOwn is the largest number of draws that an update is taken for by its shares
// alone, and fewestOwn how many updates have to be on a lattice of their own for
// that to be no chance: a number that is written in full is a multiple of 1/n for
// some n up to 100,000 with probability 10⁵·10⁵·2⁻⁴⁹, or 2·10⁻⁵.
const (
	mostOwn   = 100_000
	fewestOwn = 5
)

// Guess gives every update the least number of draws of which its shares, written in
// full, are multiples, where no number is known and updates may have different
// ones; it reports false, and gives none, where an update is on no lattice of at
// most 100,000 draws, where there are fewer than five updates, or so few
// probabilities that they say nothing of draws (Few). The number is a divisor of
// the true one: laws of fewer draws are wider, so that what they reject is none of
// any. Of the played arm alone nothing is told.
func (s *Shares) Guess(tau float64) bool {
	guessed := s.own(tau)
	if guessed == nil {
		return false
	}
	s.numbers = Numbers{}
	for i := range s.entries {
		s.entries[i].n = guessed[i]
		s.numbers.take(guessed[i])
	}
	return true
}

// Guessable reports whether Guess would.
func (s *Shares) Guessable(tau float64) bool { return s.own(tau) != nil }

// own are the numbers that Guess gives; nil: none.
func (s *Shares) own(tau float64) []float64 {
	if !s.Whole() || len(s.entries) < fewestOwn || Few(s.Rows()) {
		return nil
	}
	out := make([]float64, len(s.entries))
	for i := range s.entries {
		if out[i] = ownNumber(s.entries[i].q, tau); out[i] == 0 {
			return nil
		}
	}
	return out
}

// Forget takes back what Guess gave.
func (s *Shares) Forget() {
	s.numbers = Numbers{}
	for i := range s.entries {
		s.entries[i].n = 0
	}
}

// ownNumber is the least n of which all shares are multiples of the inverse; 0
// where it is more than mostOwn.
func ownNumber(q []float64, tau float64) float64 {
	n := 1.0
	for _, share := range q {
		d := denominator(float64(share*n), float64(n*tau))
		if n *= d; d == 0 || n > mostOwn {
			return 0
		}
	}
	return n
}

// denominator is the least d ≤ mostOwn with x·d whole to within 2d·tau, by continued
// fractions; 0 where there is none.
func denominator(x, tau float64) float64 {
	before, d := 0.0, 1.0
	for rest := x; d <= mostOwn; {
		if math.Abs(float64(x*d)-math.Round(float64(x*d))) <= float64(2*d*tau) {
			return d
		}
		rest -= math.Floor(rest)
		if !(rest > 0) {
			return 0
		}
		rest = 1 / rest
		before, d = d, before+float64(math.Floor(rest)*d)
	}
	return 0
}
