// Package chart draws figures as SVG with real text: rows of marks beside labels, and
// lines above an axis. The same figure gives the same bytes. Titles and labels are
// text, which is escaped; a description is to be made visible by the caller.
package chart

import (
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
	f := frame{
		x: axis{name: a.X, min: a.Min.X, max: a.Max.X, log: a.Log, ticker: ticks{a.Number}, padding: axisGap},
		y: axis{name: a.Y, min: a.Min.Y, max: a.Max.Y, ticker: ticks{a.Number}, padding: axisGap},
	}
	if a.Log {
		f.x.ticker = decades{a.Number}
	}
	f.draw(draw.Crop(s.Canvas, 0, -endArea(a.Ends), 0, 0), func(c *draw.Canvas, x, y func(float64) vg.Length) {
		content(&Canvas{c: c, x: x, y: y})
		drawEnds(a.Ends, c, y)
	})
	return s.bytes(a.Title, description)
}
