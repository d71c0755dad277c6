package reproduce

import (
	"math"

	"banditaudit/schemas"
)

// printed is a number that the paper prints.
type printed struct {
	value float64
	half  float64 // half a unit of its last digit
	text  string
}

// compare holds an estimate against a printed one from as many runs, whose own
// error is then as large: reproduced where they differ by no more than
// 1.96·√2·se and half a unit of the last printed digit, magnitude only where
// neither is more than twice the other.
func (p printed) compare(ours, se float64) string {
	switch d := math.Abs(ours - p.value); {
	case d <= float64(z95*math.Sqrt2*se)+p.half:
		return schemas.Reproduced
	case ours > 0 && p.value > 0 && ours <= 2*p.value && p.value <= 2*ours:
		return schemas.MagnitudeOnly
	}
	return schemas.NotReproduced
}

// figure is a printed number beside ours, in a setting.
func (p printed) figure(id, what, setting string, ours, se float64) schemas.PaperFigure {
	v := around("", ours, se)
	return schemas.PaperFigure{ID: id, What: what, Paper: p.text, Ours: ours, Lo: v.Lo, Hi: v.Hi, Setting: setting, Verdict: p.compare(ours, se)}
}

// ratio is a/b and its standard error by the delta method, a and b independent.
func ratio(a, aSE, b, bSE float64) (value, se float64) {
	value = a / b
	return value, value * math.Hypot(aSE/a, bSE/b)
}

// gate is a number that a correct simulation gives within the limits.
func gate(what string, value, lo, hi float64) schemas.PaperGate {
	return schemas.PaperGate{What: what, Value: value, Lo: lo, Hi: hi, Passed: value >= lo && value <= hi}
}

// within is a gate around a number, as wide as wide at the full size and wider,
// as the error of a mean is, where there are fewer runs.
func (p *played) within(what string, value, center, wide float64, full int64) schemas.PaperGate {
	wide *= math.Sqrt(float64(full) / float64(p.arena.runs))
	return gate(what, value, center-wide, center+wide)
}

// withhold takes back what the short form cannot tell: that a figure is
// reproduced, where no interval says how well it is known, or one that reaches
// further than half of the number, so that not much would contradict it.
func withhold(figures []schemas.PaperFigure) {
	for i := range figures {
		f := &figures[i]
		if f.Verdict != schemas.Reproduced {
			continue
		}
		if f.Lo == nil || f.Hi == nil || math.Sqrt2*(*f.Hi-*f.Lo)/2 > math.Abs(f.Ours)/2 {
			f.Verdict = schemas.TooFewRuns
			f.Why = "Nothing contradicts it, and the runs of the short form are too few to do so."
		}
	}
}
