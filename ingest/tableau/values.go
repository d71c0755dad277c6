package tableau

import (
	"fmt"
	"sort"
)

// checkValues checks every value of every public column, so that what reads a
// Chunk needs no checks of its own. Its error is that of the first record batch
// that has one.
func (t *Tableau) checkValues() error {
	err := t.each(len(t.batches), func(i int) error {
		if err := t.checkBatch(i); err != nil {
			return fmt.Errorf("tableau: %s: %w: %w", t.rounds.path, ErrDamaged, err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if t.layout.batch >= 0 {
		for e, rng := range t.schema.Experiments {
			b, at := t.find(rng.Offset + rng.Rows - 1)
			t.counts[e].batches = int64(b.int32s(t.layout.batch, at, at+1)[0]) + 1
		}
	}
	if t.layout.unit >= 0 {
		return t.countUnits(unitWindow)
	}
	return nil
}

// find returns the batch of a row of the file, and the row within it.
func (t *Tableau) find(row int64) (b *batch, at int64) {
	i := row >> t.layout.shift
	return &t.batches[i], row - i<<t.layout.shift
}

// experimentOf returns the experiment that a row of the file belongs to.
func (t *Tableau) experimentOf(row int64) int {
	es := t.schema.Experiments
	return sort.Search(len(es), func(e int) bool { return es[e].Offset+es[e].Rows > row })
}

// checkBatch checks the public values of record batch i.
func (t *Tableau) checkBatch(i int) error {
	b, first := &t.batches[i], int64(i)<<t.layout.shift
	if err := t.checkRows(b, first); err != nil {
		return err
	}
	es := t.schema.Experiments
	e := t.experimentOf(first)
	for at := int64(0); at < b.rows; e++ {
		p := part{b: b, first: first, from: at, to: min(b.rows, es[e].Offset+es[e].Rows-first)}
		if err := t.checkPart(&p, e); err != nil {
			return err
		}
		at = p.to
	}
	return nil
}

// checkRows checks what does not depend on the experiment. The batch's first
// row is first.
func (t *Tableau) checkRows(b *batch, first int64) error {
	l := t.layout
	arms := b.int32s(colArm, 0, b.rows)
	if j := firstBeyond(arms, int32(t.schema.Arms)); j >= 0 { //nolint:gosec // at most 2³¹−1
		return fmt.Errorf("row %d: arm %d is not among the %d arms", first+int64(j), arms[j], t.schema.Arms)
	}
	if j := firstImproper(b.values(l.propensity)); j >= 0 {
		return fmt.Errorf("row %d: the propensity is outside [%g, 1], and not 0", first+int64(j), MinPropensity)
	}
	for c := range t.schema.ContextDim {
		if j := firstNonFinite(b.values(l.context + c)); j >= 0 {
			return fmt.Errorf("row %d: column x%d is not finite", first+int64(j), c)
		}
	}
	for _, c := range []int{l.contextByArm, l.releasedByArm} {
		if j := firstNonFinite(b.values(c)); j >= 0 {
			return fmt.Errorf("row %d: %s is not finite", first+int64(j)/l.fields[c].list, l.fields[c].name)
		}
	}
	if j := firstNoChance(b.values(l.propensityByArm)); j >= 0 {
		return fmt.Errorf("row %d: propensity_by_arm is outside [0, 1]", first+int64(j/t.schema.Arms))
	}
	if j := firstNoChance(b.values(l.targets)); j >= 0 {
		return fmt.Errorf("row %d: a probability of an evaluated policy is outside [0, 1]", first+int64(j/t.schema.Targets))
	}
	if j := firstNoDraws(b.int64s(l.draws, 0, b.rows)); j >= 0 {
		return fmt.Errorf("row %d: propensity_draws is outside [1, %d]", first+int64(j), MostDraws)
	}
	if l.eligible >= 0 {
		if j := firstIneligible(b.column(l.eligible), arms, t.schema.Arms); j >= 0 {
			return fmt.Errorf("row %d: the logged arm %d is not eligible", first+int64(j), arms[j])
		}
	}
	return nil
}

// part is the rows [from, to) of a record batch, which belong to one
// experiment. first is the row of the file that the batch begins with.
type part struct {
	b               *batch
	first, from, to int64
}

// checkPart checks what depends on the experiment, which is e.
func (t *Tableau) checkPart(p *part, e int) error {
	rng := &t.schema.Experiments[e]
	row := p.first + p.from
	ids := p.b.int32s(colExperiment, p.from, p.to)
	if j := firstOther(ids, int32(e)); j >= 0 { //nolint:gosec // compared only
		return fmt.Errorf("row %d: experiment %d where the manifest has %d", row+int64(j), ids[j], e)
	}
	lastRound, lastBatch := int64(0), int32(0)
	if row > rng.Offset {
		b, at := t.find(row - 1)
		lastRound = b.int64s(colRound, at, at+1)[0]
		if c := t.layout.batch; c >= 0 {
			lastBatch = b.int32s(c, at, at+1)[0]
		}
	}
	rounds := p.b.int64s(colRound, p.from, p.to)
	if j, last := firstRepeat(rounds, lastRound); j >= 0 {
		return fmt.Errorf("row %d: round %d after round %d; rounds begin at 1 and increase", row+int64(j), rounds[j], last)
	}
	if err := t.checkBatchColumn(p, row == rng.Offset, lastBatch); err != nil {
		return err
	}
	units := p.b.int64s(t.layout.unit, p.from, p.to)
	if j := firstFrom(units, rng.Rows); j >= 0 {
		return fmt.Errorf("row %d: unit %d in an experiment of %d rows; units are numbered from 0", row+int64(j), units[j], rng.Rows)
	}
	if err := t.checkTimes(p, row == rng.Offset); err != nil {
		return err
	}
	return t.checkRewardRounds(p, rounds, rng)
}

// checkTimes checks that rounds are in the order of their times. Starts says that
// the experiment begins here.
func (t *Tableau) checkTimes(p *part, starts bool) error {
	times := p.b.int64s(t.layout.time, p.from, p.to)
	if len(times) == 0 {
		return nil
	}
	last := times[0]
	if !starts {
		b, at := t.find(p.first + p.from - 1)
		last = b.int64s(t.layout.time, at, at+1)[0]
	}
	if j := firstBefore(times, last); j >= 0 {
		return fmt.Errorf("row %d: its time is before that of the row before; rounds are in the order of their times", p.first+p.from+int64(j))
	}
	return nil
}

// checkBatchColumn checks that batches begin at 0 and go on in steps of at most
// 1. Last is the batch of the row before.
func (t *Tableau) checkBatchColumn(p *part, starts bool, last int32) error {
	batches := p.b.int32s(t.layout.batch, p.from, p.to)
	if len(batches) == 0 {
		return nil
	}
	if starts && batches[0] != 0 {
		return fmt.Errorf("row %d: batch %d at the start of an experiment; batches are numbered from 0", p.first+p.from, batches[0])
	}
	if j, before := firstJump(batches, last); j >= 0 {
		return fmt.Errorf("row %d: batch %d after batch %d; batches are numbered in order", p.first+p.from+int64(j), batches[j], before)
	}
	return nil
}

// checkRewardRounds checks that rewards become known in their own round or in a
// later one of the experiment, or never.
func (t *Tableau) checkRewardRounds(p *part, rounds []int64, rng *Range) error {
	c := t.layout.rewardRound
	if c < 0 {
		return nil
	}
	known, before := p.b.int64s(c, p.from, p.to), p.b.int64s(t.layout.rewardBefore, p.from, p.to)
	b, at := t.find(rng.Offset + rng.Rows - 1)
	end := b.int64s(colRound, at, at+1)[0]
	for j, r := range known {
		if r < rounds[j] || r > end && r != NeverKnown {
			return fmt.Errorf("row %d: reward_round %d of round %d, in an experiment whose last round is %d", p.first+p.from+int64(j), r, rounds[j], end)
		}
		if len(before) > 0 && (before[j] < 0 || before[j] > r || (before[j] == NeverKnown) != (r == NeverKnown)) {
			return fmt.Errorf("row %d: reward_before %d where reward_round is %d", p.first+p.from+int64(j), before[j], r)
		}
	}
	return nil
}
