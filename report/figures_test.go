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
	"github.com/google/go-cmp/cmp/cmpopts"

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
		{"homepage", []string{"figures/arms.svg", "figures/allocation.svg", "figures/pvalues.svg"}},
		{"open-bandit", []string{"figures/arms.svg", "figures/allocation.svg"}},
		{"two", []string{"figures/arms-0.svg", "figures/allocation-0.svg", "figures/pvalues-0.svg", "figures/arms-1.svg"}},
		{"empty", nil},
		{"bare", []string{"figures/allocation.svg"}},
	} {
		if diff := cmp.Diff(tc.want, names(figuresOf(t, all[tc.name]))); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", tc.name, diff)
		}
	}
	if got := len(figuresOf(t, all["many"])); got != 3*maxDrawn {
		t.Errorf("many: %d figures, want %d", got, 3*maxDrawn)
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
			"Arm means and intervals", "control", "video", "reward", "tested value", "corrected 95 % interval",
			"raw 95 % interval (valid only if the allocation had been fixed in advance)", "raw interval ± bias bound (not a confidence interval)",
		},
		"figures/allocation.svg": {"Allocation over time", "headline-b", "round", "share of rounds", "20,000"},
		"figures/pvalues.svg":    {"Naive and corrected p", "H2/green", "H1 (video)", "corrected p", "p = 0.05", "10^-50", "the published route (Theorem 20)"},
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
	files := figuresOf(t, hostile())
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
	if got := texts(t, files[0]); !slices.Contains(got, "<script>alert(1)</script>") || !slices.Contains(got, "日本語のラベル") {
		t.Errorf("arms.svg shows %q", got)
	}
}

// TestManyArms: 34 labels stay, below each other, and seven arms have a style.
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
	for i := range x.Arms {
		if !slices.Contains(got, x.Arms[i].Label) {
			t.Errorf("arms.svg does not label arm %s", x.Arms[i].Label)
		}
	}
}

// TestArmMarks: bias-widened is the raw interval moved outward by the bound.
func TestArmMarks(t *testing.T) {
	a := schemas.Arm{Mean: new(0.5), CI: schemas.NewInterval(0.4, 0.6), BiasBound: new(0.125), CICorrected: schemas.NewInterval(0.3, 0.7), ConfidenceSequence: schemas.NewInterval(0.2, 0.8)}
	lanes := func(ms []chart.Mark) [][]float64 {
		var out [][]float64
		for _, m := range ms {
			out = append(out, []float64{float64(m.Lane), m.Lo, m.Hi})
		}
		return out
	}
	tolerance := cmpopts.EquateApprox(0, 1e-15) // sums of two decimals
	if diff := cmp.Diff([][]float64{{0, 0.4, 0.6}, {1, 0.3, 0.7}, {2, 0.2, 0.8}, {3, 0.275, 0.725}}, lanes(armMarks(&a, 0, true)), tolerance); diff != "" {
		t.Errorf("corrected: (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([][]float64{{0, 0.4, 0.6}, {1, 0.2, 0.8}}, lanes(armMarks(&a, 0, false)), tolerance); diff != "" {
		t.Errorf("not corrected: (-want +got)\n%s", diff)
	}
	if got := len(armMarks(&schemas.Arm{}, 0, true)); got != 1 {
		t.Errorf("an arm without values has %d marks, want its empty lane", got)
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
