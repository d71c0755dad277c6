package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"banditaudit/schemas"
)

const (
	allocationPrefix = "allocation/"
	allocationHeight = 230
	markersPerLine   = 6
)

// lineStrokes are the styles of the arms that are told apart.
func lineStrokes() []stroke {
	return []stroke{
		{color: blue(), width: 1.3, glyph: draw.CircleGlyph{}, size: 2.2},
		{color: vermilion(), width: 1.3, dashes: []vg.Length{6, 2.5}, glyph: draw.BoxGlyph{}, size: 2.2},
		{color: green(), width: 1.3, dashes: []vg.Length{1.5, 2}, glyph: draw.PyramidGlyph{}, size: 2.4},
		{color: purple(), width: 1.3, dashes: []vg.Length{6, 2, 1.5, 2}, glyph: draw.CrossGlyph{}, size: 2.4},
		{color: orange(), width: 1.3, dashes: []vg.Length{3, 2}, glyph: draw.RingGlyph{}, size: 2.4},
		{color: sky(), width: 1.3, dashes: []vg.Length{9, 3}, glyph: draw.SquareGlyph{}, size: 2.2},
		{color: black(), width: 1.3, dashes: []vg.Length{9, 2, 1.5, 2, 1.5, 2}, glyph: draw.TriangleGlyph{}, size: 2.4},
	}
}

func otherStroke() stroke { return stroke{color: grey(), width: 0.5} }

// curve is one arm's share of the rounds over time.
type curve struct {
	label  string
	points []point
	pulls  int64
	stroke stroke
	named  bool
}

type point struct{ x, y float64 }

func (p point) finite() bool { return schemas.Finite(p.x) != nil && schemas.Finite(p.y) != nil }

// allocationFigure draws the share of rounds that each arm got, over time.
func allocationFigure(x *schemas.Experiment) *drawing {
	curves := allocationCurves(x)
	if len(curves) == 0 {
		return nil
	}
	title := "Allocation over time"
	return &drawing{
		kind: figureAllocation, name: "allocation", title: title, caption: allocationCaption(x, curves),
		draw: func(description string) ([]byte, error) { return drawAllocation(title, curves, description) },
	}
}

// allocationCurves reads the series and gives the most-pulled arms a style of
// their own; the others are thin and grey.
func allocationCurves(x *schemas.Experiment) []curve {
	var out []curve
	for i := range x.Series {
		s := &x.Series[i]
		name, ok := strings.CutPrefix(s.ID, allocationPrefix)
		n := min(len(s.X), len(s.Y))
		if !ok || n == 0 {
			continue
		}
		c := curve{label: cut(label(name), maxFigure), stroke: otherStroke()}
		for j := range n {
			if pt := (point{s.X[j], s.Y[j]}); pt.finite() {
				c.points = append(c.points, pt)
			}
		}
		if len(c.points) == 0 {
			continue
		}
		if a := slices.IndexFunc(x.Arms, func(a schemas.Arm) bool { return a.Label == name }); a >= 0 {
			c.pulls = x.Arms[a].Pulls
		}
		out = append(out, c)
	}
	order := make([]int, len(out))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(out[j].pulls, out[i].pulls) })
	for rank, s := range lineStrokes() {
		if rank < len(order) {
			out[order[rank]].stroke, out[order[rank]].named = s, true
		}
	}
	return out
}

func allocationCaption(x *schemas.Experiment, curves []curve) string {
	s := fmt.Sprintf("Share of the rounds in each of %s in which an arm was played, as a step over the bin; n = %s, counted from the log.",
		plural(len(curves[0].points), "bin", "bins"), plural(x.Rounds, "round", "rounds"))
	if others := len(curves) - len(lineStrokes()); others > 0 {
		s += fmt.Sprintf(" The %d most-pulled arms have a line style of their own; the other %d are thin and grey.", len(lineStrokes()), others)
	}
	return s
}

func drawAllocation(title string, curves []curve, description string) ([]byte, error) {
	keys := allocationKeys(curves)
	probe := newSheet(allocationHeight)
	top := probe.Max.Y
	probe.header(title, keys)
	s := newSheet(allocationHeight + top - probe.Max.Y)
	s.header(title, keys)

	p := plot.New()
	p.BackgroundColor = nil
	axisStyle(&p.X, "round")
	axisStyle(&p.Y, "share of rounds")
	p.Y.Tick.Label.XAlign = draw.XRight
	p.X.Min, p.X.Max = 0, 1
	p.Y.Min, p.Y.Max = 0, 0.01
	for _, c := range curves {
		for _, pt := range c.points {
			p.X.Max = max(p.X.Max, pt.x)
			p.Y.Max = max(p.Y.Max, pt.y)
		}
	}
	p.Y.Max = min(p.Y.Max*1.05, 1.02)
	p.Add(curvePlotter(curves))
	p.Draw(draw.Crop(s.Canvas, 0, -10, 0, 0))
	return s.bytes(title, description)
}

func allocationKeys(curves []curve) []key {
	var keys []key
	others := 0
	for _, c := range curves {
		if c.named {
			keys = append(keys, key{text: c.label, stroke: c.stroke})
		} else {
			others++
		}
	}
	if others > 0 {
		keys = append(keys, key{text: plural(others, "other arm", "other arms"), stroke: otherStroke()})
	}
	return keys
}

// curvePlotter draws the curves, the named ones on top, with a few markers on
// each so that they can be told apart without colour.
type curvePlotter []curve

var _ plot.Plotter = curvePlotter(nil)

// Plot implements plot.Plotter.
func (cs curvePlotter) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for _, named := range []bool{false, true} {
		for i := range cs {
			if cs[i].named == named {
				cs[i].plot(&c, i, x, y)
			}
		}
	}
}

// plot draws a share as a step over its bin, from the last round of the bin
// before to its own.
func (cv *curve) plot(c *draw.Canvas, i int, x, y func(float64) vg.Length) {
	line := make([]vg.Point, 0, 2*len(cv.points))
	from := 0.0
	for _, pt := range cv.points {
		line = append(line, vg.Point{X: x(from), Y: y(pt.y)}, vg.Point{X: x(pt.x), Y: y(pt.y)})
		from = pt.x
	}
	c.StrokeLines(cv.stroke.line(), line)
	step := max(len(cv.points)/markersPerLine, 1)
	for j := (i * step / len(lineStrokes())) % step; j < len(cv.points); j += step {
		at := line[2*j]
		at.X = (at.X + line[2*j+1].X) / 2
		cv.stroke.mark(c, at)
	}
}
