package report

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"banditaudit/report/chart"
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
	strokes := chart.Lines()
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
		line := planLine{key: chart.Key{Text: l.label, Stroke: strokes[i]}}
		for j := range p.Frontier {
			f := &p.Frontier[j]
			v := min(l.of(f), 1)
			line.samples = append(line.samples, chart.Sample{Point: chart.Point{X: f.Epsilon, Y: v}, Lo: v, Hi: v, Above: l.of(f) > 1})
		}
		c.lines = append(c.lines, line)
	}
	c.across = append(c.across, planAcross{chart.Key{Text: "p = " + short(p.P), Stroke: chart.Reference(0)}, p.P})
	return c
}

// frontierFigure shows what was simulated.
func frontierFigure(p *schemas.Plan) *planChart {
	strokes := chart.Lines()
	c := &planChart{title: "What ε costs", axis: "power, regret / uniform play"}
	uniform := p.World.UniformRegret
	for j := range p.Frontier[0].Mechanisms {
		name := p.Frontier[0].Mechanisms[j].Policy + " × " + p.Frontier[0].Mechanisms[j].Counter
		power := planLine{key: chart.Key{Text: "power: " + name, Stroke: strokes[2*j%len(strokes)]}}
		regret := planLine{key: chart.Key{Text: "regret: " + name, Stroke: strokes[(2*j+1)%len(strokes)]}}
		for i := range p.Frontier {
			f := &p.Frontier[i]
			m := &f.Mechanisms[j]
			if m.Power != nil {
				power.samples = append(power.samples, estimated(f.Epsilon, *m.Power, 1))
			}
			regret.samples = append(regret.samples, estimated(f.Epsilon, m.Regret, uniform))
		}
		c.lines = append(c.lines, power, regret)
	}
	for j := range p.Exact {
		m := &p.Exact[j]
		c.across = append(c.across, planAcross{chart.Key{Text: "regret: " + m.Policy + " × " + m.Counter, Stroke: chart.Reference(j)}, m.Regret.Value / uniform})
	}
	return c
}

// estimated is a simulated value at an ε with its interval, all over a unit.
func estimated(epsilon float64, e schemas.PlanEstimate, unit float64) chart.Sample {
	return chart.Sample{Point: chart.Point{X: epsilon, Y: e.Value / unit}, Lo: e.Lo / unit, Hi: e.Hi / unit}
}

// planChart has ε on a logarithmic axis and values from 0 to about 1 above it.
type planChart struct {
	title, axis string
	lines       []planLine
	across      []planAcross
}

type planLine struct {
	key     chart.Key
	samples []chart.Sample
}

// planAcross is a value that does not depend on ε.
type planAcross struct {
	key chart.Key
	y   float64
}

const (
	planHeight = 240 // of the axes, in points
	arrowRoom  = .07 // above a value that is larger than what is drawn
)

// draw renders the chart.
func (c *planChart) draw(description string) ([]byte, error) {
	a := &chart.Axes{Title: c.title, X: "ε (of each arm's counter)", Y: c.axis, Height: planHeight, Log: true, Min: chart.Point{X: math.Inf(1)}, Max: chart.Point{Y: 1}, Number: short}
	for _, l := range c.lines {
		a.Keys = append(a.Keys, l.key)
		for _, m := range l.samples {
			top := m.Hi
			if m.Above {
				top += arrowRoom
			}
			a.Min.X, a.Max = min(a.Min.X, m.X), chart.Point{X: max(a.Max.X, m.X), Y: max(a.Max.Y, top)}
		}
	}
	for _, l := range c.across {
		a.Keys = append(a.Keys, l.key)
	}
	a.Min.X, a.Max = a.Min.X/1.15, chart.Point{X: a.Max.X * 1.15, Y: a.Max.Y * 1.03}
	return a.Draw(visible(description), func(v *chart.Canvas) {
		for _, l := range c.across {
			v.Across(l.y, l.key.Stroke)
		}
		for _, l := range c.lines {
			v.Path(l.samples, l.key.Stroke)
		}
	})
}
