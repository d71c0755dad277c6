package montecarlo

import (
	"math"
	"slices"
)

// mostCells bounds the propensities that are kept, and mostUpdates the updates: some
// 32 MiB of shares and of laws. Of a log with more of them every second update is
// kept, every fourth, and so on, whatever its shares are.
const (
	mostCells   = 1 << 20
	mostUpdates = 1 << 16
)

// entry are the shares of one update: all rows in a row with the same law and the
// same shares.
type entry struct {
	row   int64 // the first
	rows  int64
	n     float64 // draws, where the log says how many; 0: it does not
	arm   int     // of which the share is; −1: of all
	q, p  []float64
	many  bool  // of one arm: there are other rows with the same law
	first bool  // row is the first of those in a row with the same law
	run   int64 // number of the rows in a row with the same law
}

// Shares are the updates of a log: what it says of their propensities, and what
// these are.
type Shares struct {
	// Tau is half a unit of the last decimal of a share, and Law is the law of the share of a
	// played arm.
	Tau float64
	Law Law
	// Least says that a number of draws is the least that the written shares can be
	// of (Fewest), and that they may be of more.
	Least bool
	// Same is how far apart the same shares may be in two rows with one law: of two
	// arms the share of either is rounded by itself.
	Same float64

	most    int
	every   int64
	seen    int64
	entries []entry
	last    entry
	kept    bool // last is the last of entries
	now     []float64
	lasts   map[int]*entry // of one arm: the last of every arm in this run
	same    int64          // of one arm: it came back in its run with the same share
	anew    bool           // of one arm: one came back with another
	numbers Numbers
}

// NewShares returns the shares of a bandit with k arms, none yet.
func NewShares(k int, tau float64, law Law) *Shares {
	return &Shares{Tau: tau, Law: law, most: max(1, min(mostUpdates, mostCells/max(1, k))), every: 1, lasts: map[int]*entry{}}
}

// Add takes up the shares q of all arms in a row, and what they are drawn with, p.
// Arms that cannot be played have 0 in both. n is the number of draws of the row, 0
// where the rows have none of their own: a row with another number than the one
// before is another update, whatever its shares are, for they were estimated anew.
func (s *Shares) Add(row int64, q, p []float64, n float64) {
	s.numbers.take(n)
	l := &s.last
	if l.rows > 0 && l.n == n && alike(l.q, q, s.Same) && slices.Equal(l.p, p) {
		l.rows++
		if s.kept {
			s.entries[len(s.entries)-1].rows++
		}
		return
	}
	first := l.rows == 0 || !slices.Equal(l.p, p)
	s.last = entry{row: row, rows: 1, n: n, arm: -1, first: first, q: slices.Clone(q), p: slices.Clone(p)}
	s.kept = s.keep(s.last)
}

// alike reports whether shares are the same but for dust: of two arms the share of the
// other is 1 less the share of the played one.
func alike(q, r []float64, room float64) bool {
	const dust = 0x1p-50
	return slices.EqualFunc(q, r, func(a, b float64) bool { return math.Abs(a-b) <= room+dust })
}

// oneLess is how far 1 less the share of one of two arms may be from the share of the other
// where float32 writes both.
const oneLess = 0x1p-23

// AddTwo is Add for two arms of which the log has the share of the played one, so
// that q is that and 1 less it. Where the other arm is played in the next row, both
// are the same but for what is lost in the last bits, and not drawn anew.
func (s *Shares) AddTwo(row int64, q, p []float64, n float64) {
	if l := &s.last; l.rows > 0 && slices.Equal(l.p, p) && math.Abs(l.q[0]-q[0]) <= oneLess {
		copy(q, l.q)
	}
	s.Add(row, q, p, n)
}

// AddOne takes up the share q of the played arm in a row, where p is the law of
// all arms and n the number of draws, as in Add.
func (s *Shares) AddOne(row int64, arm int, q float64, p []float64, n float64) {
	s.numbers.take(n)
	l := &s.last
	if l.rows == 0 || !slices.Equal(s.now, p) {
		s.now = append(s.now[:0], p...)
		clear(s.lasts)
		l.run, l.rows = l.run+1, 0
	}
	if l.rows++; l.rows == 2 {
		for i := len(s.entries) - 1; i >= 0 && s.entries[i].run == l.run; i-- {
			s.entries[i].many = true
		}
	}
	if have := s.lasts[arm]; have != nil && have.q[0] == q && have.n == n {
		s.same++
		return
	}
	s.anew = s.anew || s.lasts[arm] != nil
	e := entry{row: row, rows: 1, n: n, arm: arm, q: []float64{q}, p: []float64{p[arm]}, many: l.rows > 1, first: l.rows == 1, run: l.run}
	s.lasts[arm] = &e
	s.keep(e)
}

// keep keeps an entry, or one in every s.every entries.
func (s *Shares) keep(e entry) bool {
	if s.seen%s.every == 0 && len(s.entries) == s.most {
		for i := 0; i < len(s.entries); i += 2 {
			s.entries[i/2] = s.entries[i]
		}
		s.entries = s.entries[:(len(s.entries)+1)/2]
		s.every *= 2
	}
	take := s.seen%s.every == 0
	s.seen++
	if take {
		s.entries = append(s.entries, e)
	}
	return take
}

// Updates is how many there were, and how many of them are kept.
func (s *Shares) Updates() (all, kept int64) { return s.seen, int64(len(s.entries)) }

// Starts are the first rows of the updates of all arms that are kept, of at most so
// many.
func (s *Shares) Starts(most int) []int64 {
	var out []int64
	for i := 0; i < len(s.entries) && len(out) < most; i++ {
		if s.entries[i].arm < 0 {
			out = append(out, s.entries[i].row)
		}
	}
	return out
}

// Rows are the shares of every update that is kept.
func (s *Shares) Rows() [][]float64 {
	out := make([][]float64, len(s.entries))
	for i := range s.entries {
		out[i] = s.entries[i].q
	}
	return out
}

// Recomputed are their laws.
func (s *Shares) Recomputed() [][]float64 {
	out := make([][]float64, len(s.entries))
	for i := range s.entries {
		out[i] = s.entries[i].p
	}
	return out
}

// Whole reports whether the shares of all arms are known.
func (s *Shares) Whole() bool { return len(s.entries) > 0 && s.entries[0].arm < 0 }

// Estimate returns how many draws the shares of all arms look like, over cells of
// at least 0.05. tau is half a unit of the last decimal that they are
// written with, 0 where they are written in full.
func (s *Shares) Estimate(tau float64) Estimate {
	var m merged
	degrees, sum, rounding := 0, 0.0, 0.0
	for i := range s.entries {
		if e := &s.entries[i]; e.arm < 0 {
			m.merge(e.q, e.p, least)
			degrees += m.degrees()
			sum += m.sum()
			rounding += m.rounding(tau)
		}
	}
	return estimateOf(degrees, sum, rounding)
}

// Computed reports whether at least half of the updates in which no arm has nearly
// all carry their law itself, to within a tolerance: they are no shares of draws,
// whatever the others are. Of fewer than fewValues such updates nothing is said: one
// share in a few hits its law by luck, as 111 of 333 draws do.
func (s *Shares) Computed(tolerance float64) bool {
	var m merged
	all, equal := 0, 0
	for i := range s.entries {
		e := &s.entries[i]
		if m.merge(e.q, e.p, least); e.arm < 0 && m.degrees() == 0 {
			continue
		}
		all++
		apart := 0.0
		for a := range e.p {
			apart = max(apart, math.Abs(e.q[a]-e.p[a]))
		}
		if apart <= tolerance {
			equal++
		}
	}
	return all >= fewValues && 2*equal >= all
}

// counted are the updates whose number of draws is known, off the lattice left
// out.
type counted struct {
	entries []entry
	off     int64 // rows that were left out
	first   int64 // of them
	all     int64
	raw     bool // none was left out, since too many would be
	again   bool // shares differ between rows with one law
}

// count gives every update its number of draws: n, or where that is 0 its own. What
// is off its lattice is left out, up to 1 % of the rows.
func (s *Shares) count(n float64) counted {
	c := counted{first: -1}
	for i := range s.entries {
		e := s.entries[i]
		if n > 0 {
			e.n = n
		}
		c.all += e.rows
		if !s.loose(e.n) && !OnAll(e.q, e.n, s.Tau) {
			if c.off += e.rows; c.first < 0 {
				c.first = e.row
			}
			continue
		}
		c.add(e)
	}
	if float64(c.off) > float64(Astray*float64(c.all)) {
		c.raw, c.entries = true, c.entries[:0]
		for i := range s.entries {
			e := s.entries[i]
			if n > 0 {
				e.n = n
			}
			c.add(e)
		}
	}
	return c
}

// add joins an entry to the one before where nothing differs.
func (c *counted) add(e entry) {
	if last := len(c.entries) - 1; last >= 0 && e.arm < 0 {
		l := &c.entries[last]
		if same := slices.Equal(l.p, e.p); same && l.n == e.n && alike(l.q, e.q, 0) {
			l.rows += e.rows
			return
		} else if same {
			c.again = true
		}
	}
	c.entries = append(c.entries, e)
}

// loose reports whether a written share does not tell how many of n draws it is.
func (s *Shares) loose(n float64) bool { return s.Least || 2*float64(n*s.Tau) >= 1 }

// between are the least and the most of n draws that a written share can be.
func (s *Shares) between(q, n float64) (least, most float64) {
	x := float64(n * q)
	switch {
	case s.Least:
		return max(0, math.Floor(float64(n*(q-s.Tau)))), min(n, math.Ceil(float64(n*(q+s.Tau))))
	case 2*float64(n*s.Tau) >= 1:
		least, most = math.Ceil(float64(n*(q-s.Tau))-1e-9), math.Floor(float64(n*(q+s.Tau))+1e-9)
		return max(0, min(least, math.Round(x))), min(n, max(most, math.Round(x)))
	case On(q, n, s.Tau):
		return math.Round(x), math.Round(x)
	}
	return math.Floor(x), math.Ceil(x)
}
