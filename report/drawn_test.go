package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/report/chart"
	"banditaudit/report/page"
	"banditaudit/schemas"
)

func names(files []page.File) []string {
	var out []string
	for _, f := range files {
		out = append(out, f.Name)
	}
	return out
}

func figuresOf(t *testing.T, r *schemas.Results) []page.File {
	t.Helper()
	files, err := Figures(digested(r))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestFigureNames: which figures each fixture has data for.
func TestFigureNames(t *testing.T) {
	all := fixtures()
	for _, tc := range []struct {
		name string
		want []string
	}{
		{"homepage", []string{"figures/arms.svg", "figures/allocation.svg"}},
		{"open-bandit", []string{"figures/arms.svg", "figures/allocation.svg"}},
		{"two", []string{"figures/arms-0.svg", "figures/allocation-0.svg", "figures/arms-1.svg"}},
		{"empty", nil},
		{"bare", []string{"figures/allocation.svg"}},
	} {
		if diff := cmp.Diff(tc.want, names(figuresOf(t, all[tc.name]))); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", tc.name, diff)
		}
	}
	if got := len(figuresOf(t, all["many"])); got != 2*maxDrawn {
		t.Errorf("many: %d figures, want %d", got, 2*maxDrawn)
	}
}

// texts parses an SVG and returns its text elements, title and description.
func texts(t *testing.T, f page.File) []string {
	t.Helper()
	var out []string
	d := xml.NewDecoder(bytes.NewReader(f.Data))
	inText := false
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		switch e := tok.(type) {
		case xml.StartElement:
			inText = slices.Contains([]string{"text", "title", "desc"}, e.Name.Local)
			if !slices.Contains([]string{"svg", "g", "path", "text", "title", "desc"}, e.Name.Local) {
				t.Errorf("%s holds an element %s", f.Name, e.Name.Local)
			}
		case xml.CharData:
			if inText {
				out = append(out, string(e))
			}
		case xml.EndElement:
			inText = false
		}
	}
}

// TestFigureText: figures are well-formed and hold real text: labels, keys, a
// title and a description.
func TestFigureText(t *testing.T) {
	want := map[string][]string{
		"figures/arms.svg": {
			"Arms, best first", "control · H2 rejected", "video · H1 rejected, H2 rejected", "mean reward", "tested value", "corrected 95 % interval",
			"95 % confidence sequence (valid at any time, all arms together)",
		},
		"figures/allocation.svg": {"Allocation over time: arm video got 38.6 % of the rounds", "headline-b: 20.5 %", "round", "share of rounds, of all arms together", "20,000"},
	}
	for _, f := range figuresOf(t, homepage()) {
		got := texts(t, f)
		for _, w := range want[f.Name] {
			if !slices.Contains(got, w) {
				t.Errorf("%s does not say %q, but %q", f.Name, w, got)
			}
		}
		if len(got[1]) < 60 {
			t.Errorf("%s has the description %q", f.Name, got[1])
		}
	}
}

// TestHostileFigures: labels cannot leave their text element.
func TestHostileFigures(t *testing.T) {
	r, shown := hostile(), []string{"<script>alert(1)</script>", "日本語のラベル"}
	for i := range r.Experiments[0].Arms {
		if a := &r.Experiments[0].Arms[i]; slices.Contains(shown, a.Label) {
			a.Mean = new(1.) // among the best, which are drawn
		}
	}
	files := figuresOf(t, r)
	if len(files) != 3 {
		t.Fatalf("%d figures, want 3", len(files))
	}
	for _, f := range files {
		all := strings.Join(texts(t, f), "\n")
		for _, r := range all {
			if r != '\n' && schemas.Printable(string(r)) != string(r) {
				t.Errorf("%s holds %U", f.Name, r)
			}
		}
	}
	got := texts(t, files[0])
	for _, label := range shown {
		if !slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, label) }) {
			t.Errorf("arms.svg does not show %q, but %q", label, got)
		}
	}
}

// TestManyArms: of 34 arms the best 15 are labelled, and the eight that were played most
// have an area of their own; with the others together nothing is left out.
func TestManyArms(t *testing.T) {
	x := &openBandit().Experiments[0]
	ends, layers := allocationLayers(x)
	if len(layers) != allocationNamed+1 || layers[allocationNamed].label != "26 other arms" {
		t.Fatalf("%d layers, the last %q", len(layers), layers[len(layers)-1].label)
	}
	for j := range ends {
		sum := 0.0
		for i := range layers {
			sum += layers[i].shares[j]
		}
		want := 0.0
		for i := range x.Series {
			want += x.Series[i].Y[j]
		}
		if math.Abs(sum-want) > 1e-9 {
			t.Errorf("up to round %g the shares add up to %g, not %g", ends[j], sum, want)
		}
	}
	if got := others(layers[:allocationNamed+1]); len(got) != allocationNamed+1 {
		t.Errorf("nine arms have %d layers", len(got))
	}
	got := texts(t, figuresOf(t, openBandit())[0])
	for i, a := range schemas.BestFirst(x.Arms) {
		if i < maxArmRows && !slices.Contains(got, a.Label) {
			t.Errorf("arms.svg does not label arm %s, the best but %d", a.Label, i)
		}
	}
}

// TestArmMarks: an arm has the intervals that are valid, and else its mean alone; one far
// wider than the others does not set the axis.
func TestArmMarks(t *testing.T) {
	a := schemas.Arm{Mean: new(0.5), CI: schemas.NewInterval(0.4, 0.6), BiasBound: new(0.125), CICorrected: schemas.NewInterval(0.3, 0.7), ConfidenceSequence: schemas.NewInterval(0.2, 0.8)}
	lanes := func(ms []chart.Mark) [][]float64 {
		var out [][]float64
		for _, m := range ms {
			out = append(out, []float64{float64(m.Lane), m.Lo, m.Hi})
		}
		return out
	}
	if diff := cmp.Diff([][]float64{{0, 0.3, 0.7}, {1, 0.2, 0.8}}, lanes(armMarks(&a, 0, true))); diff != "" {
		t.Errorf("corrected: (-want +got)\n%s", diff)
	}
	a.CICorrected = nil
	if diff := cmp.Diff([][]float64{{0, 0.2, 0.8}}, lanes(armMarks(&a, 0, false))); diff != "" {
		t.Errorf("not corrected: (-want +got)\n%s", diff)
	}
	a.ConfidenceSequence = nil
	if got := armMarks(&a, 0, false); len(got) != 1 || got[0].At != 0.5 || !math.IsNaN(got[0].Lo) {
		t.Errorf("an arm without a valid interval: %v", got)
	}
	marks := []chart.Mark{{Lo: .1, Hi: .2}, {Lo: .1, Hi: .25}, {Lo: 0, Hi: 1}}
	if markWide(marks); marks[0].Wide || marks[1].Wide || !marks[2].Wide {
		t.Errorf("wide: %v", marks)
	}
}

func TestTestedMeans(t *testing.T) {
	x := &homepage().Experiments[0]
	x.Tests = append(x.Tests, schemas.Test{Arm: 0, Estimate: new(0.77), Value: 0.1}, schemas.Test{Arm: 99, Estimate: new(0.5)}, schemas.Test{Arm: 1})
	if diff := cmp.Diff([]float64{0.5}, testedMeans(x)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestInlineSVG(t *testing.T) {
	got, err := chart.Inline(figuresOf(t, homepage())[0].Data)
	if err != nil {
		t.Fatal(err)
	}
	if s := string(got); !strings.HasPrefix(s, "<svg ") || strings.Contains(s, "xmlns") || !strings.Contains(s[:200], `role="img"`) {
		t.Errorf("inline figure begins %q", s[:200])
	}
	if _, err := chart.Inline([]byte("<p>")); err == nil {
		t.Error("what is no figure is taken for one")
	}
}

// TestLines: every figure of lines says in its title what it shows, has its numbers below,
// and is left out where it would show nothing.
func TestLines(t *testing.T) {
	for _, tc := range []struct {
		title string
		make  func(*schemas.Experiment, *protocol) *drawing
		in    func(x *schemas.Experiment)
		rows  int
	}{
		{"Means over time: arm b ends at 0.5, between 0.4 and 0.6", meansFigure, func(*schemas.Experiment) {}, 3},
		{"Means over time: arm b ends at 0.5", meansFigure, func(x *schemas.Experiment) { x.Series[1].Lo = nil }, 3},
		{"", meansFigure, func(x *schemas.Experiment) { x.Series[1].X = nil }, 0},
		{"Weighted by 1/p, 90 rounds count as 9", weightsFigure, func(*schemas.Experiment) {}, 3},
		{"", weightsFigure, func(x *schemas.Experiment) { x.Series[2].Y = []float64{1, 1, 1} }, 0}, // every weight is the same
		{"By the declared mechanism the row that paid most paid ε = 0.75; claimed is 1", spentFigure, func(*schemas.Experiment) {}, 3},
		{"", spentFigure, func(x *schemas.Experiment) { x.Privacy.EpsilonClaimed = nil }, 0},
		{"The noise has 0.5 times the declared scale", noiseFigure, func(*schemas.Experiment) {}, 4},
		{"The noise is not of the declared form", noiseFigure, func(x *schemas.Experiment) { x.Replay.Released.Noise.RatioHi = new(1.5) }, 4},
		{"The noise is as declared, as far as 120 draws tell", noiseFigure, func(x *schemas.Experiment) { x.Replay.Released.Noise.Rejected = false }, 4},
		{"", noiseFigure, func(x *schemas.Experiment) { x.Replay.Released.Noise.Quantiles = nil }, 0},
	} {
		x := lined()
		tc.in(x)
		d := tc.make(x, &protocol{})
		if d == nil {
			if tc.title != "" {
				t.Errorf("no figure %q", tc.title)
			}
			continue
		}
		svg, err := d.draw(d.caption)
		if err != nil || d.title != tc.title || len(d.numbers.Rows) != tc.rows || !strings.Contains(strings.Join(texts(t, page.File{Name: d.name, Data: svg}), "\n"), d.title) {
			t.Errorf("%q with %d rows of numbers, want %q with %d (%v)", d.title, len(d.numbers.Rows), tc.title, tc.rows, err)
		}
	}
}

// lined is an experiment with a line of every kind.
func lined() *schemas.Experiment {
	x := []float64{30, 60, 90}
	return &schemas.Experiment{
		Rounds: 90, Arms: []schemas.Arm{{Label: "b"}, {Label: "a"}},
		Series: []schemas.Series{
			{ID: schemas.SeriesUpdates, X: []float64{31, 61}, Y: []float64{2, 3}, N: 3},
			{ID: schemas.SeriesMean + "b", X: x, Y: []float64{.3, .4, .5}, Lo: []float64{0, .2, .4}, Hi: []float64{1, .7, .6}, N: 90},
			{ID: schemas.SeriesEffective, X: x, Y: []float64{.9, .5, .1}, N: 90},
			{ID: schemas.SeriesHeaviest, X: x, Y: []float64{.1, .1, .4}, N: 90},
			{ID: schemas.SeriesSpent, X: x, Y: []float64{.25, .5, .75}, N: 90},
		},
		Privacy: schemas.Accounting{EpsilonClaimed: schemas.Ext(1), EpsilonMechanism: schemas.Ext(1)},
		Replay: schemas.Conformance{Released: &schemas.ReleasedReplay{Noise: &schemas.NoiseFit{
			Rejected: true, Ratio: new(.5), RatioLo: new(.4), RatioHi: new(.6), Level: .001,
			Quantiles: &schemas.Series{X: []float64{-1, 0, 1}, Y: []float64{-.5, 0, .5}, Lo: []float64{-50, -.1, .9}, Hi: []float64{-.9, .1, 50}, N: 120},
		}}},
	}
}

// TestSectionsHoldFigures: a report shows every figure, each in its section, with its numbers.
func TestSectionsHoldFigures(t *testing.T) {
	r := homepage()
	x, with := &r.Experiments[0], lined()
	x.Series, x.Replay.Released, x.Privacy.EpsilonClaimed = append(x.Series, with.Series...), with.Replay.Released, with.Privacy.EpsilonClaimed
	var b bytes.Buffer
	if err := Markdown(&b, digested(r)); err != nil {
		t.Fatal(err)
	}
	at := 0
	for _, want := range []string{"figures/arms.svg", "figures/allocation.svg", "/noise/quantiles`)", "figures/spent.svg", "figures/means.svg", "figures/weights.svg"} {
		found := strings.Index(b.String()[at:], want)
		if found < 0 {
			t.Errorf("no %q after what comes before it", want)
			continue
		}
		at += found
	}
}

// TestUpdateMarks: of many updates every so manieth is marked, and the legend says so.
func TestUpdateMarks(t *testing.T) {
	x := &schemas.Experiment{Series: []schemas.Series{{ID: schemas.SeriesUpdates, Unit: "number of the batch", N: 641}}}
	for i := range 64 {
		s := &x.Series[0]
		s.X, s.Y = append(s.X, float64(i+2)), append(s.Y, 1)
	}
	marks, key := updateMarks(x)
	if len(marks) != allocationMarks || key.Text != "a batch begins (32 of 640 are marked)" {
		t.Errorf("%d marks: %s", len(marks), key.Text)
	}
	if marks, key = updateMarks(&schemas.Experiment{}); marks != nil || key.Text != "" {
		t.Errorf("without updates: %v %s", marks, key.Text)
	}
}
