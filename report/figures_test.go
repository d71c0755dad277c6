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
	"banditaudit/schemas"
)

func names(files []File) []string {
	var out []string
	for _, f := range files {
		out = append(out, f.Name)
	}
	return out
}

func figuresOf(t *testing.T, r *schemas.Results) []File {
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
func texts(t *testing.T, f File) []string {
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
		"figures/allocation.svg": {"Allocation over time", "headline-b", "round", "share of rounds", "20,000"},
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

// TestManyArms: of 34 arms the best 15 are labelled, and seven have a style in time.
func TestManyArms(t *testing.T) {
	x := &openBandit().Experiments[0]
	curves := allocationCurves(x)
	named := 0
	for _, c := range curves {
		if c.named {
			named++
		}
	}
	if len(curves) != 34 || named != len(chart.Lines()) {
		t.Errorf("%d curves, %d of them with a style of their own", len(curves), named)
	}
	keys := allocationKeys(curves)
	if last := keys[len(keys)-1].Text; last != "27 other arms" {
		t.Errorf("the legend ends in %q", last)
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
