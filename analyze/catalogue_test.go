package analyze

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"banditaudit/analyze/decide/claims"
	"banditaudit/analyze/log/check"
	"banditaudit/analyze/log/corrections"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/hypothesis"
	"banditaudit/analyze/stat/maxinfo"
	"banditaudit/analyze/stat/onesample"
	"banditaudit/schemas"
	"banditaudit/schemas/param"
)

// pToy is the p of the toy among tests.
const pToy = 0.25

// withToys is what this program knows and a toy of each kind.
func withToys() *Catalogue {
	toys := Known()
	toys.Tests = append(toys.Tests, onesample.Test{Name: "toy", ByUnit: true, Mean: func(x onesample.Rewards, h onesample.Null) hypothesis.Result {
		return hypothesis.Result{N: x.N, Estimate: h.Value, LogP: math.Log(pToy), Lo: x.Lo, Hi: x.Hi, Exact: true, Assumes: "a toy"}
	}})
	toys.Corrections = append(toys.Corrections,
		corrections.Correction{Name: "toy", Asked: corrections.ByMethod, Method: "by-toy", Given: func([]maxinfo.Level) (maxinfo.Conditional, error) { return maxinfo.AnyLaw(nil), nil }},
		corrections.Correction{Name: "averaged toy", Asked: corrections.ByAlso, Method: "by-averaged-toy", Average: func(*corrections.Accounts, corrections.Kind) (maxinfo.Correction, corrections.NotApplicable) {
			return nil, corrections.Against("A1", "a toy has none")
		}},
	)
	toys.Claims = append(toys.Claims,
		claims.Claim{Claim: param.Claim{Kind: "toy"}, Implied: func(*publiclog.Log) bool { return true }, Decide: func(v *claims.Findings, f *schemas.Finding, _ *schemas.Claim) {
			f.Verdict, f.Evidence = schemas.Verified, []string{v.CheckPointer("H99")}
		}},
		claims.Claim{Claim: param.Claim{Kind: "declared toy", Many: true}, Decide: func(_ *claims.Findings, f *schemas.Finding, c *schemas.Claim) {
			f.Verdict, f.Reason = schemas.Violated, c.Finding
		}},
	)
	toys.Checks = append(toys.Checks, check.Check{
		ID: "H99", Title: "toys", Expected: "none", Quality: true, Note: true,
		Run: func(f *check.Inputs, c *schemas.Check) {
			c.Status, c.Observed = schemas.CheckNote, schemas.Grouped(f.Rounds)+" toys"
		},
	})
	return toys
}

// A test, a correction, a claim and a check that this program does not know are
// found in the outcome where its caller hands them down.
func TestCatalogueWithToys(t *testing.T) {
	l := longLog(60)
	p := blockProtocol(true)
	p.Experiment.Stopping, p.Analysis.Chosen, p.Analysis.Alpha, p.Analysis.Regressions = schemas.StoppingFixed, schemas.ChosenBefore, 0.05, nil
	p.Analysis.Tests = []schemas.TestSpec{{ID: "T", Arm: "a", Test: "toy", Mean: new(0.5)}}
	p.Analysis.Correction = schemas.Correction{Method: "toy", Also: []string{"averaged toy"}}
	p.Claims = []schemas.Claim{{ID: "mine", Kind: "declared toy", Finding: "broken"}}
	in := inputOf(t, l, l.open(t), p, 1)
	in.Catalogue = withToys()
	out, err := Run(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	test := &answer{record: out.Experiment.Tests[0]}
	if got := test.record.Test; got != "a toy" || *test.record.Result(schemas.MethodNaive).P != pToy {
		t.Errorf("test: %q, %+v", got, test.record.Results)
	}
	if head := test.headline(); !head.Conditional || head.Correction != maxinfo.AnyLaw(nil).Name() || *head.P != pToy || test.record.Result("by-toy") != nil || test.record.Result(schemas.MethodConditional) == nil {
		t.Errorf("correction as the headline: %+v", test.record.Results)
	}
	if r := test.record.Result("by-averaged-toy"); r == nil || r.Applicable || r.Reason != "A1: a toy has none" {
		t.Errorf("correction on request: %+v", r)
	}
	if c := check.Find(out.Experiment.Data.Checks, "H99"); c == nil || c.Title != "toys" || c.Observed != "60 toys" || c.Expected != "none" {
		t.Errorf("check: %+v", c)
	}
	if !slices.Contains(out.Experiment.Warnings, "note H99, toys: 60 toys.") {
		t.Errorf("warnings: %q", out.Experiment.Warnings)
	}
	for kind, want := range map[string]func(f *schemas.Finding) bool{
		"toy": func(f *schemas.Finding) bool {
			return f.ID == "toy" && f.Verdict == schemas.Verified && f.Severity == schemas.SeverityRequired && strings.HasSuffix(f.Evidence[0], "/data/checks/14")
		},
		"declared toy": func(f *schemas.Finding) bool {
			return f.ID == "mine" && f.Verdict == schemas.Violated && f.Reason == "broken"
		},
		schemas.KindDataQuality: func(f *schemas.Finding) bool {
			return strings.Contains(f.Procedure, "H99") && strings.Contains(f.Observed, "60 toys")
		},
	} {
		if i := slices.IndexFunc(out.Claims, func(f schemas.Finding) bool { return f.Kind == kind }); i < 0 || !want(&out.Claims[i]) {
			t.Errorf("claim %s is not there, or %+v", kind, out.Claims)
		}
	}
	in.Catalogue = nil
	p.Analysis.Tests[0].Test, p.Analysis.Correction = "t", schemas.Correction{}
	if out, err = Run(context.Background(), in); err != nil || check.Find(out.Experiment.Data.Checks, "H99") != nil {
		t.Errorf("without the toys: %v", err)
	}
}
