package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"banditaudit/report/chart"
	"banditaudit/report/page"
	"banditaudit/schemas"
)

type figureKind int

const (
	figureArms figureKind = iota
	figureAllocation
	figureEffects
	figureMeans
	figureWeights
	figureNoise
	figureSpent
)

// figureList are the figures of an experiment, in the order of their files; nil where one
// has no data.
func figureList() []func(*schemas.Experiment, *protocol) *drawing {
	return []func(*schemas.Experiment, *protocol) *drawing{
		armsFigure, allocationFigure, meansFigure, weightsFigure, noiseFigure, spentFigure, effectsFigure,
	}
}

// drawing is a figure that has data, drawn or not yet.
type drawing struct {
	experiment int
	kind       figureKind
	name       string // file name
	title      string
	caption    string
	draw       func(description string) ([]byte, error)
	numbers    page.Table // what is drawn, thinned; empty where another table of the section has it
	svg        []byte
}

// Figures draws the figures of the results as SVG with real text, in the order
// of the experiments: arm means with their intervals (figures/arms.svg),
// allocation over time (figures/allocation.svg), means over time with their confidence
// sequences (figures/means.svg), what weights leave of the rounds (figures/weights.svg),
// noise against its declared law (figures/noise.svg), what the row that paid most had paid
// (figures/spent.svg), and the differences that tests ask about (figures/effects.svg). With several experiments the names end in the index
// of the experiment, figures/arms-0.svg, and only the first few are drawn.
//
// The same results give the same bytes. A figure without data is left out. An
// error is returned when r is nil or its protocol is not one.
//
// Special cases are:
//
//	no arm with a mean gives no arms figure
//	no series of a figure (results.json, series) gives no such figure
//	no test of a difference with an interval gives no figure of differences
func Figures(r *Digest) ([]page.File, error) {
	p, err := readProtocol(r)
	if err != nil {
		return nil, err
	}
	drawn, err := drawAll(drawings(r, &p))
	if err != nil {
		return nil, err
	}
	files := make([]page.File, 0, len(drawn))
	for _, d := range drawn {
		files = append(files, page.File{Name: d.name, Data: d.svg})
	}
	return files, nil
}

// drawings lists the figures that have data.
func drawings(r *Digest, p *protocol) []drawing {
	var out []drawing
	for i := range r.Experiments {
		if i == maxDrawn {
			break
		}
		x := &r.Experiments[i]
		for _, figure := range figureList() {
			d := figure(x, p)
			if d == nil {
				continue
			}
			d.experiment = i
			if r.count > 1 {
				d.name = fmt.Sprintf("%s-%d", d.name, i)
				d.title += ": " + page.Cut(page.Label(x.ID), page.MaxFigure)
			}
			d.name = "figures/" + d.name + ".svg"
			out = append(out, *d)
		}
	}
	return out
}

func drawAll(list []drawing) ([]drawing, error) {
	for i := range list {
		svg, err := list[i].draw(page.Visible(list[i].caption))
		if err != nil {
			return nil, err
		}
		list[i].svg = svg
	}
	return list, nil
}

// figure adds the experiment's figure of a kind, or says what it would need.
func (s *experimentView) figure(b *page.Builder, kind figureKind, absent string) {
	for _, d := range s.figures {
		if d.kind == kind {
			b.Figures++
			b.Add(page.Picture{Name: d.name, Title: d.title, Caption: fmt.Sprintf("Figure %d. %s", b.Figures, d.caption), SVG: d.svg})
			if len(d.numbers.Rows) > 0 {
				d.numbers.Pointer = s.pointer(d.numbers.Pointer)
				b.Add(page.Fold{Title: fmt.Sprintf("Numbers of figure %d", b.Figures), Blocks: []page.Block{d.numbers}})
			}
			return
		}
	}
	if s.drawn && absent != "" {
		b.Note(absent)
	}
}

// maxNumbers is how many places of a line stand in the table below a figure.
const maxNumbers = 10

// places are at most maxNumbers of n places, evenly spaced, the last among them.
func places(n int) []int {
	var out []int
	rows := min(n, maxNumbers)
	for i := 1; i <= rows; i++ {
		out = append(out, i*n/rows-1)
	}
	return out
}

// lineOf is the series of an id; nil where the results hold none that can be drawn.
func lineOf(x *schemas.Experiment, id string) *schemas.Series {
	i := slices.IndexFunc(x.Series, func(s schemas.Series) bool { return s.ID == id })
	if i < 0 || len(pointsOf(&x.Series[i])) == 0 {
		return nil
	}
	return &x.Series[i]
}

// linesOf are the series whose ids begin so, by what follows that, in their order.
func linesOf(x *schemas.Experiment, prefix string) (names []string, lines []*schemas.Series) {
	for i := range x.Series {
		s := &x.Series[i]
		if name, ok := strings.CutPrefix(s.ID, prefix); ok && len(pointsOf(s)) > 0 {
			names, lines = append(names, name), append(lines, s)
		}
	}
	return names, lines
}

// pointsOf are the points of a series that can be drawn.
func pointsOf(s *schemas.Series) []chart.Point {
	var out []chart.Point
	for _, m := range samplesOf(s) {
		out = append(out, m.Point)
	}
	return out
}

// samplesOf are those points with their intervals, NaN where there is none.
func samplesOf(s *schemas.Series) []chart.Sample {
	var out []chart.Sample
	for i := range min(len(s.X), len(s.Y)) {
		m := chart.Sample{Point: chart.Point{X: s.X[i], Y: s.Y[i]}, Lo: math.NaN(), Hi: math.NaN()}
		if i < len(s.Lo) && i < len(s.Hi) {
			m.Lo, m.Hi = s.Lo[i], s.Hi[i]
		}
		if m.Finite() {
			out = append(out, m)
		}
	}
	return out
}

// armWords names an arm in a title: with the word where the label does not begin with it.
func armWords(label string) string {
	if label = page.Cut(label, page.MaxFigure); strings.HasPrefix(strings.ToLower(label), "arm") {
		return label
	}
	return "arm " + label
}

// rounds writes a number of rounds.
func rounds(x float64) string { return page.Group(int64(math.Round(x))) }
