package figure

import (
	"fmt"
	"slices"

	"banditaudit/report/chart"
	"banditaudit/report/digest"
	"banditaudit/report/page"
	"banditaudit/schemas"
)

// Where arms follow a context, their means as played are over different visitors. Weighted
// means rank the arms then, or nothing does.

// weightedRows draws arms by their weighted means.
func weightedRows(x *schemas.Experiment, r *schemas.Ranking, p *digest.Protocol) *Drawing {
	rows := &chart.Rows{
		Title: "Arms by weighted mean, best first", Axis: "weighted mean reward", Lanes: 1, Number: page.Short,
		Keys: []chart.Key{{Text: p.Level() + " interval of " + r.Weighted[0].Estimator + " (approximate, of each arm alone)", Stroke: chart.Corrected()}},
	}
	for i, a := range r.Arms[:min(len(r.Arms), maxArmRows)] {
		e := r.Weighted[i]
		if e == nil {
			continue
		}
		rows.Marks = append(rows.Marks, weightedMark(e, len(rows.Labels)))
		rows.Labels = append(rows.Labels, armLabel(x, a))
	}
	markWide(rows.Marks)
	rows.Fit(p.Reward.Range, nil)
	caption := fmt.Sprintf("Weighted mean reward by arm (%s), over all rounds: arms follow a context, and their means as played are over different visitors", r.Weighted[0].Estimator)
	if n := len(rows.Labels); n < len(r.Arms) {
		caption += fmt.Sprintf("; %s of %s arms", page.Group(int64(n)), page.Group(int64(len(r.Arms))))
	}
	return &Drawing{Kind: Arms, Name: "arms", Title: rows.Title, Caption: caption + ". A line without an end stroke goes on beyond the axis. The table of estimates holds the numbers.", draw: rows.Draw}
}

// weightedMark draws an arm's weighted mean with its interval.
func weightedMark(e *schemas.Estimate, row int) chart.Mark {
	if e.CI == nil {
		return loneMark(*e.Estimate, row)
	}
	return chart.Mark{Row: row, At: *e.Estimate, Lo: e.CI[0], Hi: e.CI[1], Stroke: chart.Corrected()}
}

// rankedFigure draws weighted means where these rank the arms; nil where others do, or
// nothing does.
func rankedFigure(x *schemas.Experiment, r *schemas.Ranking, p *digest.Protocol) *Drawing {
	if r.Weighted == nil || !slices.ContainsFunc(r.Weighted, func(e *schemas.Estimate) bool { return e != nil }) {
		return nil
	}
	return weightedRows(x, r, p)
}
