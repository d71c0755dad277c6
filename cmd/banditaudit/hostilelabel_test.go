package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"banditaudit/schemas"
)

// TestHostileLabel: a label that turns the direction of writing and breaks lines
// is the same text in a list of problems, in an error about the log, in tables
// on the terminal and in the report, and its column keeps its width.
func TestHostileLabel(t *testing.T) {
	const label, shown, quoted = "a\u202eb\tc\u200b", "a⟨U+202E⟩b⟨U+0009⟩c⟨U+200B⟩", `"a⟨U+202E⟩b⟨U+0009⟩c⟨U+200B⟩"`
	dir := simulated(t, "--policy", "ucb", "--counter", "hybrid", "--epsilon", "1", "--labels", label+",other", "--means", "0.3,0.6", "--rounds", "100")
	protocol, log := filepath.Join(dir, "protocol.yaml"), filepath.Join(dir, "log")
	edited := func(old, text string) string {
		path := filepath.Join(dir, "edited.yaml")
		whole := readFile(t, protocol)
		if !strings.Contains(whole, old) {
			t.Fatalf("the protocol has no %q:\n%s", old, whole)
		}
		if err := os.WriteFile(path, []byte(strings.Replace(whole, old, text, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const arms = `arms: ["a\u202eb\tc\u200b", other]`
	out := filepath.Join(t.TempDir(), "out")
	_, summary, _ := run(t, "audit", "-p", protocol, "-o", out, log)
	_, inspected, _ := run(t, "validate", "-p", edited(arms, `arms: ["a\u202eb\tc\u200b", "a\u202eb\tc\u200b"]`))
	_, _, refused := run(t, "audit", "-p", edited(arms, "arms: [x, other]"), "-o", out+"2", log)
	_, _, unnamed := run(t, "analyze", "-p", edited("arm: most-pulled", `arm: "a\u202eb\tc\u200bd"`), "-t", dir, "-o", out+"3")
	for name, c := range map[string]struct{ text, want string }{
		"the summary":           {summary, "\nH2/" + shown + "  "},
		"the list of problems":  {inspected, " is " + quoted + " again"},
		"the error of the log":  {refused, quoted},
		"the problem on stderr": {unnamed, quoted[:len(quoted)-1] + `d"`},
		"report.md":             {readFile(t, filepath.Join(out, "report.md")), shown},
		"report.html":           {readFile(t, filepath.Join(out, "report.html")), shown},
		"a figure":              {readFile(t, filepath.Join(out, "figures", "arms.svg")), "a⟨U+202E⟩b"},
	} {
		if !strings.Contains(c.text, c.want) {
			t.Errorf("%s does not show %s:\n%.2000s", name, c.want, c.text)
		}
		for line := range strings.Lines(c.text) {
			if line = strings.TrimRight(line, "\n"); !strings.HasPrefix(name, "report.html") && schemas.Printable(line) != line && !strings.HasPrefix(line, "\t") {
				t.Errorf("%s: %q", name, line)
			}
		}
	}
	var at []int // where the second column begins
	for line := range strings.Lines(summary) {
		if before, _, ok := strings.Cut(line, "not rejected"); ok && strings.HasPrefix(line, "H") {
			at = append(at, utf8.RuneCountInString(before))
		}
	}
	if len(at) < 2 || at[0] != at[len(at)-1] || at[0] != len("H2/")+utf8.RuneCountInString(shown)+2 {
		t.Errorf("the second column begins at %d:\n%s", at, summary)
	}
}
