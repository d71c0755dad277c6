package report

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"banditaudit/schemas"
)

// errNoPlan is returned when there is no plan to render.
var errNoPlan = errors.New("report: no plan; pass the contents of a plan.json")

// PlanFigures draws the frontier of a plan as SVG with real text, against ε on a
// logarithmic axis: the bounds (figures/bounds.svg), and power and regret
// (figures/frontier.svg), regret as a share of that of playing every arm equally
// often. The same plan gives the same bytes. An error is returned when p is nil.
//
// Special cases are:
//
//	fewer than two ε give no figure
//	nothing simulated gives no figure of power and regret
func PlanFigures(p *schemas.Plan) ([]File, error) {
	switch {
	case p == nil:
		return nil, errNoPlan
	case len(p.Frontier) < 2:
		return nil, nil
	}
	svg, err := boundsFigure(p).draw(boundsCaption(p))
	if err != nil {
		return nil, err
	}
	files := []File{{Name: planBounds, Data: svg}}
	if p.World == nil {
		return files, nil
	}
	if svg, err = frontierFigure(p).draw(frontierCaption(p)); err != nil {
		return nil, err
	}
	return append(files, File{Name: planFrontier, Data: svg}), nil
}

func boundsCaption(p *schemas.Plan) string {
	beyond := ""
	if slices.ContainsFunc(p.Frontier, func(f schemas.PlanPoint) bool { return float64(f.BiasBoundPaper) > p.Range[1]-p.Range[0] }) {
		beyond = "; an arrow up at 1 stands for a value above it"
	}
	return fmt.Sprintf("Bias bound as a share of the reward's range, and p = %s after correction where every one of %s rows costs ε; ours and the published ones. 1 says nothing%s.", short(p.P), group(p.Rounds), beyond)
}

func frontierCaption(p *schemas.Plan) string {
	return fmt.Sprintf("Power of the corrected test, and regret as a share of that of playing every arm equally often (%s); bars are 95 %% intervals of %s. Of exact sums the regret alone is shown, as a line across.",
		sig(p.World.UniformRegret), plural(int(p.World.Runs), "run", "runs"))
}

// boundsFigure shows what follows from ε alone.
func boundsFigure(p *schemas.Plan) *planChart {
	strokes := lineStrokes()
	c := &planChart{title: "What ε bounds", axis: "bias bound / range, corrected p"}
	width := p.Range[1] - p.Range[0]
	for i, l := range []struct {
		label string
		of    func(*schemas.PlanPoint) float64
	}{
		{"bias bound", func(f *schemas.PlanPoint) float64 { return f.BiasBound / width }},
		{"bias bound, published", func(f *schemas.PlanPoint) float64 { return float64(f.BiasBoundPaper) / width }},
		{"corrected p", func(f *schemas.PlanPoint) float64 { return f.PCorrected }},
		{"corrected p, published", func(f *schemas.PlanPoint) float64 { return f.PCorrectedPaper }},
	} {
		line := planLine{label: l.label, stroke: strokes[i]}
		for j := range p.Frontier {
			f := &p.Frontier[j]
			v := min(l.of(f), 1)
			line.points = append(line.points, planMark{f.Epsilon, v, v, v, l.of(f) > 1})
		}
		c.lines = append(c.lines, line)
	}
	c.across = append(c.across, planAcross{"p = " + short(p.P), p.P, stroke{color: grey(), width: 1, dashes: []vg.Length{2, 2}}})
	return c
}

// frontierFigure shows what was simulated.
func frontierFigure(p *schemas.Plan) *planChart {
	strokes := lineStrokes()
	c := &planChart{title: "What ε costs", axis: "power, regret / uniform play"}
	uniform := p.World.UniformRegret
	for j := range p.Frontier[0].Mechanisms {
		name := p.Frontier[0].Mechanisms[j].Policy + " × " + p.Frontier[0].Mechanisms[j].Counter
		power := planLine{label: "power: " + name, stroke: strokes[2*j%len(strokes)]}
		regret := planLine{label: "regret: " + name, stroke: strokes[(2*j+1)%len(strokes)]}
		for i := range p.Frontier {
			f := &p.Frontier[i]
			m := &f.Mechanisms[j]
			if m.Power != nil {
				power.points = append(power.points, planMark{f.Epsilon, m.Power.Value, m.Power.Lo, m.Power.Hi, false})
			}
			regret.points = append(regret.points, planMark{f.Epsilon, m.Regret.Value / uniform, m.Regret.Lo / uniform, m.Regret.Hi / uniform, false})
		}
		c.lines = append(c.lines, power, regret)
	}
	for j := range p.Exact {
		m := &p.Exact[j]
		s := stroke{color: grey(), width: 1, dashes: [][]vg.Length{{2, 2}, {7, 3}}[j%2]}
		c.across = append(c.across, planAcross{"regret: " + m.Policy + " × " + m.Counter, m.Regret.Value / uniform, s})
	}
	return c
}

// planChart has ε on a logarithmic axis and values from 0 to about 1 above it.
type planChart struct {
	title, axis string
	lines       []planLine
	across      []planAcross
}

// planMark is a value at an ε with its interval.
type planMark struct {
	x, y, lo, hi float64
	above        bool // the value is larger than what is drawn
}

type planLine struct {
	label  string
	points []planMark
	stroke stroke
}

// planAcross is a value that does not depend on ε.
type planAcross struct {
	label  string
	y      float64
	stroke stroke
}

const planHeight = 240

// draw renders the chart.
func (c *planChart) draw(description string) ([]byte, error) {
	var keys []key
	for _, l := range c.lines {
		keys = append(keys, key{text: l.label, stroke: l.stroke})
	}
	for _, a := range c.across {
		keys = append(keys, key{text: a.label, stroke: a.stroke})
	}
	probe := newSheet(planHeight)
	top := probe.Max.Y
	probe.header(c.title, keys)
	s := newSheet(planHeight + top - probe.Max.Y)
	s.header(c.title, keys)

	p := plot.New()
	p.BackgroundColor = nil
	axisStyle(&p.X, "ε (of each arm's counter)")
	axisStyle(&p.Y, c.axis)
	p.Y.Tick.Label.XAlign = draw.XRight
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, decades{}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = math.Inf(1), 0, 0, 1
	for _, l := range c.lines {
		for _, m := range l.points {
			p.X.Min, p.X.Max, p.Y.Max = min(p.X.Min, m.x), max(p.X.Max, m.x), max(p.Y.Max, m.hi)
			if m.above { // room for the arrow
				p.Y.Max = max(p.Y.Max, m.hi+.07)
			}
		}
	}
	p.X.Min, p.X.Max, p.Y.Max = p.X.Min/1.15, p.X.Max*1.15, p.Y.Max*1.03
	p.Add(c)
	p.Draw(draw.Crop(s.Canvas, 0, -10, 0, 0))
	return s.bytes(c.title, description)
}

var _ plot.Plotter = (*planChart)(nil)

// Plot implements plot.Plotter.
func (c *planChart) Plot(canvas draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&canvas)
	for _, a := range c.across {
		canvas.StrokeLine2(a.stroke.line(), canvas.Min.X, y(a.y), canvas.Max.X, y(a.y))
	}
	for _, l := range c.lines {
		line, bar := make([]vg.Point, 0, len(l.points)), l.stroke.line()
		bar.Dashes, bar.Width = nil, .6
		for _, m := range l.points {
			at := vg.Point{X: x(m.x), Y: y(m.y)}
			line = append(line, at)
			if m.hi > m.lo {
				canvas.StrokeLine2(bar, at.X, y(m.lo), at.X, y(m.hi))
			}
			l.stroke.mark(&canvas, at)
			if m.above {
				arrowUp(&canvas, l.stroke, at)
			}
		}
		canvas.StrokeLines(l.stroke.line(), line)
	}
}

// arrowUp says of a point that its value lies above the chart.
func arrowUp(c *draw.Canvas, s stroke, at vg.Point) {
	style := draw.LineStyle{Color: s.color, Width: 1.2}
	tip := vg.Point{X: at.X, Y: at.Y + 11}
	c.StrokeLine2(style, at.X, at.Y+3, tip.X, tip.Y)
	c.StrokeLine2(style, tip.X-3, tip.Y-4, tip.X, tip.Y)
	c.StrokeLine2(style, tip.X+3, tip.Y-4, tip.X, tip.Y)
}

// decades marks the powers of ten of an axis and, where there are few, 2 and 5
// times these.
type decades struct{}

var _ plot.Ticker = decades{}

// Ticks implements plot.Ticker.
func (decades) Ticks(lo, hi float64) []plot.Tick {
	var out []plot.Tick
	span := math.Log10(hi / lo)
	for e := int(math.Floor(math.Log10(lo))); e <= int(math.Ceil(math.Log10(hi))); e++ {
		for _, digit := range []float64{1, 2, 5} {
			v := digit * math.Pow(10, float64(e))
			if v < lo || v > hi {
				continue
			}
			label := ""
			if digit == 1 || span < 3.5 {
				label = planTick(v)
			}
			out = append(out, plot.Tick{Value: v, Label: label})
		}
	}
	return out
}

// planTick writes a mark without the zeros of rounding.
func planTick(v float64) string { return strings.TrimSuffix(short(v), ".") }
