package report

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata/report")

// golden compares got with testdata/report/name, and leaves what it got beside
// the test's artifacts when they differ.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("..", "testdata", "report", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; run go test ./report -update", err)
	}
	if bytes.Equal(want, got) {
		return
	}
	left := filepath.Join(t.ArtifactDir(), name)
	if err := os.WriteFile(left, got, 0o644); err != nil {
		t.Error(err)
	}
	t.Errorf("%s differs from the golden file; got is in %s; run go test ./report -update if it is right\n%s",
		name, left, cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(got), "\n")))
}

// pages renders every fixture once for all tests that only read.
var pages = sync.OnceValues(func() (html, markdown map[string]string) {
	html, markdown = map[string]string{}, map[string]string{}
	for name, r := range fixtures() {
		var h, m bytes.Buffer
		if err := errors.Join(HTML(&h, digested(r)), Markdown(&m, digested(r))); err != nil {
			panic(err)
		}
		html[name], markdown[name] = h.String(), m.String()
	}
	return html, markdown
})

func renderHTML(name string) string {
	h, _ := pages()
	return h[name]
}

func renderMarkdown(name string) string {
	_, m := pages()
	return m[name]
}

// TestGoldens holds the whole text of one report. The figures inside the HTML
// have golden files of their own only through it.
func TestGoldens(t *testing.T) {
	golden(t, "homepage.md", []byte(renderMarkdown("homepage")))
	golden(t, "homepage.html", []byte(renderHTML("homepage")))
	golden(t, "questions.md", []byte(renderMarkdown("questions")))
	golden(t, "faulty.md", []byte(renderMarkdown("faulty")))
}
