package report

import (
	"fmt"

	"banditaudit/report/page"
	"banditaudit/schemas"
)

// figureList are the figures of an experiment, in the order of their files; nil where one
// has no data.
func figureList() []func(*schemas.Experiment, *protocol) *drawing {
	return []func(*schemas.Experiment, *protocol) *drawing{
		armsFigure, allocationFigure, meansFigure, weightsFigure, noiseFigure, spentFigure, effectsFigure,
	}
}

// Figures draws the figures of the results as SVG with real text, in the order
// of the experiments: arm means with their intervals (figures/arms.svg),
// allocation over time (figures/allocation.svg), means over time with their confidence
// sequences (figures/means.svg), what weights leave of the rounds (figures/weights.svg),
// noise against its declared law (figures/noise.svg), what the row that paid most had paid
// (figures/spent.svg), and the differences that tests ask about (figures/effects.svg). With several experiments the names end in the index
// of the experiment, figures/arms-0.svg, and only the first few are drawn.
//
// The same results give the same bytes. A figure without data is left out. An
// error is returned when r is nil or its protocol is not one.
//
// Special cases are:
//
//	no arm with a mean gives no arms figure
//	no series of a figure (results.json, series) gives no such figure
//	no test of a difference with an interval gives no figure of differences
func Figures(r *Digest) ([]page.File, error) {
	p, err := readProtocol(r)
	if err != nil {
		return nil, err
	}
	drawn, err := drawAll(drawings(r, &p))
	if err != nil {
		return nil, err
	}
	files := make([]page.File, 0, len(drawn))
	for _, d := range drawn {
		files = append(files, page.File{Name: d.name, Data: d.svg})
	}
	return files, nil
}

// drawings lists the figures that have data.
func drawings(r *Digest, p *protocol) []drawing {
	var out []drawing
	for i := range r.Experiments {
		if i == maxDrawn {
			break
		}
		x := &r.Experiments[i]
		for _, figure := range figureList() {
			d := figure(x, p)
			if d == nil {
				continue
			}
			d.experiment = i
			if r.Count() > 1 {
				d.name = fmt.Sprintf("%s-%d", d.name, i)
				d.title += ": " + page.Cut(page.Label(x.ID), page.MaxFigure)
			}
			d.name = "figures/" + d.name + ".svg"
			out = append(out, *d)
		}
	}
	return out
}

func drawAll(list []drawing) ([]drawing, error) {
	for i := range list {
		svg, err := list[i].draw(page.Visible(list[i].caption))
		if err != nil {
			return nil, err
		}
		list[i].svg = svg
	}
	return list, nil
}
