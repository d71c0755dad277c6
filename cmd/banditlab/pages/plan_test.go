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

// planned is a plan of two ε and one mechanism.
func planned() *documents.Plan {
	est := func(lo, v, hi float64) documents.PlanEstimate {
		return documents.PlanEstimate{Value: v, Lo: lo, Hi: hi}
	}
	power, sigma, falsely := est(.5, .6, .7), 1.25, est(.1, .2, .3)
	outcome := documents.PlanOutcome{Policy: "ucb", Counter: "hybrid", Regret: est(900, 1000, 1100), Found: est(.8, .9, 1), Power: &power, Sequence: est(0, .1, .2), Sigma: &sigma}
	exact := documents.PlanOutcome{Policy: "ucb", Counter: "exact", Regret: est(50, 60, 70), Found: est(1, 1, 1), Sequence: est(.4, .5, .6), FalseAlarms: &falsely}
	point := func(eps float64) documents.PlanPoint {
		return documents.PlanPoint{Epsilon: eps, BiasBound: .024994793, BiasBoundPaper: .105, Sigma: .5, PCorrected: .150039, PCorrectedPaper: 1, Inflation: 3, Z: 2.48, Mechanisms: []documents.PlanOutcome{outcome}, Unmet: []string{"power"}}
	}
	return &documents.Plan{
		Rounds: 20_000, P: .05, Alpha: .05, Range: []float64{0, 1}, Advice: "Nothing <b>does</b> it.",
		Wishes:   []documents.PlanWish{{Name: "power", Relation: ">=", Threshold: .8}},
		World:    &documents.PlanWorld{Name: "bernoulli", Means: []float64{.6, .5, .5}, Tested: .5, Test: "exact", Runs: 20, UniformRegret: 1333},
		Frontier: []documents.PlanPoint{point(.1), point(.2)}, Exact: []documents.PlanOutcome{exact},
		Protocol: "version: 1\n", Notes: []string{"One note."},
	}
}

func TestPlanMarkdown(t *testing.T) {
	var b bytes.Buffer
	if err := PlanMarkdown(&b, planned()); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"# Plan: ε for 20,000 rounds", "Nothing &lt;b&gt;does&lt;/b&gt; it.", "- power at least 0.8",
		"| 0.1 | 0.025 | 0.105 | 0.5000 | 0.15 | 1 | 2.480 | — | power |", // the bias bound rounded up; no z is enough by the published route
		"| 0.2 | ucb × hybrid | 1,000 \\[900, 1,100\\] | 0.60 \\[0.50, 0.70\\] | 0.10 \\[0.00, 0.20\\] | 0.90 \\[0.80, 1.00\\] | 1.250 |",
		"| ucb × exact | 60 \\[50, 70\\] | 0.50 \\[0.40, 0.60\\] | 1 | 0.20 \\[0.10, 0.30\\] |",
		"3 arms with means 0.6, 0.5 (2×)", "exact binomial test", "    version: 1\n", "![What ε bounds](figures/bounds.svg)", "- One note.",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	if err := PlanMarkdown(&b, nil); !errors.Is(err, errNoPlan) {
		t.Error(err)
	}
	if err := PlanMarkdown(failing{}, planned()); err == nil {
		t.Error("a writer that fails goes unnoticed")
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

// A figure is XML, has a title, and names what is drawn; a plan of one ε, or of
// nothing simulated, has fewer.
func TestPlanFigures(t *testing.T) {
	files, err := PlanFigures(planned())
	if err != nil || len(files) != 3 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for i, wants := range [][]string{
		{"What ε bounds", "bias bound, published", "corrected p", "p = 0.05"},
		{"At no ε here is the power 0.8", "ucb × hybrid", "power 0.8"},
		{"Regret is least at ε = 0.1: 75 % of that of uniform play", "ucb × exact"},
	} {
		d := xml.NewDecoder(bytes.NewReader(files[i].Data))
		for err = nil; err == nil; {
			_, err = d.Token()
		}
		if !errors.Is(err, io.EOF) {
			t.Errorf("%s: %v", files[i].Name, err)
		}
		for _, want := range wants {
			if !strings.Contains(string(files[i].Data), want) {
				t.Errorf("%s: no %q", files[i].Name, want)
			}
		}
	}
	again, err := PlanFigures(planned())
	if err != nil || !bytes.Equal(again[1].Data, files[1].Data) {
		t.Errorf("the same plan gives other bytes (%v)", err)
	}
	p := planned()
	p.World = nil
	if files, err = PlanFigures(p); err != nil || len(files) != 1 {
		t.Errorf("nothing simulated: %d files, %v", len(files), err)
	}
	p.Frontier = p.Frontier[:1]
	if files, err = PlanFigures(p); err != nil || len(files) != 0 {
		t.Errorf("one ε: %d files, %v", len(files), err)
	}
	if _, err = PlanFigures(nil); !errors.Is(err, errNoPlan) {
		t.Error(err)
	}
}

// A published bound above the range is drawn at its edge with an arrow, and the
// caption says so; nothing is said where there is none.
func TestPlanFigureAbove(t *testing.T) {
	draw := func(published float64) string {
		p := planned()
		p.Frontier[1].BiasBoundPaper = schemas.Extended(published)
		files, err := PlanFigures(p)
		if err != nil {
			t.Fatal(err)
		}
		return string(files[0].Data)
	}
	const says = "an arrow up at 1 stands for a value above it"
	edge, above, infinite := draw(1), draw(1.5), draw(math.Inf(1))
	if strings.Contains(edge, says) || !strings.Contains(above, says) || above != infinite || strings.Count(above, "<path") <= strings.Count(edge, "<path") {
		t.Error("the published bound above 1 is not marked, or one at 1 is")
	}
}
