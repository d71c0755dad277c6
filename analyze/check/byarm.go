package check

import "math"

// sumTolerance is the difference from 1 up to which propensities count as
// adding up: room for numbers logged with six decimals.
const sumTolerance = 1e-6

// agreeTolerance is the relative difference up to which two logged
// propensities of one action count as the same: room for one that is logged as
// float32, whose rounding is up to 6e-8, and for six significant digits of both.
const agreeTolerance = 1e-6

// ByArm are the facts about the propensities of all arms. The zero value is
// empty.
type ByArm struct {
	Rows       int64
	OffSum     int64   // rows whose propensities do not add up to 1 within 10⁻⁶
	Farthest   float64 // largest difference of a sum from 1
	Disagree   int64   // rows in which propensity is not that of the logged arm, to 10⁻⁶ relative
	Impossible int64   // rows that give an arm which was not eligible a propensity above 0
	First      int64   // row within the experiment, from 1, of the first of these; 0 for none
}

// Add joins a chunk of rows, the first of which is row start of the experiment,
// from 0: arm[t] was played with logged propensity p[t], and byArm[t·K+a] is
// that of arm a. eligible says what could be played.
func (b *ByArm) Add(start int64, arm []int32, p, byArm []float64, eligible func(row, arm int) bool) {
	k := len(byArm) / max(1, len(arm))
	for t, played := range arm {
		all := byArm[t*k : t*k+k]
		before := b.OffSum + b.Disagree + b.Impossible
		b.sum(all)
		if q := all[played]; math.Abs(q-p[t]) > agreeTolerance*math.Max(q, p[t]) {
			b.Disagree++
		}
		for a, v := range all {
			if v > 0 && !eligible(t, a) {
				b.Impossible++
				break
			}
		}
		if b.First == 0 && b.OffSum+b.Disagree+b.Impossible > before {
			b.First = start + int64(t) + 1
		}
	}
	b.Rows += int64(len(arm))
}

func (b *ByArm) sum(p []float64) {
	sum := 0.0
	for _, v := range p {
		sum += v
	}
	off := math.Abs(sum - 1)
	b.Farthest = max(b.Farthest, off)
	if off > sumTolerance {
		b.OffSum++
	}
}

// Merge joins the facts of the rows that follow.
func (b *ByArm) Merge(o *ByArm) {
	b.Rows += o.Rows
	b.OffSum += o.OffSum
	b.Farthest = max(b.Farthest, o.Farthest)
	b.Disagree += o.Disagree
	b.Impossible += o.Impossible
	if b.First == 0 {
		b.First = o.First
	}
}
