package chart

import (
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Rows is a figure with one labelled row per thing and a value axis below. Labels
// stand to the left, so that dozens of them stay legible.
type Rows struct {
	Title, Axis string
	Labels      []string
	Lanes       int // lines within a row
	Marks       []Mark
	Rules       []Rule
	Keys        []Key
	Number      func(float64) string // writes a number at the axis
	min, max    float64              // of the axis
}

// Mark is a point, an interval, or both, in one lane of a row.
type Mark struct {
	Row, Lane  int
	At, Lo, Hi float64 // NaN: none
	Stroke     Stroke
	Wide       bool // the axis need not hold its interval
}

// Rule is a vertical line at a value.
type Rule struct {
	At     float64
	Stroke Stroke
}

const (
	axisHeight   = 36
	maxLabelArea = 170
	manyRows     = 20 // from which rows are set closer, to stay on a page
)

// spacing returns the height of a lane and the gap between rows.
func (r *Rows) spacing() (lane, gap vg.Length) {
	if len(r.Labels) > manyRows {
		return 7, 3
	}
	return 8.5, 6
}

// Fit sets the axis to what is drawn and to values, within bounds where there are
// two: beyond the declared range of a reward an interval says nothing.
func (r *Rows) Fit(bounds, values []float64) {
	lo, hi := math.Inf(1), math.Inf(-1)
	include := func(v float64) {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	for _, m := range r.Marks {
		include(m.At)
		if !m.Wide {
			include(m.Lo)
			include(m.Hi)
		}
	}
	for _, v := range values {
		include(v)
	}
	if len(bounds) == 2 && bounds[0] < bounds[1] {
		lo, hi = max(lo, bounds[0]), min(hi, bounds[1])
	}
	if lo >= hi {
		lo, hi = lo-0.5, hi+0.5
	}
	pad := (hi - lo) / 50
	r.min, r.max = lo-pad, hi+pad
}

// Draw renders the chart as SVG, for readers who hear it with a description.
func (r *Rows) Draw(description string) ([]byte, error) {
	lane, gap := r.spacing()
	rowHeight := max(vg.Length(lane*vg.Length(r.Lanes))+gap, fontSize+gap)
	s := headed(r.Title, r.Keys, vg.Length(rowHeight*vg.Length(len(r.Labels)))+axisHeight+2*margin)
	area := draw.Crop(s.Canvas, r.labelArea(), 0, 0, 0)
	f := frame{
		x: axis{name: r.Axis, min: r.min, max: r.max, ticker: ticks{r.Number}, padding: 2},
		y: axis{max: float64(len(r.Labels))}, bare: true,
	}
	f.draw(area, func(c *draw.Canvas, x, y func(float64) vg.Length) { r.rows(c, s.Min.X, x, y) })
	return s.bytes(r.Title, description)
}

func (r *Rows) labelArea() vg.Length {
	var widest vg.Length
	style := face(fontSize, draw.XLeft)
	for _, l := range r.Labels {
		widest = max(widest, measure(style, l))
	}
	return min(widest, maxLabelArea) + 10
}

// rows draws rows inside the axes, the first row on top.
func (r *Rows) rows(c *draw.Canvas, labelX vg.Length, x, y func(float64) vg.Length) {
	n := len(r.Labels)
	height := (c.Max.Y - c.Min.Y) / vg.Length(n)
	for i, l := range r.Labels {
		top := y(float64(n - i))
		if i%2 == 0 {
			c.FillPolygon(pale(), []vg.Point{{X: labelX, Y: top}, {X: c.Max.X, Y: top}, {X: c.Max.X, Y: top - height}, {X: labelX, Y: top - height}})
		}
		c.FillText(face(fontSize, draw.XLeft), vg.Point{X: labelX + 3, Y: top - vg.Length(height/2)}, l)
	}
	for _, u := range r.Rules {
		if u.At >= r.min && u.At <= r.max {
			c.StrokeLine2(u.Stroke.line(), x(u.At), c.Min.Y, x(u.At), c.Max.Y)
		}
	}
	_, gap := r.spacing()
	lane := (height - gap) / vg.Length(r.Lanes)
	for _, m := range r.Marks {
		at := y(float64(n-m.Row)) - vg.Length(gap/2) - vg.Length(lane*(vg.Length(m.Lane)+0.5))
		m.draw(c, x, at, r)
	}
}

// draw renders one mark; an interval is cut at the ends of the axis, without
// an end stroke where it was cut.
func (m *Mark) draw(c *draw.Canvas, x func(float64) vg.Length, y vg.Length, r *Rows) {
	if !math.IsNaN(m.Lo) && !math.IsNaN(m.Hi) && m.Lo <= r.max && m.Hi >= r.min {
		c.StrokeLine2(m.Stroke.line(), x(max(m.Lo, r.min)), y, x(min(m.Hi, r.max)), y)
		end := m.Stroke.line()
		end.Dashes = nil
		for _, v := range []float64{m.Lo, m.Hi} {
			if v >= r.min && v <= r.max {
				c.StrokeLine2(end, x(v), y-2.2, x(v), y+2.2)
			}
		}
	}
	if !math.IsNaN(m.At) && m.At >= r.min && m.At <= r.max {
		m.Stroke.mark(c, vg.Point{X: x(m.At), Y: y})
	}
}
