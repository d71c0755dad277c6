package adaptive

import (
	"math"
	"slices"
)

// Batches accumulates the allocation test of single batches. Batches come in
// order, and only those at the ends of what was added are held: a log may have
// as many batches as rows.
type Batches struct {
	arms        int
	first, last *openBatch // the same one while there is only one; nil while there is none
	done        BatchResult
	counted     int64 // batches that are closed
}

// BatchResult is what the test of single batches says.
type BatchResult struct {
	Batches   int64   // in all
	Cells     int64   // pairs of batch and arm that were tested
	Batch     int64   // of the pair with the smallest p, from 0
	Arm       int     // of that pair; -1 where none was tested
	Deviation float64 // of that pair, in per cent
	LogP      float64 // Bonferroni over Cells, of the smallest; 0 where none was tested
}

// openBatch is a batch that may have more rows.
type openBatch struct {
	batch int32
	cells []batchCell
}

// batchCell is an arm in a batch.
type batchCell struct {
	expected, deviation, variance, jump, weights float64
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

// AddLogged joins a chunk of which the logged action's propensity is known; the
// slices are those of Allocation.Add, checked there. could says what could be
// played; nil is everything.
func (b *Batches) AddLogged(batch, arm []int32, p []float64, could func(row, arm int) bool) {
	for t, a := range arm {
		open := b.at(batch[t])
		for i := range open.cells {
			if could == nil || could(t, i) {
				open.cells[i].expected++
				open.cells[i].deviation--
			}
		}
		c, w := &open.cells[a], 1/p[t]
		c.deviation += w
		c.weights += w
		c.variance += float64((1 - p[t]) * w * w)
		c.jump = max(c.jump, w)
	}
}

// AddExact joins a chunk of which the propensities of all arms are known; the
// slices are those of Exact.Add, checked there.
func (b *Batches) AddExact(batch, arm []int32, p []float64) {
	for t, a := range arm {
		open := b.at(batch[t])
		for i, v := range p[t*b.arms : t*b.arms+b.arms] {
			c := &open.cells[i]
			c.expected += v
			c.deviation -= v
			c.variance += float64(v * (1 - v))
			c.jump = 1
		}
		open.cells[a].deviation++
	}
}

// close tests the arms of a batch one by one.
func (b *Batches) close(o *openBatch) {
	b.counted++
	for i := range o.cells {
		c := &o.cells[i]
		v := c.variance
		if c.weights > 0 {
			v *= max(1, c.expected/c.weights)
		}
		if !(v > 0) || !(c.expected > 0) {
			continue
		}
		b.done.Cells++
		d := math.Abs(c.deviation)
		logP := min(0, math.Ln2-d*d/(2*(v+float64(c.jump*d)/3)))
		if b.done.Arm < 0 || logP < b.done.LogP {
			b.done.Batch, b.done.Arm, b.done.LogP = int64(o.batch), i, logP
			b.done.Deviation = 100 * (c.deviation / c.expected)
		}
	}
}

// Merge joins the accumulator of the rows that follow, which is not to be used
// any more.
func (b *Batches) Merge(o *Batches) {
	switch {
	case b.arms != o.arms:
		panic(badLength)
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
	b.take(&o.done)
	b.counted += o.counted
}

func (o *openBatch) join(p *openBatch) {
	for i, c := range p.cells {
		d := &o.cells[i]
		d.expected += c.expected
		d.deviation += c.deviation
		d.variance += c.variance
		d.weights += c.weights
		d.jump = max(d.jump, c.jump)
	}
}

// take joins what closed batches said; of equal p the earlier one is kept.
func (b *Batches) take(o *BatchResult) {
	b.done.Cells += o.Cells
	if o.Arm >= 0 && (b.done.Arm < 0 || o.LogP < b.done.LogP) {
		b.done.Batch, b.done.Arm, b.done.LogP, b.done.Deviation = o.Batch, o.Arm, o.LogP, o.Deviation
	}
}

// Result tests every batch and arm by Bernstein's inequality for martingales
// (Freedman 1975, doi 10.1214/aop/1176996452),
//
//	P(|D| ≥ d) ≤ 2·exp(−d²/(2·(V + m·d/3)))
//
// with D observed less expected, V its variance and m its largest step, which
// holds also where a batch has few rows, and multiplies the smallest p by the
// number of tests. With the propensities of all arms D is pulls less Σp,
// V = Σp(1−p) and m = 1; the bound then is rigorous if the propensities of a
// batch were fixed before it. With the logged action's alone D is Σ1/p less the
// rounds, V is estimated as in Allocation.Test, m is the largest 1/p, and the
// bound is approximate. Special cases are:
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
	if r.Arm >= 0 {
		r.LogP = min(0, r.LogP+math.Log(float64(r.Cells)))
	}
	return &r
}
