package report

import (
	"banditaudit/report/chart"
	"banditaudit/schemas"
)

// maxEffects is how many differences are drawn.
const maxEffects = 15

// effectsFigure draws the differences that tests ask about, each with the interval of the
// method that decides it; nil where there is none.
func effectsFigure(x *schemas.Experiment, p *protocol) *drawing {
	r := &chart.Rows{
		Title: "Differences of arms", Axis: "difference of mean rewards", Lanes: 1, Number: short,
		Keys: []chart.Key{{Text: p.level() + " interval of the method that decides", Stroke: chart.Corrected()}, {Text: "tested value", Stroke: chart.Value(), Vertical: true}},
	}
	var values []float64
	for i := range x.Tests {
		t := &x.Tests[i]
		ci := decidingInterval(t)
		if t.Kind != schemas.TestDifference || t.EveryRound() || ci == nil || t.Estimate == nil || len(r.Labels) == maxEffects {
			continue
		}
		r.Marks = append(r.Marks, chart.Mark{Row: len(r.Labels), At: *t.Estimate, Lo: ci[0], Hi: ci[1], Stroke: chart.Corrected()})
		r.Labels = append(r.Labels, cut(label(t.ID), maxFigure)+" · "+t.Decision)
		values = append(values, t.Value)
	}
	if len(r.Labels) == 0 {
		return nil
	}
	markWide(r.Marks)
	for _, v := range values {
		r.Rules = append(r.Rules, chart.Rule{At: v, Stroke: chart.Value()})
	}
	r.Fit(p.differences(), values)
	caption := "Estimated differences, with the interval of the method that decides each test; " + plural(len(r.Labels), "test", "tests") + ". A line without an end stroke goes on beyond the axis. The table of tests holds the numbers."
	return &drawing{kind: figureEffects, name: "effects", title: r.Title, caption: caption, draw: r.Draw}
}

// differences are the bounds of a difference of two rewards; nil where the range is not
// known.
func (p *protocol) differences() []float64 {
	if len(p.Reward.Range) != 2 {
		return nil
	}
	width := p.Reward.Range[1] - p.Reward.Range[0]
	return []float64{-width, width}
}
