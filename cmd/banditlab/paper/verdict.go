package paper

import (
	"math"

	"banditaudit/cmd/banditlab/documents"
)

// printed is a number that the paper prints.
type printed struct {
	value float64
	half  float64 // half a unit of its last digit
	text  string
}

// compare holds an estimate against a printed one from as many runs, whose own
// error is then as large: reproduced where they differ by no more than
// 1.96·√2·se and half a unit of the last printed digit, and our interval is
// narrow enough to contradict something; magnitude only where neither is more
// than twice the other.
func (p printed) compare(ours, se float64) string {
	near := math.Abs(ours-p.value) <= float64(z95*math.Sqrt2*se)+p.half
	switch {
	case near && !vague(ours, float64(z95*se)):
		return documents.Reproduced
	case withinTwo(ours, p.value):
		return documents.MagnitudeOnly
	case near:
		return documents.TooFewRuns
	}
	return documents.NotReproduced
}

// withinTwo reports whether neither of two numbers is more than twice the other.
func withinTwo(a, b float64) bool { return a > 0 && b > 0 && a <= 2*b && b <= 2*a }

// vague reports whether the ends of the interval value ± half are further apart
// than by a factor of 2, half > |value|/3: hardly anything of that size would
// then contradict it.
func vague(value, half float64) bool { return 3*half > math.Abs(value) }

// figure is a printed number beside ours, in a setting.
func (p printed) figure(id, what, setting string, ours, se float64) documents.PaperFigure {
	v := around("", ours, se)
	return documents.PaperFigure{ID: id, What: what, Paper: p.text, Ours: ours, Lo: v.Lo, Hi: v.Hi, Setting: setting, Verdict: p.compare(ours, se)}
}

// ratio is a/b and its standard error by the delta method, a and b independent.
func ratio(a, aSE, b, bSE float64) (value, se float64) {
	value = a / b
	return value, value * math.Hypot(aSE/a, bSE/b)
}

// gate is a number that a correct simulation gives within the limits.
func gate(what string, value, lo, hi float64) documents.PaperGate {
	return documents.PaperGate{What: what, Value: value, Lo: lo, Hi: hi, Passed: value >= lo && value <= hi}
}

// within is a gate around a number, as wide as wide at the full size and wider,
// as the error of a mean is, where there are fewer runs.
func (p *played) within(what string, value, center, wide float64, full int64) documents.PaperGate {
	wide = float64(wide * math.Sqrt(float64(full)/float64(p.arena.runs)))
	return gate(what, value, center-wide, center+wide)
}

// withhold takes back what the short form cannot tell: that a figure is
// reproduced, where no interval says how well it is known, or that it is so or of
// the same magnitude, where the interval is vague.
func withhold(figures []documents.PaperFigure) {
	for i := range figures {
		f := &figures[i]
		bounded := f.Lo != nil && f.Hi != nil
		wide := bounded && vague(f.Ours, (*f.Hi-*f.Lo)/2)
		if f.Verdict == documents.Reproduced && (!bounded || wide) || f.Verdict == documents.MagnitudeOnly && wide {
			f.Verdict = documents.TooFewRuns
			f.Why = "The runs of the short form are too few to contradict it, or to say how near it is."
		}
	}
}
