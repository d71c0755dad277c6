package chart

import (
	"bytes"
	"fmt"
	"html"
	"html/template"
	"image/color"
	"regexp"
	"sync"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	xfont "golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"banditaudit/schemas"
)

const (
	figureWidth = 500 // points; the text width of an A4 page
	fontSize    = 9
	margin      = 6 // points around a figure
)

// faces are the two faces of figures.
//
//nolint:gochecknoglobals // read once, from what the program holds
var faces = sync.OnceValue(func() *font.Cache {
	var all font.Collection
	for weight, ttf := range map[xfont.Weight][]byte{xfont.WeightNormal: liberationsansregular.TTF, xfont.WeightBold: liberationsansbold.TTF} {
		parsed, err := opentype.Parse(ttf)
		if err != nil {
			panic("report: " + err.Error()) // a font of this program's own
		}
		all = append(all, font.Face{Font: font.Font{Typeface: "Liberation", Variant: "Sans", Weight: weight}, Face: parsed})
	}
	return font.NewCache(all)
})

// face is the text style of a figure: a sans-serif that every browser has a
// match for in width.
func face(size vg.Length, x text.XAlignment) text.Style {
	return text.Style{
		Color:   black(),
		Font:    font.From(font.Font{Typeface: "Liberation", Variant: "Sans"}, size),
		XAlign:  x,
		YAlign:  draw.YCenter,
		Handler: text.Plain{Fonts: faces()},
	}
}

func bold(style text.Style) text.Style {
	style.Font.Weight = xfont.WeightBold
	return style
}

// sheet is a figure under construction: a canvas with a white ground.
type sheet struct {
	draw.Canvas
	svg *vgsvg.Canvas
}

func newSheet(height vg.Length) *sheet {
	c := vgsvg.New(figureWidth, height)
	s := &sheet{Canvas: draw.New(c), svg: c}
	s.SetColor(color.White)
	s.Fill(s.Path())
	s.Canvas = draw.Crop(s.Canvas, margin, -margin, margin, -margin)
	return s
}

// headed returns a sheet with a title and a legend, and the given room below them.
func headed(title string, keys []Key, below vg.Length) *sheet {
	probe := newSheet(below)
	top := probe.Max.Y
	probe.header(title, keys)
	s := newSheet(top - probe.Max.Y + below)
	s.header(title, keys)
	return s
}

// header writes the title and the legend, and crops what they take.
func (s *sheet) header(title string, keys []Key) {
	s.FillText(bold(face(fontSize+2, draw.XLeft)), vg.Point{X: s.Min.X, Y: s.Max.Y - fontSize}, title)
	s.Canvas = draw.Crop(s.Canvas, 0, 0, 0, -vg.Length(2.2*fontSize))
	s.Canvas = draw.Crop(s.Canvas, 0, 0, 0, -legend(&s.Canvas, keys))
}

// bytes finishes the document. Title and description are for readers who
// hear the figure; the generic families are for machines without Liberation.
func (s *sheet) bytes(title, description string) ([]byte, error) {
	var raw bytes.Buffer
	if _, err := s.svg.WriteTo(&raw); err != nil {
		return nil, fmt.Errorf("report: figure %q: %w", title, err)
	}
	head := []byte("<title>" + html.EscapeString(schemas.Printable(title)) + "</title>\n<desc>" + html.EscapeString(description) + "</desc>\n<g ")
	out := bytes.Replace(raw.Bytes(), []byte("<g "), head, 1)
	return bytes.ReplaceAll(out, []byte("font-family:Liberation Sans;"), []byte("font-family:Liberation Sans,Arial,Helvetica,sans-serif;")), nil
}

// Inline prepares a figure of this package for the middle of an HTML page:
// without prolog and name spaces, which HTML has built in.
func Inline(svg []byte) (template.HTML, error) {
	start := bytes.Index(svg, []byte("<svg"))
	if start < 0 {
		return "", fmt.Errorf("report: a figure of %d bytes holds no svg element", len(svg))
	}
	names := regexp.MustCompile(`\s+xmlns(:xlink)?="[^"]*"`)
	body := svg[start:]
	end := bytes.IndexByte(body, '>')
	head := names.ReplaceAll(body[:end:end], nil)
	head = append(head, ` role="img"`...)
	return template.HTML(append(head, body[end:]...)), nil //nolint:gosec // Drawn by this package; vgsvg and sheet.bytes escape all text.
}
