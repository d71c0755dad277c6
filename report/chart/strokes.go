package chart

import (
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Stroke is how a line with its marker is drawn.
type Stroke struct {
	color  color.Color
	width  vg.Length
	dashes []vg.Length
	glyph  draw.GlyphDrawer // nil: no marker
	size   vg.Length        // of the marker
}

func (s Stroke) line() draw.LineStyle {
	return draw.LineStyle{Color: s.color, Width: s.width, Dashes: s.dashes}
}

func (s Stroke) mark(c *draw.Canvas, at vg.Point) {
	if s.glyph != nil {
		c.DrawGlyphNoClip(draw.GlyphStyle{Color: s.color, Radius: s.size, Shape: s.glyph}, at)
	}
}

// Marker is the stroke without its line, for a legend of points.
func (s Stroke) Marker() Stroke {
	s.dashes, s.width = nil, 0
	return s
}

// Raw is a raw interval, around the mean.
func Raw() Stroke { return Stroke{color: black(), width: 0.8, glyph: draw.RingGlyph{}, size: 2.4} }

// Corrected is a corrected interval.
func Corrected() Stroke { return Stroke{color: blue(), width: 1.8, glyph: draw.BoxGlyph{}, size: 2.6} }

// Sequence is a confidence sequence.
func Sequence() Stroke {
	return Stroke{color: green(), width: 1, dashes: []vg.Length{1.2, 2}, glyph: draw.PyramidGlyph{}, size: 2.6}
}

// Value is a line at a value that something is held against.
func Value() Stroke { return Stroke{color: grey(), width: 0.9, dashes: []vg.Length{2, 2}} }

// Level is a line at a level.
func Level() Stroke { return Stroke{color: grey(), width: 0.9, dashes: []vg.Length{4, 2}} }

// Reference is the line i across a figure at a value that does not depend on what is
// below it; two differ.
func Reference(i int) Stroke {
	return Stroke{color: grey(), width: 1, dashes: [][]vg.Length{{2, 2}, {7, 3}}[i%2]}
}

// Link joins marks of one row.
func Link() Stroke { return Stroke{color: grey(), width: 0.6} }

// Update is where a policy learned.
func Update() Stroke { return Stroke{color: color.NRGBA{A: 150}, width: 0.5} }

// Declared is the line of a declared law, Fitted is the line of a fitted law, and Found
// draws what was found, as points.
func Declared() Stroke { return Stroke{color: black(), width: 1} }

// Fitted is the line of a fitted law.
func Fitted() Stroke { return Stroke{color: vermilion(), width: 1.3, dashes: []vg.Length{5, 2.5}} }

// Found are points of what was found.
func Found() Stroke { return Stroke{color: blue(), glyph: draw.CircleGlyph{}, size: 1.7} }

// Area is what the cells of a histogram are filled with.
func Area() Stroke { return Stroke{color: sky(), width: 7} }

// Lines are the styles of lines that are told apart, in their order.
func Lines() []Stroke {
	return []Stroke{
		{color: blue(), width: 1.3, glyph: draw.CircleGlyph{}, size: 2.2},
		{color: vermilion(), width: 1.3, dashes: []vg.Length{6, 2.5}, glyph: draw.BoxGlyph{}, size: 2.2},
		{color: green(), width: 1.3, dashes: []vg.Length{1.5, 2}, glyph: draw.PyramidGlyph{}, size: 2.4},
		{color: purple(), width: 1.3, dashes: []vg.Length{6, 2, 1.5, 2}, glyph: draw.CrossGlyph{}, size: 2.4},
		{color: orange(), width: 1.3, dashes: []vg.Length{3, 2}, glyph: draw.RingGlyph{}, size: 2.4},
		{color: sky(), width: 1.3, dashes: []vg.Length{9, 3}, glyph: draw.SquareGlyph{}, size: 2.2},
		{color: black(), width: 1.3, dashes: []vg.Length{9, 2, 1.5, 2, 1.5, 2}, glyph: draw.TriangleGlyph{}, size: 2.4},
	}
}

// Colours that readers with colour-blindness tell apart (Okabe and Ito 2008).
// Each is used with a marker or dash of its own, so that nothing rests on
// colour alone.
func black() color.Color     { return color.RGBA{A: 255} }
func grey() color.Color      { return color.RGBA{R: 0x80, G: 0x80, B: 0x80, A: 255} }
func pale() color.Color      { return color.RGBA{R: 0xF3, G: 0xF3, B: 0xF3, A: 255} }
func blue() color.Color      { return color.RGBA{G: 0x72, B: 0xB2, A: 255} }
func vermilion() color.Color { return color.RGBA{R: 0xD5, G: 0x5E, A: 255} }
func green() color.Color     { return color.RGBA{G: 0x9E, B: 0x73, A: 255} }
func orange() color.Color    { return color.RGBA{R: 0xE6, G: 0x9F, A: 255} }
func sky() color.Color       { return color.RGBA{R: 0x56, G: 0xB4, B: 0xE9, A: 255} }
func purple() color.Color    { return color.RGBA{R: 0xCC, G: 0x79, B: 0xA7, A: 255} }
