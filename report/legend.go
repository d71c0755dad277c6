package report

import (
	"image/color"
	"unicode/utf8"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// stroke is how a line with its marker is drawn.
type stroke struct {
	color  color.Color
	width  vg.Length
	dashes []vg.Length
	glyph  draw.GlyphDrawer // nil: no marker
	size   vg.Length        // of the marker
}

func (s stroke) line() draw.LineStyle {
	return draw.LineStyle{Color: s.color, Width: s.width, Dashes: s.dashes}
}

func (s stroke) mark(c *draw.Canvas, at vg.Point) {
	if s.glyph != nil {
		c.DrawGlyphNoClip(draw.GlyphStyle{Color: s.color, Radius: s.size, Shape: s.glyph}, at)
	}
}

// key is one entry of a legend.
type key struct {
	text     string
	stroke   stroke
	vertical bool // the sample is a vertical line
}

const (
	sampleWidth = 26
	lineHeight  = 1.5 * fontSize
)

// legend draws the entries from the top of c, in as many lines as they need,
// and returns the height it took.
func legend(c *draw.Canvas, keys []key) vg.Length {
	if len(keys) == 0 {
		return 0
	}
	style := face(fontSize, draw.XLeft)
	x, y := c.Min.X, c.Max.Y-lineHeight/2
	for i, k := range keys {
		width := sampleWidth + 5 + measure(style, k.text) + 14
		if i > 0 && x+width > c.Max.X {
			x, y = c.Min.X, y-lineHeight
		}
		sample(c, k, x, y)
		c.FillText(style, vg.Point{X: x + sampleWidth + 5, Y: y}, k.text)
		x += width
	}
	return c.Max.Y - y + lineHeight
}

// sample draws the line and marker of an entry.
func sample(c *draw.Canvas, k key, x, y vg.Length) {
	middle := vg.Point{X: x + sampleWidth/2, Y: y}
	if k.vertical {
		c.StrokeLine2(k.stroke.line(), middle.X, y-lineHeight*0.45, middle.X, y+lineHeight*0.45)
		return
	}
	if k.stroke.width > 0 {
		c.StrokeLine2(k.stroke.line(), x, y, x+sampleWidth, y)
	}
	k.stroke.mark(c, middle)
}

// measure is the width of s. The embedded faces have no wide characters, so
// beyond the scripts they know a character is taken to be one em wide.
func measure(style text.Style, s string) vg.Length {
	const firstWide = 0x1100
	for _, r := range s {
		if r >= firstWide && (r < 0x2000 || r > 0x2FFF) {
			return vg.Length(utf8.RuneCountInString(s)) * style.Font.Size
		}
	}
	return style.Width(s)
}
