package pages

import (
	"errors"
	"fmt"
	"math"

	"banditaudit/cmd/banditlab/documents"
	"banditaudit/report/chart"
	"banditaudit/report/page"
)

// Kinds of documents.PaperPlot.
const (
	plotArms      = "arms"
	plotCurves    = "curves"
	plotHistogram = "histogram"
)

const (
	paperHeight = 230 // of the axes of a figure of the paper, in points
	paperLabel  = 100 // runes of a label in its legend
	offsetArms  = 0.22
)

// ReproductionFigures draws the plots of a reproduction as SVG with real text,
// in their order, figures/<id>.svg each. The same reproduction gives the same
// bytes.
//
// It returns an error when r is nil, and for a kind of plot that is none.
//
// Special cases are:
//
//	a point that is not finite is left out
//	a line whose lists have different lengths is drawn as far as the shortest goes
func ReproductionFigures(r *documents.Reproduction) ([]page.File, error) {
	if r == nil {
		return nil, errNoReproduction()
	}
	var out []page.File
	for i := range r.Experiments {
		for j := range r.Experiments[i].Plots {
			p := &r.Experiments[i].Plots[j]
			b, err := drawPlot(p, plotCaption(r, p))
			if err != nil {
				return nil, err
			}
			out = append(out, page.File{Name: plotFile(p), Data: b})
		}
	}
	return out, nil
}

func plotFile(p *documents.PaperPlot) string { return "figures/" + p.ID + ".svg" }

// plotCaption says what is drawn and how.
func plotCaption(r *documents.Reproduction, p *documents.PaperPlot) string {
	var s string
	switch p.Kind {
	case plotArms:
		s = "Average over runs by arm, with 95 % intervals; the dashed line is at 0, no bias."
	case plotHistogram:
		s = fmt.Sprintf("Share of runs in each of %s cells. The dashed line stands at p = %s; uniform p-values fill every cell to the dotted line.", page.Group(int64(histogramCells(p))), page.Opt(p.Mark, page.Short))
	default:
		s = "Each curve has markers and dashes of its own."
		if hasIntervals(p) {
			s = "Averages over runs, with 95 % intervals at the markers; most of them are smaller than a marker."
		}
		if p.Mark != nil {
			s += " The dashed line is at " + page.Short(*p.Mark) + "."
		}
	}
	if r.Size == "short" {
		s += " Short form: few runs."
	}
	return s
}

func hasIntervals(p *documents.PaperPlot) bool { return len(p.Lines) > 0 && len(p.Lines[0].Lo) > 0 }

func histogramCells(p *documents.PaperPlot) int {
	if len(p.Lines) == 0 {
		return 0
	}
	return len(p.Lines[0].Y)
}

// drawPlot draws one plot.
func drawPlot(p *documents.PaperPlot, caption string) ([]byte, error) {
	if p.Kind != plotArms && p.Kind != plotCurves && p.Kind != plotHistogram {
		return nil, fmt.Errorf("report: plot %s: kind %q is none of %s, %s, %s", p.ID, p.Kind, plotArms, plotCurves, plotHistogram)
	}
	lines := paperLines(p)
	a := &chart.Axes{Title: p.Title, X: p.XLabel, Y: p.YLabel, Keys: plotKeys(p), Height: paperHeight, Number: page.Short}
	paperRange(p, a)
	return a.Draw(page.Visible(caption), func(v *chart.Canvas) {
		switch p.Kind {
		case plotHistogram:
			drawHistogram(v, p)
			return
		case plotArms:
			offset(lines)
		}
		if p.Mark != nil {
			v.Across(*p.Mark, chart.Level())
		}
		styles := chart.Lines()
		for i, l := range lines {
			s := styles[i%len(styles)]
			if p.Kind == plotCurves {
				v.Curve(l, s, i)
				continue
			}
			for _, m := range l {
				v.Dot(m, s)
			}
		}
	})
}

// paperLines are the lines of a plot as far as the shortest of their lists goes.
func paperLines(p *documents.PaperPlot) [][]chart.Sample {
	out := make([][]chart.Sample, len(p.Lines))
	for i := range p.Lines {
		l := &p.Lines[i]
		for j := range min(len(l.X), len(l.Y)) {
			m := chart.Sample{Point: chart.Point{X: l.X[j], Y: l.Y[j]}, Lo: math.NaN(), Hi: math.NaN()}
			if j < len(l.Lo) && j < len(l.Hi) {
				m.Lo, m.Hi = l.Lo[j], l.Hi[j]
			}
			out[i] = append(out[i], m)
		}
	}
	return out
}

// offset moves lines of arms beside each other.
func offset(lines [][]chart.Sample) {
	for i := range lines {
		for j := range lines[i] {
			lines[i][j].X += float64(offsetArms * (float64(i) - float64(float64(len(lines)-1)/2)))
		}
	}
}

// plotKeys are the legend.
func plotKeys(p *documents.PaperPlot) []chart.Key {
	var out []chart.Key
	styles := chart.Lines()
	for i, l := range p.Lines {
		s := styles[i%len(styles)]
		switch p.Kind {
		case plotHistogram:
			s = chart.Area()
		case plotArms:
			s = s.Marker()
		}
		out = append(out, chart.Key{Text: page.Cut(page.Visible(l.Label), paperLabel), Stroke: s})
	}
	if p.Kind == plotHistogram {
		if p.Mark != nil {
			out = append(out, chart.Key{Text: p.XLabel + " = " + page.Short(*p.Mark), Stroke: chart.Level(), Vertical: true})
		}
		out = append(out, chart.Key{Text: "uniform", Stroke: chart.Value()})
	}
	return out
}

// paperRange sets the axes to what is drawn.
func paperRange(p *documents.PaperPlot, axes *chart.Axes) {
	lo, hi := chart.Point{X: math.Inf(1), Y: math.Inf(1)}, chart.Point{X: math.Inf(-1), Y: math.Inf(-1)}
	include := func(x, y float64) {
		if p := (chart.Point{X: x, Y: y}); p.Finite() {
			lo, hi = chart.Point{X: min(lo.X, x), Y: min(lo.Y, y)}, chart.Point{X: max(hi.X, x), Y: max(hi.Y, y)}
		}
	}
	for i := range p.Lines {
		l := &p.Lines[i]
		for j, x := range l.X {
			for _, ys := range [][]float64{l.Y, l.Lo, l.Hi} {
				if j < len(ys) {
					include(x, ys[j])
				}
			}
		}
		if p.Kind == plotHistogram && len(l.X) > 0 {
			include(l.X[len(l.X)-1], 0)
			include(l.X[0], 1/float64(max(len(l.Y), 1)))
		}
	}
	if p.Mark != nil && lo.X <= hi.X {
		switch p.Kind {
		case plotHistogram:
			include(*p.Mark, 0)
		default:
			include(lo.X, *p.Mark)
		}
	}
	if lo.X > hi.X {
		lo, hi = chart.Point{}, chart.Point{X: 1, Y: 1}
	}
	if p.Kind == plotArms {
		lo.X, hi.X = lo.X-.5, hi.X+.5
	} else {
		lo = chart.Point{X: min(lo.X, 0), Y: min(lo.Y, 0)}
	}
	pad := max((hi.Y-lo.Y)/20, 1e-12)
	if p.Kind == plotArms {
		lo.Y -= pad
	}
	axes.Min, axes.Max = lo, chart.Point{X: hi.X, Y: hi.Y + pad}
}

// drawHistogram draws cells, where uniform values fill them to, and the level.
func drawHistogram(v *chart.Canvas, p *documents.PaperPlot) {
	for i := range p.Lines {
		l := &p.Lines[i]
		for j := range min(len(l.Y), len(l.X)-1) {
			v.Cell(l.X[j], l.X[j+1], l.Y[j])
		}
	}
	if n := histogramCells(p); n > 0 {
		v.Across(1/float64(n), chart.Value())
	}
	if p.Mark != nil {
		v.Upright(*p.Mark, chart.Level())
	}
}

func errNoReproduction() error { return errors.New("report: no reproduction to render") }
