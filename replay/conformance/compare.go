package conformance

import (
	"math"

	"banditaudit/ingest/precision"
	"banditaudit/replay/accounting"
	"banditaudit/replay/diagnose"
	"banditaudit/schemas"
)

// comparison holds the logged propensities of a log against recomputed ones, within
// the tolerance of diagnose.Near. What a logged propensity may be off by, as it is written,
// is half a unit of the last decimal where every one of the column is written with
// k ≤ 7 decimals, 10^−k/2, or half a unit of the last significant digit where they are
// all written with six or fewer, or of its own last decimal where the column mixes such
// values with others, or in the last place of float16 where they are all of that, and 0
// otherwise: a log that rounds its propensities is not one that altered them. Where
// the protocol declares log.propensity_resolution, that takes its place
// (precision.Window), as in H04 and H05.
type comparison struct {
	out       schemas.PropensityReplay
	tolerance diagnose.Tolerance
	stretches *stretches
	sample    *diagnose.Sample
	uniform   int64 // rounds beyond tolerance in which all that is logged is exactly uniform
	ties      *nearTies
	kept      *keptDraws
	worst     float64 // deviation of out.Worst
	last      int64   // the last round beyond tolerance; 0: none
	turn      inTurn
	counting  []float64 // memory
}

// compare finds the decimals of the logged propensities, of which there must be
// some, in one pass over the public columns.
func (j *job) compare() (*comparison, error) {
	if j.s.Arms() > j.mechanism.Arms() {
		return nil, accounting.ErrArm
	}
	c, err := j.written()
	if err == nil {
		c.kept, err = j.keptDraws()
	}
	return c, err
}

// written is a comparison that knows how the logged propensities are written.
func (j *job) written() (*comparison, error) {
	action, byArm, err := j.columns()
	if err != nil {
		return nil, err
	}
	c := &comparison{stretches: newStretches(j.s), sample: diagnose.NewSample(j.s.Rows(), j.s.Arms())}
	c.out.Decimals, c.out.DecimalsByArm = action.Number(), byArm.Number()
	c.out.Digits, c.out.DigitsByArm = action.Digits(), byArm.Digits()
	c.out.OwnDecimals, c.out.OwnDecimalsByArm = action.Own(), byArm.Own()
	c.out.Float16, c.out.Float16ByArm = action.Half(), byArm.Half()
	c.out.Resolution = j.protocol.Log.PropensityResolution
	c.tolerance.Action, c.tolerance.ByArm = Windows(&c.out)
	c.out.Batches, c.out.Hypotheses = []schemas.PropensityBatch{}, []schemas.Hypothesis{}
	return c, nil
}

// columns is how the logged propensities, of the logged actions and of all arms, are
// written. They are looked at once.
func (j *job) columns() (action, byArm *precision.Column, err error) {
	if j.propensity == nil {
		var halves [2][2]precision.Column
		n := j.s.Chunks()
		half := func(h int) func() error {
			return func() error {
				for i := h * n / 2; i < (h+1)*n/2; i++ {
					if err := j.ctx.Err(); err != nil {
						return err
					}
					c := j.s.Chunk(i)
					halves[h][0].Take(c.Propensity)
					halves[h][1].TakeRows(c.PropensityByArm, j.s.Arms(), c.Again)
				}
				return nil
			}
		}
		if err := j.s.Together(j.declared.Jobs, half(0), half(1)); err != nil {
			return nil, nil, err
		}
		for i := range halves[0] {
			halves[0][i].Merge(&halves[1][i])
		}
		j.propensity = &halves[0]
	}
	return &j.propensity[0], &j.propensity[1], nil
}

// compareInto is compare where the policy draws and propensities are logged, with
// its outcome in out; nil where there is nothing to compare.
func (j *job) compareInto(out *schemas.Conformance) (*comparison, error) {
	if !j.mechanism.Random() || !j.s.HasPropensity() {
		return nil, nil //nolint:nilnil // nothing to compare is no error
	}
	c, err := j.compare()
	if err == nil {
		out.Propensities = &c.out
	}
	return c, err
}

// round compares the logged propensities of a round with want, the recomputed propensities
// of all arms. A later round of a unit that differs, and has the propensities of the unit's
// first round, is counted and not compared. explain is called after the last round.
func (c *comparison) round(j *job, l *logged, want []float64) {
	d := c.nearest(l, want)
	if d.beyond >= 0 && c.kept.keeps(&l.chunk, l.row) {
		c.out.Kept++
		return
	}
	c.out.Rounds++
	if d.size > c.worst {
		c.worst, c.out.Worst = d.size, d.mismatch(j, l)
	}
	beyond := d.beyond >= 0
	c.inTurn(l, want, beyond)
	c.stretches.round(l, d.size, beyond)
	if !beyond {
		c.out.Matched++
		return
	}
	if c.out.FirstMismatch == nil {
		first := deviation{arm: d.beyond, logged: d.got, want: want[d.beyond]}
		c.out.FirstMismatch = first.mismatch(j, l)
	}
	c.last = l.round()
	c.sample.Beyond(l.chunk.Start + int64(l.row))
	c.excuse(l, want)
	if l.uniform(&c.tolerance) {
		c.uniform++
	}
}

// inTurn compares a round once more where the policy may count its plays as they come.
// want is as before afterwards.
func (c *comparison) inTurn(l *logged, want []float64, beyond bool) {
	if !l.run.Starting() || !l.run.Behind() {
		c.turn.round(!beyond, !beyond)
		return
	}
	c.counting = append(c.counting[:0], want...)
	d := c.deviation(l, l.run.Counting())
	copy(want, c.counting)
	c.turn.round(!beyond, d.beyond < 0)
}

// What other arithmetic makes of a propensity, a coarse integral or sums of float32:
// numericRelative of it and numericAbsolute, beside what is written of it.
const (
	numericRelative = 1e-5
	numericAbsolute = 5e-7
)

// excuse counts a round beyond tolerance by what it may be other than another law.
func (c *comparison) excuse(l *logged, want []float64) {
	if l.run.Starting() {
		c.out.Starting++
	}
	alike := arithmetic(l.propensity(), want[l.arm()], c.tolerance.Action)
	for a, p := range l.propensities() {
		alike = alike && arithmetic(p, want[a], c.tolerance.ByArm)
	}
	if alike {
		c.out.Arithmetic++
	}
	if c.leftOver(l.propensities(), want) {
		c.out.Remainder++
	}
}

// leftOver reports whether the last of several arms alone differs, by no more than half a
// unit of the last decimal for every other arm: it got what the rounded others leave of 1.
// A propensity of the played arm alone, in a column of its own, is not looked at.
func (c *comparison) leftOver(p, want []float64) bool {
	last := len(p) - 1
	if last < 1 || !(c.tolerance.ByArm.At(p[last]) > 0) {
		return false
	}
	most, sum := diagnose.Absolute, 0.0
	for arm, q := range p[:last] {
		if !diagnose.Near(q, want[arm], c.tolerance.ByArm) {
			return false
		}
		most += c.tolerance.ByArm.At(q)
		sum += q
	}
	return math.Abs(p[last]-want[last]) <= most && math.Abs(p[last]-(1-sum)) <= diagnose.Absolute
}

// arithmetic reports whether p is no further from q than other arithmetic puts it.
func arithmetic(p, q float64, written precision.Ends) bool {
	return math.Abs(p-q) <= float64(numericRelative*max(p, q))+numericAbsolute+written.At(p)
}

// deviation is how far the logged propensities of a round are from those that
// are wanted.
type deviation struct {
	size         float64 // the largest |logged − want|
	arm          int     // of which it is; the logged arm before all others
	logged, want float64 // of that arm
	beyond       int     // the first arm beyond tolerance, the logged arm before all others; −1: none
	got          float64 // logged of that arm
}

// nearest compares one round, where arms tie with whichever of them being the
// largest that the log has.
func (c *comparison) nearest(l *logged, want []float64) deviation {
	d := c.deviation(l, want)
	if d.beyond < 0 {
		c.ties.look(l)
		return d
	}
	c.ties.explain(l, want, func(other []float64) bool {
		o := c.deviation(l, other)
		if o.beyond < 0 {
			d = o
		}
		return o.beyond < 0
	})
	return d
}

// deviation compares one round.
func (c *comparison) deviation(l *logged, want []float64) deviation {
	arm, p := l.arm(), l.propensity()
	d := deviation{size: math.Abs(p - want[arm]), arm: arm, logged: p, want: want[arm], beyond: -1}
	if !diagnose.Near(p, want[arm], c.tolerance.Action) {
		d.beyond, d.got = arm, p
	}
	for a, p := range l.propensities() {
		size := math.Abs(p - want[a])
		if size > d.size {
			d.size, d.arm, d.logged, d.want = size, a, p, want[a]
		}
		if d.beyond < 0 && !diagnose.Near(p, want[a], c.tolerance.ByArm) {
			d.beyond, d.got = a, p
		}
	}
	return d
}

// mismatch says it as results do.
func (d *deviation) mismatch(j *job, l *logged) *schemas.PropensityMismatch {
	return &schemas.PropensityMismatch{Round: l.round(), Arm: j.label(d.arm), Logged: d.logged, Replayed: d.want}
}

// Windowed reports whether logged propensities match the recomputed ones only
// because of what their decimals or log.propensity_resolution allow: whether the
// largest deviation is beyond what is always allowed.
func Windowed(p *schemas.PropensityReplay) bool {
	return p != nil && p.Worst != nil && !diagnose.Near(p.Worst.Logged, p.Worst.Replayed, precision.Ends{})
}

// Windows returns what is added to the tolerance of the propensities of the logged actions,
// and to the tolerance of the propensities of all arms.
func Windows(p *schemas.PropensityReplay) (action, byArm precision.Ends) {
	action = precision.Written{Decimals: p.Decimals, Digits: p.Digits, Own: p.OwnDecimals, Half: p.Float16}.Window(p.Resolution)
	return action, precision.Written{Decimals: p.DecimalsByArm, Digits: p.DigitsByArm, Own: p.OwnDecimalsByArm, Half: p.Float16ByArm}.Window(p.Resolution)
}
