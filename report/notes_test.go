package report

import (
	"slices"
	"strings"
	"testing"

	"banditaudit/report/answers"
	"banditaudit/report/digest"
	"banditaudit/report/figure"
	"banditaudit/report/page"
	"banditaudit/schemas"
)

// TestLeftOut: rounds without a reward, and units with several rounds, are said
// wherever a number is about fewer rounds or is not there.
func TestLeftOut(t *testing.T) {
	r := openBandit() // logs propensities
	x := &r.Experiments[0]
	for i := range x.Arms {
		x.Arms[i].IPWMean = nil
	}
	x.Data.Excluded = []schemas.Exclusion{{Reason: schemas.ReasonClipped, Rows: 7}, {Reason: schemas.ReasonMissing, Rows: 1200}}
	x.Data.RowsAnalysed -= 1200
	x.Estimates = []schemas.Estimate{{Estimator: schemas.EstimatorIPW, Target: "mean reward of every arm", Reason: "the rewards of 1,200 rows are missing"}}
	d := digested(r)
	p, err := digest.ReadProtocol(d)
	if err != nil {
		t.Fatal(err)
	}
	s := &experimentView{results: d, x: x, protocol: &p}
	notes := strings.Join(s.armNotes(), "\n")
	for _, want := range []string{
		"The reward of 1,200 rounds is missing", "The raw interval and the standard error take",
		"No inverse-probability-weighted (IPW) mean: the rewards of 1,200 rows are missing.",
	} {
		if !strings.Contains(notes, want) {
			t.Errorf("no note says %q:\n%s", want, notes)
		}
	}
	if got := answers.Read(d); !strings.Contains(got, "of which 1,200 are left out of every estimate") {
		t.Errorf("summary: %s", got)
	}
	if got := figure.Of(d, &p)[0].Caption; !strings.Contains(got, "n = 12,792 rounds, the reward of 1,200 of them missing.") {
		t.Errorf("caption: %s", got)
	}
	p.Log.Unit = "user"
	if s.dependent() {
		t.Error("standard errors are given, so rounds were independent")
	}
	for i := range x.Arms {
		x.Arms[i].StdError, x.Arms[i].CI = nil, nil
	}
	for i := range x.Regressions {
		for j := range x.Regressions[i].Coefficients {
			x.Regressions[i].Coefficients[j].StdError = nil
		}
	}
	if !slices.ContainsFunc(s.armNotes(), func(n string) bool { return strings.HasPrefix(n, "No raw interval and no standard error") }) {
		t.Errorf("units: %q", s.armNotes())
	}
	b := &page.Builder{}
	s.base, s.level = "/experiments/0", 2
	s.estimates(b)
	(&fits{s}).regressions(b)
	text := page.TextOf(b.Doc.Blocks)
	for _, want := range []string{"Rounds whose reward is missing are in no fit.", "A fit without standard errors has nothing made of them", "NOT APPLICABLE: ipw (mean reward of every arm): the rewards of 1,200 rows are missing."} {
		if !strings.Contains(text, want) {
			t.Errorf("nothing says %q:\n%s", want, text)
		}
	}
}

// TestDigestKeepsTheFirst: of many experiments the first are held and the rest
// counted.
func TestDigestKeepsTheFirst(t *testing.T) {
	d := &digest.Digest{}
	for range 3 * digest.MaxOverview {
		d.Add(&schemas.Experiment{
			Data: schemas.Data{RowsRead: 10, RowsAnalysed: 9}, Disclosures: make([]schemas.Disclosure, 2),
			Tests: []schemas.Test{{Decision: schemas.DecisionRejected}, {Decision: schemas.DecisionKept}, {}},
		})
	}
	d.Finish(&schemas.Results{Overall: "x"})
	if len(d.Experiments) != digest.MaxOverview || d.Count() != 600 || d.Read != 6000 || d.Analysed != 5400 || d.Disclosed != 1200 ||
		d.Rejected != 600 || d.Kept != 600 || d.Undecided != 600 || !d.Tested || d.Overall != "x" {
		t.Errorf("%d of %d held: %+v", len(d.Experiments), d.Count(), *d)
	}
}
