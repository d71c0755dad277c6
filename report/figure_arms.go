package report

import (
	"math"
	"slices"
	"strings"

	"banditaudit/report/chart"
	"banditaudit/report/page"
	"banditaudit/schemas"
)

const (
	// maxArmRows is how many arms are drawn, the best first.
	maxArmRows = 15
	// wideInterval is how many times the median interval one is whose ends do not set the
	// axis.
	wideInterval = 3
)

// armsFigure draws the arms, best first, each with the intervals that are valid and with
// what was decided of it.
func armsFigure(x *schemas.Experiment, p *protocol) *drawing {
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
	return &drawing{kind: figureArms, name: "arms", title: r.Title, caption: armCaption(x, len(arms)), draw: r.Draw}
}

// armLabel names an arm, with what was decided of it.
func armLabel(x *schemas.Experiment, a *schemas.Arm) string {
	name := page.Cut(page.Label(a.Label), page.MaxFigure)
	if said := decisionsOf(x.Tests, a.Arm); said != "" {
		name += " · " + said
	}
	return name
}

// decisionsOf are what tests about an arm alone, or against another, decide; of more than
// two the number.
func decisionsOf(tests []schemas.Test, arm int) string {
	const most = 2
	var said []string
	for i := range tests {
		if t := &tests[i]; t.Arm == arm && (t.Kind == schemas.TestMean || t.Kind == schemas.TestDifference) {
			said = append(said, page.Cut(strings.TrimSuffix(page.Label(t.ID), "/"+page.Label(t.Label)), page.MaxFigure)+" "+t.Decision)
		}
	}
	if len(said) > most {
		return page.Plural(len(said), "test", "tests")
	}
	return strings.Join(said, ", ")
}

func armKeys(corrected, sequence bool, p *protocol) []chart.Key {
	var keys []chart.Key
	if corrected {
		keys = append(keys, chart.Key{Text: "corrected " + p.level() + " interval", Stroke: chart.Corrected()})
	}
	if sequence {
		keys = append(keys, chart.Key{Text: p.level() + " confidence sequence (valid at any time, all arms together)", Stroke: chart.Sequence()})
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

// loneMark is a mean without an interval.
func loneMark(mean float64, row int) chart.Mark {
	return chart.Mark{Row: row, At: mean, Lo: math.NaN(), Hi: math.NaN(), Stroke: chart.Raw().Marker()}
}

// markWide finds the intervals that are so wide that the axis is not made for them.
func markWide(marks []chart.Mark) {
	var widths []float64
	for i := range marks {
		if w := marks[i].Hi - marks[i].Lo; !math.IsNaN(w) {
			widths = append(widths, w)
		}
	}
	if len(widths) == 0 {
		return
	}
	slices.Sort(widths)
	most := wideInterval * widths[len(widths)/2]
	for i := range marks {
		marks[i].Wide = marks[i].Hi-marks[i].Lo > most
	}
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
	if m := missingRounds(x); m > 0 {
		s += ", the reward of " + page.Group(m) + " of them missing"
	}
	return s + ". A line without an end stroke goes on beyond the axis. The table of arms holds the numbers."
}

// maxEffects is how many differences are drawn.
const maxEffects = 15

// effectsFigure draws the differences that tests ask about, each with the interval of the
// method that decides it; nil where there is none.
func effectsFigure(x *schemas.Experiment, p *protocol) *drawing {
	r := &chart.Rows{
		Title: "Differences of arms", Axis: "difference of mean rewards", Lanes: 1, Number: page.Short,
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
	r.Fit(p.differences(), values)
	caption := "Estimated differences, with the interval of the method that decides each test; " + page.Plural(len(r.Labels), "test", "tests") + ". A line without an end stroke goes on beyond the axis. The table of tests holds the numbers."
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
