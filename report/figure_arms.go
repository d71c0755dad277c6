package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"banditaudit/schemas"
)

// The intervals of an arm.
func rawStroke() stroke {
	return stroke{color: black(), width: 0.8, glyph: draw.RingGlyph{}, size: 2.4}
}

func correctedStroke() stroke {
	return stroke{color: blue(), width: 1.8, glyph: draw.BoxGlyph{}, size: 2.6}
}

func widenedStroke() stroke {
	return stroke{color: vermilion(), width: 1, dashes: []vg.Length{4, 2.5}, glyph: draw.PlusGlyph{}, size: 2.6}
}

func sequenceStroke() stroke {
	return stroke{color: green(), width: 1, dashes: []vg.Length{1.2, 2}, glyph: draw.PyramidGlyph{}, size: 2.6}
}

func valueStroke() stroke {
	return stroke{color: grey(), width: 0.9, dashes: []vg.Length{2, 2}}
}

// maxArmRows is how many arms are drawn.
const maxArmRows = 60

// armsFigure draws arm means with raw, corrected and bias-widened intervals.
func armsFigure(x *schemas.Experiment, p *protocol) *drawing {
	arms := x.Arms[:min(len(x.Arms), maxArmRows)]
	if !slices.ContainsFunc(arms, func(a schemas.Arm) bool { return a.Mean != nil }) {
		return nil
	}
	corrected := slices.ContainsFunc(arms, func(a schemas.Arm) bool { return a.CICorrected != nil || a.BiasBound != nil })
	sequence := slices.ContainsFunc(arms, func(a schemas.Arm) bool { return a.ConfidenceSequence != nil })
	r := &rowChart{title: "Arm means and intervals", axis: "reward", lanes: 2, keys: armKeys(corrected, sequence, p)}
	if corrected {
		r.lanes = 4
	}
	var n int64
	for i := range arms {
		n += arms[i].Pulls
		r.labels = append(r.labels, cut(label(arms[i].Label), maxFigure))
		r.marks = append(r.marks, armMarks(&arms[i], i, corrected)...)
	}
	values := testedMeans(x)
	for _, v := range values {
		r.rules = append(r.rules, rule{at: v, stroke: valueStroke()})
	}
	if len(values) > 0 {
		r.keys = append(r.keys, key{text: "tested value", stroke: valueStroke(), vertical: true})
	}
	r.fit(p.Reward.Range, values)
	return &drawing{kind: figureArms, name: "arms", title: r.title, caption: armCaption(x, p, n), draw: r.draw}
}

func armKeys(corrected, sequence bool, p *protocol) []key {
	keys := []key{{text: "raw " + p.level() + " interval (" + fixedNote + ")", stroke: rawStroke()}}
	if corrected {
		keys = append(keys, key{text: "corrected " + p.level() + " interval", stroke: correctedStroke()})
	}
	if sequence {
		keys = append(keys, key{text: p.level() + " confidence sequence (valid at any time, all arms together)", stroke: sequenceStroke()})
	}
	if corrected {
		keys = append(keys, key{text: "raw interval ± bias bound (not a confidence interval)", stroke: widenedStroke()})
	}
	return keys
}

// armMarks are the lanes of one arm.
func armMarks(a *schemas.Arm, i int, corrected bool) []mark {
	mean := math.NaN()
	if a.Mean != nil {
		mean = *a.Mean
	}
	lane := func(n int, ci *schemas.Interval, s stroke) mark {
		m := mark{row: i, lane: n, at: mean, lo: math.NaN(), hi: math.NaN(), stroke: s}
		if ci != nil {
			m.lo, m.hi = ci[0], ci[1]
		}
		return m
	}
	out := []mark{lane(0, a.CI, rawStroke())}
	next := 1
	if corrected {
		next = 2
	}
	if corrected && a.CICorrected != nil {
		out = append(out, lane(1, a.CICorrected, correctedStroke()))
	}
	if a.ConfidenceSequence != nil {
		out = append(out, lane(next, a.ConfidenceSequence, sequenceStroke()))
	}
	if corrected && a.CI != nil && a.BiasBound != nil {
		out = append(out, lane(3, &schemas.Interval{a.CI[0] - *a.BiasBound, a.CI[1] + *a.BiasBound}, widenedStroke()))
	}
	return out
}

// testedMeans returns the values that tests of arm means test, at most 5.
func testedMeans(x *schemas.Experiment) []float64 {
	const most = 5
	var out []float64
	for i := range x.Tests {
		t := &x.Tests[i]
		if t.Kind == schemas.TestMean && t.Estimate != nil && !slices.Contains(out, t.Value) && len(out) < most {
			out = append(out, t.Value)
		}
	}
	return out
}

// fit sets the value axis to what is drawn, within the declared range of the
// reward: beyond it an interval says nothing.
func (r *rowChart) fit(bounds, values []float64) {
	lo, hi := math.Inf(1), math.Inf(-1)
	include := func(v float64) {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	for _, m := range r.marks {
		include(m.at)
		include(m.lo)
		include(m.hi)
	}
	for _, v := range values {
		include(v)
	}
	if len(bounds) == 2 && bounds[0] < bounds[1] {
		lo, hi = max(lo, bounds[0]), min(hi, bounds[1])
	}
	if lo >= hi {
		lo, hi = lo-0.5, hi+0.5
	}
	pad := (hi - lo) / 50
	r.min, r.max = lo-pad, hi+pad
}

func armCaption(x *schemas.Experiment, p *protocol, n int64) string {
	s := "Mean reward by arm"
	if len(x.Arms) > maxArmRows {
		s += fmt.Sprintf(", the first %d of %d arms", maxArmRows, len(x.Arms))
	}
	s += "; n = " + group(n) + " rounds"
	if m := missingRounds(x); m > 0 {
		s += ", the reward of " + group(m) + " of them missing"
	}
	s += ". "
	has := func(what func(*schemas.Arm) bool) bool {
		return slices.ContainsFunc(x.Arms, func(a schemas.Arm) bool { return what(&a) })
	}
	interval, bound := has(func(a *schemas.Arm) bool { return a.CICorrected != nil }), has(func(a *schemas.Arm) bool { return a.BiasBound != nil })
	sequence := has(func(a *schemas.Arm) bool { return a.ConfidenceSequence != nil })
	var says []string
	if interval && sequence {
		says = append(says, "The corrected interval and the confidence sequence answer the same question in two ways, and which is the narrower differs by arm and log; which is relied on has to be fixed before either is seen.")
	}
	switch {
	case interval:
		says = append(says, p.intervalGiven())
	case !bound:
		says = append(says, "No corrected interval. "+whyUncorrected(x, p))
	}
	if bound {
		says = append(says, "The bias-widened interval is the raw interval moved outward by the bias bound on both sides and is not a confidence interval.")
	}
	if sequence && !interval {
		says = append(says, "The confidence sequence holds for any policy, at any time, for all arms at once"+p.sequenceWhere()+".")
	}
	return s + strings.Join(says, " ") + " Lines without an end stroke go on beyond the range of the reward."
}
