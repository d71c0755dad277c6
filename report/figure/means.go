package figure

import (
	"fmt"
	"math"

	"banditaudit/report/chart"
	"banditaudit/report/digest"
	"banditaudit/report/page"
	"banditaudit/schemas"
)

const (
	meansHeight = 230
	meansEarly  = 0.5 // the part of the rounds in which intervals do not set the axis
)

// meansFigure draws the mean of the arms that were played most, as it was after each drawn
// number of rounds, with its confidence sequence.
func meansFigure(x *schemas.Experiment, p *digest.Protocol) *Drawing {
	names, lines := linesOf(x, schemas.SeriesMean)
	if len(lines) == 0 {
		return nil
	}
	a := &chart.Axes{Title: meansTitle(names[0], lines[0]), X: "round", Y: "mean reward so far", Height: meansHeight, Number: page.Short}
	var samples [][]chart.Sample
	banded := false
	for i, s := range lines {
		list := samplesOf(s)
		samples = append(samples, list)
		last := list[len(list)-1]
		banded = banded || !math.IsNaN(last.Lo)
		a.Ends = append(a.Ends, chart.End{Key: chart.Key{Text: page.Cut(page.Label(names[i]), allocationLabel) + ": " + page.Short(last.Y), Stroke: meanStroke(i)}, At: last.Y})
	}
	if banded {
		a.Keys = append(a.Keys, chart.Key{Text: p.Level() + " confidence sequence (valid at any time, all arms together)", Stroke: chart.Value(), Band: true})
	}
	values := testedMeans(x)
	if len(values) > 0 {
		a.Keys = append(a.Keys, chart.Key{Text: "tested value", Stroke: chart.Value()})
	}
	a.Min, a.Max = meansRange(samples, values, x.Rounds)
	return &Drawing{
		Kind: Means, Name: "means", Title: a.Title, Caption: meansCaption(x, lines, banded), Numbers: meansNumbers(names, lines),
		draw: func(description string) ([]byte, error) {
			return a.Draw(description, func(v *chart.Canvas) {
				for i := range samples {
					v.Band(samples[i], meanStroke(i))
				}
				for _, value := range values {
					v.Across(value, chart.Value())
				}
				for i, list := range samples {
					v.Course(list, meanStroke(i), i)
				}
			})
		},
	}
}

func meanStroke(i int) chart.Stroke { return chart.Lines()[i%len(chart.Lines())] }

// meansTitle says where the mean of the arm that was played most ends.
func meansTitle(name string, s *schemas.Series) string {
	list := samplesOf(s)
	last := list[len(list)-1]
	title := "Means over time: " + armWords(page.Label(name)) + " ends at " + page.Short(last.Y)
	if !math.IsNaN(last.Lo) {
		title += ", between " + page.Short(last.Lo) + " and " + page.Short(last.Hi)
	}
	return title
}

// meansRange are the ends of the axes: the means and intervals of all but the first rounds.
func meansRange(lines [][]chart.Sample, values []float64, rounds int64) (lo, hi chart.Point) {
	lo, hi = chart.Point{Y: math.Inf(1)}, chart.Point{X: max(1, float64(rounds)), Y: math.Inf(-1)}
	include := func(y float64) {
		if !math.IsNaN(y) {
			lo.Y, hi.Y = min(lo.Y, y), max(hi.Y, y)
		}
	}
	for _, list := range lines {
		for _, m := range list {
			if hi.X = max(hi.X, m.X); m.X >= meansEarly*float64(rounds) {
				include(m.Lo)
				include(m.Hi)
				include(m.Y)
			}
		}
		include(list[len(list)-1].Y)
	}
	for _, v := range values {
		include(v)
	}
	pad := max((hi.Y-lo.Y)/25, 1e-9)
	lo.Y, hi.Y = lo.Y-pad, hi.Y+pad
	return lo, hi
}

func meansCaption(x *schemas.Experiment, lines []*schemas.Series, banded bool) string {
	var n int64
	for _, s := range lines {
		n += s.N
	}
	which := schemas.Plural(len(lines), "arm that was played", "arms that were played")
	if len(lines) == len(x.Arms) {
		which = "every arm"
	} else if len(lines) < len(x.Arms) {
		which = fmt.Sprintf("the %d of %s arms that were played most", len(lines), page.Group(int64(len(x.Arms))))
	}
	s := "Mean of the known rewards up to a round, of " + which + "; n = " + schemas.Counted(n, "reward") + "."
	if banded {
		s += " Bands are confidence sequences, valid at any time; they do not assume constant means."
	} else {
		s += " No confidence sequence of this log is valid."
	}
	return s
}

// meansNumbers are some of the means, arm by arm.
func meansNumbers(names []string, lines []*schemas.Series) page.Table {
	t := page.Table{Caption: "Means over time", Pointer: "series", RowHead: true, Columns: []page.Column{{Title: "Arm"}, page.Numeric("Up to round"), page.Numeric("Mean"), page.Numeric("Confidence sequence")}}
	const most = 4
	for i, s := range lines {
		list := samplesOf(s)
		for j := range min(len(list), most) {
			m := list[(j+1)*len(list)/min(len(list), most)-1]
			ci := page.Dash
			if !math.IsNaN(m.Lo) {
				ci = page.Interval(&schemas.Interval{m.Lo, m.Hi})
			}
			t.Rows.Add("", page.Text(page.Label(names[i])), page.Number(rounds(m.X), ""), page.Number(page.Sig(m.Y), ""), page.Number(ci, ""))
		}
	}
	return t
}
