package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"banditaudit/cmd/banditaudit/explain"
	"banditaudit/cmd/kit"
	"banditaudit/report/glossary"
	"banditaudit/schemas"
)

// entriesOf are all names that a catalogue explains.
func entriesOf(t *testing.T, c *catalogue) map[string]explain.Entry {
	t.Helper()
	entries, err := explained(c).All()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]explain.Entry{}
	for _, e := range entries {
		if _, twice := out[e.ID()]; twice {
			t.Errorf("%s twice", e.ID())
		}
		out[e.ID()] = e
	}
	return out
}

// TestExplainKnowsEveryName: whatever a list of the catalogue names is explained, a toy of
// each kind too, and all that sources and entries refer to is there.
func TestExplainKnowsEveryName(t *testing.T) {
	c := withToys()
	entries, f := entriesOf(t, c), c.Format()
	var ids []string
	add := func(kind string, names []string) {
		for _, name := range names {
			ids = append(ids, kind+name)
		}
	}
	add("policy:", f.PolicyNames())
	add("counter:", f.CounterNames())
	add("library:", f.LikeNames())
	add("test:", f.TestNames())
	add("claim:", f.ClaimKinds())
	add("method:", f.DecideWords()[1:])
	for _, x := range f.Corrections {
		ids = append(ids, "correction:"+x.Name)
	}
	for _, x := range c.analysis.Checks {
		ids = append(ids, "check:"+x.ID)
	}
	for path := range f.Meanings() {
		ids = append(ids, "key:"+path)
	}
	for _, x := range f.Policies {
		for _, key := range x.Keys {
			ids = append(ids, "key:policy."+key.Name)
		}
	}
	ids = append(ids, "key:log.toy-column", "key:policy.whim", "key:policy.width.clock", "key:analysis.rerun.permute", "number:sigma", "number:ess", "assumption:A3", "method:snips", "verdict:VIOLATED")
	for _, id := range ids {
		if e, ok := entries[id]; !ok || e.About == "" && !strings.HasPrefix(e.Name, "toy") {
			t.Errorf("%s is not explained: %+v", id, e)
		}
	}
	for _, id := range []string{"test:exact", "counter:exact", "policy:ucb", "counter:hybrid", "correction:best", "method:batch-exact", "claim:bias.bound", "key:log.unit"} {
		if len(entries[id].Manual) == 0 {
			t.Errorf("%s has nothing from the manual", id)
		}
	}
	topics, explained := allTopics(c), 0
	for id, e := range entries {
		for _, see := range e.See {
			topic, isTopic := strings.CutPrefix(see, "topic:")
			if _, ok := entries[see]; !ok && (!isTopic || kit.TopicOf(topics, topic) == nil) {
				t.Errorf("%s refers to %s", id, see)
			}
		}
		if len(e.Made) > 0 && e.Kind != "word" {
			explained++
		}
	}
	if explained < 60 {
		t.Errorf("%d entries say how they are made", explained)
	}
}

// TestGlossaryIsUsed: every word stands in the manual or in a report.
func TestGlossaryIsUsed(t *testing.T) {
	var b strings.Builder
	for _, name := range []string{"homepage.md", "questions.md", "faulty.md"} {
		b.WriteString(readFile(t, filepath.Join(root, "testdata", "report", name)))
	}
	for _, name := range kit.TopicNames(allTopics(known())) {
		if name != "glossary" {
			b.WriteString(kit.TopicOf(allTopics(known()), name).Text(88))
		}
	}
	_, help, _ := run(t, "help", "glossary")
	for _, w := range glossary.Words() {
		used := func(form string) bool {
			of := regexp.QuoteMeta(form)
			if len([]rune(form)) > 2 {
				of = "(?i:" + of + ")"
			}
			return regexp.MustCompile(`(?:^|[^\pL\pN_])` + of + `(?:$|[^\pL\pN_])`).MatchString(b.String())
		}
		if !slices.ContainsFunc(append(w.Forms, w.Word), used) {
			t.Errorf("nobody uses %s", w.Word)
		}
		if !strings.Contains(help, "- **"+w.Word+"**: ") {
			t.Errorf("help glossary lacks %s", w.Word)
		}
	}
}

// TestExplainARun: of a bundle it says what was found and what would change it; whatever a
// label looks like it is text.
func TestExplainARun(t *testing.T) {
	const label = "<b>\x1b[31m=1+1|[x](y)`"
	shown := schemas.Printable(label)
	dir := simulated(t, "--policy", "ucb", "--counter", "hybrid", "--epsilon", "1", "--labels", label+",other", "--means", "0.3,0.6", "--rounds", "100")
	out := filepath.Join(t.TempDir(), "out")
	run(t, "audit", "-q", "-p", filepath.Join(dir, "protocol.yaml"), "-o", out, filepath.Join(dir, "log"))
	for args, wants := range map[string][]string{
		"policy.conformance":             {"verdict: VERIFIED", "observed: 100 of 100", "what would change it: It is VIOLATED where"},
		"allocation.matches_propensity":  {"verdict: NOT APPLICABLE", "reason: no propensity is logged", "What the reason names."},
		"H05":                            {"status: not run", "Declare log.propensity"},
		"H1":                             {"decision: ", "hypothesis: ", "decided by: ", "naive: statistic"},
		"test:H2":                        {"test: H2/" + shown, "test: H2/other"},
		"method:naive":                   {"applies: yes", "decides: no"},
		"number:pulls":                   {"of: " + shown, "pulls: ", "/experiments/0/arms/0/pulls"},
		"key:counter.epsilon":            {"counter.epsilon: 1"},
		"key:log.unit":                   {"log.unit: not declared"},
		"key:arms":                       {`["`},
		"ucb":                            {"declared: policy.name: ucb", "WHAT IS KNOWN OF IT"},
		"verdict:VERIFIED":               {"claim: data.quality"},
		"A3":                             {"status: ", "checked by: "},
		"policy:softmax":                 {"Nothing in it is called so."},
		"word:tableau":                   {"Nothing in it is called so.", "help log"},
		"caution":                        {"- /cautions", "cautions: "},
		"claim:privacy.noise":            {"VIOLATED where"},
		"number:no_such":                 nil,
		"sigma":                          nil,
		"test:H3":                        nil,
		"policy.conformance out nothing": nil,
	} {
		words := strings.Fields(args)
		code, text, errs := run(t, append([]string{"explain", words[0], out}, words[1:]...)...)
		if wants == nil {
			if code != 2 || text != "" {
				t.Errorf("explain %s: exit %d\n%s%s", args, code, text, errs)
			}
			continue
		}
		flat := strings.Join(strings.Fields(text), " ")
		for _, want := range wants {
			if code != 0 || !strings.Contains(flat, want) {
				t.Errorf("explain %s: exit %d, lacks %q\n%s%s", args, code, want, text, errs)
			}
		}
		for line := range strings.Lines(text) {
			if line = strings.TrimRight(line, "\n"); schemas.Printable(line) != line {
				t.Errorf("explain %s: %q", args, line)
			}
		}
	}
	var document explain.Explanation
	code, text, errs := run(t, "explain", "--json", "H2/"+label, filepath.Join(out, kit.ResultsFile))
	if err := json.Unmarshal([]byte(text), &document); code != 0 || err != nil || document.Name != "H2/"+label || len(document.Run.Found) != 1 || strings.Contains(text, "\x1b") {
		t.Errorf("exit %d, %v\n%s%s", code, err, text, errs)
	}
	if code, _, _ := run(t, "explain", "H05", filepath.Join(out, "nothing")); code != 4 {
		t.Errorf("no bundle: exit %d", code)
	}
	if err := os.WriteFile(filepath.Join(out, kit.ResultsFile), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, _ := run(t, "explain", "H05", out); code != 4 {
		t.Errorf("no results: exit %d", code)
	}
}

// TestExplainRefuses: what is nothing, or several things, is exit 2 and says what is near.
func TestExplainRefuses(t *testing.T) {
	for args, want := range map[string]string{
		"exact":       "one of: test:exact, counter:exact",
		"any-time":    "one of: method:any-time, word:any-time; the word: Valid whenever",
		"tableu":      "near it: word:tableau",
		"check:H06":   "near it: check:H0",
		"word:tablau": "near it: word:tableau",
		"test:H1":     "a claim or test of an audit is explained with its directory behind it",
	} {
		if code, text, errs := run(t, "explain", args); code != 2 || text != "" || !strings.Contains(errs, want) {
			t.Errorf("explain %s: exit %d\n%s%s", args, code, text, errs)
		}
	}
	for _, args := range []string{"VIOLATED", "violated", "propensities", "log.propensity", "auto", "policy.like", "stopping", "decide", "propensity_by_arm", "holm", "INCOMPLETE", "NO EXCEPTIONS NOTED", "not rejected", "no answer", "junit.xml", "effective_sample_size", "mean_inverse_propensity", "change_period", "largest_pulls_deviation"} {
		code, text, errs := run(t, "explain", args)
		if want := args != "auto"; (code == 0) != want {
			t.Errorf("explain %s: exit %d\n%s%s", args, code, text, errs)
		}
	}
}

// TestExplainOneExperiment: of many experiments those places are shown that are of the one
// asked for, with their own pointers, and of the protocol what it says of all.
func TestExplainOneExperiment(t *testing.T) {
	dir := simulated(t, "--policy", "epsilon-greedy", "--counter", "exact", "--means", "0.1,0.9", "--rounds", "120", "--repeat", "25")
	out := filepath.Join(t.TempDir(), "out")
	run(t, "audit", "-q", "--fail-on", "never", "-p", filepath.Join(dir, "protocol.yaml"), "-o", out, filepath.Join(dir, "log"))
	results := readResults(t, filepath.Join(out, "results.json"))
	const at = 23
	id := results.Experiments[at].ID
	rejections := 0 // of the family, that are of this experiment
	for name, want := range map[string]string{"H05": "/experiments/23/data/checks/", "H1": "/experiments/23/tests/", "method:naive": "/experiments/23/tests/", "number:pulls": "/experiments/23/arms/", "number:p_adjusted": "/", "claim:data.quality": "/claims/", "verdict:VERIFIED": "/claims/", "key:counter.name": "/protocol/counter/name"} {
		code, text, errs := run(t, "explain", name, out, "--experiment", id, "--json")
		var x explain.Explanation
		if err := json.Unmarshal([]byte(text), &x); code != 0 || err != nil {
			t.Fatalf("explain %s: exit %d, %v\n%s%s", name, code, err, text, errs)
		}
		if len(x.Run.Found) == 0 || x.Run.More > 0 {
			t.Errorf("explain %s: %d places, and %d more", name, len(x.Run.Found), x.Run.More)
		}
		for _, f := range x.Run.Found {
			if f.Experiment != id && (f.Experiment != "" || name != "key:counter.name") || !strings.HasPrefix(f.Pointer, want) {
				t.Errorf("explain %s: experiment %s, %s", name, f.Experiment, f.Pointer)
			}
			if strings.HasPrefix(f.Pointer, "/family/rejections/") {
				rejections++
			}
			if place, ofClaim := strings.CutPrefix(f.Pointer, "/claims/"); ofClaim {
				if i, err := strconv.Atoi(place); err != nil || results.Claims[i].Experiment != f.Experiment {
					t.Errorf("explain %s: %s is of another experiment", name, f.Pointer)
				}
			}
		}
	}
	if rejections == 0 || len(results.Family.Rejections) < 25 {
		t.Errorf("%d of %d rejections are of experiment %s", rejections, len(results.Family.Rejections), id)
	}
	if _, text, _ := run(t, "explain", "H05", out); !strings.Contains(strings.Join(strings.Fields(text), " "), "In 25 places, of which 20 are shown; results.json has all. With --experiment ID those of one experiment are.") {
		t.Errorf("%s", text)
	}
	for _, args := range [][]string{{"H05", out, "--experiment", "none"}, {"H05", out, "--experiment", ""}, {"H05", "--experiment", id}} {
		if code, text, errs := run(t, append([]string{"explain"}, args...)...); code != 2 || text != "" || !strings.Contains(errs, "--experiment is") {
			t.Errorf("explain %v: exit %d\n%s%s", args, code, text, errs)
		}
	}
}
