package montecarlo

import (
	"math"
	"slices"

	"banditaudit/replay/policy/bitexact"
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
// alone: what is written in full is a multiple of 1/n for some n up to 100,000 with
// probability 10⁵·10⁵·2⁻⁴⁹/2, or 9·10⁻⁶, where it is one free share, and 10⁻¹⁵ where
// there are two.
const mostOwn = 100_000

// fewestSame is how often an arm has to come back with the same share for rows with
// one law to be of one update.
const fewestSame = 5

// Own are the least numbers of draws of which the shares of every update, written in
// full, are multiples, where no number is known and updates may have different ones;
// nil where an update is on no lattice of at most 100,000 draws, where none has a share
// between 0 and 1, or where few probabilities come back, which says nothing of draws.
// One update is enough. The
// number is a divisor of the true one: laws of fewer draws are wider, so that what
// they reject is none of any. Of the played arm alone it is one number for all shares
// of an update (updates).
func (s *Shares) Own(tau float64) []float64 {
	rows, of := s.updates()
	if s.comeBack(tau) || s.Free(tau) == 0 {
		return nil
	}
	numbers := make([]float64, len(rows))
	for i, q := range rows {
		if numbers[i] = ownNumber(q, tau); numbers[i] == 0 {
			return nil
		}
	}
	return spreadOver(of, numbers)
}

// comeBack reports whether the shares are fewer than eight different ones, each of
// them written twice and more on the average: such are computed by whoever plays a
// few probabilities, and their lattice is no sign of draws.
func (s *Shares) comeBack(tau float64) bool {
	rows, all := s.Rows(), 0
	for _, row := range rows {
		for _, q := range row {
			if q > 0 && q < 1 {
				all++
			}
		}
	}
	few := len(distinct(rows, tau))
	return few < fewValues && 2*few <= all
}

// Fractions reports whether the laws are fractions themselves, so that a lattice is no
// sign of draws: more than half of those that are not uniform, and in which no arm has
// all, are on lattices of at most 100,000, as an ε that falls as 1/t gives them.
func (s *Shares) Fractions() bool {
	on, all := 0, 0
	for i := range s.entries {
		p := s.entries[i].p
		if slices.Max(p) > 1-1e-9 || s.entries[i].arm < 0 && uniform(p) {
			continue
		}
		if all++; ownNumber(p, computed) > 0 {
			on++
		}
	}
	return 2*on > all
}

// uniform reports whether all that is above 0 is the same.
func uniform(p []float64) bool {
	first := slices.Max(p)
	return !slices.ContainsFunc(p, func(v float64) bool { return v > 0 && math.Abs(v-first) > computed })
}

// updates are the shares that were estimated together, and in which of them every
// entry is. The shares of all arms are an update by themselves. Those of played arms
// are one where rows in a row have one law: if no arm comes back there with another
// share, and at least five times one comes back with the same, so that rows have no
// draws of their own. Otherwise every share is by itself.
func (s *Shares) updates() (rows [][]float64, of []int) {
	joined := !s.anew && s.same >= fewestSame
	of = make([]int, len(s.entries))
	for i := range s.entries {
		e := &s.entries[i]
		if joined && i > 0 && e.arm >= 0 && e.run == s.entries[i-1].run {
			last := len(rows) - 1
			rows[last] = append(slices.Clip(rows[last]), e.q...)
		} else {
			rows = append(rows, e.q)
		}
		of[i] = len(rows) - 1
	}
	return rows, of
}

// spreadOver gives every entry the number of its update.
func spreadOver(of []int, numbers []float64) []float64 {
	out := make([]float64, len(of))
	for i, u := range of {
		out[i] = numbers[u]
	}
	return out
}

// mostTried bounds the numbers that Lowest tries, of all updates.
const mostTried = 100_000_000

// Lowest are the least numbers of draws of which the shares of every update can be,
// written to within tau: fewer than that many were not made. At most 100,000 are
// tried of an update, and 10⁸ of all: what is possible for none of these has the
// largest that was tried. Of the played arm alone it is one number for all shares of
// an update (updates).
//
// sure says that neither chance makes them so small (byLuck, below 10⁻⁶), nor few
// probabilities that come back.
func (s *Shares) Lowest(tau float64) (numbers []float64, sure bool) {
	rows, of := s.updates()
	if len(rows) == 0 {
		return nil, false
	}
	most := float64(min(mostOwn, mostTried/len(rows)))
	numbers = make([]float64, len(rows))
	for i, q := range rows {
		numbers[i] = lowest(q, tau, most)
	}
	sure = byLuck(rows, tau, func(i int) float64 {
		if numbers[i] >= most {
			return math.Inf(1) // there is none
		}
		return numbers[i]
	}) < byChance && !s.comeBack(tau)
	return spreadOver(of, numbers), sure
}

// byLuck is a bound on the probability with which chance alone puts all updates on
// lattices of such numbers. A row of f shares, none 0 or 1 and none of them 1 less the
// others, is on the lattice of some number up to n with probability at most
//
//	c = Σ_{i≤n} (2iτ)^f ≤ (2τ)^f·(n+1)^(f+1)/(f+1)
//
// so that −2Σ ln c over the updates exceeds a χ² of twice as many degrees of freedom
// as there are updates with f > 0 by chance alone (Fisher).
func byLuck(rows [][]float64, tau float64, number func(i int) float64) float64 {
	together, degrees := 0.0, 0
	for i, q := range rows {
		if f := float64(unbound(q, tau)); f > 0 {
			together -= 2 * math.Log(min(1, float64(bitexact.Pow(2*tau, f)*bitexact.Pow(number(i)+1, f+1))/(f+1)))
			degrees += 2
		}
	}
	if degrees == 0 {
		return 1
	}
	return chiTail(together, degrees)
}

// manyDraws is about how many draws are made where somebody wants propensities.
const manyDraws = 2000

// Scant reports whether the shares, written to within tau, are too few to tell: even
// if all were of 2,000 draws, chance could have put them on their lattices (byLuck,
// 10⁻⁶ and above). As float32 one update of three arms is, or 29 of two.
func (s *Shares) Scant(tau float64) bool {
	rows, _ := s.updates()
	return !s.comeBack(tau) && byLuck(rows, tau, func(int) float64 { return manyDraws }) >= byChance
}

// lowest is the least number of draws, below most, that shares can be of; most where
// there is none.
func lowest(q []float64, tau, most float64) float64 {
	for n := 1.0; n < most; n++ {
		if OnAll(q, n, tau) {
			return n
		}
	}
	return most
}

// unbound counts the different shares that are neither 0 nor 1, but for one where all
// sum to 1, which is then 1 less the others.
func unbound(q []float64, tau float64) int {
	const dust = 0x1p-40
	n, sum := len(distinct([][]float64{q}, tau)), 0.0
	for _, v := range q {
		sum += v
	}
	if math.Abs(sum-1) <= float64(float64(len(q))*tau)+dust {
		n--
	}
	return max(0, n)
}

// Free counts the shares of all updates that nothing binds: between 0 and 1, and not 1
// less the others.
func (s *Shares) Free(tau float64) int {
	rows, _ := s.updates()
	all := 0
	for _, q := range rows {
		all += unbound(q, tau)
	}
	return all
}

// Give gives every update a number of draws: what Own or Lowest returned.
func (s *Shares) Give(numbers []float64) {
	s.numbers = Numbers{}
	for i := range s.entries {
		s.entries[i].n = numbers[i]
		s.numbers.take(numbers[i])
	}
}

// Forget takes back what Give gave.
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
