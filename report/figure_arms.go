package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"banditaudit/report/chart"
	"banditaudit/schemas"
)

// maxArmRows is how many arms are drawn.
const maxArmRows = 60

// armsFigure draws arm means with raw, corrected and bias-widened intervals.
func armsFigure(x *schemas.Experiment, p *protocol) *drawing {
	arms := x.Arms[:min(len(x.Arms), maxArmRows)]
	if !anyArm(arms, func(a *schemas.Arm) bool { return a.Mean != nil }) {
		return nil
	}
	corrected := anyArm(arms, func(a *schemas.Arm) bool { return a.CICorrected != nil || a.BiasBound != nil })
	sequence := anyArm(arms, func(a *schemas.Arm) bool { return a.ConfidenceSequence != nil })
	r := &chart.Rows{Title: "Arm means and intervals", Axis: "reward", Lanes: 2, Keys: armKeys(corrected, sequence, p), Number: short}
	if corrected {
		r.Lanes = 4
	}
	var n int64
	for i := range arms {
		n += arms[i].Pulls
		r.Labels = append(r.Labels, cut(label(arms[i].Label), maxFigure))
		r.Marks = append(r.Marks, armMarks(&arms[i], i, corrected)...)
	}
	values := testedMeans(x)
	for _, v := range values {
		r.Rules = append(r.Rules, chart.Rule{At: v, Stroke: chart.Value()})
	}
	if len(values) > 0 {
		r.Keys = append(r.Keys, chart.Key{Text: "tested value", Stroke: chart.Value(), Vertical: true})
	}
	r.Fit(p.Reward.Range, values)
	return &drawing{kind: figureArms, name: "arms", title: r.Title, caption: armCaption(x, p, n), draw: r.Draw}
}

func armKeys(corrected, sequence bool, p *protocol) []chart.Key {
	keys := []chart.Key{{Text: "raw " + p.level() + " interval (" + fixedNote + ")", Stroke: chart.Raw()}}
	if corrected {
		keys = append(keys, chart.Key{Text: "corrected " + p.level() + " interval", Stroke: chart.Corrected()})
	}
	if sequence {
		keys = append(keys, chart.Key{Text: p.level() + " confidence sequence (valid at any time, all arms together)", Stroke: chart.Sequence()})
	}
	if corrected {
		keys = append(keys, chart.Key{Text: "raw interval ± bias bound (not a confidence interval)", Stroke: chart.Widened()})
	}
	return keys
}

// armMarks are the lanes of one arm.
func armMarks(a *schemas.Arm, i int, corrected bool) []chart.Mark {
	mean := math.NaN()
	if a.Mean != nil {
		mean = *a.Mean
	}
	lane := func(n int, ci *schemas.Interval, s chart.Stroke) chart.Mark {
		m := chart.Mark{Row: i, Lane: n, At: mean, Lo: math.NaN(), Hi: math.NaN(), Stroke: s}
		if ci != nil {
			m.Lo, m.Hi = ci[0], ci[1]
		}
		return m
	}
	out := []chart.Mark{lane(0, a.CI, chart.Raw())}
	next := 1
	if corrected {
		next = 2
	}
	if corrected && a.CICorrected != nil {
		out = append(out, lane(1, a.CICorrected, chart.Corrected()))
	}
	if a.ConfidenceSequence != nil {
		out = append(out, lane(next, a.ConfidenceSequence, chart.Sequence()))
	}
	if corrected && a.CI != nil && a.BiasBound != nil {
		out = append(out, lane(3, &schemas.Interval{a.CI[0] - *a.BiasBound, a.CI[1] + *a.BiasBound}, chart.Widened()))
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
	interval, bound := anyArm(x.Arms, func(a *schemas.Arm) bool { return a.CICorrected != nil }), anyArm(x.Arms, func(a *schemas.Arm) bool { return a.BiasBound != nil })
	sequence := anyArm(x.Arms, func(a *schemas.Arm) bool { return a.ConfidenceSequence != nil })
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
