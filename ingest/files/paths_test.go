package files

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"banditaudit/ingest/fault"
	"banditaudit/ingest/ingesttest"
)

// writeList writes a list of paths into a tree.
func writeList(tb testing.TB, dir, name, text string) string {
	tb.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		tb.Fatal(err)
	}
	return "@" + path
}

func TestList(t *testing.T) {
	dir := tree(t, "log/b.parquet", "log/dt=1/x.parquet", "log/dt=2/x.parquet", "log/sub/s.parquet", "log/ spaced .parquet", "log/@at.parquet", "far/f.parquet")
	log := filepath.Join(dir, "log")
	for name, tc := range map[string]struct {
		text string
		want []string
	}{
		"files":                   {"b.parquet\ndt=1/x.parquet\ndt=2/x.parquet", []string{"b.parquet", "dt=1/x.parquet", "dt=2/x.parquet"}},
		"blank lines, comments":   {"\n# a comment\n  \n\tb.parquet \n#dt=1/x.parquet", []string{"b.parquet"}},
		"of Windows":              {"\ufeffb.parquet\r\ndt=1/x.parquet\r\n", []string{"b.parquet", "dt=1/x.parquet"}},
		"a mark and a comment":    {"\ufeff# files\nb.parquet", []string{"b.parquet"}},
		"a directory":             {"sub\ndt=1", []string{"dt=1/x.parquet", "sub/s.parquet"}},
		"a pattern":               {"dt=*/x.parquet\n", []string{"dt=1/x.parquet", "dt=2/x.parquet"}},
		"an absolute path":        {filepath.Join(dir, "far", "f.parquet"), []string{"f.parquet"}},
		"a path outside":          {"../far/f.parquet", []string{"f.parquet"}},
		"the list's directory":    {".", []string{" spaced .parquet", "@at.parquet", "b.parquet", "dt=1/x.parquet", "dt=2/x.parquet", "sub/s.parquet"}},
		"a name that begins @":    {"./@at.parquet", []string{"@at.parquet"}},
		"a directory outside":     {"../far", []string{"f.parquet"}},
		"no newline at the end":   {"b.parquet", []string{"b.parquet"}},
		"a path with a dot slash": {"./sub/s.parquet", []string{"sub/s.parquet"}},
	} {
		t.Run(name, func(t *testing.T) {
			src, err := Discover(t.Context(), []string{writeList(t, log, "paths.txt", tc.text)})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, uris(src)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestListRefuses(t *testing.T) {
	dir := tree(t, "log/b.parquet", "log/delta/_delta_log/", "log/delta/p.parquet")
	log := filepath.Join(dir, "log")
	for name, tc := range map[string]struct{ text, rule, says string }{
		"a missing path":    {"# first\n\nb.parquet\nabsent.parquet\n", fault.RuleNoInput, "paths.txt:4: the path there: does not exist"},
		"an empty list":     {"# nothing\n\n", fault.RuleNoInput, "lists no path"},
		"a list in a list":  {"@more.txt", fault.RuleNoInput, "paths.txt:1: the path there: is a list within a list"},
		"an address":        {"s3://bucket/b.parquet", fault.RuleNoInput, "paths.txt:1: the path there: is an address"},
		"a line too long":   {strings.Repeat("x", maxListLine+1), fault.RuleNoInput, "is not a list of paths"},
		"a file twice":      {"b.parquet\n./b.parquet\n", fault.RuleDuplicate, "given twice"},
		"a file of a table": {"b.parquet\ndelta/p.parquet", fault.RuleLake, "paths.txt:2: "},
		"no pattern":        {"no*.parquet", fault.RuleNoInput, "paths.txt:1: the path there: matches no Parquet file"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Discover(t.Context(), []string{writeList(t, log, "paths.txt", tc.text)})
			if e := ingesttest.WantFault(t, err, tc.rule); !strings.Contains(e.Error(), tc.says) {
				t.Errorf("got %v", e)
			}
		})
	}
	for _, arg := range []string{"@", "@" + log, "@" + filepath.Join(log, "absent.txt")} {
		_, err := Discover(t.Context(), []string{arg})
		if e := ingesttest.WantFault(t, err, fault.RuleNoInput); !strings.Contains(e.Error(), "is not a list of paths") {
			t.Errorf("%s: %v", arg, e)
		}
	}
	arg := writeList(t, log, "paths.txt", "b.parquet")
	_, err := Discover(t.Context(), []string{strings.TrimPrefix(arg, "@")})
	if e := ingesttest.WantFault(t, err, fault.RuleNoInput); !strings.Contains(e.Error(), "write "+arg) {
		t.Errorf("got %v", e)
	}
}

// A list of very many paths that are not there is not as many messages.
func TestListOfManyFaults(t *testing.T) {
	var text strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&text, "absent-%d.parquet\n", i)
	}
	_, err := Discover(t.Context(), []string{writeList(t, t.TempDir(), "paths.txt", text.String())})
	if n := len(ingesttest.InputErrors(err)); n != fault.MaxFileFaults+1 || !strings.Contains(err.Error(), "9900 more faults") {
		t.Errorf("%d faults", n)
	}
}

// A list of any text ends in files below its directory, or in a fault. Lines
// that lead out of the directory name an absent file instead: what they would
// find is not the test's to search.
func FuzzList(f *testing.F) {
	for _, text := range []string{"", "b.parquet", "\ufeff#\r\n@x\n*\n[\n..\n/\n", "s3://x\n\x00\n", "log\nlog/b.parquet", "log/*\nb.parquet", "log"} {
		f.Add(text)
	}
	dir := f.TempDir()
	for _, name := range []string{"b.parquet", "log/b.parquet"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte("PAR1"), 0o600)); err != nil {
			f.Fatal(err)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		lines := strings.Split(text, "\n")
		for i, line := range lines {
			line = strings.TrimFunc(line, func(r rune) bool { return unicode.IsSpace(r) || r == '\ufeff' })
			if line != "" && !filepath.IsLocal(line) {
				lines[i] = "absent"
			}
		}
		src, err := Discover(t.Context(), []string{writeList(t, dir, "paths.txt", strings.Join(lines, "\n"))})
		if err == nil && len(src) == 0 {
			t.Error("neither files nor a fault")
		}
		for _, found := range src {
			if rel, rerr := filepath.Rel(dir, found.Path); rerr != nil || !filepath.IsLocal(rel) {
				t.Errorf("found %q", found.Path)
			}
		}
	})
}
