package pages

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"banditaudit/cmd/banditlab/documents"
	"banditaudit/schemas"
)

// reproduction is a small one in which every kind of thing occurs.
func reproduction() *documents.Reproduction {
	return &documents.Reproduction{
		Schema: documents.ReproduceSchema, Tool: schemas.Tool{Name: "banditaudit", Version: "0"}, Size: "full", Seed: 1,
		Experiments: []documents.PaperExperiment{{
			ID: "E1", Title: "Bias", Question: "Is there any?", Notes: []string{"A note."},
			Settings: []documents.PaperSetting{
				{
					ID: "a", Words: "UCB, width √(2 ln t/N)", Arms: 2, Rounds: 500, Runs: 10_000,
					Measures: []documents.PaperValue{{Name: "average", Value: .0744, Lo: new(.0737), Hi: new(.0752)}, {Name: "floor", Value: .0013}},
					ByArm:    []documents.PaperArm{{Arm: 1, Mean: 1, Pulls: 165, Bias: -.0123, Lo: -.02, Hi: .001}},
				},
				{ID: "b", Words: "private", Arms: 2, Rounds: 500, Runs: 1000},
			},
			Figures: []documents.PaperFigure{
				{ID: "e1.x", What: "average | bias", Paper: ".0698", Ours: .07438, Lo: new(.0737), Hi: new(.0752), Setting: "a", Verdict: documents.MagnitudeOnly, Why: "No width does."},
				{ID: "e1.y", What: "a quotient", Paper: "40", Ours: 19, Setting: "a over b", Verdict: documents.NotReproduced, Why: "It <b>differs</b>."},
			},
			Gates: []documents.PaperGate{{What: "bias", Value: .058, Lo: .056, Hi: .06, Passed: true}},
			Plots: []documents.PaperPlot{
				{ID: "p1", Title: "Bias & arms", Kind: plotArms, XLabel: "arm", YLabel: "bias", Mark: new(0.0), Lines: []documents.PaperLine{
					{Label: "UCB <1>", X: []float64{1, 2}, Y: []float64{0, -.1}, Lo: []float64{0, -.2}, Hi: []float64{0, 0}},
					{Label: "private", X: []float64{1, 2}, Y: []float64{0, math.NaN()}},
				}},
				{ID: "p2", Title: "Regret", Kind: plotCurves, XLabel: "round", YLabel: "regret", Lines: []documents.PaperLine{{Label: "UCB", X: []float64{1, 10, 100}, Y: []float64{1, 2, 3}}}},
				{ID: "p3", Title: "p", Kind: plotHistogram, XLabel: "p", YLabel: "share", Mark: new(.05), Lines: []documents.PaperLine{{Label: "OFUL", X: []float64{0, .5, 1}, Y: []float64{.7, .3}}}},
			},
		}},
	}
}

func reproductionPage(t *testing.T, r *documents.Reproduction) string {
	t.Helper()
	var b bytes.Buffer
	if err := Reproduction(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestReproductionPage: the page says every figure with its interval, setting,
// runs, verdict and sentence, every gate and every plot.
func TestReproductionPage(t *testing.T) {
	page := reproductionPage(t, reproduction())
	for _, want := range []string{
		"| `e1.x` | average \\| bias | .0698 | 0.0744 [0.0737, 0.0752] | `a` | 10,000 | __magnitude only__ |",
		"| `e1.y` | a quotient | 40 | 19 | `a over b` | 10,000 and 1,000 | __not reproduced__ |",
		"- `e1.x`, __magnitude only__: No width does.",
		"It &lt;b&gt;differs&lt;/b&gt;.",
		"All 1 are passed.", "| bias | 0.058 | 0.056 | 0.06 | passed |",
		"| 1 | 1 | 165 | -0.0123 | \\[-0.0200, 0.00100\\] |",
		"![Bias & arms](figures/p1.svg)", "size full, seed 1",
	} {
		if !strings.Contains(page, strings.ReplaceAll(want, "0.0744 [0.0737, 0.0752]", "0.0744 \\[0.0737, 0.0752\\]")) && !strings.Contains(page, strings.ReplaceAll(want, "&", "&amp;")) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(page, "Short form") {
		t.Error("the full form is called short")
	}
	if page != reproductionPage(t, reproduction()) {
		t.Error("the same reproduction gives another page")
	}
}

// TestReproductionShort: the short form says that its verdicts rest on few runs,
// in the page, its captions and the summary; failed gates are named.
func TestReproductionShort(t *testing.T) {
	r := reproduction()
	r.Size = "short"
	r.Experiments[0].Gates[0] = documents.PaperGate{What: "bias", Value: 1, Lo: .056, Hi: .06}
	page := reproductionPage(t, r)
	for _, want := range []string{"verdicts rest on few runs", "Short form: few runs.", "1 of 1 are not passed: bias: 1 outside", "NOT PASSED"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if FewRuns(reproduction()) != "" || FewRuns(r) == "" {
		t.Error("FewRuns")
	}
}

// TestReproductionFigures: figures are whole XML with title, labels and legend,
// the same from the same plot.
func TestReproductionFigures(t *testing.T) {
	files, err := ReproductionFigures(reproduction())
	if err != nil {
		t.Fatal(err)
	}
	again, err := ReproductionFigures(reproduction())
	if err != nil || len(files) != 3 {
		t.Fatalf("%d figures: %v", len(files), err)
	}
	for i, want := range [][]string{{"UCB &lt;1&gt;", "Bias &amp; arms", "private", ">arm<"}, {">UCB<", ">regret<"}, {"p = 0.05", "uniform", "OFUL"}} {
		if !bytes.Equal(files[i].Data, again[i].Data) {
			t.Errorf("%s: other bytes", files[i].Name)
		}
		for _, w := range want {
			if !bytes.Contains(files[i].Data, []byte(w)) {
				t.Errorf("%s lacks %q", files[i].Name, w)
			}
		}
		for d := xml.NewDecoder(bytes.NewReader(files[i].Data)); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", files[i].Name, err)
			}
		}
		if bytes.Contains(files[i].Data, []byte("NaN")) {
			t.Errorf("%s draws what is no number", files[i].Name)
		}
	}
}

func TestReproductionMistakes(t *testing.T) {
	if Reproduction(io.Discard, nil) == nil {
		t.Error("nil is rendered")
	}
	if _, err := ReproductionFigures(nil); err == nil {
		t.Error("nil is drawn")
	}
	r := reproduction()
	r.Experiments[0].Plots[0].Kind = "pie"
	if _, err := ReproductionFigures(r); err == nil || !strings.Contains(err.Error(), `"pie"`) {
		t.Errorf("another kind of plot: %v", err)
	}
	r.Experiments[0].Plots = []documents.PaperPlot{{ID: "empty", Kind: plotHistogram}, {ID: "none", Kind: plotCurves, Lines: make([]documents.PaperLine, 9)}}
	if _, err := ReproductionFigures(r); err != nil {
		t.Errorf("plots of nothing: %v", err)
	}
	r.Experiments[0].Figures = nil
	if !strings.Contains(reproductionPage(t, r), "no figure of these experiments") {
		t.Error("no figure")
	}
}
