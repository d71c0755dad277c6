// Package figure draws the results of an experiment: a file a figure.
//
// # Add a figure
//
// A figure is a file of this package: what is drawn, a title that says the finding, caption and
// numbers. What it is drawn from is a line of schemas.Series, kept of the first SeriesExperiments
// experiments. It is a line of figureList, stands by figure in its section of package report, and
// has its id in schemas/results.go and a row of TestLines; a stroke or a form that it needs stands
// in report/chart.
package figure

import (
	"fmt"

	"banditaudit/report/digest"
	"banditaudit/report/page"
	"banditaudit/schemas"
)

// figureList are the figures of an experiment, in the order of their files; nil where one
// has no data.
func figureList() []func(*schemas.Experiment, *digest.Protocol) *Drawing {
	return []func(*schemas.Experiment, *digest.Protocol) *Drawing{
		armsFigure, allocationFigure, meansFigure, weightsFigure, noiseFigure, spentFigure, effectsFigure,
	}
}

// Files draws the figures of the results as SVG with real text, in the order
// of the experiments: arm means with their intervals (figures/arms.svg),
// allocation over time (figures/allocation.svg), means over time with their confidence
// sequences (figures/means.svg), what weights leave of the rounds (figures/weights.svg),
// noise against its declared law (figures/noise.svg), what the row that paid most had paid
// (figures/spent.svg), and the differences that tests ask about (figures/effects.svg). With
// several experiments the names end in the index of the experiment, figures/arms-0.svg, and
// only the first few are drawn.
//
// The same results give the same bytes. A figure without data is left out. An
// error is returned when r is nil or its protocol is not one.
//
// Special cases are:
//
//	no arm with a mean gives no arms figure
//	no series of a figure (results.json, series) gives no such figure
//	no test of a difference with an interval gives no figure of differences
func Files(r *digest.Digest) ([]page.File, error) {
	p, err := digest.ReadProtocol(r)
	if err != nil {
		return nil, err
	}
	drawn, err := DrawAll(Of(r, &p))
	if err != nil {
		return nil, err
	}
	files := make([]page.File, 0, len(drawn))
	for _, d := range drawn {
		files = append(files, page.File{Name: d.Name, Data: d.SVG})
	}
	return files, nil
}

// Of lists the figures that have data.
func Of(r *digest.Digest, p *digest.Protocol) []Drawing {
	var out []Drawing
	for i := range r.Experiments {
		if i == digest.MaxDrawn {
			break
		}
		x := &r.Experiments[i]
		for _, figure := range figureList() {
			d := figure(x, p)
			if d == nil {
				continue
			}
			d.Experiment = i
			if r.Count() > 1 {
				d.Name = fmt.Sprintf("%s-%d", d.Name, i)
				d.Title += ": " + page.Cut(page.Label(x.ID), page.MaxFigure)
			}
			d.Name = "figures/" + d.Name + ".svg"
			out = append(out, *d)
		}
	}
	return out
}

// DrawAll draws figures.
func DrawAll(list []Drawing) ([]Drawing, error) {
	for i := range list {
		svg, err := list[i].draw(page.Visible(list[i].Caption))
		if err != nil {
			return nil, err
		}
		list[i].SVG = svg
	}
	return list, nil
}
