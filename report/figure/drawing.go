package figure

import (
	"math"
	"slices"
	"strings"

	"banditaudit/report/chart"
	"banditaudit/report/page"
	"banditaudit/schemas"
)

// Kind says what a figure shows.
type Kind int

// Kinds of figures.
const (
	Arms Kind = iota
	Allocation
	Effects
	Means
	Weights
	Noise
	Spent
)

// Drawing is a figure that has data, drawn or not yet.
type Drawing struct {
	Experiment int
	Kind       Kind
	Name       string // file name
	Title      string
	Caption    string
	draw       func(description string) ([]byte, error)
	Numbers    page.Table // what is drawn, thinned; empty where another table of the section has it
	SVG        []byte
}

// maxNumbers is how many places of a line stand in the table below a figure.
const maxNumbers = 5

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
