package pages

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"banditaudit/cmd/banditlab/documents"
	"banditaudit/report/chart"
	"banditaudit/report/page"
	"banditaudit/schemas"
)

// errNoPlan is returned when there is no plan to render.
var errNoPlan = errors.New("report: no plan; pass the contents of a plan.json")

// Files of a rendered plan.
const (
	planBounds = "figures/bounds.svg"
	planPower  = "figures/power.svg"
	planRegret = "figures/regret.svg"
)

// PlanFigures draws the frontier of a plan as SVG with real text, against ε on a
// logarithmic axis: the bounds (figures/bounds.svg), power (figures/power.svg), and regret
// as a share of the regret of playing every arm equally often (figures/regret.svg). The
// same plan gives the same bytes. An error is returned when p is nil.
//
// Special cases are:
//
//	fewer than two ε give no figure
//	nothing simulated gives no figures of power and regret
func PlanFigures(p *documents.Plan) ([]page.File, error) {
	if p == nil {
		return nil, errNoPlan
	}
	var files []page.File
	for _, f := range planFigures(p) {
		svg, err := f.draw(f.caption)
		if err != nil {
			return nil, err
		}
		files = append(files, page.File{Name: f.name, Data: svg})
	}
	return files, nil
}

// planFigures returns the figures of a plan; the figures of what was simulated come last.
func planFigures(p *documents.Plan) []*planChart {
	switch {
	case len(p.Frontier) < 2:
		return nil
	case p.World == nil:
		return []*planChart{boundsFigure(p)}
	}
	return []*planChart{boundsFigure(p), powerFigure(p), regretFigure(p)}
}

func boundsCaption(p *documents.Plan) string {
	beyond := ""
	if slices.ContainsFunc(p.Frontier, func(f documents.PlanPoint) bool { return float64(f.BiasBoundPaper) > p.Range[1]-p.Range[0] }) {
		beyond = "; an arrow up at 1 stands for a value above it"
	}
	return fmt.Sprintf("Bias bound as a share of the reward's range, and p = %s after correction where every one of %s rows costs ε; ours and the published ones. 1 says nothing%s.", page.Short(p.P), page.Group(p.Rounds), beyond)
}

// boundsFigure shows what follows from ε alone.
func boundsFigure(p *documents.Plan) *planChart {
	strokes := chart.Lines()
	c := &planChart{name: planBounds, title: "What ε bounds", axis: "bias bound / range, corrected p", caption: boundsCaption(p)}
	width := p.Range[1] - p.Range[0]
	for i, l := range []struct {
		label string
		of    func(*documents.PlanPoint) float64
	}{
		{"bias bound", func(f *documents.PlanPoint) float64 { return f.BiasBound / width }},
		{"bias bound, published", func(f *documents.PlanPoint) float64 { return float64(f.BiasBoundPaper) / width }},
		{"corrected p", func(f *documents.PlanPoint) float64 { return f.PCorrected }},
		{"corrected p, published", func(f *documents.PlanPoint) float64 { return f.PCorrectedPaper }},
	} {
		line := planLine{key: chart.Key{Text: l.label, Stroke: strokes[i]}}
		for j := range p.Frontier {
			f := &p.Frontier[j]
			v := min(l.of(f), 1)
			line.samples = append(line.samples, chart.Sample{Point: chart.Point{X: f.Epsilon, Y: v}, Lo: v, Hi: v, Above: l.of(f) > 1})
		}
		c.lines = append(c.lines, line)
	}
	c.across = append(c.across, planAcross{chart.Key{Text: "p = " + page.Short(p.P), Stroke: chart.Reference(0)}, p.P})
	return c
}

// enoughPower is the power that the title of its figure asks for.
const enoughPower = 0.8

// powerFigure shows how often an arm with the largest mean was found and the corrected test
// of it decided.
func powerFigure(p *documents.Plan) *planChart {
	c := &planChart{name: planPower, axis: "power of the corrected test", title: "At no ε here is the power " + page.Short(enoughPower)}
	least, most := math.Inf(1), math.Inf(-1)
	c.lines = simulated(p, func(m *documents.PlanOutcome, epsilon float64) *documents.PlanEstimate {
		if m.Power != nil && m.Power.Value >= enoughPower {
			least, most = min(least, epsilon), max(most, epsilon)
		}
		return m.Power
	}, 1)
	switch {
	case least < most:
		c.title = fmt.Sprintf("A power of %s or more at ε from %s to %s", page.Short(enoughPower), page.Short(least), page.Short(most))
	case least == most:
		c.title = fmt.Sprintf("A power of %s or more at ε = %s", page.Short(enoughPower), page.Short(least))
	}
	c.across = append(c.across, planAcross{chart.Key{Text: "power " + page.Short(enoughPower), Stroke: chart.Reference(0)}, enoughPower})
	c.caption = fmt.Sprintf("Power of the corrected test against ε; bars are 95 %% intervals of %s.",
		schemas.Counted(int(p.World.Runs), "run"))
	return c
}

// regretFigure shows what was lost in expectation, over what playing every arm equally often
// loses.
func regretFigure(p *documents.Plan) *planChart {
	c := &planChart{name: planRegret, axis: "regret / that of uniform play"}
	uniform := p.World.UniformRegret
	c.lines = simulated(p, func(m *documents.PlanOutcome, _ float64) *documents.PlanEstimate { return &m.Regret }, uniform)
	c.title = "What ε costs in regret"
	best := chart.Point{Y: math.Inf(1)}
	for _, l := range c.lines {
		for _, m := range l.samples {
			if m.Y < best.Y {
				best = m.Point
			}
		}
	}
	if !math.IsInf(best.Y, 1) {
		c.title = fmt.Sprintf("Regret is least at ε = %s: %s of that of uniform play", page.Short(best.X), page.Percent(best.Y))
	}
	for j := range p.Exact {
		m := &p.Exact[j]
		c.across = append(c.across, planAcross{chart.Key{Text: m.Policy + " × " + m.Counter, Stroke: chart.Reference(j)}, m.Regret.Value / uniform})
	}
	c.caption = fmt.Sprintf("Regret against ε, as a share of that of playing every arm equally often (%s); bars are 95 %% intervals of %s. Of exact sums, which no ε changes, it is a line across.",
		page.Sig(uniform), schemas.Counted(int(p.World.Runs), "run"))
	return c
}

// simulated has a line for each mechanism, of what was simulated of it over a unit.
func simulated(p *documents.Plan, of func(m *documents.PlanOutcome, epsilon float64) *documents.PlanEstimate, unit float64) []planLine {
	strokes := chart.Lines()
	var out []planLine
	for j := range p.Frontier[0].Mechanisms {
		m := &p.Frontier[0].Mechanisms[j]
		line := planLine{key: chart.Key{Text: m.Policy + " × " + m.Counter, Stroke: strokes[j%len(strokes)]}}
		for i := range p.Frontier {
			f := &p.Frontier[i]
			if e := of(&f.Mechanisms[j], f.Epsilon); e != nil {
				line.samples = append(line.samples, estimated(f.Epsilon, *e, unit))
			}
		}
		out = append(out, line)
	}
	return out
}

// estimated is a simulated value at an ε with its interval, all over a unit.
func estimated(epsilon float64, e documents.PlanEstimate, unit float64) chart.Sample {
	return chart.Sample{Point: chart.Point{X: epsilon, Y: e.Value / unit}, Lo: e.Lo / unit, Hi: e.Hi / unit}
}

// planChart has ε on a logarithmic axis and values from 0 to about 1 above it.
type planChart struct {
	name, title, caption, axis string

	lines  []planLine
	across []planAcross
}

func (c *planChart) picture() page.Picture {
	return page.Picture{Name: c.name, Title: c.title, Caption: c.caption}
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
	a := &chart.Axes{Title: c.title, X: "ε (of each arm's counter)", Y: c.axis, Height: planHeight, Log: true, Min: chart.Point{X: math.Inf(1)}, Max: chart.Point{Y: 1}, Number: page.Short}
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
	return a.Draw(page.Visible(description), func(v *chart.Canvas) {
		for _, l := range c.across {
			v.Across(l.y, l.key.Stroke)
		}
		for _, l := range c.lines {
			v.Path(l.samples, l.key.Stroke)
		}
	})
}
