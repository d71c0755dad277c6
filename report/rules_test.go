package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	"banditaudit/report/digest"
	"banditaudit/report/figure"
	"banditaudit/schemas"
)

// ours are the fixtures whose text no attacker wrote.
func ours() []string {
	return []string{"homepage", "open-bandit", "two", "questions", "faulty", "many", "empty", "bare"}
}

// TestNeverPrinted: words that a report must not use of its own accord, and
// stars of any kind. The style sheet is not text; in Markdown emphasis is
// written with low lines, so that no star is left at all.
func TestNeverPrinted(t *testing.T) {
	words := regexp.MustCompile(`(?i)\b(certified|compliant|guarantee[ds]?|safe|anonymous|unbiased|proven|no effect|new)\b|[*★☆✱⭐]`)
	style := regexp.MustCompile(`(?s)<style>.*?</style>`)
	for _, name := range ours() {
		page := style.ReplaceAllString(renderHTML(name), "")
		page = strings.ReplaceAll(page, "&#39;", "'")
		for kind, text := range map[string]string{"html": page, "md": renderMarkdown(name)} {
			if m := words.FindStringIndex(text); m != nil {
				t.Errorf("%s.%s prints %q", name, kind, text[max(0, m[0]-60):m[1]])
			}
		}
	}
}

// TestAbsentValues: a value that does not exist is a dash or words, never what
// Go prints for it.
func TestAbsentValues(t *testing.T) {
	leaks := regexp.MustCompile(`<nil>|&lt;nil&gt;|\bNaN\b|\+Inf|-Inf|%!|0x[0-9a-f]{8}|\bmap\[`)
	for name := range fixtures() {
		text := renderHTML(name) + renderMarkdown(name)
		text = strings.ReplaceAll(text, "missing, NaN, infinite", "") // the title of H03
		if m := leaks.FindStringIndex(text); m != nil {
			t.Errorf("%s prints %q", name, text[max(0, m[0]-80):m[1]])
		}
	}
}

// TestFixedSentences: what must stand in the report, whatever the results, and beside the
// goldens.
func TestFixedSentences(t *testing.T) {
	always := []string{
		"descriptive, not in the family",
		"What this report does not show",
		"no assurance is expressed",
		"sha256sum -c checksums.txt",
	}
	only := map[string][]string{
		"open-bandit": {
			"INCOMPLETE (1)", "No policy was declared", "No hypothesis was declared", "Nothing private was claimed", "confidence sequence", "RANK DEFICIENT",
			"NOT APPLICABLE", "propensity_score", "condition number above 1,000", "no bias bound and no corrected interval",
		},
		"two": {
			"A seed verifies the arithmetic, not that the deployment's randomness was secret and fresh.",
			"EXCEPTIONS NOTED (2)", "Experiment 2 of 2: homepage-footer", "round 4,711: logged blue, the policy chooses video", "∞", "approximate",
			"A1: the declared mechanism reads rewards without noise. All tests.",
			"Allocation over time is not drawn", "reward clipped to range", "of the declared mechanism",
		},
		"many": {"20 are shown in full, the worst first", "Figures are drawn for the first 3 experiments only", "exp-0024"},
	}
	for _, name := range ours() {
		page, text := strings.ReplaceAll(renderHTML(name), "&#39;", "'"), renderMarkdown(name)
		want := append([]string(nil), only[name]...)
		if name != "empty" {
			want = append(want, always...)
		}
		for _, s := range want {
			if !strings.Contains(strings.ToLower(page), strings.ToLower(s)) {
				t.Errorf("%s.html does not say %q", name, s)
			}
			if !strings.Contains(strings.ToLower(text), strings.ToLower(s)) {
				t.Errorf("%s.md does not say %q", name, s)
			}
		}
	}
}

// TestManyExperiments: 20 in full, the others in the overview; with too many
// claims the contradicted ones come first.
func TestManyExperiments(t *testing.T) {
	text := renderMarkdown("many")
	if n := strings.Count(text, " Policy conformance\n"); n != maxFull {
		t.Errorf("%d experiments are shown in full, want %d", n, maxFull)
	}
	r := digested(many(60)) // 300 claims
	order := r.Ordered
	if len(order) != digest.MaxClaims || r.Claims[order[0]].Verdict != schemas.Violated || r.Claims[order[0]].Experiment != "exp-0059" {
		t.Errorf("of 300 claims %d are listed, the first is %+v", len(order), r.Claims[order[0]])
	}
}

// TestErrors: what cannot be rendered is said.
func TestErrors(t *testing.T) {
	broken := homepage()
	broken.Protocol = json.RawMessage(`{"version":`)
	odd := homepage()
	odd.Protocol = json.RawMessage(`{"analysis":{"alpha":"much"}}`)
	for _, tc := range []struct {
		name string
		r    *schemas.Results
		want string
	}{
		{"no results", nil, "no results"},
		{"protocol is not JSON", broken, "protocol"},
		{"protocol has another form", odd, "form of a protocol"},
	} {
		for kind, render := range map[string]func() error{
			"HTML":     func() error { return HTML(io.Discard, digested(tc.r)) },
			"Markdown": func() error { return Markdown(io.Discard, digested(tc.r)) },
			"Figures":  func() error { _, err := figure.Files(digested(tc.r)); return err },
		} {
			if err := render(); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%s, %s: error %v, want one that says %q", tc.name, kind, err, tc.want)
			}
		}
	}
}

// fullDisk accepts n bytes.
type fullDisk struct{ n int }

var errFull = errors.New("no space left on device")

func (d *fullDisk) Write(p []byte) (int, error) {
	d.n -= len(p)
	if d.n < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestWriterErrors(t *testing.T) {
	for _, n := range []int{0, 5000, 20000} {
		if err := HTML(&fullDisk{n}, digested(homepage())); !errors.Is(err, errFull) {
			t.Errorf("HTML to a disk of %d bytes: %v", n, err)
		}
		if err := Markdown(&fullDisk{n}, digested(homepage())); !errors.Is(err, errFull) {
			t.Errorf("Markdown to a disk of %d bytes: %v", n, err)
		}
	}
}

// TestSameBytes: two renderings of the same results are the same, also after
// the results went through JSON, as the report command reads them.
func TestSameBytes(t *testing.T) {
	for name := range fixtures() {
		r := fixtures()[name]
		if len(r.Protocol) == 0 {
			continue
		}
		raw, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var again schemas.Results
		if err := json.Unmarshal(raw, &again); err != nil {
			t.Fatal(err)
		}
		if a, b := everything(t, r), everything(t, &again); !bytes.Equal(a, b) {
			t.Errorf("%s: two renderings differ (%d and %d bytes)", name, len(a), len(b))
		}
	}
}

func everything(t *testing.T, r *schemas.Results) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := errors.Join(HTML(&b, digested(r)), Markdown(&b, digested(r))); err != nil {
		t.Fatal(err)
	}
	figures, err := figure.Files(digested(r))
	if err != nil {
		t.Fatal(err)
	}
	tables, err := parquetFiles(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range append(figures, tables...) {
		b.WriteString(f.Name)
		b.Write(f.Data)
	}
	return b.Bytes()
}
