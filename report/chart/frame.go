package chart

import (
	"math"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// frame is the axes of a figure: one below and, unless its ends alone matter, one at the
// left.
type frame struct {
	x, y axis
	bare bool // nothing is drawn at the left
}

// axis goes from min to max.
type axis struct {
	name     string
	min, max float64
	log      bool
	ticker   interface{ Ticks(lo, hi float64) []tick }
	marks    []tick
	padding  vg.Length // between the axis and what is drawn
}

// tick is a mark at an axis; one without a label is shorter.
type tick struct {
	Value float64
	Label string
}

const (
	axisWidth  = 0.5
	tickLength = 8
	axisGap    = 5 // the padding of an axis
)

// settle puts the ends of an axis in order and apart, and sets its marks.
func (a *axis) settle() {
	if a.min > a.max {
		a.min, a.max = a.max, a.min
	}
	if a.min == a.max {
		a.min--
		a.max++
	}
	if a.ticker != nil {
		a.marks = a.ticker.Ticks(a.min, a.max)
	}
}

// share is the place of a value: 0 at min, 1 at max.
func (a *axis) share(v float64) float64 {
	if a.log {
		return (math.Log(v) - math.Log(a.min)) / (math.Log(a.max) - math.Log(a.min))
	}
	return (v - a.min) / (a.max - a.min)
}

// nameStyle is the style of the name of an axis.
func nameStyle() text.Style {
	s := face(fontSize, draw.XCenter)
	s.YAlign = draw.YBottom
	return s
}

// belowStyle is the style of the labels of marks below, and leftStyle of the labels at the left.
func belowStyle() text.Style {
	s := face(fontSize-1, draw.XCenter)
	s.YAlign = draw.YTop
	return s
}

func leftStyle() text.Style { return face(fontSize-1, draw.XRight) }

// largest is the most that the labels take, each way.
func (a *axis) largest(s text.Style) (most vg.Point) {
	for _, t := range a.marks {
		if t.Label != "" {
			size := s.Rectangle(t.Label).Size()
			most.X, most.Y = max(most.X, size.X), max(most.Y, size.Y)
		}
	}
	return most
}

// draw draws the axes into c, and contents between them.
func (f *frame) draw(c draw.Canvas, contents ...func(c *draw.Canvas, x, y func(float64) vg.Length)) {
	f.x.settle()
	f.y.settle()
	width, height := f.y.width(), f.x.height()
	if f.bare {
		width = 0
	}
	f.x.below(f.x.fitted(draw.Crop(c, width, 0, 0, 0)))
	if !f.bare {
		f.y.left(f.upFitted(draw.Crop(c, 0, 0, height, 0)))
	}
	inside := f.upFitted(f.x.fitted(draw.Crop(c, width, 0, height, 0)))
	for _, content := range contents {
		content(&inside, func(v float64) vg.Length { return inside.X(f.x.share(v)) }, func(v float64) vg.Length { return inside.Y(f.y.share(v)) })
	}
}

// height is what the axis takes below.
func (a *axis) height() vg.Length {
	return nameStyle().Height(a.name) + tickLength + a.largest(belowStyle()).Y + axisWidth/2 + a.padding
}

// width is what the axis takes at the left.
func (a *axis) width() vg.Length {
	name := nameStyle()
	return name.FontExtents().Descent + name.Height(a.name) + a.largest(leftStyle()).X + name.Width(" ") + tickLength + axisWidth/2 + a.padding
}

// end is how far a text at a place of an axis goes beyond it.
type end struct {
	at   float64
	past vg.Length
}

// stretched is where the axis from lo ends, so that no text goes beyond hi.
func stretched(lo, hi vg.Length, ends []end) vg.Length {
	most, last := hi, end{at: 1}
	for _, e := range ends {
		if x := lo + vg.Length(vg.Length(e.at)*(hi-lo)) + e.past; x > most && e.at <= 1 {
			most, last = x, e
		}
	}
	return lo + (hi-last.past-lo)/vg.Length(last.at)
}

// fitted is the part of c over which the axis below goes.
func (a *axis) fitted(c draw.Canvas) draw.Canvas {
	ends := []end{{a.share((a.min + a.max) / 2), nameStyle().Rectangle(a.name).Max.X}}
	for _, t := range a.marks {
		if t.Label != "" {
			ends = append(ends, end{a.share(t.Value), belowStyle().Rectangle(t.Label).Max.X})
		}
	}
	c.Max.X = stretched(c.Min.X, c.Max.X, ends)
	return c
}

// upFitted is the part of c over which the axis at the left goes.
func (f *frame) upFitted(c draw.Canvas) draw.Canvas {
	if f.bare {
		return c
	}
	a, name, style := &f.y, turned(), leftStyle()
	ends := []end{{a.share((a.min + a.max) / 2), name.Rectangle(a.name).Max.Y}}
	for _, t := range a.marks {
		if t.Label != "" {
			ends = append(ends, end{a.share(t.Value), style.Rectangle(t.Label).Max.Y + style.FontExtents().Height - style.FontExtents().Ascent})
		}
	}
	c.Max.Y = stretched(c.Min.Y, c.Max.Y, ends)
	return c
}

// turned is the style of the name of the axis at the left.
func turned() text.Style {
	s := nameStyle()
	s.Rotation = math.Pi / 2
	return s
}

// below draws the axis at the lower end of c.
func (a *axis) below(c draw.Canvas) {
	name, style, line := nameStyle(), belowStyle(), draw.LineStyle{Color: black(), Width: axisWidth}
	c.FillText(name, vg.Point{X: c.Center().X, Y: c.Min.Y + name.FontExtents().Descent}, a.name)
	y := c.Min.Y + name.Height(a.name) + a.largest(style).Y
	for _, t := range a.marks {
		x := c.X(a.share(t.Value))
		if t.Label != "" && c.ContainsX(x) {
			c.FillText(style, vg.Point{X: x, Y: y + style.FontExtents().Descent}, t.Label)
		}
	}
	for _, t := range a.marks {
		if x := c.X(a.share(t.Value)); c.ContainsX(x) {
			c.StrokeLine2(line, x, y+t.shorter(), x, y+tickLength)
		}
	}
	y += tickLength
	c.StrokeLine2(line, c.Min.X, y, c.Max.X, y)
}

// left draws the axis at the left end of c.
func (a *axis) left(c draw.Canvas) {
	name, style, line := nameStyle(), leftStyle(), draw.LineStyle{Color: black(), Width: axisWidth}
	x, descent := c.Min.X+name.Height(a.name), name.FontExtents().Descent
	c.FillText(turned(), vg.Point{X: x - descent, Y: c.Center().Y}, a.name)
	x += descent + a.largest(style).X
	for _, t := range a.marks {
		y := c.Y(a.share(t.Value))
		if t.Label != "" && c.ContainsY(y) {
			c.FillText(style, vg.Point{X: x, Y: y + style.FontExtents().Descent}, t.Label)
		}
	}
	x += style.Width(" ")
	for _, t := range a.marks {
		if y := c.Y(a.share(t.Value)); c.ContainsY(y) {
			c.StrokeLine2(line, x+t.shorter(), y, x+tickLength, y)
		}
	}
	x += tickLength
	c.StrokeLine2(line, x, c.Min.Y, x, c.Max.Y)
}

// shorter is by how much a mark is shorter.
func (t tick) shorter() vg.Length {
	if t.Label == "" {
		return tickLength / 2
	}
	return 0
}
