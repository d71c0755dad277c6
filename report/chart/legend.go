package chart

import (
	"unicode/utf8"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Key is one entry of a legend.
type Key struct {
	Text     string
	Stroke   Stroke
	Vertical bool // the sample is a vertical line
	Area     bool // the sample is filled
	Band     bool // likewise, as pale as a band
}

const (
	sampleWidth = 26
	lineHeight  = 1.5 * fontSize
)

// legend draws the entries from the top of c, in as many lines as they need,
// and returns the height it took.
func legend(c *draw.Canvas, keys []Key) vg.Length {
	if len(keys) == 0 {
		return 0
	}
	style := face(fontSize, draw.XLeft)
	x, y := c.Min.X, c.Max.Y-lineHeight/2
	for i := range keys {
		k := &keys[i]
		width := sampleWidth + 5 + measure(style, k.Text) + 14
		if i > 0 && x+width > c.Max.X {
			x, y = c.Min.X, y-lineHeight
		}
		k.sample(c, vg.Point{X: x, Y: y}, sampleWidth)
		c.FillText(style, vg.Point{X: x + sampleWidth + 5, Y: y}, k.Text)
		x += width
	}
	return c.Max.Y - y + lineHeight
}

// sample draws the line and marker of an entry, or what is filled, from a place to the
// right.
func (k *Key) sample(c *draw.Canvas, at vg.Point, width vg.Length) {
	middle := vg.Point{X: at.X + vg.Length(width/2), Y: at.Y}
	half := vg.Length(lineHeight * 0.3)
	switch {
	case k.Vertical:
		c.StrokeLine2(k.Stroke.line(), middle.X, at.Y-lineHeight*0.45, middle.X, at.Y+lineHeight*0.45)
		return
	case k.Area, k.Band:
		fill := k.Stroke.color
		if k.Band {
			fill = k.Stroke.paler()
		}
		c.FillPolygon(fill, []vg.Point{{X: at.X, Y: at.Y - half}, {X: at.X + width, Y: at.Y - half}, {X: at.X + width, Y: at.Y + half}, {X: at.X, Y: at.Y + half}})
		return
	}
	if k.Stroke.width > 0 {
		c.StrokeLine2(k.Stroke.line(), at.X, at.Y, at.X+width, at.Y)
	}
	k.Stroke.mark(c, middle)
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
