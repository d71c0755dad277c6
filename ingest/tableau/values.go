package tableau

import (
	"fmt"
	"slices"
	"sort"
)

// checkValues checks every value of every public column, so that what reads a
// Chunk needs no checks of its own. It returns the error of the first record batch that has
// one.
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
	if t.layout.at[colBatch] >= 0 {
		for e, rng := range t.schema.Experiments {
			b, at := t.find(rng.Offset + rng.Rows - 1)
			t.counts[e].batches = int64(b.int32s(t.layout.at[colBatch], at, at+1)[0]) + 1
		}
	}
	if t.layout.at[colUnit] >= 0 {
		return t.countUnits(unitWindow)
	}
	return nil
}

// mostAgain bounds the rows for which one bit keeps whether the row has the propensities of
// the row before: 32 MiB. With more rows the propensities are compared whenever it is
// asked.
const mostAgain = 1 << 28

// againBits are the rows of k values, by bit, that are as the row before; nil without any
// values.
func againBits(values []float64, k int) []uint64 {
	if values == nil {
		return nil
	}
	bits := make([]uint64, (len(values)/k+63)/64)
	for row := 1; row*k < len(values); row++ {
		if slices.Equal(values[row*k-k:row*k], values[row*k:row*k+k]) {
			bits[row/64] |= 1 << (row % 64)
		}
	}
	return bits
}

// find returns the batch of a row of the file, and the row within it.
func (t *Tableau) find(row int64) (b *batch, at int64) {
	b = &t.batches[t.batchOf(row)]
	return b, row - b.first
}

// batchOf returns the number of the batch of a row of the file.
func (t *Tableau) batchOf(row int64) int {
	return sort.Search(len(t.batches), func(i int) bool { return t.batches[i].first+t.batches[i].rows > row })
}

// checkPlaces checks that every experiment lies within one record batch, or begins one
// and fills all that it goes over but the last. So its chunks are known from its rows
// alone, and with them the last digits of what is computed from it.
func (t *Tableau) checkPlaces() error {
	for e, rng := range t.schema.Experiments {
		for i, at := t.batchOf(rng.Offset), rng.Offset; ; i++ {
			b := &t.batches[i]
			if rng.Offset+rng.Rows <= b.first+b.rows {
				break
			}
			if at != b.first || b.rows < t.layout.batchRows() {
				return fmt.Errorf("experiment %d goes on behind record batch %d, which it does not fill", e, i)
			}
			at += b.rows
		}
	}
	return nil
}

// experimentOf returns the experiment that a row of the file belongs to.
func (t *Tableau) experimentOf(row int64) int {
	es := t.schema.Experiments
	return sort.Search(len(es), func(e int) bool { return es[e].Offset+es[e].Rows > row })
}

// checkBatch checks the public values of record batch i.
func (t *Tableau) checkBatch(i int) error {
	b, first := &t.batches[i], t.batches[i].first
	if err := t.checkRows(b, first); err != nil {
		return err
	}
	if t.Rows() <= mostAgain {
		b.again = againBits(b.float64s(t.layout.at[colPropensityByArm], 0, b.rows*int64(t.schema.Arms)), t.schema.Arms)
	}
	es := t.schema.Experiments
	e := t.experimentOf(first)
	for at := int64(0); at < b.rows; e++ {
		p := part{t: t, b: b, first: first, from: at, to: min(b.rows, es[e].Offset+es[e].Rows-first), e: e}
		if err := t.checkPart(&p); err != nil {
			return err
		}
		at = p.to
	}
	return nil
}

// checkRows checks what does not depend on the experiment. The batch's first
// row is first.
func (t *Tableau) checkRows(b *batch, first int64) error {
	for i, c := range columns() {
		if c.rows == nil {
			continue
		}
		for n := range t.layout.n[i] {
			if row, says := c.rows(t, b, t.layout.at[i]+n); says != "" {
				return fmt.Errorf("row %d: %s", first+row, says)
			}
		}
	}
	return nil
}

func unknownArm(t *Tableau, b *batch, at int) (row int64, says string) {
	arms := b.int32s(at, 0, b.rows)
	j := firstBeyond(arms, int32(t.schema.Arms)) //nolint:gosec // at most 2³¹−1
	if j < 0 {
		return 0, ""
	}
	return int64(j), fmt.Sprintf("arm %d is not among the %d arms", arms[j], t.schema.Arms)
}

func improperPropensity(_ *Tableau, b *batch, at int) (row int64, says string) {
	return found(firstImproper(b.values(at)), 1, fmt.Sprintf("the propensity is outside [%g, 1], and not 0", MinPropensity))
}

func improperKeeping(_ *Tableau, b *batch, at int) (row int64, says string) {
	return found(firstOutside(b.values(at), MinPropensity), 1, fmt.Sprintf("%s is outside [%g, 1]", KeepProb, MinPropensity))
}

func notFinite(t *Tableau, b *batch, at int) (row int64, says string) {
	f := &t.layout.fields[at]
	name := f.name
	if f.list == 0 {
		name = "column " + name
	}
	return found(firstNonFinite(b.values(at)), f.perRow(), name+" is not finite")
}

func noChance(t *Tableau, b *batch, at int) (row int64, says string) {
	f := &t.layout.fields[at]
	name := f.name
	if name == Targets {
		name = "a probability of an evaluated policy"
	}
	return found(firstNoChance(b.values(at)), f.perRow(), name+" is outside [0, 1]")
}

func noDraws(_ *Tableau, b *batch, at int) (row int64, says string) {
	return found(firstNotWithin(b.int64s(at, 0, b.rows), 1, MostDraws), 1, fmt.Sprintf("%s is outside [1, %d]", Draws, MostDraws))
}

func noPosition(t *Tableau, b *batch, at int) (row int64, says string) {
	most := t.schema.Positions
	return found(firstNotWithin(b.int64s(at, 0, b.rows), 0, most-1), 1, fmt.Sprintf("%s is outside [0, %d)", Position, most))
}

func noStratum(_ *Tableau, b *batch, at int) (row int64, says string) {
	return found(firstNotWithin(b.int64s(at, 0, b.rows), 0, MostStrata-1), 1, fmt.Sprintf("%s is outside [0, %d)", Stratum, MostStrata))
}

func ineligible(t *Tableau, b *batch, at int) (row int64, says string) {
	arms := b.int32s(colArm, 0, b.rows)
	j := firstIneligible(b.column(at), arms, t.schema.Arms)
	if j < 0 {
		return 0, ""
	}
	return int64(j), fmt.Sprintf("the logged arm %d is not eligible", arms[j])
}

// found returns the row of value j, with perRow values in a row, and what is wrong with it;
// nothing where j is negative.
func found(j int, perRow int64, wrong string) (row int64, says string) {
	if j < 0 {
		return 0, ""
	}
	return int64(j) / perRow, wrong
}

// part is the rows [from, to) of a record batch, which belong to one
// experiment. first is the row of the file that the batch begins with.
type part struct {
	t               *Tableau
	b               *batch
	first, from, to int64
	e               int    // number of the experiment
	before          *batch // of the row before, which is row at of it; nil where the experiment begins here
	at              int64
}

// checkPart checks what depends on the experiment.
func (t *Tableau) checkPart(p *part) error {
	row := p.first + p.from
	if row > p.rng().Offset {
		p.before, p.at = t.find(row - 1)
	}
	for i, c := range columns() {
		if c.part == nil || t.layout.at[i] < 0 {
			continue
		}
		if j, says := c.part(p); says != "" {
			return fmt.Errorf("row %d: %s", row+j, says)
		}
	}
	return nil
}

func (p *part) rng() *Range { return &p.t.schema.Experiments[p.e] }

func (p *part) int64s(column int) []int64 { return p.b.int64s(p.t.layout.at[column], p.from, p.to) }
func (p *part) int32s(column int) []int32 { return p.b.int32s(p.t.layout.at[column], p.from, p.to) }

func otherExperiment(p *part) (row int64, says string) {
	ids := p.int32s(colExperiment)
	j := firstOther(ids, int32(p.e)) //nolint:gosec // compared only
	if j < 0 {
		return 0, ""
	}
	return int64(j), fmt.Sprintf("experiment %d where the manifest has %d", ids[j], p.e)
}

func repeatedRound(p *part) (row int64, says string) {
	rounds, last := p.int64s(colRound), int64(0)
	if p.before != nil {
		last = p.before.int64s(colRound, p.at, p.at+1)[0]
	}
	j, last := firstRepeat(rounds, last)
	if j < 0 {
		return 0, ""
	}
	return int64(j), fmt.Sprintf("round %d after round %d; rounds begin at 1 and increase", rounds[j], last)
}

// outOfOrder: batches begin at 0 and go on in steps of at most 1.
func outOfOrder(p *part) (row int64, says string) {
	batches, last := p.int32s(colBatch), int32(0)
	if p.before != nil {
		last = p.before.int32s(p.t.layout.at[colBatch], p.at, p.at+1)[0]
	} else if batches[0] != 0 {
		return 0, fmt.Sprintf("batch %d at the start of an experiment; batches are numbered from 0", batches[0])
	}
	j, last := firstJump(batches, last)
	if j < 0 {
		return 0, ""
	}
	return int64(j), fmt.Sprintf("batch %d after batch %d; batches are numbered in order", batches[j], last)
}

func unknownUnit(p *part) (row int64, says string) {
	units := p.int64s(colUnit)
	j := firstFrom(units, p.rng().Rows)
	if j < 0 {
		return 0, ""
	}
	return int64(j), fmt.Sprintf("unit %d in an experiment of %d rows; units are numbered from 0", units[j], p.rng().Rows)
}

// earlierTime: rounds are in the order of their times.
func earlierTime(p *part) (row int64, says string) {
	times := p.int64s(colTime)
	last := times[0]
	if p.before != nil {
		last = p.before.int64s(p.t.layout.at[colTime], p.at, p.at+1)[0]
	}
	return found(firstBefore(times, last), 1, "its time is before that of the row before; rounds are in the order of their times")
}

// impossibleRound: rewards become known in their own round or in a later one of
// the experiment, or never.
func impossibleRound(p *part) (row int64, says string) {
	rounds, known, before := p.int64s(colRound), p.int64s(colRewardRound), p.int64s(colRewardBefore)
	b, at := p.t.find(p.rng().Offset + p.rng().Rows - 1)
	end := b.int64s(colRound, at, at+1)[0]
	for j, r := range known {
		if r < rounds[j] || r > end && r != NeverKnown {
			return int64(j), fmt.Sprintf("%s %d of round %d, in an experiment whose last round is %d", RewardRound, r, rounds[j], end)
		}
		if len(before) > 0 && (before[j] < 0 || before[j] > r || (before[j] == NeverKnown) != (r == NeverKnown)) {
			return int64(j), fmt.Sprintf("%s %d where %s is %d", RewardBefore, before[j], RewardRound, r)
		}
	}
	return 0, ""
}
