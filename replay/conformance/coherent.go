package conformance

import (
	"errors"
	"fmt"
	"math"

	"banditaudit/replay/noise"
	"banditaudit/schemas"
)

// Coherent reports whether an outcome can be that of any replay at all: its
// counts add up, its intervals are in order, and what it says of tests as a whole
// is what it says of each. It looks neither at the protocol nor at the log (see
// Declared.Possible), so that an outcome that is coherent may still be none. The
// error says what is not, to whoever can only replay again.
func Coherent(c *schemas.Conformance) error {
	whole := 0 <= c.Matched && c.Matched <= c.Replayable && c.Replayable <= c.Rounds &&
		mismatches(c.FirstMismatch, c.LastMismatch, c.Replayable-c.Matched)
	if !whole {
		return errors.New("rounds do not add up")
	}
	if err := coherentMode(c); err != nil {
		return err
	}
	if err := coherentPropensities(c); err != nil {
		return err
	}
	return coherentReleased(c)
}

// mismatches reports whether a first and a last mismatch belong to so many.
func mismatches(first *schemas.Mismatch, last *int64, count int64) bool {
	switch {
	case count == 0:
		return first == nil && last == nil
	case first == nil || last == nil || first.Round < 1:
		return false
	case count == 1:
		return *last == first.Round
	}
	return *last-first.Round >= count-1
}

// wentThrough reports whether a replay can have gone through so many rounds: all,
// or those before one that contradicts the mechanism, which is counted beside
// them as one that does not match.
func wentThrough(c *schemas.Conformance, rounds int64) bool {
	return rounds == c.Rounds || c.FirstMismatch != nil && rounds == c.Replayable-1 || isRounded(c) && 0 <= rounds && rounds <= c.Rounds
}

// isRounded reports whether released values were logged with less than full
// precision: rounds that this leaves undecided are then not counted.
func isRounded(c *schemas.Conformance) bool { return c.Released != nil && c.Released.Rounding != nil }

// coherentMode asks whether a mode comes with what it rests on.
func coherentMode(c *schemas.Conformance) error {
	p, r := c.Propensities, c.Released
	fits := false
	switch c.Mode {
	case schemas.ModeNone:
		fits = p == nil && r == nil && c.Matched == 0 && c.Replayable <= 1
	case schemas.ModeSeed:
		fits = (c.Replayable == c.Rounds || c.FirstMismatch != nil) && (r == nil || r.Actions != actionsAllocation)
	case schemas.ModeReleased:
		fits = r != nil && r.Actions != actionsSeed && wentThrough(c, r.Replayable) && c.Matched <= r.Matched
	case schemas.ModePropensity:
		fits = r == nil && p != nil && c.Matched == p.Matched
	}
	if !fits {
		return fmt.Errorf("its evidence is %q, and what it found is not what that gives", c.Mode)
	}
	return nil
}

func coherentPropensities(c *schemas.Conformance) error {
	p := c.Propensities
	if p == nil {
		return nil
	}
	if !wentThrough(c, p.Rounds) || p.Matched < 0 || p.Matched > p.Rounds || (p.FirstMismatch == nil) != (p.Matched == p.Rounds) ||
		p.FirstMismatch != nil && p.Worst == nil {
		return errors.New("rounds with propensities do not add up")
	}
	var rounds, beyond, last int64
	largest := 0.0
	for _, b := range p.Batches {
		if b.First <= last || b.Last < b.First || b.Rounds < 1 || b.Rounds > b.Last-b.First+1 || b.Beyond < 0 || b.Beyond > b.Rounds || !(b.Largest >= 0) {
			return errors.New("batches of propensities are not in order")
		}
		rounds, beyond, last, largest = rounds+b.Rounds, beyond+b.Beyond, b.Last, max(largest, b.Largest)
	}
	if rounds != p.Rounds || beyond != p.Rounds-p.Matched {
		return errors.New("batches of propensities do not add up")
	}
	if (p.Worst == nil) != (largest == 0) || p.Worst != nil && math.Abs(p.Worst.Logged-p.Worst.Replayed) != largest {
		return errors.New("the worst propensity is not that of a batch")
	}
	if p.FirstMismatch == nil && len(p.Hypotheses) > 0 {
		return errors.New("propensities all match, and are explained all the same")
	}
	return coherentHypotheses(p.Hypotheses)
}

func coherentReleased(c *schemas.Conformance) error {
	r := c.Released
	if r == nil {
		return nil
	}
	actions := 0 <= r.Matched && r.Matched <= r.Replayable && (r.FirstMismatch == nil) == (r.Matched == r.Replayable)
	if r.Actions == actionsSeed {
		actions = actions && r.Replayable == 0
	} else {
		actions = actions && wentThrough(c, r.Replayable)
	}
	if !actions {
		return errors.New("rounds with released values do not add up")
	}
	if r.Redrawn < 0 || r.Redrawn > r.Changed || (r.FirstChanged == nil) != (r.Changed == 0) ||
		r.Differ < 0 || r.Differ > r.Compared || (r.FirstDiffer == nil) != (r.Differ == 0) {
		return errors.New("released values do not add up")
	}
	if a := r.Allocation; (a != nil) != (r.Actions == actionsAllocation) ||
		a != nil && (a.Level != wagerLevel || !(a.P >= 0 && a.P <= 1) || a.Rejected != (a.Round != nil) || a.Rejected && a.P > a.Level*(1+1e-9)) {
		return errors.New("the wager against the actions contradicts itself")
	}
	return coherentNoise(r.Noise, r.Redrawn > 0)
}

// coherentNoise asks for the six tests, and that the whole follows from them.
// Noise that was redrawn is explained whatever they say.
func coherentNoise(n *schemas.NoiseFit, redrawn bool) error {
	if n == nil {
		return nil
	}
	if n.Level != noise.Level || !tested(n) {
		return errors.New("the tests of the noise are not those that a replay does, or the noise is judged otherwise than they say")
	}
	if n.Releases < 0 || n.OffGrid < 0 || n.Recovered < 0 {
		return errors.New("draws of the noise do not add up")
	}
	if !ordered(n.RatioLo, n.Ratio, n.RatioHi) || !ordered((*float64)(n.EpsilonLo), (*float64)(n.Epsilon), (*float64)(n.EpsilonHi)) ||
		!ordered((*float64)(n.SpentLo), (*float64)(n.Spent), (*float64)(n.SpentHi)) || n.Detectable != nil && !(*n.Detectable >= 1) {
		return errors.New("an interval of the noise is not in order")
	}
	draws := int64(0)
	for _, g := range n.Groups {
		if g.Draws < 1 || g.Draws > n.Recovered-draws || !(g.Scale > 0) || !ordered(g.Lo, g.Ratio, g.Hi) {
			return errors.New("groups of the noise do not add up")
		}
		draws += g.Draws
	}
	if n.Recovered < fewest && (n.Ratio != nil || n.Epsilon != nil || n.Spent != nil) {
		return errors.New("numbers are said of too few draws of the noise")
	}
	if !n.Rejected && !redrawn && (len(n.Hypotheses) > 0 || n.Spent != nil) {
		return errors.New("the noise is as declared, and is explained all the same")
	}
	return coherentHypotheses(n.Hypotheses)
}

// tested reports whether the tests are the six, at their level, and say together
// what the fit says.
func tested(n *schemas.NoiseFit) bool {
	names := noise.Names()
	if len(n.Tests) != len(names) {
		return false
	}
	rejected := false
	for i, t := range n.Tests {
		if t.Name != names[i] || t.Level != noise.Share {
			return false
		}
		if t.P == nil { // not done, or silent of few draws
			if t.Rejected && n.Recovered >= fewest {
				return false
			}
		} else if !(*t.P >= 0 && *t.P <= 1) || t.Rejected != (*t.P <= t.Level) {
			return false
		}
		rejected = rejected || t.Rejected
	}
	return rejected == n.Rejected
}

func coherentHypotheses(tried []schemas.Hypothesis) error {
	for i := range tried {
		h := &tried[i]
		if h.Explained < 0 || h.Explained > h.Rows || h.P != nil && !(*h.P >= 0 && *h.P <= 1) || h.Lo != nil && h.Hi != nil && !(*h.Lo <= *h.Hi) {
			return fmt.Errorf("the explanation %q contradicts itself", h.Name)
		}
	}
	return nil
}

// ordered reports whether what there is of lo ≤ at ≤ hi holds, but for a
// rounding.
func ordered(lo, at, hi *float64) bool {
	below := func(a, b *float64) bool { return a == nil || b == nil || *a <= *b+float64(1e-9*math.Abs(*b)) }
	return below(lo, at) && below(at, hi) && below(lo, hi)
}
