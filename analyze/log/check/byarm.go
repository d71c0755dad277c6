package check

import (
	"math"

	"banditaudit/ingest/precision"
)

// sumTolerance is the difference from 1 up to which propensities count as adding
// up, beside what their decimals allow: room for another order of roundings.
const sumTolerance = 1e-6

// agreeTolerance is the relative difference up to which two logged
// propensities of one action count as the same, beside what their decimals allow:
// room for one that is logged as float32, whose rounding is up to 6e-8, and for six
// significant digits of both.
const agreeTolerance = 1e-6

// ByArm are the facts about the propensities of all arms. The zero value is
// empty, and takes propensities for exact.
type ByArm struct {
	Action, All precision.Ends // how exactly either column is known; before the first row is added

	Rows       int64
	OffSum     int64    // rows whose propensities do not add up to 1 within what the ends of all eligible arms allow, and 10⁻⁶
	Farthest   float64  // largest difference of a sum from 1
	Beyond     float64  // by which a sum exceeded what was allowed most; 0: none did
	Allowed    float64  // what was allowed of the sum that exceeded it most; else of the farthest
	Disagree   int64    // rows whose propensity is not the listed one of their arm, within their ends and 10⁻⁶ relative
	Impossible int64    // rows that give an arm which was not eligible a propensity above 0
	Order      []int    // by entry of the lists, its arm: the only order in which no row disagrees; nil: none
	First      int64    // row within the experiment, from 1, of the first of these; 0 for none
	Firsts     [3]int64 // likewise of OffSum, of Disagree and of Impossible
}

// Add joins a chunk of rows, the first of which is row start of the experiment,
// from 0: arm[t] was played with logged propensity p[t], and byArm[t·K+a] is
// the logged propensity of arm a. eligible says what could be played, again says whether
// that and the propensities of all arms are the same as in the row before it; nil: in no
// row.
func (b *ByArm) Add(start int64, arm []int32, p, byArm []float64, eligible func(row, arm int) bool, again func(row int) bool) {
	k := len(byArm) / max(1, len(arm))
	sound, all := false, byArm[:0] // of the row before
	for t, played := range arm {
		of := b.counts()
		before := of[0] + of[1] + of[2]
		if !sound || again == nil || !again(t) {
			all = byArm[t*k : t*k+k]
			b.row(all, func(arm int) bool { return eligible(t, arm) })
			sound = b.OffSum+b.Impossible == before-b.Disagree
		}
		if !b.Agree(p[t], all[played]) {
			b.Disagree++
		}
		b.first(start+int64(t)+1, of)
	}
	b.Rows += int64(len(arm))
}

// counts are OffSum, Disagree and Impossible.
func (b *ByArm) counts() [3]int64 { return [3]int64{b.OffSum, b.Disagree, b.Impossible} }

// first keeps a row as the first of what it added to the counts before it.
func (b *ByArm) first(row int64, before [3]int64) {
	for i, n := range b.counts() {
		if n == before[i] {
			continue
		}
		if b.First == 0 {
			b.First = row
		}
		if b.Firsts[i] == 0 {
			b.Firsts[i] = row
		}
	}
}

// row takes up the propensities of a row by themselves.
func (b *ByArm) row(all []float64, eligible func(arm int) bool) {
	could, impossible := 0, false
	for arm, v := range all {
		if eligible(arm) {
			could++
		} else if v > 0 {
			impossible = true
		}
	}
	if impossible {
		b.Impossible++
	}
	b.sum(all, could)
}

// Agree reports whether the logged propensity p of an action can be the entry q of a
// list: |q − p| ≤ 10⁻⁶·max(p, q), and what both columns leave open.
func (b *ByArm) Agree(p, q float64) bool {
	return math.Abs(q-p) <= float64(agreeTolerance*math.Max(q, p))+float64((b.Action.At(p)+b.All.At(q))*(1+agreeTolerance))
}

// sum takes up the propensities of a row; could is the number of arms that could be played.
func (b *ByArm) sum(p []float64, could int) {
	sum := 0.0
	for _, v := range p {
		sum += v
	}
	off, allowed := math.Abs(sum-1), sumTolerance+b.All.Sum(p, could)
	beyond := 0.0
	if dust := float64(0x1p-50 * float64(len(p)+1)); off > allowed+dust { // of adding up
		beyond = off - allowed
		b.OffSum++
	}
	b.farthest(off, beyond, allowed)
}

// farthest keeps the sum that exceeds what was allowed most, and the largest
// difference from 1.
func (b *ByArm) farthest(off, beyond, allowed float64) {
	if beyond > b.Beyond || b.Beyond == 0 && off >= b.Farthest {
		b.Allowed = allowed
	}
	b.Beyond, b.Farthest = max(b.Beyond, beyond), max(b.Farthest, off)
}

// Merge joins the facts of the rows that follow.
func (b *ByArm) Merge(o *ByArm) {
	b.Rows += o.Rows
	b.OffSum += o.OffSum
	b.farthest(o.Farthest, o.Beyond, o.Allowed)
	b.Disagree += o.Disagree
	b.Impossible += o.Impossible
	if b.First == 0 {
		b.First = o.First
	}
	for i, row := range o.Firsts {
		if b.Firsts[i] == 0 {
			b.Firsts[i] = row
		}
	}
}
