package figure

import (
	"math"

	"banditaudit/report/chart"
	"banditaudit/report/digest"
	"banditaudit/report/page"
	"banditaudit/schemas"
)

const (
	weightsHeight = 200
	weightsEven   = 0.995 // from where on weights take nothing away
)

// weightsFigure draws what is left of the rounds where they are weighed by 1/p, and how much
// of all weight the heaviest round has; nil where weights take nothing away.
func weightsFigure(x *schemas.Experiment, _ *digest.Protocol) *Drawing {
	effective, heaviest := lineOf(x, schemas.SeriesEffective), lineOf(x, schemas.SeriesHeaviest)
	if effective == nil || heaviest == nil {
		return nil
	}
	left, most := pointsOf(effective), pointsOf(heaviest)
	least, top := 1.0, 0.0
	for _, p := range left {
		least, top = min(least, p.Y), max(top, p.Y)
	}
	for _, p := range most {
		top = max(top, p.Y)
	}
	if least > weightsEven {
		return nil
	}
	end, heavy := left[len(left)-1], most[len(most)-1]
	counts := page.Group(int64(math.Round(end.Y * end.X)))
	a := &chart.Axes{
		Title: "Weighted by 1/p, " + schemas.Plural(x.Rounds, "round counts", "rounds count") + " as " + counts, X: "round", Y: "share", Height: weightsHeight, Number: page.Short,
		Max: chart.Point{X: max(1, end.X, heavy.X), Y: min(1.02, 1.05*top)},
		Ends: []chart.End{
			{Key: chart.Key{Text: "effective " + page.Percent(end.Y), Stroke: weightStroke(0)}, At: end.Y},
			{Key: chart.Key{Text: "heaviest " + page.Percent(heavy.Y), Stroke: weightStroke(1)}, At: heavy.Y},
		},
		Keys: []chart.Key{
			{Text: "effective sample size, of the rounds so far", Stroke: weightStroke(0)}, {Text: "heaviest round, of all weight so far", Stroke: weightStroke(1)},
		},
	}
	return &Drawing{
		Kind: Weights, Name: "weights", Title: a.Title, Numbers: weightsNumbers(left, most),
		Caption: "Effective sample size (Σw)²/Σw² of the rounds so far as a share of them, and the largest weight as a share of Σw, with w = 1/p of the logged action; n = " +
			schemas.Counted(x.Rounds, "round") + ". Few effective rounds, or one that is heavy, make every weighted answer rest on few rewards.",
		draw: func(description string) ([]byte, error) {
			return a.Draw(description, func(v *chart.Canvas) {
				v.Steps(left, weightStroke(0), 0)
				v.Steps(most, weightStroke(1), 1)
			})
		},
	}
}

func weightStroke(i int) chart.Stroke { return chart.Lines()[i] }

// weightsNumbers are some of the shares.
func weightsNumbers(left, most []chart.Point) page.Table {
	t := page.Table{Caption: "Weights over time", Pointer: "series", RowHead: true, Columns: []page.Column{{Title: "Up to round"}, page.Numeric("Effective sample size"), page.Numeric("Of these rounds"), page.Numeric("Heaviest round, of all weight")}}
	for _, i := range places(min(len(left), len(most))) {
		t.Rows.Add("",
			page.Number(rounds(left[i].X), ""), page.Number(page.Sig(left[i].X*left[i].Y), ""), page.Number(page.Percent(left[i].Y), ""),
			page.Number(page.Percent(most[i].Y), ""),
		)
	}
	return t
}
