package report

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// rowChart is a figure with one labelled row per thing and a value axis below:
// the form of both the arms and the p-values. Labels stand to the left, so
// that dozens of them stay legible.
type rowChart struct {
	title, axis string
	labels      []string
	lanes       int // lines within a row
	marks       []mark
	rules       []rule
	keys        []key
	min, max    float64
	scale       plot.Normalizer // nil: linear
	ticker      plot.Ticker     // nil: ticks
}

// mark is a point, an interval, or both, in one lane of a row.
type mark struct {
	row, lane  int
	at, lo, hi float64 // NaN: none
	stroke     stroke
}

// rule is a vertical line at a value.
type rule struct {
	at     float64
	stroke stroke
}

const (
	axisHeight   = 36
	maxLabelArea = 170
	manyRows     = 20 // from which rows are set closer, to stay on a page
)

// spacing returns the height of a lane and the gap between rows.
func (r *rowChart) spacing() (lane, gap vg.Length) {
	if len(r.labels) > manyRows {
		return 7, 3
	}
	return 8.5, 6
}

// draw renders the chart.
func (r *rowChart) draw(description string) ([]byte, error) {
	lane, gap := r.spacing()
	rowHeight := max(lane*vg.Length(r.lanes)+gap, fontSize+gap)
	probe := newSheet(100) // how tall is the header?
	top := probe.Max.Y
	probe.header(r.title, r.keys)
	header := top - probe.Max.Y
	body := rowHeight * vg.Length(len(r.labels))
	s := newSheet(header + body + axisHeight + 2*margin)
	s.header(r.title, r.keys)

	p := r.plot()
	left := r.labelArea()
	area := draw.Crop(s.Canvas, left, 0, 0, 0)
	p.Add(&rowPlotter{chart: r, labelX: s.Min.X})
	p.Draw(area)
	return s.bytes(r.title, description)
}

// plot sets up the value axis.
func (r *rowChart) plot() *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	p.HideY()
	p.Y.Min, p.Y.Max = 0, float64(len(r.labels))
	p.Y.Padding, p.X.Padding = 0, 2
	p.X.Min, p.X.Max = r.min, r.max
	axisStyle(&p.X, r.axis)
	if r.scale != nil {
		p.X.Scale = r.scale
	}
	if r.ticker != nil {
		p.X.Tick.Marker = r.ticker
	}
	return p
}

// axisStyle sets face and ticks of an axis.
func axisStyle(a *plot.Axis, name string) {
	a.Label.Text = name
	a.Label.TextStyle.Font = face(fontSize, draw.XCenter).Font
	a.Label.TextStyle.Handler = face(fontSize, draw.XCenter).Handler
	a.Tick.Label.Font = face(fontSize-1, draw.XCenter).Font
	a.Tick.Label.Handler = face(fontSize, draw.XCenter).Handler
	a.Tick.Marker = ticks{}
}

func (r *rowChart) labelArea() vg.Length {
	var widest vg.Length
	style := face(fontSize, draw.XLeft)
	for _, l := range r.labels {
		widest = max(widest, measure(style, l))
	}
	return min(widest, maxLabelArea) + 10
}

// rowPlotter draws rows inside the axes of a plot, the first row on top.
type rowPlotter struct {
	chart  *rowChart
	labelX vg.Length
}

var _ plot.Plotter = (*rowPlotter)(nil)

// Plot implements plot.Plotter.
func (rp *rowPlotter) Plot(c draw.Canvas, p *plot.Plot) {
	r := rp.chart
	x, y := p.Transforms(&c)
	n := len(r.labels)
	height := (c.Max.Y - c.Min.Y) / vg.Length(n)
	for i, l := range r.labels {
		top := y(float64(n - i))
		if i%2 == 0 {
			c.FillPolygon(pale(), []vg.Point{{X: rp.labelX, Y: top}, {X: c.Max.X, Y: top}, {X: c.Max.X, Y: top - height}, {X: rp.labelX, Y: top - height}})
		}
		c.FillText(face(fontSize, draw.XLeft), vg.Point{X: rp.labelX + 3, Y: top - height/2}, l)
	}
	for _, u := range r.rules {
		if u.at >= r.min && u.at <= r.max {
			c.StrokeLine2(u.stroke.line(), x(u.at), c.Min.Y, x(u.at), c.Max.Y)
		}
	}
	_, gap := r.spacing()
	lane := (height - gap) / vg.Length(r.lanes)
	for _, m := range r.marks {
		at := y(float64(n-m.row)) - gap/2 - lane*(vg.Length(m.lane)+0.5)
		m.draw(&c, x, at, r)
	}
}

// draw renders one mark; an interval is cut at the ends of the axis, without
// an end stroke where it was cut.
func (m *mark) draw(c *draw.Canvas, x func(float64) vg.Length, y vg.Length, r *rowChart) {
	if !math.IsNaN(m.lo) && !math.IsNaN(m.hi) && m.lo <= r.max && m.hi >= r.min {
		c.StrokeLine2(m.stroke.line(), x(max(m.lo, r.min)), y, x(min(m.hi, r.max)), y)
		end := m.stroke.line()
		end.Dashes = nil
		for _, v := range []float64{m.lo, m.hi} {
			if v >= r.min && v <= r.max {
				c.StrokeLine2(end, x(v), y-2.2, x(v), y+2.2)
			}
		}
	}
	if !math.IsNaN(m.at) && m.at >= r.min && m.at <= r.max {
		m.stroke.mark(c, vg.Point{X: x(m.at), Y: y})
	}
}
