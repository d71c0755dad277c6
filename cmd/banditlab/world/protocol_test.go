package world

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"banditaudit/schemas"
)

func private() Starter {
	return Starter{
		Catalogue: full(),
		ID:        "simulated", Policy: "ucb", Counter: "hybrid", Epsilon: "1/3", Labels: []string{"a", "b"}, Rounds: 500, ContextDim: 2,
	}
}

// TestStarter: the protocol that is written without -p declares what the comment
// of Declare says, and can be replayed.
func TestStarter(t *testing.T) {
	exact, uniform, many := private(), private(), private()
	exact.Counter, exact.Epsilon, exact.ContextDim = "exact", "", 0
	uniform.Policy = "uniform"
	many.Repeat = 3
	for _, c := range []struct {
		name  string
		s     Starter
		check func(p *schemas.Protocol) bool
	}{
		{"private", private(), func(p *schemas.Protocol) bool {
			return p.Experiment.ID == "simulated" && p.Policy.Name == "ucb" && p.Policy.Own.Word("bonus") == "quantile" && p.Policy.Own.Group("width").Float("delta") == 0.05 &&
				p.Counter.Name == "hybrid" && p.Counter.Epsilon.String() == "1/3" && p.Counter.Horizon == 500 &&
				p.Privacy.Epsilon.Equal(p.Counter.Epsilon) && p.Privacy.Definition == "pure" && p.Log.Propensity == "" &&
				len(p.Log.Context.Columns) == 2 && p.Log.Context.Columns[1].Column == "x1" && len(p.Analysis.Regressions) == 1
		}},
		{"exact", exact, func(p *schemas.Protocol) bool {
			return p.Policy.Own.Word("bonus") == "none" && p.Counter.Name == "exact" && p.Privacy == nil && p.Log.Context.IsZero() && len(p.Analysis.Regressions) == 0
		}},
		{"uniform", uniform, func(p *schemas.Protocol) bool {
			return p.Policy.Name == "uniform" && p.Policy.Own == nil && p.Log.Propensity == "propensity"
		}},
		{"many", many, func(p *schemas.Protocol) bool {
			return p.Experiment.Column == "experiment" && p.Experiment.ID == ""
		}},
	} {
		d, err := c.s.Declare("p.yaml")
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		p := &d.Protocol
		if !c.check(p) {
			t.Errorf("%s: not what was asked for\n%s", c.name, d.Source)
		}
		if p.Experiment.Stopping != schemas.StoppingFixed || p.Analysis.Chosen != schemas.ChosenBefore || p.Policy.Seed.File != "seed.hex" || p.Policy.Ties != "first" {
			t.Errorf("%s: stopping %q, chosen %q, seed %+v", c.name, p.Experiment.Stopping, p.Analysis.Chosen, p.Policy.Seed)
		}
		want := []schemas.TestSpec{
			{ID: "H1", Arm: "most-pulled", Mean: new(0.5), Test: "exact", Alternative: "two-sided", Decide: "auto"},
			{ID: "H2", Arm: "each", Mean: new(0.5), Test: "exact", Alternative: "two-sided", Decide: "auto"},
		}
		if diff := cmp.Diff(want, p.Analysis.Tests); diff != "" {
			t.Errorf("%s: tests (-want +got):\n%s", c.name, diff)
		}
		if _, err := full().New(p, p.Arms); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// readBack writes a protocol with labels and reads it.
func readBack(labels ...string) ([]string, error) {
	s := private()
	s.Labels = labels
	d, err := s.Declare("p.yaml")
	if err != nil {
		return nil, err
	}
	return d.Protocol.Arms, nil
}

// TestLabelsReadBack: every label is read as the text that it was.
func TestLabelsReadBack(t *testing.T) {
	labels := []string{
		"null", "~", "Null", "true", "no", "1", "01", "1.0", "1e3", "0x1f", "0o17", "1_000", ".5", ".inf", ".nan", "-", "--", "?", ":", "=", "<<",
		"2024-01-01", "12:30:45", "a: b", "a:b", "a:", ":a", "é", "日本", "😀", "#x", "a #b", "a#b", "'q", "q'", "'q'", `"q`, `q"`, `"q"`, "- a", "-a", "? a",
		" a", "a ", " ", "a  b", "\ta", "a\tb", "a\nb", "a\r\nb", "\n", "a\n", `a\b`, `\n`, "a,b", ",", "[a]", "a]", "]", "[", "{a: b}", "}", "{", "&a", "*a", "!a", "!!str a",
		"%a", "@a", "`a", "|", ">", "|a", ">a", "a|b", "---", "...", "\u00a0", "\u2028", "\ufeffa", "\u200b", "\u0085", "\x7f", "\x01", "a\x1bb",
	}
	for _, l := range labels {
		if got, err := readBack(l, "other"); err != nil || !cmp.Equal(got, []string{l, "other"}) {
			t.Errorf("%q is read as %q, %v", l, got, err)
		}
	}
	if got, err := readBack(labels...); err != nil || !cmp.Equal(got, labels) {
		t.Errorf("all at once: (-want +got):\n%s%v", cmp.Diff(labels, got), err)
	}
	if _, err := readBack(""); err == nil || !strings.Contains(err.Error(), "arms[0] is empty") {
		t.Errorf("an empty label: %v", err)
	}
}

// TestAnyLabelReadsBack does the same for random text.
func TestAnyLabelReadsBack(t *testing.T) {
	reserved := map[string]bool{"": true, "each": true, "all": true, "most-pulled": true, "least-pulled": true, "b": true}
	text := rapid.OneOf(rapid.StringN(1, 12, -1), rapid.StringMatching(`[-:#,'"\[\]{}&*!|>%@?~ a1\\]{1,6}`))
	rapid.Check(t, func(t *rapid.T) {
		l := text.Filter(func(s string) bool { return !reserved[s] && !strings.Contains(s, "\x00") }).Draw(t, "label")
		if got, err := readBack("b", l); err != nil || !cmp.Equal(got, []string{"b", l}) {
			t.Fatalf("%q is read as %q, %v", l, got, err)
		}
		s := private()
		s.ID = l
		d, err := s.Declare("p.yaml")
		if err != nil || d.Protocol.Experiment.ID != l {
			t.Fatalf("the id %q is not read back: %v", l, err)
		}
	})
}

func TestDefaultLabels(t *testing.T) {
	if got := DefaultLabels(3); !cmp.Equal(got, []string{"arm-1", "arm-2", "arm-3"}) {
		t.Errorf("labels are %q", got)
	}
}

// What an experiment starts from yields to what is set: where it cannot stand beside that,
// and where a library's policy fills in its own. What is set stays as it is.
func TestStartYields(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		policy, counter string
		set             map[string]string
		want            string // lines of the policy and its counter; "" where it is refused
	}{
		{"softmax", "exact", map[string]string{"temperature": "0.1"}, "  name: softmax\n  temperature: 0.1\n"},
		{"softmax", "exact", map[string]string{"of": "means"}, "  name: softmax\n  eta: 0.1\n  of: means\n"},
		{"epsilon-greedy", "hybrid", map[string]string{"epsilon": "0.2"}, "  name: epsilon-greedy\n  epsilon: 0.2\n  seed: {file: seed.hex}\ncounter: {name: hybrid, epsilon: 1, horizon"},
		{"ucb", "exact", map[string]string{"like": "mabwiser/ucb1", "width": "{alpha: 1}"}, "  name: ucb\n  like: mabwiser/ucb1\n  width: {alpha: 1}\n  seed"},
		{"softmax", "exact", map[string]string{"temperature": "0.1", "eta": "1"}, ""},
	} {
		s := private()
		s.Policy, s.Counter, s.Set, s.ContextDim, s.Epsilon = c.policy, c.counter, c.set, 0, ""
		if c.counter == "hybrid" {
			s.Epsilon = "1"
		}
		d, err := s.Declare("p.yaml")
		if c.want == "" {
			if err == nil {
				t.Errorf("%v: not refused", c.set)
			}
			continue
		}
		if err != nil || !strings.Contains(string(d.Source), c.want) {
			t.Errorf("%v: %v", c.set, err)
		}
	}
}
