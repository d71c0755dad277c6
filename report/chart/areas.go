package chart

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
)

// Fills are what areas above one another are filled with, the lowest first: a dark one
// follows a light one, so that neighbours differ without colours. The last is for what is
// not told apart. The blue is another than the blue of lines, which is lighter on a dark
// page.
func Fills() []Stroke {
	fills := []color.Color{
		color.RGBA{G: 0x68, B: 0xA8, A: 255},
		orange(), green(), sky(), vermilion(),
		color.RGBA{R: 0xF0, G: 0xE4, B: 0x42, A: 255},
		color.RGBA{R: 0x88, G: 0x44, B: 0x99, A: 255},
		color.RGBA{R: 0xE8, G: 0xA8, B: 0xC8, A: 255},
		grey(),
	}
	out := make([]Stroke, len(fills))
	for i, c := range fills {
		out[i] = Stroke{color: c}
	}
	return out
}

// Stack fills layers above one another, each as steps over the stretches that end at ends;
// fills holds a fill for each layer. It is painted from the highest down, each layer over what
// is above it, so that its upper edge alone is drawn.
func (v *Canvas) Stack(ends []float64, layers [][]float64, fills []Stroke) {
	tops := make([][]float64, len(layers))
	for i, layer := range layers {
		tops[i] = slices.Clone(layer)
		for j := range tops[i] {
			if i > 0 {
				tops[i][j] += tops[i-1][j]
			}
		}
	}
	for i, top := range slices.Backward(tops) {
		area := append(v.steps(ends, top), v.at(Point{ends[len(ends)-1], 0}), v.at(Point{0, 0}))
		v.c.FillPolygon(fills[i].color, area)
	}
}

// steps are the corners of steps from 0, of which neighbours of one height are one.
func (v *Canvas) steps(ends, heights []float64) []vg.Point {
	out := make([]vg.Point, 0, 2*len(ends))
	from := 0.0
	for i, end := range ends {
		if i+1 < len(ends) && heights[i+1] == heights[i] {
			continue
		}
		out = append(out, v.at(Point{from, heights[i]}), v.at(Point{end, heights[i]}))
		from = end
	}
	return out
}

// Band fills what lies between the intervals of samples, pale in the colour of a stroke,
// and cut at the axes.
func (v *Canvas) Band(samples []Sample, s Stroke) {
	var upper, lower []vg.Point
	for _, m := range samples {
		if !(Point{m.Lo, m.Hi}).Finite() || !m.Finite() {
			continue
		}
		at := v.x(m.X)
		upper = append(upper, vg.Point{X: at, Y: min(v.y(m.Hi), v.c.Max.Y)})
		lower = append(lower, vg.Point{X: at, Y: max(v.y(m.Lo), v.c.Min.Y)})
	}
	for _, at := range slices.Backward(lower) {
		upper = append(upper, at)
	}
	if len(upper) > 2 {
		v.c.FillPolygon(s.paler(), upper)
	}
}

// paler is the colour of a stroke, most of it transparent.
func (s Stroke) paler() color.Color {
	r, g, b, _ := s.color.RGBA()
	return color.NRGBA{R: uint8(r >> 8), G: uint8(g >> 8), B: uint8(b >> 8), A: 46} //nolint:gosec // The high bytes.
}

// Line draws a line through points without markers.
func (v *Canvas) Line(points []Point, s Stroke) {
	line := make([]vg.Point, len(points))
	for i, p := range points {
		line[i] = v.at(p)
	}
	v.c.StrokeLines(s.line(), line)
}

// Course draws a line through samples with a few markers on it, other ones than its
// neighbours have.
func (v *Canvas) Course(samples []Sample, s Stroke, i int) {
	bare := make([]Sample, len(samples))
	for j, m := range samples {
		bare[j] = Sample{Point: m.Point, Lo: math.NaN(), Hi: math.NaN()}
	}
	v.Curve(bare, s, i)
}
