// Package chart draws figures as SVG with real text: rows of marks beside labels, and
// lines above an axis. The same figure gives the same bytes. Titles and labels are
// text, which is escaped; a description is to be made visible by the caller.
package chart

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"banditaudit/schemas"
)

// Axes is a figure of values above an axis.
type Axes struct {
	Title, X, Y string
	Keys        []Key
	Ends        []End                // labels at the right
	Height      float64              // of axes and their labels, in points
	Min, Max    Point                // ends of the axes
	Log         bool                 // the axis X is logarithmic
	Number      func(float64) string // writes a number at an axis
}

// Point is a place in a figure, in the units of its axes.
type Point struct{ X, Y float64 }

// Finite reports whether p can be drawn.
func (p Point) Finite() bool { return schemas.Finite(p.X) != nil && schemas.Finite(p.Y) != nil }

// Draw renders the figure as SVG, for readers who hear it with a description; content
// draws what is inside the axes.
func (a *Axes) Draw(description string, content func(*Canvas)) ([]byte, error) {
	s := headed(a.Title, a.Keys, vg.Length(a.Height))
	p := plot.New()
	p.BackgroundColor = nil
	axisStyle(&p.X, a.X, a.Number)
	axisStyle(&p.Y, a.Y, a.Number)
	p.Y.Tick.Label.XAlign = draw.XRight
	if a.Log {
		p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, decades{a.Number}
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = a.Min.X, a.Max.X, a.Min.Y, a.Max.Y
	p.Add(plotter(content), endPlotter(a.Ends))
	p.Draw(draw.Crop(s.Canvas, 0, -endArea(a.Ends), 0, 0))
	return s.bytes(a.Title, description)
}

// axisStyle sets face and ticks of an axis.
func axisStyle(a *plot.Axis, name string, number func(float64) string) {
	a.Label.Text = name
	a.Label.TextStyle.Font = face(fontSize, draw.XCenter).Font
	a.Label.TextStyle.Handler = face(fontSize, draw.XCenter).Handler
	a.Tick.Label.Font = face(fontSize-1, draw.XCenter).Font
	a.Tick.Label.Handler = face(fontSize, draw.XCenter).Handler
	a.Tick.Marker = ticks{number}
}

// plotter draws on a Canvas.
type plotter func(*Canvas)

var _ plot.Plotter = plotter(nil)

// Plot implements plot.Plotter.
func (content plotter) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	content(&Canvas{c: &c, x: x, y: y})
}
