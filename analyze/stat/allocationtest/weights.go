package allocationtest

import (
	"maps"
	"math"
)

const (
	// distinctCap is where counting different propensities ends.
	distinctCap = 1000
	// decimalsCap is where counting decimals ends: with more of them an
	// arbitrary float64 between 0 and 1 would seem to be a decimal by chance.
	decimalsCap = 12
)

// Weights accumulates what check H14 says about the logged action's
// propensities p_t and their inverses w_t = 1/p_t.
type Weights struct {
	arms     int
	rows     int64
	sum      float64 // Σw
	squares  float64 // Σw²
	largest  float64
	uniform  int64
	places   []int64              // of the first of these, from 0
	distinct map[float64]struct{} // nil once there are more than distinctCap
	decimals int
}

// WeightsResult is the summary of the weights. Numbers of no rows are NaN.
type WeightsResult struct {
	Rows        int64
	ESS         float64 // effective sample size (Σw)²/Σw²
	Largest     float64 // largest w
	MeanInverse float64 // (1/T)·Σw; K is expected if every arm could always be played
	Uniform     int64   // rows whose propensity is exactly the float64 nearest to 1/K, K the arms that could be played
	UniformAt   []int64 // the first of these, at most 8: rows from 0
	Distinct    int     // different propensities; one more than the cap of 1000 means "more"
	Capped      bool    // there are more than 1000 different propensities
	Decimals    int     // decimals that write every propensity; 13 means "more than 12"
}

// NewWeights returns an empty accumulator for K arms.
func NewWeights(arms int) *Weights {
	return &Weights{arms: arms, distinct: map[float64]struct{}{}}
}

// Add joins a chunk: arm[t] was played with logged probability p[t] from among
// choices[t] arms, or all of them where choices is nil. The slices have equal
// length, otherwise it panics. It returns an error that names the
// row if a propensity is outside (0, 1] or an arm does not exist; the
// accumulator then is as it was before.
func (w *Weights) Add(arm []int32, p []float64, choices []int32) error {
	if err := checkRows(w.arms, arm, p); err != nil {
		return err
	}
	if choices != nil && len(choices) != len(arm) {
		panic(BadLength)
	}
	even, last := 1/float64(w.arms), math.NaN()
	for t, a := range arm {
		if a < 0 {
			continue
		}
		v := 1 / p[t]
		w.rows++
		w.sum += v
		w.squares += float64(v * v)
		w.largest = max(w.largest, v)
		if choices != nil {
			even = 1 / float64(choices[t])
		}
		if p[t] == even {
			w.uniform++
			w.place(w.rows - 1)
		}
		if p[t] != last {
			last = p[t]
			w.note(last)
		}
	}
	return nil
}

// placesCap is how many of the rows with a uniform propensity are named.
const placesCap = 8

// place takes up the row of a uniform propensity.
func (w *Weights) place(row int64) {
	if len(w.places) < placesCap {
		w.places = append(w.places, row)
	}
}

// note takes up the value of a propensity.
func (w *Weights) note(p float64) {
	for w.decimals <= decimalsCap && !hasDecimals(p, w.decimals) {
		w.decimals++
	}
	if w.distinct != nil {
		w.distinct[p] = struct{}{}
		w.overflow()
	}
}

// overflow gives the set up once it is too large.
func (w *Weights) overflow() {
	if len(w.distinct) > distinctCap {
		w.distinct = nil
	}
}

// hasDecimals reports whether p is a multiple of 10^−d, up to the rounding that
// an average of such multiples leaves (two units in the last place).
func hasDecimals(p float64, d int) bool {
	scale := math.Pow10(d)
	return math.Abs(math.Round(p*scale)/scale-p) <= 4.5e-16*p
}

// Merge joins another accumulator for the same arms; o stays as it is.
func (w *Weights) Merge(o *Weights) {
	if w.arms != o.arms {
		panic(BadLength)
	}
	for _, row := range o.places {
		w.place(w.rows + row)
	}
	w.rows += o.rows
	w.sum += o.sum
	w.squares += o.squares
	w.largest = max(w.largest, o.largest)
	w.uniform += o.uniform
	w.decimals = max(w.decimals, o.decimals)
	if o.distinct == nil {
		w.distinct = nil
	}
	if w.distinct != nil {
		maps.Copy(w.distinct, o.distinct)
		w.overflow()
	}
}

// Result returns the summary. Special cases are:
//
//	no rows: ESS, Largest and MeanInverse are NaN, the counts 0
func (w *Weights) Result() WeightsResult {
	r := WeightsResult{
		Rows: w.rows, ESS: math.NaN(), Largest: math.NaN(), MeanInverse: math.NaN(),
		Uniform: w.uniform, UniformAt: w.places, Distinct: len(w.distinct), Decimals: w.decimals,
	}
	if w.distinct == nil {
		r.Distinct, r.Capped = distinctCap+1, true
	}
	if w.rows > 0 {
		r.ESS = w.sum / w.squares * w.sum
		r.Largest = w.largest
		r.MeanInverse = w.sum / float64(w.rows)
	}
	return r
}
