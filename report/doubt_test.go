package report

import (
	"strings"
	"testing"

	"banditaudit/schemas"
)

// told returns the Markdown report.
func told(t *testing.T, r *schemas.Results) string {
	t.Helper()
	var b strings.Builder
	if err := Markdown(&b, digested(r)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestNoEpsilonOfAnother: where the log contradicts that the declared mechanism made
// it, no number of that mechanism is said to be the privacy of what ran: not in the
// sentences, not in the overview, and the section of privacy says of what its
// numbers are.
func TestNoEpsilonOfAnother(t *testing.T) {
	const section = "every number in this section is of that mechanism, and none is of the one that ran"
	if got := told(t, homepage()); strings.Contains(got, section) || !strings.Contains(got, "with ε = 0.25") {
		t.Error("an honest log is doubted")
	}
	r := homepage()
	for i := range r.Claims {
		if r.Claims[i].Kind == schemas.KindConformance {
			r.Claims[i].Verdict = schemas.Violated
		}
	}
	got := told(t, r)
	for _, want := range []string{section, "what the mechanism that ran gives away of rewards is not known: the accounting is that of the declared one, which this log contradicts (claimed: 0.25)"} {
		if !strings.Contains(got, want) {
			t.Errorf("the report does not say %q", want)
		}
	}
	if strings.Contains(got, "with ε = 0.25") {
		t.Error("the report says which ε the declared mechanism has in its first sentences")
	}
	both := twoExperiments()
	for i := range both.Claims {
		if both.Claims[i].Kind == schemas.KindConformance {
			both.Claims[i].Verdict = schemas.Violated
		}
	}
	if got := told(t, both); !strings.Contains(got, "did not make this log") {
		t.Error("the overview says the ε of a mechanism that did not make the log")
	}
}

// TestDecidedIfDeclared: what tests decide rests on the declared mechanism, and
// that it made the log may not be established.
func TestDecidedIfDeclared(t *testing.T) {
	r := homepage()
	declared, err := readProtocol(digested(r))
	if err != nil {
		t.Fatal(err)
	}
	p := &declared
	const want = " That holds if the declared mechanism made the log, which is not established."
	if got := testSentence(digested(r), p); strings.Contains(got, want) {
		t.Error(got)
	}
	for i := range r.Claims {
		if r.Claims[i].Kind == schemas.KindConformance {
			r.Claims[i].Verdict = schemas.NotEstablished
		}
	}
	if got := testSentence(digested(r), p); !strings.Contains(got, want) {
		t.Errorf("%q does not say %q", got, want)
	}
	more := *r
	more.Claims = append(more.Claims, schemas.Finding{Kind: schemas.KindConformance, Experiment: "b", Verdict: schemas.Verified})
	if got := testSentence(digested(&more), p); !strings.Contains(got, "not established of 1 experiment.") {
		t.Error(got)
	}
}

// TestSeedSentences: what a seed shows is said where a seed was the evidence, and
// what else gives the same picture where the replay failed.
func TestSeedSentences(t *testing.T) {
	failed := homepage()
	failed.Experiments[0].Replay.FirstMismatch = &schemas.Mismatch{Round: 3, Logged: "blue", Replayed: "green"}
	some := homepage()
	some.Experiments[0].Replay.Replayable, some.Experiments[0].Replay.Matched = 10000, 10000
	if got := told(t, some); strings.Count(got, "10,000 of 10,000 rounds that could be replayed, of 20,000 in all") != 1 || !strings.Contains(got, "Mode seed: in the rounds that could be replayed, 10,000 of 20,000, the declared policy was run") {
		t.Error("the counts of matches are not those of the rounds that were replayed")
	}
	open := homepage()
	open.Experiments[0].Replay.Mode = schemas.ModeNone
	for _, c := range []struct {
		name         string
		r            *schemas.Results
		seed, stream bool
	}{{"as declared", homepage(), true, false}, {"failed", failed, true, true}, {"no seed", open, false, false}, {"nothing drawn", drawsNothing(), false, false}} {
		got := told(t, c.r)
		if strings.Contains(got, schemas.UndrawnSentence) != (c.name == "nothing drawn") {
			t.Errorf("%s: %s", c.name, schemas.UndrawnSentence)
		}
		if strings.Contains(got, schemas.SeedSentence) != c.seed || strings.Contains(got, streamsSentence) != c.stream {
			t.Errorf("%s: seed %v, streams %v", c.name, !c.seed, !c.stream)
		}
	}
}

// TestModePropensity: only propensities were compared, and the report says so.
func TestModePropensity(t *testing.T) {
	r := homepage()
	c := &r.Experiments[0].Replay
	c.Mode = schemas.ModePropensity
	got := told(t, r)
	for _, want := range []string{"logged propensities were compared with those that the declared policy gives", "The declared policy gives the logged propensities in 20,000 of 20,000 rounds"} {
		if !strings.Contains(got, want) {
			t.Errorf("the report does not say %q", want)
		}
	}
}

// TestSpentOfNoEpsilon: noise that is that of no ε costs one all the same, and one
// sentence says how both are true.
func TestSpentOfNoEpsilon(t *testing.T) {
	fit := faultyNoise()
	if got := spentSentence(fit); strings.Contains(got, "while no ε") {
		t.Error(got)
	}
	fit.Hypotheses = []schemas.Hypothesis{{Name: "fresh-prefixes", Fits: true}}
	if got := spentSentence(fit); !strings.HasSuffix(got, "ε = 0.4968 (0.4799, 0.5143): that is the sum over the releases that a row was in, which any noise has, while no ε of the declared counter gives noise of this form.") {
		t.Error(got)
	}
}

// TestTestedP: a p that has underflowed is below a bound, not 0.
func TestTestedP(t *testing.T) {
	for _, c := range []struct {
		p    *float64
		want string
	}{{nil, "—"}, {new(0.0), "below 1e-300"}, {new(0.25), "0.25"}} {
		if got := pvalue(c.p, nil); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// TestFittedWhat: every explanation that has a fitted value says what it is, and
// what kind it is of.
func TestFittedWhat(t *testing.T) {
	for _, name := range []string{"scale", "no-noise", "noise-on-mean", "noise-over-n-twice", "fresh-prefixes", "shared-noise", "floor", "clipped-floor", "uniform-rows"} {
		if h := (schemas.Hypothesis{Name: name}); h.Fitted() == "" || h.Kind() == name {
			t.Errorf("%s: nothing is said", name)
		}
	}
	if h := (schemas.Hypothesis{Name: "stale"}); h.Fitted() != "" {
		t.Errorf("stale: %q", h.Fitted())
	}
}

// drawsNothing is a log whose policy needs no seed.
func drawsNothing() *schemas.Results {
	r := homepage()
	r.Experiments[0].Replay.Undrawn = true // the seed that is declared decides nothing
	return r
}
