package report

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"banditaudit/schemas"
)

// Kinds of schemas.PaperPlot.
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
func ReproductionFigures(r *schemas.Reproduction) ([]File, error) {
	if r == nil {
		return nil, errNoReproduction()
	}
	var out []File
	for i := range r.Experiments {
		for j := range r.Experiments[i].Plots {
			p := &r.Experiments[i].Plots[j]
			b, err := drawPlot(p, plotCaption(r, p))
			if err != nil {
				return nil, err
			}
			out = append(out, File{Name: plotFile(p), Data: b})
		}
	}
	return out, nil
}

func plotFile(p *schemas.PaperPlot) string { return "figures/" + p.ID + ".svg" }

// plotCaption says what is drawn and how.
func plotCaption(r *schemas.Reproduction, p *schemas.PaperPlot) string {
	var s string
	switch p.Kind {
	case plotArms:
		s = "Average over runs by arm, with 95 % intervals; the dashed line is at 0, no bias."
	case plotHistogram:
		s = fmt.Sprintf("Share of runs in each of %s cells. The dashed line stands at p = %s; uniform p-values fill every cell to the dotted line.", group(int64(histogramCells(p))), opt(p.Mark, short))
	default:
		s = "Each curve has markers and dashes of its own."
		if hasIntervals(p) {
			s = "Averages over runs, with 95 % intervals at the markers; most of them are smaller than a marker."
		}
		if p.Mark != nil {
			s += " The dashed line is at " + short(*p.Mark) + "."
		}
	}
	if r.Size == "short" {
		s += " Short form: few runs."
	}
	return s
}

func hasIntervals(p *schemas.PaperPlot) bool { return len(p.Lines) > 0 && len(p.Lines[0].Lo) > 0 }

func histogramCells(p *schemas.PaperPlot) int {
	if len(p.Lines) == 0 {
		return 0
	}
	return len(p.Lines[0].Y)
}

// paperStrokes are the styles of the lines of a plot, in their order.
func paperStrokes() []stroke { return lineStrokes() }

// drawPlot draws one plot.
func drawPlot(p *schemas.PaperPlot, caption string) ([]byte, error) {
	if p.Kind != plotArms && p.Kind != plotCurves && p.Kind != plotHistogram {
		return nil, fmt.Errorf("report: plot %s: kind %q is none of %s, %s, %s", p.ID, p.Kind, plotArms, plotCurves, plotHistogram)
	}
	keys := plotKeys(p)
	probe := newSheet(paperHeight)
	top := probe.Max.Y
	probe.header(p.Title, keys)
	s := newSheet(paperHeight + top - probe.Max.Y)
	s.header(p.Title, keys)
	axes := plot.New()
	axes.BackgroundColor = nil
	axisStyle(&axes.X, p.XLabel)
	axisStyle(&axes.Y, p.YLabel)
	axes.Y.Tick.Label.XAlign = draw.XRight
	paperRange(p, axes)
	axes.Add(&paperPlotter{p})
	axes.Draw(draw.Crop(s.Canvas, 0, -10, 0, 0))
	return s.bytes(p.Title, caption)
}

// plotKeys are the legend.
func plotKeys(p *schemas.PaperPlot) []key {
	var out []key
	styles := paperStrokes()
	for i, l := range p.Lines {
		s := styles[i%len(styles)]
		switch p.Kind {
		case plotHistogram:
			s = stroke{color: sky(), width: 7}
		case plotArms:
			s.dashes, s.width = nil, 0
		}
		out = append(out, key{text: cut(visible(l.Label), paperLabel), stroke: s})
	}
	if p.Kind == plotHistogram {
		if p.Mark != nil {
			out = append(out, key{text: p.XLabel + " = " + short(*p.Mark), stroke: levelStroke(), vertical: true})
		}
		out = append(out, key{text: "uniform", stroke: valueStroke()})
	}
	return out
}

// paperRange sets the axes to what is drawn.
func paperRange(p *schemas.PaperPlot, axes *plot.Plot) {
	lo, hi := point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
	include := func(x, y float64) {
		if pt := (point{x, y}); pt.finite() {
			lo, hi = point{min(lo.x, x), min(lo.y, y)}, point{max(hi.x, x), max(hi.y, y)}
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
	if p.Mark != nil && lo.x <= hi.x {
		switch p.Kind {
		case plotHistogram:
			include(*p.Mark, 0)
		default:
			include(lo.x, *p.Mark)
		}
	}
	if lo.x > hi.x {
		lo, hi = point{0, 0}, point{1, 1}
	}
	if p.Kind == plotArms {
		lo.x, hi.x = lo.x-.5, hi.x+.5
	} else {
		lo = point{min(lo.x, 0), min(lo.y, 0)}
	}
	pad := max((hi.y-lo.y)/20, 1e-12)
	if p.Kind == plotArms {
		lo.y -= pad
	}
	axes.X.Min, axes.X.Max, axes.Y.Min, axes.Y.Max = lo.x, hi.x, lo.y, hi.y+pad
}

// paperPlotter draws the lines of a plot inside its axes.
type paperPlotter struct{ p *schemas.PaperPlot }

var _ plot.Plotter = (*paperPlotter)(nil)

// Plot implements plot.Plotter.
func (d *paperPlotter) Plot(c draw.Canvas, axes *plot.Plot) {
	x, y := axes.Transforms(&c)
	if d.p.Kind == plotHistogram {
		d.histogram(&c, x, y)
		return
	}
	if m := d.p.Mark; m != nil {
		c.StrokeLine2(levelStroke().line(), c.Min.X, y(*m), c.Max.X, y(*m))
	}
	styles := paperStrokes()
	for i := range d.p.Lines {
		l, s := &d.p.Lines[i], styles[i%len(styles)]
		if d.p.Kind == plotArms {
			shift := offsetArms * (float64(i) - float64(len(d.p.Lines)-1)/2)
			s.dashes = nil
			for j := range min(len(l.X), len(l.Y)) {
				paperPoint(&c, l, j, s, x(l.X[j]+shift), y)
			}
			continue
		}
		paperCurve(&c, l, i, s, x, y)
	}
}

// paperCurve draws a line with a few markers on it, and intervals at these.
func paperCurve(c *draw.Canvas, l *schemas.PaperLine, i int, s stroke, x, y func(float64) vg.Length) {
	var at []vg.Point
	var index []int
	for j := range min(len(l.X), len(l.Y)) {
		if (point{l.X[j], l.Y[j]}).finite() {
			at, index = append(at, vg.Point{X: x(l.X[j]), Y: y(l.Y[j])}), append(index, j)
		}
	}
	c.StrokeLines(s.line(), at)
	if len(at) == 0 {
		return
	}
	s.dashes = nil
	first, last := at[0].X, at[len(at)-1].X
	for m := range markersPerLine {
		want := first + (last-first)*vg.Length(float64(m)+1-float64(i%3)/3)/markersPerLine
		j := 0
		for j < len(at)-1 && at[j].X < want {
			j++
		}
		paperPoint(c, l, index[j], s, at[j].X, y)
	}
}

// paperPoint draws the point j of a line with its interval, where it has one.
func paperPoint(c *draw.Canvas, l *schemas.PaperLine, j int, s stroke, at vg.Length, y func(float64) vg.Length) {
	if !(point{l.X[j], l.Y[j]}).finite() {
		return
	}
	if j < len(l.Lo) && j < len(l.Hi) && (point{l.Lo[j], l.Hi[j]}).finite() {
		thin := draw.LineStyle{Color: s.color, Width: 0.8}
		c.StrokeLine2(thin, at, y(l.Lo[j]), at, y(l.Hi[j]))
		for _, v := range []float64{l.Lo[j], l.Hi[j]} {
			c.StrokeLine2(thin, at-2, y(v), at+2, y(v))
		}
	}
	s.mark(c, vg.Point{X: at, Y: y(l.Y[j])})
}

// histogram draws cells, the level, and where uniform values fill them to.
func (d *paperPlotter) histogram(c *draw.Canvas, x, y func(float64) vg.Length) {
	for i := range d.p.Lines {
		l := &d.p.Lines[i]
		for j := range min(len(l.Y), len(l.X)-1) {
			if !(point{l.X[j], l.Y[j]}).finite() {
				continue
			}
			left, right, top := x(l.X[j]), x(l.X[j+1])-0.8, y(l.Y[j])
			c.FillPolygon(sky(), []vg.Point{{X: left, Y: c.Min.Y}, {X: left, Y: top}, {X: right, Y: top}, {X: right, Y: c.Min.Y}})
		}
	}
	if n := histogramCells(d.p); n > 0 {
		c.StrokeLine2(valueStroke().line(), c.Min.X, y(1/float64(n)), c.Max.X, y(1/float64(n)))
	}
	if m := d.p.Mark; m != nil {
		c.StrokeLine2(levelStroke().line(), x(*m), c.Min.Y, x(*m), c.Max.Y)
	}
}
