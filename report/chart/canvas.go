package chart

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// markersPerLine is how many markers tell a line apart without colour.
const markersPerLine = 6

// Canvas is the inside of axes. Lines are told apart by a few markers on each, which
// stand elsewhere on the line i than on its neighbours.
type Canvas struct {
	c    *draw.Canvas
	x, y func(float64) vg.Length
}

// Sample is a value with its interval; what is not finite is not drawn.
type Sample struct {
	Point
	Lo, Hi float64
	Above  bool // the value is larger than what is drawn
}

// Across draws a line at a height.
func (v *Canvas) Across(y float64, s Stroke) {
	v.c.StrokeLine2(s.line(), v.c.Min.X, v.y(y), v.c.Max.X, v.y(y))
}

// Upright draws a line at a place of the axis below.
func (v *Canvas) Upright(x float64, s Stroke) {
	v.c.StrokeLine2(s.line(), v.x(x), v.c.Min.Y, v.x(x), v.c.Max.Y)
}

// at is the place of a point.
func (v *Canvas) at(p Point) vg.Point { return vg.Point{X: v.x(p.X), Y: v.y(p.Y)} }

// Steps draws every point as a step over the stretch from the point before.
func (v *Canvas) Steps(points []Point, s Stroke, i int) {
	line := make([]vg.Point, 0, 2*len(points))
	from := 0.0
	for _, p := range points {
		line = append(line, v.at(Point{from, p.Y}), v.at(p))
		from = p.X
	}
	v.c.StrokeLines(s.line(), line)
	step := max(len(points)/markersPerLine, 1)
	for j := (i * step / len(Lines())) % step; j < len(points); j += step {
		at := line[2*j]
		at.X = (at.X + line[2*j+1].X) / 2
		s.mark(v.c, at)
	}
}

// Path draws a line through samples, with a marker and an interval at each, and an
// arrow at those that are larger than what is drawn.
func (v *Canvas) Path(samples []Sample, s Stroke) {
	line := make([]vg.Point, 0, len(samples))
	for _, m := range samples {
		at := v.at(m.Point)
		line = append(line, at)
		if m.Hi > m.Lo {
			v.c.StrokeLine2(draw.LineStyle{Color: s.color, Width: .6}, at.X, v.y(m.Lo), at.X, v.y(m.Hi))
		}
		s.mark(v.c, at)
		if m.Above {
			v.arrowUp(s, at)
		}
	}
	v.c.StrokeLines(s.line(), line)
}

// arrowUp says of a point that its value lies above the chart.
func (v *Canvas) arrowUp(s Stroke, at vg.Point) {
	style := draw.LineStyle{Color: s.color, Width: 1.2}
	tip := vg.Point{X: at.X, Y: at.Y + 11}
	v.c.StrokeLine2(style, at.X, at.Y+3, tip.X, tip.Y)
	v.c.StrokeLine2(style, tip.X-3, tip.Y-4, tip.X, tip.Y)
	v.c.StrokeLine2(style, tip.X+3, tip.Y-4, tip.X, tip.Y)
}

// Curve draws a line through samples with a few markers on it, and intervals at these.
func (v *Canvas) Curve(samples []Sample, s Stroke, i int) {
	var at []vg.Point
	var index []int
	for j := range samples {
		if samples[j].Finite() {
			at, index = append(at, v.at(samples[j].Point)), append(index, j)
		}
	}
	v.c.StrokeLines(s.line(), at)
	if len(at) == 0 {
		return
	}
	first, last := at[0].X, at[len(at)-1].X
	for m := range markersPerLine {
		want := first + (last-first)*vg.Length(float64(m)+1-float64(i%3)/3)/markersPerLine
		j := 0
		for j < len(at)-1 && at[j].X < want {
			j++
		}
		v.Dot(samples[index[j]], s)
	}
}

// Dot draws a sample with its interval, where it has one.
func (v *Canvas) Dot(m Sample, s Stroke) {
	if !m.Finite() {
		return
	}
	at := v.at(m.Point)
	if (Point{m.Lo, m.Hi}).Finite() {
		thin := draw.LineStyle{Color: s.color, Width: 0.8}
		v.c.StrokeLine2(thin, at.X, v.y(m.Lo), at.X, v.y(m.Hi))
		for _, end := range []float64{m.Lo, m.Hi} {
			v.c.StrokeLine2(thin, at.X-2, v.y(end), at.X+2, v.y(end))
		}
	}
	s.mark(v.c, at)
}

// Cell fills a cell of a histogram from the axis to a height.
func (v *Canvas) Cell(from, to, height float64) {
	if !(Point{from, height}).Finite() {
		return
	}
	left, right, top := v.x(from), v.x(to)-0.8, v.y(height)
	v.c.FillPolygon(sky(), []vg.Point{{X: left, Y: v.c.Min.Y}, {X: left, Y: top}, {X: right, Y: top}, {X: right, Y: v.c.Min.Y}})
}
