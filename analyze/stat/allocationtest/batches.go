package allocationtest

import (
	"math"
	"slices"

	"banditaudit/ingest/precision"
)

// Batches accumulates the allocation test of single batches. Batches come in
// order, and only those at the ends of what was added are held: a log may have
// as many batches as rows.
type Batches struct {
	// Ends say how exactly propensities are known; before the first row is added.
	Ends precision.Ends

	arms        int
	first, last *openBatch // the same one while there is only one; nil while there is none
	done        BatchResult
	counted     int64 // batches that are closed
	exact       bool  // the propensities of all arms are known
	draws       int   // with which batches are tested together too; 0 where they are not; see together
	together    together
}

// BatchResult is what the test of single batches says.
type BatchResult struct {
	Batches   int64   // in all
	Cells     int64   // pairs of batch and arm that could be played in it
	Batch     int64   // of the pair with the smallest p, from 0
	Arm       int     // of that pair; -1 where none was tested
	Deviation float64 // of that pair, in per cent: of Σ 1/p from the rounds; where the propensities of all arms are known, of pulls from Σ p
	Pulls     int64   // of that pair
	Rounds    int64   // of that batch
	Expected  float64 // Σ p of that pair, where Known
	Known     bool    // Expected is known
	LogP      float64 // Bonferroni over Cells, of the smallest; 0 where none was tested
	Together  int     // batches that were tested together; 0 where that was not asked for
	LogPAll   float64 // of these together; 0 where there are none
}

// sameLogP is the difference up to which two ln p count as equal. Of equal ones the first
// is kept, however rows were cut into chunks.
const sameLogP = 1e-9

// openBatch is a batch that may have more rows.
type openBatch struct {
	batch int32
	rows  int64
	cells []batchCell

	// Where batches are tested together, and propensities of all arms are known:
	pulls  []int64
	p      []float64
	varied bool
}

// batchCell is an arm in a batch.
type batchCell struct {
	expected, deviation, variance float64
	played                        int64
	wager                         *wager // nil where the propensities of all arms are known, or the arm was not played
}

// NewBatches returns an empty accumulator for arms 0…arms−1.
func NewBatches(arms int) *Batches {
	return &Batches{arms: arms, done: BatchResult{Arm: -1}}
}

// at returns the batch that a row belongs to.
func (b *Batches) at(batch int32) *openBatch {
	if b.last != nil && b.last.batch == batch {
		return b.last
	}
	if b.last != nil && b.last != b.first {
		b.close(b.last)
	}
	b.last = &openBatch{batch: batch, cells: make([]batchCell, b.arms)}
	if b.first == nil {
		b.first = b.last
	}
	return b.last
}

// AddLogged joins a chunk of which the logged action's propensity is known. The slices are
// given to Allocation.Add too, and checked there. could says what could be played; nil is
// everything.
func (b *Batches) AddLogged(batch, arm []int32, p []float64, could func(row, arm int) bool) {
	for t, a := range arm {
		open := b.at(batch[t])
		if a < 0 {
			continue
		}
		open.rows++
		for i := range open.cells {
			if could == nil || could(t, i) {
				open.cells[i].expected++
				open.cells[i].deviation--
			}
		}
		c, w := &open.cells[a], 1/p[t]
		c.played++
		c.deviation += w
		c.variance += float64((1 - p[t]) * w * w)
		if c.wager == nil {
			c.wager = newWager()
		}
		c.wager.add(1 / b.Ends.Upper(p[t]))
	}
}

// AddExact joins a chunk of which the propensities of all arms are known. The slices are given
// to Exact.Add too, and checked there.
func (b *Batches) AddExact(batch, arm []int32, p []float64) {
	b.exact = true
	for t, a := range arm {
		open := b.at(batch[t])
		if a < 0 {
			continue
		}
		open.rows++
		for i, v := range p[t*b.arms : t*b.arms+b.arms] {
			c := &open.cells[i]
			c.expected += v
			c.deviation -= v
			c.variance += float64(v * (1 - v))
		}
		open.cells[a].deviation++
		open.cells[a].played++
		if b.draws > 0 {
			open.constant(p[t*b.arms:t*b.arms+b.arms], a)
		}
	}
}

// close tests the arms of a batch one by one.
func (b *Batches) close(o *openBatch) {
	b.counted++
	if b.draws > 0 {
		b.together.test(o, precision.Ends{Room: max(knownResolution, b.Ends.Room), Digits: b.Ends.Digits}, b.draws)
	}
	for i := range o.cells {
		c := &o.cells[i]
		if !(c.expected > 0) {
			continue
		}
		b.done.Cells++ // counted by what could be played, or chance would choose the number of tests
		if !(c.variance > 0) || b.done.Arm >= 0 && c.most() <= -b.done.LogP {
			continue
		}
		logP := c.logP(over(b.Ends, o.rows, c.expected))
		if b.done.Arm < 0 || logP < b.done.LogP-sameLogP {
			b.done.Batch, b.done.Arm, b.done.LogP = int64(o.batch), i, logP
			b.done.Deviation = 100 * (c.deviation / c.expected)
			b.done.Rounds, b.done.Pulls, b.done.Expected, b.done.Known = o.rows, c.played, 0, b.exact
			if b.exact {
				b.done.Expected = c.expected
			}
		}
	}
}

// most is more than the logarithm of the evidence can be, for little work.
func (c *batchCell) most() float64 {
	if c.wager != nil {
		return math.Max(0, c.deviation) // ln(1 + λx) ≤ λx, λ ≤ 1
	}
	d := math.Abs(c.deviation)
	return float64((d+c.variance)*math.Log1p(d/c.variance)) - d
}

// logP is at most 0.
func (c *batchCell) logP(slack float64) float64 {
	if c.wager != nil {
		return min(0, -c.wager.logE(max(c.wager.rows, int64(c.expected)), 1))
	}
	return min(0, -knownE(c.deviation, c.variance, slack))
}

// Merge joins the accumulator of the rows that follow, which is not to be used
// any more.
func (b *Batches) Merge(o *Batches) {
	switch {
	case b.arms != o.arms:
		panic(BadLength)
	case o.first == nil:
		return
	case b.first == nil:
		*b = *o
		return
	case b.last.batch == o.first.batch:
		b.last.join(o.first)
	case b.last != b.first:
		b.close(b.last)
		fallthrough
	default:
		b.last = o.first
	}
	if o.last != o.first { // o's first batch is complete now, unless it is also ours
		if b.last != b.first {
			b.close(b.last)
		}
		b.last = o.last
	}
	b.exact = b.exact || o.exact
	b.take(&o.done)
	b.together.batches += o.together.batches
	b.together.fisher += o.together.fisher
	b.counted += o.counted
}

func (o *openBatch) join(p *openBatch) {
	o.rows += p.rows
	o.joinConstant(p)
	for i, c := range p.cells {
		d := &o.cells[i]
		d.expected += c.expected
		d.deviation += c.deviation
		d.variance += c.variance
		d.played += c.played
		switch {
		case d.wager == nil:
			d.wager = c.wager
		case c.wager != nil:
			d.wager.merge(c.wager)
		}
	}
}

// take joins what closed batches said; of equal p the earlier one is kept.
func (b *Batches) take(o *BatchResult) {
	b.done.Cells += o.Cells
	if o.Arm >= 0 && (b.done.Arm < 0 || o.LogP < b.done.LogP-sameLogP) {
		b.done.Batch, b.done.Arm, b.done.LogP = o.Batch, o.Arm, o.LogP
		b.done.Deviation, b.done.Rounds, b.done.Pulls, b.done.Expected, b.done.Known = o.Deviation, o.Rounds, o.Pulls, o.Expected, o.Known
	}
}

// Result tests every batch and arm and multiplies the smallest p by the number
// of tests. The bounds hold for any propensities, also where a batch has few
// rows and where propensities change within it. With the propensities of all
// arms the pulls less Σp are tested either way (see knownE); with the logged
// action's alone Σ1/p is tested for being above the rounds (see wager). Special cases are:
//
//	no batches, or none with a variance: LogP is 0, Arm is -1
//
// The accumulator is closed and not to be added to any more.
func (b *Batches) Result() *BatchResult {
	for _, o := range slices.Compact([]*openBatch{b.first, b.last}) {
		if o != nil {
			b.close(o)
		}
	}
	b.first, b.last = nil, nil
	r := b.done
	r.Batches = b.counted
	r.Together, r.LogPAll = b.together.batches, b.together.logP()
	if r.Arm >= 0 {
		r.LogP = min(0, r.LogP+math.Log(float64(r.Cells)))
	}
	return &r
}
