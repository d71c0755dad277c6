package report

import (
	"strings"
	"testing"

	"banditaudit/report/digest"
	"banditaudit/schemas"
)

// TestParametersSentence: the sentence below the table of parameters says which ε is no
// parameter, and names a ρ where one was claimed.
func TestParametersSentence(t *testing.T) {
	one := schemas.Ext(1)
	for name, c := range map[string]struct {
		a         schemas.Accounting
		say, keep string // what it must and must not say
	}{
		"pure":            {schemas.Accounting{Definition: "pure", EpsilonClaimed: one, EpsilonMechanism: one}, "The realised ε is no DP parameter, because it depends on the actions", "ρ"},
		"approximate":     {schemas.Accounting{Definition: "approximate", EpsilonClaimed: one, EpsilonMechanism: one, DeltaClaimed: new(1e-6)}, "The ε of the declared mechanism is at the claimed δ; the realised ε is without δ.", "ρ"},
		"zcdp":            {schemas.Accounting{Definition: "zcdp", RhoClaimed: one, EpsilonMechanism: one, RhoMechanism: one}, "A ρ was claimed and is compared with ρ of the declared mechanism; no ε was claimed. Both ε are of pure privacy.", "δ"},
		"nothing claimed": {schemas.Accounting{EpsilonMechanism: one, RhoMechanism: one}, "No privacy was claimed. The realised ε", "three"},
		"no accounting":   {schemas.Accounting{Definition: "pure", EpsilonClaimed: one}, "could not be accounted for", "realised"},
	} {
		if got := parametersSentence(&c.a); !strings.Contains(got, c.say) || strings.Contains(got, c.keep) {
			t.Errorf("%s: %q should say %q and not %q", name, got, c.say, c.keep)
		}
	}
}

// TestRandomness: a declared seed is what is said of the source, whatever the
// log was for, and where none is declared nothing is said.
func TestRandomness(t *testing.T) {
	for text, want := range map[string]string{
		`{}`:                        "Source of randomness: not declared (policy.seed), so that nothing can be said of it here.",
		`{"policy":{"name":"ucb"}}`: "Source of randomness: not declared (policy.seed), so that nothing can be said of it here.",
		`{"policy":{"name":"ucb","seed":{"column":"s"}}}`: "Source of randomness: a declared seed (policy.seed). Seeded noise is reproducible, not private",
	} {
		r := homepage()
		r.Protocol = []byte(text)
		p, err := digest.ReadProtocol(digested(r))
		if err != nil {
			t.Fatal(err)
		}
		got := (&experimentView{protocol: &p, x: &schemas.Experiment{}}).randomness()
		if !strings.HasPrefix(got, want) || strings.Contains(got, "mode") {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
		undrawn := &schemas.Experiment{Replay: schemas.Conformance{Undrawn: true}}
		if got = (&experimentView{protocol: &p, x: undrawn}).randomness(); got != "Source of randomness: none; the declared policy draws nothing, and no counter adds noise." {
			t.Errorf("%s, nothing drawn: %q", text, got)
		}
	}
}
