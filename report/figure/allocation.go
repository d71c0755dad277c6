package figure

import (
	"cmp"
	"fmt"
	"slices"

	"banditaudit/report/chart"
	"banditaudit/report/digest"
	"banditaudit/report/page"
	"banditaudit/schemas"
)

const (
	allocationHeight = 230 // of its axes, in points
	allocationNamed  = 8   // arms with an area of their own
	allocationLabel  = 18  // runes of a label beside it
	allocationMarks  = 32  // updates that are marked
)

// layer is the share of the rounds of each bin that an arm, or several, got.
type layer struct {
	label  string
	shares []float64
	pulls  int64
	arms   int
}

// allocationFigure draws the shares of rounds of the arms above one another, over time, with
// marks where a batch begins or the policy learns.
func allocationFigure(x *schemas.Experiment, _ *digest.Protocol) *Drawing {
	ends, layers := allocationLayers(x)
	if len(layers) == 0 {
		return nil
	}
	title := "Allocation over time"
	if first := &layers[0]; x.Rounds > 0 && first.pulls > 0 {
		title += ": " + armWords(first.label) + " got " + page.Percent(float64(first.pulls)/float64(x.Rounds)) + " of the rounds"
	}
	a := &chart.Axes{Title: title, X: "round", Y: "share of rounds, of all arms together", Height: allocationHeight, Max: chart.Point{X: max(1, ends[len(ends)-1]), Y: 1}, Number: page.Short}
	marks, key := updateMarks(x)
	if key.Text != "" {
		a.Keys = append(a.Keys, key)
	}
	fills := layerFills(layers)
	var drawn [][]float64
	below := 0.0
	for i := range layers {
		l := &layers[i]
		last := l.shares[len(ends)-1]
		a.Ends = append(a.Ends, chart.End{Key: chart.Key{Text: l.text(x.Rounds), Stroke: fills[i], Area: true}, At: below + float64(last/2)})
		below += last
		drawn = append(drawn, l.shares)
	}
	return &Drawing{
		Kind: Allocation, Name: "allocation", Title: title, Caption: allocationCaption(x, layers, len(ends)),
		Numbers: allocationNumbers(ends, layers),
		draw: func(description string) ([]byte, error) {
			return a.Draw(description, func(v *chart.Canvas) {
				v.Stack(ends, drawn, fills)
				for _, m := range marks {
					v.Upright(m, key.Stroke)
				}
			})
		},
	}
}

// allocationLayers reads the series: the arms that were played most, and the others
// together. The bins are taken from the first of them.
func allocationLayers(x *schemas.Experiment) (ends []float64, layers []layer) {
	names, lines := linesOf(x, schemas.SeriesAllocation)
	if len(lines) == 0 {
		return nil, nil
	}
	for _, p := range pointsOf(lines[0]) {
		ends = append(ends, p.X)
	}
	pulls := map[string]int64{}
	for i := range x.Arms {
		pulls[x.Arms[i].Label] = x.Arms[i].Pulls
	}
	for i, name := range names {
		l := layer{label: page.Label(name), pulls: pulls[name], shares: make([]float64, len(ends)), arms: 1}
		for j, p := range pointsOf(lines[i]) {
			if j < len(ends) {
				l.shares[j] = p.Y
			}
		}
		layers = append(layers, l)
	}
	slices.SortStableFunc(layers, func(a, b layer) int { return cmp.Compare(b.pulls, a.pulls) })
	return ends, others(layers)
}

// others joins the layers beyond those that are named, if they are two or more.
func others(layers []layer) []layer {
	if len(layers) <= allocationNamed+1 {
		return layers
	}
	rest := layer{shares: make([]float64, len(layers[0].shares))}
	for _, l := range layers[allocationNamed:] {
		rest.pulls, rest.arms = rest.pulls+l.pulls, rest.arms+1
		for i, share := range l.shares {
			rest.shares[i] += share
		}
	}
	rest.label = schemas.Counted(rest.arms, "other arm")
	return append(slices.Clip(layers[:allocationNamed]), rest)
}

// layerFills are the fills of layers, grey for the last of nine.
func layerFills(layers []layer) []chart.Stroke { return chart.Fills()[:len(layers)] }

// text is a layer beside its area.
func (l *layer) text(rounds int64) string {
	return page.Cut(l.label, allocationLabel) + ": " + page.Share(l.pulls, rounds)
}

// updateMarks are the rounds that are marked, and what the marks are.
func updateMarks(x *schemas.Experiment) (marks []float64, key chart.Key) {
	s := lineOf(x, schemas.SeriesUpdates)
	if s == nil {
		return nil, chart.Key{}
	}
	points := pointsOf(s)
	step := (len(points) + allocationMarks - 1) / allocationMarks
	for i := step - 1; i < len(points); i += step {
		marks = append(marks, points[i].X)
	}
	text := "a batch begins"
	if s.Unit != "number of the batch" {
		text = "the policy learns"
	}
	if n := s.N - 1; int64(len(marks)) < n {
		text += fmt.Sprintf(" (%d of %s are marked)", len(marks), page.Group(n))
	}
	return marks, chart.Key{Text: text, Stroke: chart.Update(), Vertical: true}
}

func allocationCaption(x *schemas.Experiment, layers []layer, bins int) string {
	s := fmt.Sprintf("Share of the rounds in each of %s in which an arm was played; the shares of all arms add up to 1, the most-played arm lowest, and beside it its share of all rounds. n = %s, counted from the log.",
		schemas.Counted(bins, "bin"), schemas.Counted(x.Rounds, "round"))
	if last := layers[len(layers)-1]; last.arms > 1 {
		s += fmt.Sprintf(" The %d arms that were played less than these %d are drawn together.", last.arms, allocationNamed)
	}
	return s
}

// allocationNumbers are some of the shares.
func allocationNumbers(ends []float64, layers []layer) page.Table {
	t := page.Table{Caption: "Shares of the rounds of a bin", Pointer: "series", RowHead: true, Columns: []page.Column{{Title: "Bin that ends in round"}}}
	for i := range layers {
		t.Columns = append(t.Columns, page.Numeric(page.Cut(layers[i].label, page.MaxFigure)))
	}
	for _, j := range places(len(ends)) {
		r := page.Row{Cells: []page.Cell{page.Number(rounds(ends[j]), "")}}
		for i := range layers {
			r.Cells = append(r.Cells, page.Number(page.Percent(layers[i].shares[j]), ""))
		}
		t.Rows = append(t.Rows, r)
	}
	return t
}
