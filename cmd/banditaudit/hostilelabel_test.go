package main

import (
	"encoding/csv"
	"encoding/xml"
	"errors"
	"html"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"

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

// markup are labels that are something else wherever they are not text: HTML, SVG,
// Markdown, formulas of a spreadsheet, sequences of a terminal.
func markup() []string {
	return []string{
		"<img src=x onerror=alert(1)>", "</text></svg><script>x</script>", "![x](http://x/y.png)", "[a](javascript:x)", "**b** `c` | d", "# e",
		"=1+1", "+2", "-3", "@SUM(A1)", "\x1b[31mred\x07", "&lt;f&gt;",
	}
}

// TestLabelsAreText: in every output such labels are text, and nothing of it is lost.
func TestLabelsAreText(t *testing.T) {
	for labels := range slices.Chunk(markup(), 6) { // as many as the summary has
		labelsAreText(t, labels)
	}
}

func labelsAreText(t *testing.T, labels []string) {
	t.Helper()
	dir := simulated(t, "--policy", "uniform", "--counter", "exact", "--labels", strings.Join(labels, ","), "--means", strings.TrimSuffix(strings.Repeat("0.5,", len(labels)), ","), "--rounds", "600")
	out := filepath.Join(t.TempDir(), "out")
	_, summary, _ := run(t, "audit", "--fail-on", "never", "-p", filepath.Join(dir, "protocol.yaml"), "-o", out, filepath.Join(dir, "log"))
	if code, _, stderr := run(t, "report", "--format", "csv", "-o", out+"-csv", filepath.Join(out, "results.json")); code != 0 {
		t.Fatal(stderr)
	}
	page := readFile(t, filepath.Join(out, "report.html"))
	for _, bad := range []string{"<img", "<script", "onerror=alert(1)>", `href="javascript`} {
		if strings.Contains(page, bad) {
			t.Errorf("report.html holds %s", bad)
		}
	}
	tags := regexp.MustCompile(`</?[a-z][^>]*>`)
	markdown := readFile(t, filepath.Join(out, "report.md"))
	escaped := regexp.MustCompile(`\\([^A-Za-z0-9\s])`)
	for name, text := range map[string]string{
		"the summary": summary,
		"report.html": html.UnescapeString(tags.ReplaceAllString(page, "")),
		"report.md":   html.UnescapeString(escaped.ReplaceAllString(markdown, "$1")),
		"arms.svg":    svgText(t, filepath.Join(out, "figures", "arms.svg")),
	} {
		for _, label := range labels {
			shown := schemas.Printable(label)
			if name == "arms.svg" { // in which long labels are cut
				shown = shown[:min(len(shown), 12)]
			}
			if !strings.Contains(text, shown) {
				t.Errorf("%s does not show %s", name, shown)
			}
		}
		if i := strings.IndexAny(text, "\x1b\x07"); i >= 0 {
			t.Errorf("%s holds a control character: %q", name, text[max(0, i-20):i+1])
		}
	}
	for _, bad := range []string{"<img", "</svg>", "<script", "](javascript:", "](http://x"} {
		if strings.Contains(escaped.ReplaceAllString(markdown, ""), bad) {
			t.Errorf("report.md holds %s", bad)
		}
	}
	rows, err := csv.NewReader(strings.NewReader(readFile(t, filepath.Join(out+"-csv", "tables", "arms.csv")))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	raw, err := parquet.ReadFile[struct {
		Label string `parquet:"arm_label"`
	}](filepath.Join(out, "tables", "arms.parquet"))
	if err != nil || len(raw) != len(labels) {
		t.Fatalf("%d arms, %v", len(raw), err)
	}
	column := slices.Index(rows[0], "arm_label")
	for i, label := range labels {
		if raw[i].Label != label {
			t.Errorf("arms.parquet has %q, not %q", raw[i].Label, label)
		}
		want := schemas.Printable(label)
		if strings.ContainsRune("=+-@", rune(label[0])) {
			want = "'" + label
		}
		if got := rows[i+1][column]; got != want {
			t.Errorf("arms.csv has %q, not %q", got, want)
		}
	}
}

// svgText is the text of a figure, which holds no elements but those of figures.
func svgText(t *testing.T, path string) string {
	t.Helper()
	var text strings.Builder
	for d := xml.NewDecoder(strings.NewReader(readFile(t, path))); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return text.String()
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			if !slices.Contains([]string{"svg", "title", "desc", "g", "path", "text", "rect", "line", "circle"}, token.Name.Local) {
				t.Errorf("%s holds an element %s", path, token.Name.Local)
			}
		case xml.CharData:
			text.Write(token)
		}
	}
}
