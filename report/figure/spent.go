package figure

import (
	"math"

	"banditaudit/report/chart"
	"banditaudit/report/digest"
	"banditaudit/report/page"
	"banditaudit/schemas"
)

const (
	spentHeight = 200
	spentBeyond = 10 // how many times as large as all else a line across is not drawn
)

// spentFigure draws what the row that paid most had paid by the releases so far, against what
// is claimed and what the declared mechanism can spend; nil where nothing noisy is released
// and nothing is claimed.
func spentFigure(x *schemas.Experiment, _ *digest.Protocol) *Drawing {
	s, p := lineOf(x, schemas.SeriesSpent), &x.Privacy
	if s == nil || p.EpsilonClaimed == nil && len(p.Mechanisms) == 0 {
		return nil
	}
	paid := pointsOf(s)
	end := paid[len(paid)-1]
	a := &chart.Axes{
		Title: spentTitle(p, end.Y), X: "round", Y: "ε of that row", Height: spentHeight, Number: page.Short, Max: chart.Point{X: max(1, end.X), Y: end.Y},
		Keys: []chart.Key{{Text: "the row that paid most, " + page.Up(end.Y), Stroke: chart.Lines()[0]}},
	}
	var across []float64
	for i, line := range []struct {
		text string
		at   *schemas.Extended
	}{{"claimed", p.EpsilonClaimed}, {"what the declared mechanism can spend", p.EpsilonMechanism}} {
		if line.at == nil || math.IsInf(float64(*line.at), 0) || float64(*line.at) > spentBeyond*max(a.Max.Y, 1e-9) && i > 0 {
			continue
		}
		v := float64(*line.at)
		if n := len(across); n > 0 && across[n-1] == v {
			a.Keys[n].Text = "claimed, and all that the declared mechanism can spend, " + page.Up(v)
			continue
		}
		across, a.Max.Y = append(across, v), max(a.Max.Y, v)
		a.Keys = append(a.Keys, chart.Key{Text: line.text + ", " + page.Up(v), Stroke: chart.Reference(i)})
	}
	a.Max.Y = max(a.Max.Y*1.06, 1e-9)
	strokes := a.Keys[1:]
	return &Drawing{
		Kind: Spent, Name: "spent", Title: a.Title, Caption: spentCaption(x), Numbers: spentNumbers(paid),
		draw: func(description string) ([]byte, error) {
			return a.Draw(description, func(v *chart.Canvas) {
				for i, at := range across {
					v.Across(at, strokes[i].Stroke)
				}
				v.Steps(paid, chart.Lines()[0], 0)
			})
		},
	}
}

func spentTitle(p *schemas.Accounting, paid float64) string {
	title := "By the declared mechanism the row that paid most paid ε = " + page.Up(paid)
	if p.EpsilonClaimed != nil {
		title += "; claimed is " + page.Ext(p.EpsilonClaimed, page.Up)
	}
	return title
}

func spentCaption(x *schemas.Experiment) string {
	s := "Largest privacy loss of a row up to a round, on the logged path. It is no DP parameter, and rows of different arms do " +
		"not add up. n = " + schemas.Counted(x.Rounds, "round") + "."
	if x.Privacy.Definition == schemas.DefinitionApproximate {
		s += " The cost is that of pure privacy, and the claimed ε holds at the claimed δ."
	}
	return s
}

// spentNumbers are some of the costs.
func spentNumbers(paid []chart.Point) page.Table {
	t := page.Table{Caption: "What the row that paid most had paid", Pointer: "series", RowHead: true, Columns: []page.Column{{Title: "Up to round"}, page.Numeric("ε, at most")}}
	for _, i := range places(len(paid)) {
		t.Rows.Add("", page.Number(rounds(paid[i].X), ""), page.Number(page.Up(paid[i].Y), ""))
	}
	return t
}
