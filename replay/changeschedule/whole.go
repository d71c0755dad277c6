package changeschedule

import "math"

const (
	// leastWindows is how many periods a log has at least.
	leastWindows = 4
	// sampled is how many changes a period is first held against.
	sampled = 24
	// stepsEach is the work of a period.
	stepsEach = 512
	// leastOn is the share of the changes, beyond those that hold a point of the
	// grid by chance, that must.
	leastOn = 0.75
)

// Schedule is a period in whole rounds.
type Schedule struct {
	Rounds int64   // n; 0 where none was found
	First  int64   // the first round of a window after the first: all begin in First + k·n
	LogP   float64 // ln p, after all periods and phases that were tried; at most 0
	Tried  int64   // the longest period that was tried; 0: none was
	Cut    bool    // Work left longer ones untried, of which the log has at least four
	Told   int64   // changes that are known more closely than to a period
	On     int64   // of these, those between two windows
}

// Whole looks for a period of n ≥ 2 whole rounds. Each n is held against the
// changes at its best phase (see fit.best), and the n with the largest likelihood
// ratio is taken: that is never a divisor of a period to which the changes keep,
// since its grid would have to be met as often and is easier to meet. By Markov's
// inequality
//
//	p ≤ N·exp(−gain),   N = Σ n the number of periods and phases that were tried,
//
// where the places of changes that no clock makes are independent and even; own
// derivation, internally reviewed. Found is what has ln p at most ln level, and
// three quarters of whose changes, less what chance explains, are on the grid. Work
// bounds the steps, 512 for each n. Special cases are:
//
//	no change, or fewer than eight rounds: nothing is tried
func (c *Changes) Whole(level float64, work int64) Schedule {
	most := int64(math.Floor((c.end - c.first + 1) / leastWindows))
	if len(c.kept) == 0 || most < 2 {
		return Schedule{}
	}
	p := Schedule{Tried: min(most, max(2, work/stepsEach))}
	p.Cut = p.Tried < most
	var f fit
	var top fitted
	some := c.some(sampled)
	for n := int64(2); n <= p.Tried; n++ {
		if f.best(some, float64(n)).gain <= 0 {
			continue
		}
		if g := f.best(c.kept, float64(n)); g.gain > top.gain {
			top, p.Rounds = g, n
		}
	}
	if p.Rounds == 0 {
		return p
	}
	period := float64(p.Rounds)
	top.count(c.kept, period)
	phases := float64(float64(p.Tried)*float64(p.Tried+1)/2) - 1
	p.LogP = min(0, math.Log(phases)-top.gain)
	p.Told, p.On = int64(top.told), int64(top.on)
	if p.LogP > math.Log(level) || !c.keeps(top, period) {
		p.Rounds = 0
		return p
	}
	p.First = int64(math.Round(c.first + top.b))
	if float64(p.First) <= c.first {
		p.First += p.Rounds
	}
	return p
}

// fewest is the number of changes below which a period is hardly told from chance.
const fewest = 5

// Few reports whether there are changes, and too few to tell a period from chance, or
// all of one that Whole need not have found.
func (c *Changes) Few() bool {
	n, _ := c.Every()
	return len(c.kept) > 0 && (n > 0 || len(c.kept) < fewest)
}

// Count is how many changes there are.
func (c *Changes) Count() int { return len(c.kept) }

// Every is the period n of whole rounds, and the first round of a window after the
// first, at which all changes are and none is missing, whether or not there are enough
// of them to tell it from chance; 0 where there is none, as where some change is
// not known to the round.
func (c *Changes) Every() (n, first int64) {
	if len(c.kept) == 0 {
		return 0, 0
	}
	last := c.kept[len(c.kept)-1].e
	step := c.kept[0].e
	if len(c.kept) > 1 {
		step = c.kept[1].e - c.kept[0].e
	}
	at := c.kept[0].e - step
	for _, s := range c.kept {
		if s.e-s.s != 1 || s.e-at != step {
			return 0, 0
		}
		at = s.e
	}
	if step < 2 || c.kept[0].e > step || c.end-c.first-last >= step {
		return 0, 0
	}
	return int64(step), int64(c.first + c.kept[0].e)
}

// keeps reports whether enough changes are on a grid.
func (c *Changes) keeps(g fitted, period float64) bool {
	chance := 0.0
	for _, s := range c.kept {
		if d := s.e - s.s; d < period {
			chance += d / period
		}
	}
	return float64(g.on)-chance >= float64(leastOn*(float64(g.told)-chance))
}

const (
	// slowest is how many times slower a clock is looked for.
	slowest = 16
	// early is the number of changes that it is looked for in, the first: over
	// more of them a period would have to be known more closely.
	early = 1024
)

// Slowest returns the k for which the changes keep best to k times a period, as
// Whole decides it, and the first point of its grid after the first moment. k is 1
// where none of up to 16 gains more than the period does.
func (c *Changes) Slowest(period float64) (k int, first float64) {
	var f fit
	changes := c.kept[:min(early, len(c.kept))]
	top := f.best(changes, period)
	k = 1
	for m := 2; m <= slowest && float64(float64(m)*period*leastWindows) <= c.end-c.first; m++ {
		if g := f.best(changes, float64(float64(m)*period)); g.gain > top.gain {
			k, top = m, g
		}
	}
	if first = c.first + top.b; top.b == 0 {
		first += float64(float64(k) * period)
	}
	return k, first
}
