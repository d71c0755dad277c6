package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"banditaudit/schemas"
)

func correctedCell(t *schemas.Test) string {
	for _, r := range t.Results {
		if r.Method != schemas.MethodCorrected {
			continue
		}
		switch {
		case !r.Applicable:
			return string(schemas.NotApplicable) // undecided says why
		case r.P == nil || r.PAdjusted == nil:
			return "—"
		case r.Vacuous || *r.P >= 1:
			return "1 (1) VACUOUS" + approximate(&r)
		}
		return fmt.Sprintf("%s (%s)", probability(*r.P, r.Log2P), probability(*r.PAdjusted, nil)) + approximate(&r)
	}
	return "—"
}

// approximate marks what rests on a raw p that holds for many rounds only.
func approximate(r *schemas.TestResult) string {
	if r.Approximate {
		return " approximate"
	}
	return ""
}

// rawCell is the p-value of a method that corrects none.
func rawCell(t *schemas.Test, name string) string {
	for _, r := range t.Results {
		if r.Method == name && r.P != nil {
			return probability(*r.P, r.Log2P)
		}
	}
	return "—"
}

// testNotes say on what the p-values of an experiment's tests rest.
func testNotes(claims []schemas.Finding, e *schemas.Experiment) []string {
	if len(e.Tests) == 0 {
		return nil
	}
	notes := []string{"NAIVE P is valid only if the allocation had been fixed in advance."}
	if slices.ContainsFunc(e.Tests, func(t schemas.Test) bool {
		return correctedOf(&t, func(r *schemas.TestResult) bool { return r.Applicable })
	}) {
		if verdict := ofPolicy(claims, e.ID); verdict != schemas.Verified {
			notes = append(notes, "CORRECTED P is that of the declared mechanism: policy.conformance is "+string(verdict)+".")
		}
	}
	for _, of := range [][2]string{
		{schemas.ValidIfConstant, "check H13 finds none that moves, and a smaller or faster drift that the arms share, or one that goes back and forth, can reject"},
		{schemas.ValidIfDrawn, "no check shows that, and arms that follow what none looks at (data.splits) can be rejected though they pay alike"},
	} {
		notes = append(notes, onlyIf(e.Tests, of[0], of[1])...)
	}
	return notes
}

// onlyIf says which answers compare arms and rest on what nobody declared or
// recomputed, and why that is weak.
func onlyIf(tests []schemas.Test, validIf, why string) []string {
	const named = 3
	var ids []string
	for i := range tests {
		t := &tests[i]
		if c := t.Comparison; c != nil && c.ValidIf == validIf {
			ids = append(ids, schemas.Named(t.ID))
		}
	}
	if ids == nil {
		return nil
	}
	if n := len(ids) - named; n > 0 {
		ids = append(ids[:named:named], fmt.Sprintf("%d more", n))
	}
	return []string{"ANY-TIME P and CORRECTED P of " + strings.Join(ids, ", ") + " are " + validIf + ": " + why + "."}
}

// ofPolicy says whether the log was found to be the declared policy's.
func ofPolicy(claims []schemas.Finding, experiment string) schemas.Verdict {
	for i := range claims {
		if claims[i].Experiment == experiment && claims[i].Kind == schemas.KindConformance {
			return claims[i].Verdict
		}
	}
	return schemas.NotRun
}

// correctedOf reports whether a test has a headline that is so.
func correctedOf(t *schemas.Test, is func(*schemas.TestResult) bool) bool {
	return slices.ContainsFunc(t.Results, func(r schemas.TestResult) bool { return r.Method == schemas.MethodCorrected && is(&r) })
}

// familyWords introduce the count of rejections over all experiments.
func familyWords(method string) string {
	if method == "none" {
		return "All experiments, each test at its own level (no adjustment)"
	}
	return "All experiments as one family (" + method + ")"
}

// tinyP is the p-value below which a float64 keeps too few digits to print.
const tinyP = 1e-298

// probability writes a p-value, from its logarithm where p is too small.
func probability(p float64, log2p *schemas.Extended) string {
	switch text := fmt.Sprintf("%.3g", p); {
	case text == "1" && p < 1:
		return ">0.999"
	case p == 0 || p >= tinyP:
		return text
	case log2p == nil || math.IsInf(float64(*log2p), 0):
		return fmt.Sprintf("<%.3g", tinyP)
	}
	l := float64(*log2p) * math.Log10(2)
	exponent := math.Floor(l)
	mantissa := fmt.Sprintf("%.3g", math.Pow(10, l-exponent))
	if mantissa == "10" {
		mantissa, exponent = "1", exponent+1
	}
	return fmt.Sprintf("%se%.0f", mantissa, exponent)
}

// undecided says, once for every reason, why tests have no corrected p.
func undecided(tests []schemas.Test) []string {
	const named = 3
	var reasons []string
	without := map[string][]string{}
	for i := range tests {
		for _, r := range tests[i].Results {
			if r.Method != schemas.MethodCorrected || r.Applicable {
				continue
			}
			if without[r.Reason] == nil {
				reasons = append(reasons, r.Reason)
			}
			without[r.Reason] = append(without[r.Reason], schemas.Named(tests[i].ID))
		}
	}
	for i, why := range reasons {
		of := without[why]
		switch {
		case len(of) == len(tests):
			reasons[i] = "No test has a corrected p, so none is decided. " + why
			continue
		case len(of) > named:
			of = append(of[:named:named], fmt.Sprintf("%d more", len(of)-named))
		}
		reasons[i] = "No corrected p for " + strings.Join(of, ", ") + ". " + why
	}
	return reasons
}
