package report

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
)

// ticks puts 4 to 9 marks at multiples of 1, 2 or 5 times a power of ten.
type ticks struct{}

var _ plot.Ticker = ticks{}

// Ticks implements plot.Ticker.
func (ticks) Ticks(lo, hi float64) []plot.Tick {
	width := hi - lo
	if !(width > 0) || math.IsInf(width, 0) {
		return nil
	}
	const most = 8
	unit := math.Pow(10, math.Floor(math.Log10(width/most)))
	step := unit
	for _, m := range []float64{1, 2, 5, 10} {
		step = m * unit
		if width/step <= most {
			break
		}
	}
	var out []plot.Tick
	for i := math.Ceil(lo / step); i*step <= hi; i++ {
		v := i * step
		out = append(out, plot.Tick{Value: v, Label: tickLabel(v, step)})
	}
	return out
}

// tickLabel writes v with the decimals that the step needs.
func tickLabel(v, step float64) string {
	switch {
	case v == 0:
		return "0"
	case math.Abs(v) >= 1e15 || step < 1e-6:
		return short(v)
	case step >= 1:
		return group(int64(math.Round(v)))
	}
	return fmt.Sprintf("%.*f", int(math.Ceil(-math.Log10(step)-1e-9)), v)
}

// pTicks labels an axis of −log10 p with p itself.
type pTicks struct{}

var _ plot.Ticker = pTicks{}

// Ticks implements plot.Ticker.
func (pTicks) Ticks(_, hi float64) []plot.Tick {
	values := []float64{0, 1, 2, 3, 4, 5, 6, 8, 10, 12}
	if hi > linearP {
		values = []float64{0, 3, 10}
		for v := 25.0; v <= hi; v *= 2 {
			values = append(values, v)
		}
	}
	var out []plot.Tick
	for _, v := range values {
		if v > hi {
			break
		}
		out = append(out, plot.Tick{Value: v, Label: powerLabel(int(v))})
	}
	return out
}

func powerLabel(n int) string {
	switch n {
	case 0:
		return "1"
	case 1:
		return "0.1"
	case 2:
		return "0.01"
	}
	return fmt.Sprintf("10^-%d", n)
}

// linearP is the −log10 p up to which the axis of the p-value figure is even.
const linearP = 12

// rootScale draws −log10 p by its square root, so that p near the level stays
// legible beside p far below it.
type rootScale struct{}

var _ plot.Normalizer = rootScale{}

// Normalize implements plot.Normalizer; values below 0 are mirrored.
func (rootScale) Normalize(lo, hi, x float64) float64 {
	return (root(x) - root(lo)) / (root(hi) - root(lo))
}

func root(x float64) float64 { return math.Copysign(math.Sqrt(math.Abs(x)), x) }
