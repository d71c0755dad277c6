package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/report/chart"
	"banditaudit/report/digest"
	"banditaudit/report/figure"
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
	files, err := figure.Files(digested(r))
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
	if got := len(figuresOf(t, all["many"])); got != 2*digest.MaxDrawn {
		t.Errorf("many: %d figures, want %d", got, 2*digest.MaxDrawn)
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
		title  string
		figure string
		in     func(x *schemas.Experiment)
		rows   int
	}{
		{"Means over time: arm b ends at 0.5, between 0.4 and 0.6", "means", func(*schemas.Experiment) {}, 3},
		{"Means over time: arm b ends at 0.5", "means", func(x *schemas.Experiment) { x.Series[1].Lo = nil }, 3},
		{"", "means", func(x *schemas.Experiment) { x.Series[1].X = nil }, 0},
		{"Weighted by 1/p, 90 rounds count as 9", "weights", func(*schemas.Experiment) {}, 3},
		{"", "weights", func(x *schemas.Experiment) { x.Series[2].Y = []float64{1, 1, 1} }, 0}, // every weight is the same
		{"By the declared mechanism the row that paid most paid ε = 0.75; claimed is 1", "spent", func(*schemas.Experiment) {}, 3},
		{"", "spent", func(x *schemas.Experiment) { x.Privacy.EpsilonClaimed = nil }, 0},
		{"The noise has 0.5 times the declared scale", "noise", func(*schemas.Experiment) {}, 4},
		{"The noise is not of the declared form", "noise", func(x *schemas.Experiment) { x.Replay.Released.Noise.RatioHi = new(1.5) }, 4},
		{"The noise is as declared, as far as 120 draws tell", "noise", func(x *schemas.Experiment) { x.Replay.Released.Noise.Rejected = false }, 4},
		{"", "noise", func(x *schemas.Experiment) { x.Replay.Released.Noise.Quantiles = nil }, 0},
	} {
		x := lined()
		tc.in(x)
		d := drawingOf(x, tc.figure)
		if d == nil {
			if tc.title != "" {
				t.Errorf("no figure %q", tc.title)
			}
			continue
		}
		if d.Title != tc.title || len(d.Numbers.Rows) != tc.rows || !strings.Contains(strings.Join(texts(t, page.File{Name: d.Name, Data: d.SVG}), "\n"), d.Title) {
			t.Errorf("%q with %d rows of numbers, want %q with %d", d.Title, len(d.Numbers.Rows), tc.title, tc.rows)
		}
	}
}

// drawingOf draws one figure of an experiment; nil where it has no data.
func drawingOf(x *schemas.Experiment, name string) *figure.Drawing {
	drawn, err := figure.DrawAll(figure.Of(digested(&schemas.Results{Experiments: []schemas.Experiment{*x}}), &digest.Protocol{}))
	if err != nil {
		return nil
	}
	for i := range drawn {
		if drawn[i].Name == "figures/"+name+".svg" {
			return &drawn[i]
		}
	}
	return nil
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

// TestManyArms: of 34 arms the best 15 are labelled.
func TestManyArms(t *testing.T) {
	const drawn = 15
	x := &openBandit().Experiments[0]
	got := texts(t, figuresOf(t, openBandit())[0])
	for i, a := range schemas.BestFirst(x.Arms) {
		if i < drawn && !slices.Contains(got, a.Label) {
			t.Errorf("arms.svg does not label arm %s, the best but %d", a.Label, i)
		}
	}
}
