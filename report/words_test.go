package report

import (
	"strings"
	"testing"

	"banditaudit/report/answers"
	"banditaudit/report/digest"
	"banditaudit/report/page"
	"banditaudit/schemas"
)

// TestChoice: one sentence per kind of evidence and of privacy.
func TestChoice(t *testing.T) {
	base, err := digest.ReadProtocol(digested(homepage()))
	if err != nil {
		t.Fatal(err)
	}
	none := digest.Protocol{}
	drawn, claimed := exactly(t, ""), exactly(t, `,"privacy":{"epsilon":1}`)
	rho := schemas.Accounting{EpsilonMechanism: schemas.Ext(1), RhoMechanism: schemas.Ext(.5), RhoClaimed: schemas.Ext(2), Definition: "zcdp"}
	delta := schemas.Accounting{EpsilonMechanism: schemas.Ext(1), EpsilonClaimed: schemas.Ext(2), DeltaClaimed: new(1e-6), Definition: "approximate"}
	user := schemas.Accounting{EpsilonMechanism: schemas.Ext(1), Definition: "pure", Unit: "user"}
	for _, tc := range []struct {
		name string
		c    schemas.Conformance
		a    schemas.Accounting
		p    *digest.Protocol
		want string
	}{
		{"nothing declared", schemas.Conformance{}, schemas.Accounting{}, &none, "No policy was declared, so the report does not say how actions were chosen. No privacy of the rewards was claimed."},
		{"ε by draws that nobody claims", schemas.Conformance{Mode: schemas.ModeSeed, Rounds: 3, Replayable: 3, Matched: 3}, user, drawn, "Recomputing the declared policy gives the logged action in 3 of 3 rounds. No privacy of the rewards was claimed."},
		{"ε by draws that somebody claims", schemas.Conformance{Mode: schemas.ModeSeed, Rounds: 3, Replayable: 3, Matched: 3}, user, claimed, "Recomputing the declared policy gives the logged action in 3 of 3 rounds. Changing the rewards of one user in this experiment changes the chance of anything that the declared mechanism gave out by a factor of 2.72 at most: ε = 1."},
		{"no evidence", schemas.Conformance{Mode: schemas.ModeNone}, schemas.Accounting{}, &base, "A policy was declared, but nothing was logged that lets anyone recompute its choices. The privacy that was claimed could not be accounted for."},
		{"mismatch", schemas.Conformance{Mode: schemas.ModeSeed, Rounds: 3000, Replayable: 3000, Matched: 2999, FirstMismatch: &schemas.Mismatch{Round: 1234}}, rho, &base, "Recomputing the declared policy gives the logged action in only 2,999 of 3,000 rounds; the first that differs is round 1,234. What the mechanism that ran gives away of rewards is not known: the accounting is that of the declared one, which this log contradicts (claimed: ρ = 2)."},
		{"mismatch with a hint", schemas.Conformance{Mode: schemas.ModeSeed, Rounds: 3000, Replayable: 3000, Matched: 2999, FirstMismatch: &schemas.Mismatch{Round: 1234}, Hints: &schemas.Hints{Named: []schemas.Hint{{Declare: []string{"ties: last"}, Matched: 3000, Rounds: 3000}}}}, rho, &base, "Recomputing the declared policy gives the logged action in only 2,999 of 3,000 rounds; the first that differs is round 1,234. A hint, and no verdict: 3,000 of 3,000 rounds match with ties: last. What the mechanism that ran gives away of rewards is not known: the accounting is that of the declared one, which this log contradicts (claimed: ρ = 2)."},
		{
			"altered propensities",
			schemas.Conformance{Mode: schemas.ModeSeed, Rounds: 3000, Replayable: 3000, Matched: 3000, Propensities: &schemas.PropensityReplay{Rounds: 3000, Matched: 2000, FirstMismatch: &schemas.PropensityMismatch{Round: 1001}}},
			rho, &base,
			"Recomputing the declared policy gives the logged action in 3,000 of 3,000 rounds, but the logged propensities in only 2,000 of 3,000; the first that differs is in round 1,001. What the mechanism that ran gives away of rewards is not known: the accounting is that of the declared one, which this log contradicts (claimed: ρ = 2).",
		},
		{
			"propensities beside a seed",
			schemas.Conformance{Mode: schemas.ModeSeed, Rounds: 3000, Replayable: 3000, Matched: 3000, Propensities: &schemas.PropensityReplay{Rounds: 3000, Matched: 3000}},
			rho, &base,
			"Recomputing the declared policy gives the logged action in 3,000 of 3,000 rounds, and the logged propensities in 3,000 of 3,000. The accounting of the declared mechanism gives ρ = 0.5 (claimed: ρ = 2).",
		},
		{"approximate", schemas.Conformance{Mode: schemas.ModeSeed, Rounds: 3, Replayable: 3, Matched: 3}, delta, &base, "Recomputing the declared policy gives the logged action in 3 of 3 rounds. The accounting of the declared mechanism gives ε = 1 at δ = 1×10^-6 (claimed: 2)."},
		{"propensities", schemas.Conformance{Mode: schemas.ModePropensity, Replayable: 10, Matched: 9}, user, &base, "The declared policy gives the logged propensities in 9 of 10 rounds that could be checked. Changing the rewards of one user in this experiment changes the chance of anything that the declared mechanism gave out by a factor of 2.72 at most: ε = 1."},
		{"released", schemas.Conformance{Mode: schemas.ModeReleased, Replayable: 10, Matched: 10}, twoExperiments().Experiments[1].Privacy, &base, "By its logged released values, the declared policy agrees with the log in 10 of 10 rounds that could be checked. The declared mechanism reads rewards without noise, so that no finite privacy parameter is known for it (claimed: 0.25)."},
	} {
		s := &experimentView{results: &digest.Digest{}, x: &schemas.Experiment{Replay: tc.c, Privacy: tc.a}, protocol: tc.p}
		if got := answers.Choice(s.x, s.protocol) + " " + page.Sentence(page.Capital(answers.Spent(s.results, s.x, s.protocol))); got != tc.want {
			t.Errorf("%s:\n got %s\nwant %s", tc.name, got, tc.want)
		}
	}
}

// exactly is the protocol of a policy that draws by exact sums.
func exactly(t *testing.T, more string) *digest.Protocol {
	t.Helper()
	r := homepage()
	r.Protocol = []byte(`{"policy":{"name":"softmax"},"counter":{"name":"exact"}` + more + `}`)
	p, err := digest.ReadProtocol(digested(r))
	if err != nil {
		t.Fatal(err)
	}
	return &p
}

func TestVerdictSentence(t *testing.T) {
	r := digested(twoExperiments())
	want := "40,000 rounds were read from 3 files, and none was left out; of 10 claims, 5 held as far as this log can show, 2 were contradicted, 1 could not be settled and 2 did not apply"
	if got := answers.Read(r) + "; " + answers.Verdicts(r.Sums()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestOverall(t *testing.T) {
	for overall, want := range map[schemas.Overall]string{{}: "good", {Violated: 2}: "bad", {Violated: 1, Open: 1}: "bad", {Open: 1}: "open", {Cautions: 1}: "open", {Violated: 1, Cautions: 1}: "bad"} {
		if got := tone(overall); got != want {
			t.Errorf("tone(%s) = %s, want %s", overall, got, want)
		}
	}
}

// TestOpenings: every section begins with what it answers and what was found, in sentences
// that are not long, and the main part of a report is short.
func TestOpenings(t *testing.T) {
	const mostWords, mostMain = 45, 1500
	bare := map[string]bool{"limits": true, "appendix": true, "section-1": true, "top": true} // the heading says it
	for _, name := range ours() {
		r := digested(fixtures()[name])
		if r == nil || r.Results == nil {
			continue
		}
		d, err := compose(r, false)
		if err != nil {
			t.Fatal(err)
		}
		main := d.Blocks
		for i, b := range d.Blocks {
			if h, ok := b.(page.Heading); ok && h.ID == "appendix" {
				main = d.Blocks[:i]
			}
			if f, ok := b.(page.Fold); ok && f.ID != "" {
				begins(t, name, page.Heading{Text: f.Title, ID: f.ID}, f.Blocks, mostWords)
			}
			if h, ok := b.(page.Heading); ok && !bare[h.ID] && h.Text != "Scope and responsibilities" {
				begins(t, name, h, d.Blocks[i+1:], mostWords)
			}
		}
		if n := len(strings.Fields(page.TextOf(main))); n > mostMain && r.Count() == 1 {
			t.Errorf("%s: the main part has %d words", name, n)
		}
		for line := range strings.Lines(page.TextOf(main)) {
			for said := range strings.SplitSeq(line, ". ") {
				if n := len(strings.Fields(said)); n > mostWords {
					t.Errorf("%s: a sentence of the main part has %d words: %s", name, n, said)
				}
			}
		}
	}
}

// begins looks for the opening of a section, and of those below it.
func begins(t *testing.T, name string, h page.Heading, below []page.Block, most int) {
	t.Helper()
	var p page.Para
	if len(below) > 0 {
		p, _ = below[0].(page.Para)
	}
	said := spanText(p.Spans)
	if p.Class != page.ClassOpening || !strings.Contains(said, "? ") {
		t.Errorf("%s: the section %q does not say what it answers: %+v", name, h.Text, p)
	}
	for part := range strings.SplitSeq(said, ". ") {
		if n := len(strings.Fields(part)); n > most {
			t.Errorf("%s: %q has %d words", name, part, n)
		}
	}
	for i, b := range below {
		if inner, ok := b.(page.Heading); ok && h.ID != "appendix" && inner.Level == 3 && strings.HasPrefix(h.Text, "Experiment ") {
			begins(t, name, inner, below[i+1:], most)
		}
	}
}

// TestTold: what was observed in numbers is told in plain words; all else is left to the
// finding.
func TestTold(t *testing.T) {
	first := &schemas.Mismatch{Round: 6, Logged: "b", Replayed: "2"}
	scale := schemas.Hypothesis{Name: schemas.HypothesisScale, Fits: true}
	noise := &schemas.ReleasedReplay{Noise: &schemas.NoiseFit{Level: .001, Ratio: new(.5), RatioLo: new(.45), RatioHi: new(.55), Epsilon: schemas.Ext(.5), Rejected: true, Hypotheses: []schemas.Hypothesis{scale}}}
	shared := &schemas.ReleasedReplay{Noise: noise.Noise, Shared: &schemas.SharedNoise{}}
	odd := &schemas.ReleasedReplay{Noise: &schemas.NoiseFit{Level: .001, Ratio: new(.5), Epsilon: schemas.Ext(.5), Rejected: true}}
	data := schemas.Data{Checks: []schemas.Check{{ID: "H05", Status: schemas.CheckPass, P: new(.5)}}, Splits: &schemas.Splits{Level: .0004}}
	for _, tc := range []struct {
		kind    string
		verdict schemas.Verdict
		x       schemas.Experiment
		want    string
	}{
		{schemas.KindConformance, schemas.Verified, schemas.Experiment{Replay: schemas.Conformance{Mode: schemas.ModeSeed, Replayable: 9, Matched: 9}}, "all of 9 choices were recomputed"},
		{schemas.KindConformance, schemas.Violated, schemas.Experiment{Replay: schemas.Conformance{Mode: schemas.ModeSeed, Replayable: 9, Matched: 8, FirstMismatch: first}}, "1 of 9 actions differs from the policy's (first: round 6, logged b, expected arm 2)"},
		{schemas.KindConformance, schemas.Violated, schemas.Experiment{Replay: schemas.Conformance{Mode: schemas.ModeReleased, Replayable: 9, Matched: 8, FirstMismatch: first}}, ""},
		{schemas.KindPrivacyNoise, schemas.Violated, schemas.Experiment{Replay: schemas.Conformance{Released: noise}, Privacy: schemas.Accounting{EpsilonClaimed: schemas.Ext(.25)}}, "the noise is 0.5000 times as wide as declared (0.4500 to 0.5500), which is that of ε = 0.5000 (claimed: 0.25). An honest log fails this check at most once in 1,000 logs"},
		{schemas.KindPrivacyNoise, schemas.Violated, schemas.Experiment{Replay: schemas.Conformance{Released: odd}}, ""},
		{schemas.KindPrivacyNoise, schemas.Violated, schemas.Experiment{Replay: schemas.Conformance{Released: shared}}, ""},
		{schemas.KindAllocation, schemas.Consistent, schemas.Experiment{Data: data}, "arms were played as often as the logged propensities say. Over all rounds p is 0.5; in parts the evidence against it is 1, and 2,500 would contradict it"},
		{schemas.KindAllocation, schemas.Violated, schemas.Experiment{Data: data}, ""},
		{schemas.KindDataQuality, schemas.Verified, schemas.Experiment{Data: data}, ""},
	} {
		r := digested(&schemas.Results{Experiments: []schemas.Experiment{tc.x}})
		if got := answers.Told(r, &schemas.Finding{Kind: tc.kind, Verdict: tc.verdict}); got != tc.want {
			t.Errorf("%s %s:\n got %s\nwant %s", tc.kind, tc.verdict, got, tc.want)
		}
		if answers.Told(r, &schemas.Finding{Kind: tc.kind, Verdict: tc.verdict, Experiment: "other"}) != "" {
			t.Errorf("%s of another experiment is told", tc.kind)
		}
	}
}
