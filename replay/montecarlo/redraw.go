package montecarlo

import (
	"context"
	"math"
	"math/rand/v2"

	"banditaudit/analyze/stat/tail"
)

// The tests of shares of a known number of draws share the level .001.
const (
	// Redraws is how many logs are drawn at most, and TogetherLevel is what D's
	// upper p has to be below.
	Redraws       = 9_999
	TogetherLevel = 0.0002
	// CellLevel is what the p of a cell, times their number, has to be below.
	CellLevel = 0.0005
	// CloserLevel is what D's lower tail has to be below for the shares to be closer
	// to their law than shares of their number of draws can be, which is a note.
	CloserLevel = 0.0005

	mostDrawn = 1 << 13 // cells of D
	mostByRow = 1 << 15 // cells of D where every row is held to have draws of its own
)

// Together is D = Σ N·Q over the updates, where N is known, against its law.
type Together struct {
	D       float64
	Degrees int     // ν
	P       float64 // of its upper tail; 1 where there are no cells
	Redraws int     // that were made; 0 where the evidence decided
	Taken   int64   // updates that D is made of
	Closer  bool    // its lower tail is below CloserLevel
}

// cells are an update's part of D: its cells, and how often it is drawn.
type cells struct {
	merged
	n     float64
	times int64
	raw   float64   // N·Q of the shares as they are written
	room  []float64 // how far each share of a cell may be from the written one
}

// Redraw holds D against its law by drawing logs anew from Multinomial(N, p): where
// the l-th is the first that reaches D, p = 2/(l+1), and where none of most does,
// p = 1/(most+1). Whatever N and the laws are, P(p ≤ α) ≤ α for every α. n is the
// number of draws, 0 where every update has its own; most is Redraws, or fewer where
// p is only to be shown. Cells with fewer than 5 expected draws are merged, and of
// more than 8,192 cells the updates at equal distances make D.
//
// Where shares are much too far from their law, so that their evidence reaches 10⁴,
// none is drawn and p is 10⁻⁴. That, and none of 9,999 redraws that reaches D, have
// a probability of at most 10⁻⁴ each. Where shares differ between rows with one law
// the rows may have draws of their own: D is made both of updates and of rows, and
// the larger p counts.
//
// Shares of which the decimals leave open of how many draws they are, or of more
// than the decimals tell apart, are held against their law at the nearer of the
// ends between which they lie.
//
// Every error comes from ctx.
func (s *Shares) Redraw(ctx context.Context, n float64, most int) (Together, error) {
	c := s.count(n)
	src := rand.New(rand.NewPCG(27, 4)) // a fixed stream: the same log gives the same p
	all := s.cells(&c)
	out, err := together(ctx, all, src, most)
	if err != nil || !c.again {
		return out, err
	}
	size := 0
	for i := range all {
		all[i].times = c.entries[i*stride(&c)].rows
		size += int(min(all[i].times, mostByRow)) * len(all[i].p)
	}
	if size > mostByRow {
		return out, nil
	}
	by, err := together(ctx, all, src, most)
	if by.P > out.P {
		out.P, out.D, out.Degrees, out.Redraws = by.P, by.D, by.Degrees, by.Redraws
	}
	out.Closer = out.Closer && by.Closer
	return out, err
}

// stride is the distance of the updates that make D.
func stride(c *counted) int {
	size := 0
	for i := range c.entries {
		size += len(c.entries[i].p)
	}
	return max(1, (size+mostDrawn-1)/mostDrawn)
}

// cells returns the cells of the updates of all arms that make D; nil where a share is of one arm.
func (s *Shares) cells(c *counted) []cells {
	var out []cells
	step := stride(c)
	for i := 0; i < len(c.entries); i += step {
		e := &c.entries[i]
		if e.arm >= 0 {
			return nil
		}
		out = append(out, s.part(e))
	}
	return out
}

// part is an update's part of D. A share that is one of a known number of draws is
// that number of them, whatever its last decimals are.
func (s *Shares) part(e *entry) cells {
	out, q := cells{n: e.n, times: 1}, e.q
	loose := s.loose(e.n)
	if !loose && OnAll(q, e.n, s.Tau) {
		q = make([]float64, len(e.q))
		for a, v := range e.q {
			q[a] = math.Round(float64(e.n*v)) / e.n
		}
	}
	out.merge(q, e.p, threshold(e.n))
	out.room = make([]float64, len(out.p))
	out.raw = float64(e.n * out.sum())
	if loose {
		for _, of := range out.of {
			if of >= 0 {
				out.room[of] += s.Tau
			}
		}
	}
	return out
}

// nearest is N·Q with every cell as near to its law as its room allows.
func (c *cells) nearest() float64 {
	q := 0.0
	for i, p := range c.p {
		d := max(0, math.Abs(c.q[i]-p)-c.room[i])
		q += float64(d*d) / p
	}
	return float64(c.n * q)
}

// together is D and its p.
func together(ctx context.Context, all []cells, src *rand.Rand, most int) (Together, error) {
	out := Together{P: 1, Taken: int64(len(all))}
	mean, variance, raw := 0.0, 0.0, 0.0
	for i := range all {
		c := &all[i]
		times := float64(c.times)
		out.D += float64(times * c.nearest())
		raw += float64(times * c.raw)
		mean += float64(times * float64(c.degrees()))
		if c.degrees() > 0 {
			variance += float64(times * c.variance(c.n))
		}
	}
	out.Degrees = int(mean)
	if mean == 0 {
		return out, nil
	}
	if out.D > mean && evidence(all) >= math.Log(decisive) {
		out.P = 1.0 / decisive
		return out, nil
	}
	if variance > float64(1e-9*mean) { // one draw of equally likely arms has no other D
		out.Closer = tail.LogChiSquareBelow(2*raw*mean/variance, 2*mean*mean/variance) < math.Log(CloserLevel)
	}
	for out.Redraws < most {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		out.Redraws++
		if redrawn(all, src) >= float64(out.D*(1-1e-12)) {
			out.P = 2 / float64(out.Redraws+1)
			return out, nil
		}
	}
	out.P = 1 / float64(most+1)
	return out, nil
}

// redrawn is D of a log that is drawn anew.
func redrawn(all []cells, src *rand.Rand) float64 {
	d := 0.0
	for i := range all {
		c := &all[i]
		if len(c.p) < 2 {
			continue
		}
		total := 0.0
		for _, p := range c.p {
			total += p
		}
		for range c.times {
			left, rest, sum := c.n, total, 0.0
			for k, p := range c.p {
				count := left
				if k < len(c.p)-1 && left > 0 && p < rest {
					count = binomial(left, p/rest, src)
				}
				off := count/c.n - p
				sum += float64(off*off) / p
				left, rest = left-count, rest-p
			}
			d += float64(c.n * sum)
		}
	}
	return d
}

// Worst is the cell with the smallest p, and how many there are.
type Worst struct {
	P     float64 // of the cell; 1 where there is none that is not far from likely
	Cells int64
	Row   int64
	Arm   int
	Q, Of float64 // its share, and the probability of it
	N     float64
}

// Rejected reports whether the cell's p, times their number, is below CellLevel.
func (w *Worst) Rejected() bool { return float64(w.P*float64(w.Cells)) < CellLevel }

// A count within unremarkable standard deviations of its mean has no small p: its tails are
// not summed where that is a sum of many terms.
const unremarkable, manyTerms = 3, 1000

// Cells holds every share against the binomial law that it has, and returns the
// worst. n is as in Redraw. Where shares differ between rows with one law every row
// is a cell.
func (s *Shares) Cells(n float64) Worst {
	c := s.count(n)
	out := Worst{P: 1, Row: -1}
	for i := range c.entries {
		e := &c.entries[i]
		times := int64(1)
		if c.again {
			times = e.rows
		}
		for a, p := range e.p {
			q := e.q[a]
			if p == 0 && q == 0 {
				continue
			}
			out.Cells += times
			least, most := s.between(q, e.n)
			deviation := math.Sqrt(float64(e.n*p) * (1 - p))
			if deviation > manyTerms && math.Abs(least-float64(e.n*p)) < unremarkable*deviation {
				continue
			}
			law, arm := Every, a
			if e.arm >= 0 {
				law, arm = s.Law, e.arm
				if e.many && law == SizeBiased {
					law = Seen
				}
			}
			if v := Cell(least, most, e.n, p, law); v < out.P {
				out.P, out.Row, out.Arm, out.Q, out.Of, out.N = v, e.row, arm, q, p, e.n
			}
		}
	}
	return out
}

// Off returns how many rows are off the lattice, the first of them (−1: none), and
// whether they are more than 1 % of the rows of the updates that are kept, so that
// none was left out.
func (s *Shares) Off(n float64) (rows, first int64, most bool) {
	c := s.count(n)
	return c.off, c.first, c.raw
}
