package allocation

import (
	"slices"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/subgroups"
	"banditaudit/ingest/precision"
	"banditaudit/ingest/tableau"
)

// splitRows are the rounds of a chunk as check H17 holds them against splits, but for
// the cells, which are known only in the order of rounds.
type splitRows struct {
	subgroups.SplitRows

	could    []bool     // by round and arm, where it was asked; of a row that is as the one before, nothing
	low      []float64  // likewise
	p        []float64  // likewise
	likelier []likelier // by round, where it is known
}

// keep passes over the rows that are not known to be drawn by themselves.
func (r *splitRows) keep(draws []bool) {
	for t, is := range draws {
		if !is {
			r.Arm[t] = -1
		}
	}
}

// splitSource makes splitRows of chunks, in any order.
type splitSource struct {
	log     *publiclog.Log
	k       int // arms
	sampled *publiclog.Sampled

	ends  precision.Ends
	exact []float64 // what a declared policy that looks at no rewards gives in a row; nil where another is declared, or none
	law   Chances   // nil where that is the same in all rows
	odds  bool      // the likelier arm is looked at
	units *unitWager

	expects bool      // plays are expected from propensities that are no lower ends, and are known of all arms
	upper   []float64 // by arm, of the last row whose propensities differ from the row before
}

func newSplitSource(s *publiclog.Facts, units *unitWager) *splitSource {
	out := &splitSource{log: s.Log, k: s.K(), sampled: s.Sampled, units: units, ends: s.DrawEnds(), odds: likelierKnown(s.Log)}
	if m := s.Mechanism; m != nil && m.Known() {
		out.exact = DeclaredProbabilities(s.Log)
		if AtDeclared(s.Log) || s.Slice.Schema().Eligible {
			out.law = Blind(m, s.K())
		}
		s.Sampled.Given(out.exact)
	}
	if all := s.Slice.Schema().PropensityByArm; !AtDeclared(s.Log) {
		two := s.Manifest.Declared && s.K() == 2 && !s.Slice.Schema().Eligible && s.Slice.Schema().Propensity
		out.expects = all && !out.ends.Full() || !all && two
	}
	return out
}

// take makes the rows of a chunk, by recomputed propensities where there are some.
func (s *splitSource) take(c *tableau.Chunk, to *splitRows, replayed *recomputing) error {
	c = s.sampled.Chunk(c)
	n := len(c.Arm)
	to.Arm, to.High, to.Low, to.P, to.Could = append(to.Arm[:0], c.Arm...), resized(to.High, n), nil, nil, nil
	to.likelier = to.likelier[:0]
	if asksCould(s.log) {
		to.could = resized(to.could, n*s.k)
		to.Could = to.could
	}
	if allKnown(s.log) {
		to.low = resized(to.low, n*s.k)
		to.Low = to.low
	}
	if s.expects && replayed == nil { // the ends of recomputed ones are as good as they are
		to.p = resized(to.p, n*s.k)
		to.P = to.p
	}
	switch {
	case replayed != nil:
		return replayed.take(c, to, s.odds)
	case AtDeclared(s.log):
		s.takeDeclared(c, to)
	default:
		s.takeLogged(c, to)
	}
	return nil
}

// takeLogged makes rows with the logged propensities.
func (s *splitSource) takeLogged(c *tableau.Chunk, to *splitRows) {
	to.Again, s.upper = resized(to.Again, len(c.Arm)), resized(s.upper, s.k)
	begun := 0 // the row that those up to this one are as
	for t, played := range c.Arm {
		if to.Again[t] = s.law == nil && c.Again(t); to.Again[t] {
			s.takeAgain(t, to)
		} else {
			begun = t
			s.takeRow(c, t, to)
		}
		if to.Could != nil && !to.could[begun*s.k+int(played)] {
			to.Arm[t] = -1 // a fault that H04 names
		}
		if to.Low != nil {
			to.High[t] = s.upper[played]
		}
	}
}

// asksCould reports whether it can differ which arms could be played.
func asksCould(in *publiclog.Log) bool { return in.Slice.Schema().Eligible || allKnown(in) }

// maxSplitPairs bounds the pairs of row and arm of which something is kept at one time:
// twice 9 MiB.
const maxSplitPairs = 1 << 20

// splitSlice is the experiment in chunks of no more pairs.
func splitSlice(in *publiclog.Log) *tableau.Slice {
	if !asksCould(in) {
		return in.Slice
	}
	return in.Slice.Finer(maxSplitPairs / in.K())
}

// takeAgain makes a row with the propensities of the row before.
func (s *splitSource) takeAgain(t int, to *splitRows) {
	if s.odds {
		to.likelier = append(to.likelier, to.likelier[t-1])
	}
}

// takeRow makes a row.
func (s *splitSource) takeRow(c *tableau.Chunk, t int, to *splitRows) {
	if s.law != nil {
		s.law(c, t, s.exact)
		s.sampled.Given(s.exact)
	}
	if to.Could != nil {
		s.takeCould(c, t, to)
	}
	s.takeEnds(c, t, to)
	s.takeExpected(c, t, to)
	if s.odds {
		to.likelier = append(to.likelier, s.likelierOf(c, t, to.could))
	}
}

// resized is of n values, of which nothing is known.
func resized[T any](v []T, n int) []T { return slices.Grow(v[:0], n)[:n] }

// takeDeclared makes rows with the declared probabilities. A row whose arm has none is
// passed over: its pulls contradict them.
func (s *splitSource) takeDeclared(c *tableau.Chunk, to *splitRows) {
	k, begun := s.k, 0
	to.Again = resized(to.Again, len(c.Arm))
	for t, played := range c.Arm {
		s.law(c, t, s.exact)
		s.sampled.Given(s.exact)
		if to.Again[t] = t > 0 && slices.Equal(s.exact, to.low[begun*k:begun*k+k]); !to.Again[t] {
			begun = t
			copy(to.low[t*k:], s.exact)
			for arm, p := range s.exact {
				to.could[t*k+arm] = p > 0
			}
		}
		s.units.see(c, t, s.exact, s.exact)
		if to.High[t] = s.exact[played]; to.High[t] <= 0 {
			to.High[t], to.Arm[t] = 1, -1
		}
	}
}

// takeCould says which arms could be played in a row.
func (s *splitSource) takeCould(c *tableau.Chunk, t int, to *splitRows) {
	k, all := s.k, c.PropensityByArm != nil
	for arm := range k {
		at := t*k + arm
		to.could[at] = c.Eligible(t, arm) && (!all || c.PropensityByArm[at] > 0)
	}
}

// takeEnds takes the ends of the propensities of a row: those that the column has
// by its decimals, and where the declared policy has a probability between them,
// that.
func (s *splitSource) takeEnds(c *tableau.Chunk, t int, to *splitRows) {
	k := s.k
	if c.PropensityByArm == nil {
		_, to.High[t] = s.between(c.Propensity[t], int(c.Arm[t]))
		return
	}
	could, low := to.could[t*k:t*k+k], to.low[t*k:t*k+k]
	for arm, p := range c.PropensityByArm[t*k : t*k+k] {
		if low[arm], s.upper[arm] = s.between(p, arm); !could[arm] {
			low[arm] = 0
		}
	}
}

// takeExpected takes the propensities of a row from which plays are expected.
func (s *splitSource) takeExpected(c *tableau.Chunk, t int, to *splitRows) {
	switch k := s.k; {
	case to.P == nil:
	case c.PropensityByArm != nil:
		copy(to.p[t*k:t*k+k], c.PropensityByArm[t*k:t*k+k])
	default:
		played := int(c.Arm[t])
		to.p[t*k+played], to.p[t*k+1-played] = c.Propensity[t], 1-c.Propensity[t]
	}
}

// between are the ends of a propensity of an arm.
func (s *splitSource) between(p float64, arm int) (low, high float64) {
	low, high = s.ends.Both(p)
	if s.exact == nil {
		return low, high
	}
	if p = s.exact[arm]; low <= p && p <= high {
		return p, p
	}
	return low, high
}

// likelierOf is the likelier arm of a row: that with the largest logged propensity among
// those that could be played, the first of several.
func (s *splitSource) likelierOf(c *tableau.Chunk, t int, could []bool) likelier {
	k := s.k
	of := likelier{arm: c.Arm[t], played: true, p: c.Propensity[t]}
	if c.PropensityByArm != nil {
		of = mostLikely(c.PropensityByArm[t*k:t*k+k], could[t*k:t*k+k])
	}
	if of.arm >= 0 {
		of.low, of.high = s.between(of.p, int(of.arm))
	}
	return of
}
