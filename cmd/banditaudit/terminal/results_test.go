package terminal

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"banditaudit/analyze/log/check"
	"banditaudit/cmd/kit/layout"
	"banditaudit/report/digest"
	"banditaudit/schemas"
)

// TestCut: a line fits, keeps its beginning and ends in where to read on.
func TestCut(t *testing.T) {
	for _, text := range []string{"", "short", strings.Repeat("é", maxFound)} {
		if got := cut(text, maxFound); got != text {
			t.Errorf("%q is cut to %q", text, got)
		}
	}
	if got, want := cut(strings.Repeat("word ", 100), maxFound), strings.TrimSpace(strings.Repeat("word ", 28))+" … see the report"; got != want {
		t.Errorf("cut to %q, want %q", got, want)
	}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Repeat(rapid.StringN(1, 400, -1).Draw(t, "text"), 161)
		got := cut(text, maxFound)
		head, ok := strings.CutSuffix(got, " … see the report")
		if !ok || utf8.RuneCountInString(got) > maxFound || !strings.HasPrefix(strings.ToValidUTF8(text, "\uFFFD"), head) {
			t.Fatalf("%q is cut to %q", text, got)
		}
	})
}

// TestResultsTable: the overall line is last, text from the log is made
// visible, and a corrected p stands with its adjustment.
func TestResultsTable(t *testing.T) {
	corrected := func(r schemas.TestResult) []schemas.TestResult {
		r.Method = schemas.MethodCorrected
		return []schemas.TestResult{{Method: schemas.MethodNaive, P: new(0.001), Applicable: true}, r}
	}
	r := &schemas.Results{RunID: strings.Repeat("0123456789abcdef", 4), Overall: "INCOMPLETE (1)"}
	r.Experiments = []schemas.Experiment{{ID: "b\x1b"}}
	r.Protocol = json.RawMessage(`{"analysis":{"alpha":0.05}}`)
	r.Experiments[0].Rounds, r.Experiments[0].Arms = 500, make([]schemas.Arm, 3)
	r.Experiments[0].Tests = []schemas.Test{
		{ID: "H1\n", Decision: "rejected", DecidedBy: schemas.MethodCorrected, Results: corrected(schemas.TestResult{Applicable: true, CI: &schemas.Interval{.1, .2}, Approximate: true, P: new(0.01234), PAdjusted: new(0.03702)})},
		{ID: "H2", Decision: "not rejected", DecidedBy: schemas.MethodCorrected, Results: corrected(schemas.TestResult{Applicable: true, P: new(1.0), PAdjusted: new(1.0), Vacuous: true})},
		{ID: "H3", Decision: "not applicable", Choice: "A5: seen\t", Results: corrected(schemas.TestResult{Reason: "A5: seen\t"})},
		{ID: "H4", Decision: "not applicable", Choice: "nothing"},
		{ID: "H5", Decision: "rejected", DecidedBy: schemas.MethodAnyTime, Comparison: &schemas.Comparison{Means: schemas.MeansNotContradicted, ValidIf: schemas.ValidIfConstant}, Results: append(
			corrected(schemas.TestResult{Applicable: true, P: new(0.01234), PAdjusted: new(0.03702)}),
			schemas.TestResult{Method: schemas.MethodAnyTime, Applicable: true, P: new(2e-5), PAdjusted: new(6e-5)})},
	}
	r.Experiments[0].Data.Checks = []schemas.Check{
		{ID: "H11", Title: "missing rewards", Observed: "7 rows", Detail: "They differ.", Status: schemas.CheckNote},
		{ID: "H07", Title: "units", Status: schemas.CheckPass},
		{ID: "H08", Title: "never played", Status: schemas.CheckNote}, // data.quality says it
	}
	r.Claims = []schemas.Finding{
		{ID: "only", Experiment: "b\x1b", Verdict: schemas.Verified, Observed: "500 rows"},
		{ID: "both", Experiment: "b\x1b", Verdict: schemas.Violated, Observed: "ε = 2", Reason: "not 1"},
		{ID: "as declared", Kind: schemas.KindConformance, Experiment: "b\x1b", Verdict: schemas.NotEstablished},
		{ID: "why", Experiment: "b\x1b", Verdict: schemas.NotApplicable, Reason: "none\x1b"},
	}
	d := &digest.Digest{}
	for i := range r.Experiments {
		d.Add(&r.Experiments[i])
	}
	d.Finish(r)
	var b bytes.Buffer
	if err := Results(&b, check.Checks(), d, layout.Look{Width: 400}); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if lines[len(lines)-1] != "INCOMPLETE (1)" {
		t.Errorf("the last line is %q", lines[len(lines)-1])
	}
	fields := map[string]bool{}
	for _, line := range lines {
		fields[strings.Join(strings.Fields(line), " ")] = true
	}
	if strings.Contains(text, " \n") || strings.Contains(text, "units") || strings.Contains(text, "never played") {
		t.Errorf("blanks at the end of a line, or a check that is not for the summary:\n%q", text)
	}
	for _, want := range []string{
		"Experiment b⟨U+001B⟩: 500 rounds, 3 arms, run 0123456789ab",
		"CLAIM VERDICT FOUND", "only VERIFIED 500 rows", "both VIOLATED ε = 2 — not 1", "why NOT APPLICABLE none⟨U+001B⟩",
		"TEST DECISION BY P (ADJUSTED) INTERVAL NAIVE P", "H1⟨U+000A⟩ rejected corrected 0.0123 (0.037) approximate [0.1, 0.2] 0.001", "H2 not rejected corrected 1 (1) VACUOUS — 0.001",
		"H3 not applicable — — — 0.001", "Not decided: H3: A5: seen⟨U+0009⟩", "note H11 missing rewards: 7 rows. They differ", "H4 not applicable — — — —", "H5 rejected any-time 2e-05 (6e-05) — 0.001", "The answer to H5 is valid only if each arm's mean is constant, whatever its rounds were chosen by: check H13 finds none that moves, and a smaller or faster drift that the arms share, or one that goes back and forth, can reject.",
		"NAIVE P is valid only if the allocation had been fixed in advance.", "P by corrected is that of the declared mechanism: policy.conformance is NOT ESTABLISHED.",
	} {
		if !fields[want] {
			t.Errorf("no line says %q:\n%s", want, text)
		}
	}
	if strings.ContainsRune(text, '\x1b') {
		t.Errorf("the summary shows what it should not:\n%s", text)
	}
}

// TestSummaryLength: the summary has at most 40 lines, each within the width but for tables,
// whatever the numbers of arms, tests, claims and experiments; the contradicted experiment
// is named, and the overall line is last.
func TestSummaryLength(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		experiments, arms, tests, claims := rapid.SampledFrom([]int{1, 1, 2, 60}).Draw(t, "experiments"), rapid.IntRange(1, 300).Draw(t, "arms"), rapid.IntRange(0, 300).Draw(t, "tests"), rapid.IntRange(1, 30).Draw(t, "claims")
		d, r := &digest.Digest{}, &schemas.Results{Overall: "EXCEPTIONS NOTED (1)", Protocol: json.RawMessage(`{"analysis":{"alpha":0.05}}`)}
		for i := range experiments {
			x := schemas.Experiment{ID: strconv.Itoa(i)}
			for a := range arms {
				x.Arms = append(x.Arms, schemas.Arm{Arm: a, Label: "arm " + strconv.Itoa(a), Mean: new(float64(a))})
			}
			for n := range tests {
				x.Tests = append(x.Tests, schemas.Test{ID: strconv.Itoa(n), Kind: schemas.TestMean, Arm: n % arms, Label: "arm " + strconv.Itoa(n%arms), Decision: schemas.DecisionKept, Value: float64(n)})
			}
			for c := range claims {
				r.Claims = append(r.Claims, schemas.Finding{ID: "claim " + strconv.Itoa(c), Experiment: x.ID, Verdict: schemas.Verified, Observed: strings.Repeat("word ", c)})
			}
			d.Add(&x)
		}
		last := &r.Claims[len(r.Claims)-1]
		last.Verdict, last.Reason = schemas.Violated, strings.Repeat("so it is ", 40)
		d.Finish(r)
		var b bytes.Buffer
		if err := Results(&b, nil, d, layout.Look{Width: 80}); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
		if len(lines) > mostLines || lines[len(lines)-1] != r.Overall || !strings.Contains(b.String(), "VIOLATED") {
			t.Fatalf("%d lines:\n%s", len(lines), b.String())
		}
		if experiments > 1 && !strings.Contains(strings.Join(strings.Fields(b.String()), " "), "Experiment "+last.Experiment+": ") {
			t.Fatalf("experiment %s is not named:\n%s", last.Experiment, b.String())
		}
	})
}

// TestColoured: a verdict has its colour, and a line without one is left as it is.
func TestColoured(t *testing.T) {
	for line, want := range map[string]string{
		"NO EXCEPTIONS NOTED": "\x1b[32mNO EXCEPTIONS NOTED\x1b[0m", "NO EXCEPTIONS NOTED, 1 CAUTIONS": "\x1b[33mNO EXCEPTIONS NOTED, 1 CAUTIONS\x1b[0m",
		"privacy  VIOLATED": "privacy  \x1b[31mVIOLATED\x1b[0m", "nothing": "nothing",
	} {
		if got := coloured(line); got != want {
			t.Errorf("%q is %q, want %q", line, got, want)
		}
	}
}

// TestFoundDecisive: the line of a claim that a replay contradicts is cut, and
// what explains the contradiction stands before the cut.
func TestFoundDecisive(t *testing.T) {
	where := strings.Repeat("round 17: logged propensity 0.5 of arm a, and so on; ", 4)
	fits := []schemas.Hypothesis{{Words: "rows are stale"}, {Words: "a floor of 0.01.", Fits: true}}
	r := &schemas.Conformance{Propensities: &schemas.PropensityReplay{Hypotheses: fits}}
	c := schemas.Finding{Kind: schemas.KindConformance, Verdict: schemas.Violated, Observed: "5 of 900 rounds match", Reason: where + ". What fits: a floor of 0.01"}
	if got := cut(found(&c, r), maxFound); !strings.HasPrefix(got, "what fits: a floor of 0.01 — round 17") {
		t.Error(got)
	}
	for name, other := range map[string]*schemas.Conformance{
		"nothing fits":        {Propensities: &schemas.PropensityReplay{Hypotheses: fits[:1]}},
		"nothing was tried":   {},
		"the noise has a fit": {Released: &schemas.ReleasedReplay{Noise: &schemas.NoiseFit{Hypotheses: fits}}},
	} {
		if got := found(&c, other); got != c.Reason {
			t.Errorf("%s: %s", name, got)
		}
	}
	noise := schemas.Finding{Kind: schemas.KindPrivacyNoise, Verdict: schemas.Violated, Reason: c.Reason + "; it costs more"}
	if got := found(&noise, &schemas.Conformance{Released: &schemas.ReleasedReplay{Noise: &schemas.NoiseFit{Hypotheses: fits}}}); !strings.HasPrefix(got, "what fits: a floor of 0.01; it costs more — round 17") {
		t.Error(got)
	}
	c.Reason = where + " and another explanation"
	if got := found(&c, r); got != c.Reason {
		t.Error(got)
	}
	c.Reason = "round 17: short. What fits: a floor of 0.01"
	if got := found(&c, r); got != c.Reason {
		t.Error(got)
	}
	c.Verdict, c.Reason = schemas.Consistent, "agrees"
	if got := found(&c, r); got != "5 of 900 rounds match — agrees" {
		t.Error(got)
	}
}

// TestFoundLines: an explanation is not cut where it is longer than a line, and what
// is said in all has an end.
func TestFoundLines(t *testing.T) {
	where := strings.Repeat("round 17: logged propensity 0.5 of arm a, and so on; ", 40)
	words := strings.TrimSpace(strings.Repeat("a floor of 0.01 is mixed in. ", 10))
	settles := "policy.floor: 0.01"
	of := func(words string) (schemas.Finding, *schemas.Conformance) {
		h := schemas.Hypothesis{Words: words, Fits: true, Settles: &settles}
		r := &schemas.Conformance{Propensities: &schemas.PropensityReplay{Hypotheses: []schemas.Hypothesis{h}}}
		return schemas.Finding{Kind: schemas.KindConformance, Verdict: schemas.Violated, Reason: where + schemas.WhatFits + h.Sentence()}, r
	}
	c, r := of(words)
	got := foundLines(&c, r, maxFound)
	if said := strings.Join(got, " "); len(got) < 2 || !strings.Contains(said, "what fits: "+strings.TrimRight(words, ".")+"; if that is what ran, declare policy.floor: 0.01 …") {
		t.Errorf("%q", got)
	}
	c, r = of(strings.Repeat("word ", 1000))
	got = append(foundLines(&c, r, maxFound), got...)
	for _, line := range got {
		if utf8.RuneCountInString(line) > maxFound {
			t.Errorf("a line of %d: %s", utf8.RuneCountInString(line), line)
		}
	}
	if said := strings.Join(foundLines(&c, r, maxFound), " "); utf8.RuneCountInString(said) > maxExplained || !strings.HasSuffix(said, "see the report") {
		t.Error(said)
	}
	c.Reason, r = where, &schemas.Conformance{}
	if got := foundLines(&c, r, maxFound); len(got) != 1 {
		t.Errorf("%q", got)
	}
}

// TestFoundHints: what neighbours match stands below the finding, and nothing where none
// matches more, or the claim is about something else.
func TestFoundHints(t *testing.T) {
	c := schemas.Finding{Kind: schemas.KindConformance, Verdict: schemas.Violated, Reason: "round 51: logged c, the policy plays a"}
	r := &schemas.Conformance{Hints: &schemas.Hints{Rounds: 3000, Matched: 2997, Left: 30, Tried: 19, Named: []schemas.Hint{
		{Declare: []string{"width: {c: 2, clock: plays}"}, Without: []string{"unseen"}, Matched: 2999, Rounds: 3000},
	}}}
	want := []string{c.Reason, "a hint: 2,999 of 3,000 rounds match with width: {c: 2, clock: plays}, and without unseen (of 19 neighbours of the declared options that were tried; a hint, not", "a verdict)"}
	if got := foundLines(&c, r, maxFound); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	r.Hints.Named = nil
	if got := foundLines(&c, r, maxFound); len(got) != 1 {
		t.Errorf("%q", got)
	}
	r.Hints.Named = []schemas.Hint{{Declare: []string{"ties: last"}, Matched: 3000, Rounds: 3000}}
	c.Kind = schemas.KindPrivacyNoise
	if got := foundLines(&c, r, maxFound); len(got) != 1 {
		t.Errorf("%q", got)
	}
}
