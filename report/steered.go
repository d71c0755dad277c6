package report

import (
	"fmt"
	"slices"

	"banditaudit/report/chart"
	"banditaudit/report/page"
	"banditaudit/schemas"
)

// Where arms follow a context, their means as played are over different visitors. Weighted
// means rank the arms then, or nothing does.

// asPlayedNote stands at means as played.
const asPlayedNote = "as played, over different visitors"

// asPlayedWords say what means as played are.
func asPlayedWords(s *schemas.Steering) string {
	if s.Context == "" {
		return "Arms follow the contexts: their means as played are over different visitors, and rank no arm"
	}
	return "Arms follow the context " + page.Label(s.Context) + ": their means as played are over different visitors, and rank no arm"
}

// steeredAnswers are what means show of arms that follow a context.
func steeredAnswers(x *schemas.Experiment) []string {
	said := []string{page.Sentence(asPlayedWords(x.Steering))}
	r := schemas.RankArms(x)
	switch {
	case r.Weighted == nil:
		return append(said, "There is no weighted mean of every arm, so no arm is called best.")
	case len(r.Arms) < 2 || r.Weighted[0] == nil:
		return said
	}
	return append(said, page.Sentence(bestWeighted(&r)))
}

// bestWeighted says which arm has the highest weighted mean.
func bestWeighted(r *schemas.Ranking) string {
	best := r.Weighted[0]
	out := fmt.Sprintf("The highest weighted mean (%s) is that of %s, %s", best.Estimator, armName(r.Arms[0].Label), page.Short(*best.Estimate))
	if best.CI != nil {
		out += fmt.Sprintf(" (approximate interval %s to %s, of this arm alone)", page.Short(best.CI[0]), page.Short(best.CI[1]))
	}
	return out
}

// steeredFound says the same where the means of arms are opened.
func steeredFound(x *schemas.Experiment) string {
	out := "arms follow a context, so that means as played are over different visitors and rank no arm"
	if r := schemas.RankArms(x); len(r.Weighted) > 0 && r.Weighted[0] != nil {
		out += fmt.Sprintf("; the highest weighted mean (%s) is that of %s, %s", r.Weighted[0].Estimator, armName(r.Arms[0].Label), page.Short(*r.Weighted[0].Estimate))
	}
	return out
}

// meanNote heads the means as played.
func (s *experimentView) meanNote() string {
	if s.x.Steering == nil {
		return ""
	}
	return asPlayedNote
}

// weightedRows draws arms by their weighted means.
func weightedRows(x *schemas.Experiment, r *schemas.Ranking, p *protocol) *drawing {
	rows := &chart.Rows{
		Title: "Arms by weighted mean, best first", Axis: "weighted mean reward", Lanes: 1, Number: page.Short,
		Keys: []chart.Key{{Text: p.level() + " interval of " + r.Weighted[0].Estimator + " (approximate, of each arm alone)", Stroke: chart.Corrected()}},
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
	return &drawing{kind: figureArms, name: "arms", title: rows.Title, caption: caption + ". A line without an end stroke goes on beyond the axis. The table of estimates holds the numbers.", draw: rows.Draw}
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
func rankedFigure(x *schemas.Experiment, r *schemas.Ranking, p *protocol) *drawing {
	if r.Weighted == nil || !slices.ContainsFunc(r.Weighted, func(e *schemas.Estimate) bool { return e != nil }) {
		return nil
	}
	return weightedRows(x, r, p)
}
