package figure

import (
	"math"
	"slices"

	"banditaudit/report/chart"
	"banditaudit/report/digest"
	"banditaudit/report/page"
	"banditaudit/schemas"
)

// armsFigure draws the arms, best first, each with the intervals that are valid and with
// what was decided of it.
func armsFigure(x *schemas.Experiment, p *digest.Protocol) *Drawing {
	ranking := schemas.RankArms(x)
	if d := rankedFigure(x, &ranking, p); d != nil {
		return d
	}
	arms := ranking.Arms[:min(len(x.Arms), maxArmRows)]
	if !slices.ContainsFunc(arms, func(a *schemas.Arm) bool { return a.Mean != nil }) {
		return nil
	}
	corrected := slices.ContainsFunc(arms, func(a *schemas.Arm) bool { return a.CICorrected != nil })
	sequence := slices.ContainsFunc(arms, func(a *schemas.Arm) bool { return a.ConfidenceSequence != nil })
	r := &chart.Rows{Title: "Arms, best first", Axis: "mean reward", Lanes: 1, Keys: armKeys(corrected, sequence, p), Number: page.Short}
	if ranking.Steered {
		r.Title, r.Axis = "Arms as played, over different visitors", "mean reward as played"
	}
	if corrected {
		r.Lanes = 2
	}
	for i, a := range arms {
		r.Labels = append(r.Labels, armLabel(x, a))
		r.Marks = append(r.Marks, armMarks(a, i, corrected)...)
	}
	markWide(r.Marks)
	values := testedMeans(x)
	for _, v := range values {
		r.Rules = append(r.Rules, chart.Rule{At: v, Stroke: chart.Value()})
	}
	if len(values) > 0 {
		r.Keys = append(r.Keys, chart.Key{Text: "tested value", Stroke: chart.Value(), Vertical: true})
	}
	r.Fit(p.Reward.Range, values)
	return &Drawing{Kind: Arms, Name: "arms", Title: r.Title, Caption: armCaption(x, len(arms)), draw: r.Draw}
}

func armKeys(corrected, sequence bool, p *digest.Protocol) []chart.Key {
	var keys []chart.Key
	if corrected {
		keys = append(keys, chart.Key{Text: "corrected " + p.Level() + " interval", Stroke: chart.Corrected()})
	}
	if sequence {
		keys = append(keys, chart.Key{Text: p.Level() + " confidence sequence (valid at any time, all arms together)", Stroke: chart.Sequence()})
	}
	if len(keys) == 0 {
		keys = append(keys, chart.Key{Text: "mean; no interval of this log is valid", Stroke: chart.Raw().Marker()})
	}
	return keys
}

// armMarks are the lanes of one arm: the intervals that are valid, or the mean alone.
func armMarks(a *schemas.Arm, i int, corrected bool) []chart.Mark {
	mean := math.NaN()
	if a.Mean != nil {
		mean = *a.Mean
	}
	lane := func(n int, ci *schemas.Interval, s chart.Stroke) chart.Mark {
		return chart.Mark{Row: i, Lane: n, At: mean, Lo: ci[0], Hi: ci[1], Stroke: s}
	}
	var out []chart.Mark
	if a.CICorrected != nil {
		out = append(out, lane(0, a.CICorrected, chart.Corrected()))
	}
	if a.ConfidenceSequence != nil {
		n := 0
		if corrected {
			n = 1
		}
		out = append(out, lane(n, a.ConfidenceSequence, chart.Sequence()))
	}
	if len(out) == 0 {
		out = append(out, loneMark(mean, i))
	}
	return out
}

func armCaption(x *schemas.Experiment, drawn int) string {
	var n int64
	for i := range x.Arms {
		n += x.Arms[i].Pulls
	}
	s := "Mean reward by arm"
	which := ", the best "
	if x.Steering != nil {
		s, which = "Mean reward by arm as played, over different visitors: it ranks no arm", ", the first "
	}
	if drawn < len(x.Arms) {
		s += which + page.Group(int64(drawn)) + " of " + page.Group(int64(len(x.Arms))) + " arms"
	}
	s += "; n = " + page.Group(n) + " rounds"
	if m := x.Data.MissingRewards(); m > 0 {
		s += ", the reward of " + page.Group(m) + " of them missing"
	}
	return s + ". A line without an end stroke goes on beyond the axis. The table of arms holds the numbers."
}

// maxEffects is how many differences are drawn.
const maxEffects = 15

// effectsFigure draws the differences that tests ask about, each with the interval of the
// method that decides it; nil where there is none.
func effectsFigure(x *schemas.Experiment, p *digest.Protocol) *Drawing {
	r := &chart.Rows{
		Title: "Differences of arms", Axis: "difference of mean rewards", Lanes: 1, Number: page.Short,
		Keys: []chart.Key{{Text: p.Level() + " interval of the method that decides", Stroke: chart.Corrected()}, {Text: "tested value", Stroke: chart.Value(), Vertical: true}},
	}
	var values []float64
	for i := range x.Tests {
		t := &x.Tests[i]
		ci := t.DecidingInterval()
		if t.Kind != schemas.TestDifference || t.EveryRound() || ci == nil || t.Estimate == nil || len(r.Labels) == maxEffects {
			continue
		}
		r.Marks = append(r.Marks, chart.Mark{Row: len(r.Labels), At: *t.Estimate, Lo: ci[0], Hi: ci[1], Stroke: chart.Corrected()})
		r.Labels = append(r.Labels, page.Cut(page.Label(t.ID), page.MaxFigure)+" · "+t.Decision)
		values = append(values, t.Value)
	}
	if len(r.Labels) == 0 {
		return nil
	}
	markWide(r.Marks)
	for _, v := range values {
		r.Rules = append(r.Rules, chart.Rule{At: v, Stroke: chart.Value()})
	}
	r.Fit(p.Differences(), values)
	caption := "Estimated differences, with the interval of the method that decides each test; " + schemas.Counted(len(r.Labels), "test") +
		". A line without an end stroke goes on beyond the axis. The table of tests holds the numbers."
	return &Drawing{Kind: Effects, Name: "effects", Title: r.Title, Caption: caption, draw: r.Draw}
}
