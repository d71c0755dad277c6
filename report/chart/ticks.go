package chart

import (
	"fmt"
	"math"

	"banditaudit/schemas"
)

// ticks puts 4 to 9 marks at multiples of 1, 2 or 5 times a power of ten.
type ticks struct {
	write func(float64) string // a number as the report writes it
}

// mostTicks bounds how many steps fit between the ends of an axis.
const mostTicks = 8

// Ticks are the marks between two ends. Special cases are:
//
//	an end that is not finite, or lo ≥ hi, gives no mark
//	ends so close, for their size, that multiples of a step are not told apart are the marks themselves
func (t ticks) Ticks(lo, hi float64) []tick {
	if math.IsInf(lo, 0) || math.IsInf(hi, 0) || !(lo < hi) {
		return nil
	}
	step := tickStep(lo, hi)
	first, last := math.Ceil(lo/step), math.Floor(hi/step)
	// Below 2^51 whole numbers and their multiples of a step differ.
	if count := last - first + 1; math.IsInf(step, 0) || !(count >= 1 && count <= mostTicks+1) || max(math.Abs(first), math.Abs(last)) > 1<<51 {
		return []tick{{Value: lo, Label: t.write(lo)}, {Value: hi, Label: t.write(hi)}}
	}
	var out []tick
	for i := range int(last-first) + 1 {
		if v := (first + float64(i)) * step; v >= lo && v <= hi {
			out = append(out, tick{Value: v, Label: t.label(v, step)})
		}
	}
	return out
}

// tickStep is the least of 1, 2, 5 and 10 times a power of ten of which at most
// mostTicks fit; 0 or +Inf where float64 has none.
func tickStep(lo, hi float64) float64 {
	width := hi - lo
	unit := math.Pow(10, math.Floor(math.Log10(width/mostTicks)))
	step := unit
	for _, m := range []float64{1, 2, 5, 10} {
		step = m * unit
		if width/step <= mostTicks {
			break
		}
	}
	return step
}

// label writes v with the decimals that the step needs.
func (t ticks) label(v, step float64) string {
	switch {
	case v == 0:
		return "0"
	case math.Abs(v) >= 1e15 || step < 1e-6:
		return t.write(v)
	case step >= 1:
		return schemas.Grouped(int64(math.Round(v)))
	}
	return fmt.Sprintf("%.*f", int(math.Ceil(-float64(math.Log10(step))-1e-9)), v)
}

// decades marks the powers of ten of an axis and, where there are few, 2 and 5
// times these.
type decades struct {
	write func(float64) string
}

// Ticks are the marks between two ends.
func (t decades) Ticks(lo, hi float64) []tick {
	var out []tick
	span := math.Log10(hi / lo)
	for e := int(math.Floor(math.Log10(lo))); e <= int(math.Ceil(math.Log10(hi))); e++ {
		for _, digit := range []float64{1, 2, 5} {
			v := digit * math.Pow(10, float64(e))
			if v < lo || v > hi {
				continue
			}
			label := ""
			if digit == 1 || span < 3.5 {
				label = t.write(v)
			}
			out = append(out, tick{Value: v, Label: label})
		}
	}
	return out
}
