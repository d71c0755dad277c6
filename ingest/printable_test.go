package ingest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestPrintable(t *testing.T) {
	for s, want := range map[string]string{
		"":                     "",
		"größe é 好 🙂 −π \"x\"": "größe é 好 🙂 −π \"x\"",
		"a\x1b[2Jb":            `a\x1b[2Jb`,
		"a\nb\tc\rd\x00":       `a\nb\tc\rd\x00`,
		"\x7f\u0085\u009b":     `\x7f\u0085\u009b`,
		"a\u202ebc\u2066":      `a\u202ebc\u2066`,
		"\u200f\u061c":         `\u200f\u061c`,
		"a\u2028b\u2029":       `a\u2028b\u2029`,
		"latin1 \xe9, \x9b":    `latin1 \xe9, \x9b`,
		"\ufffd":               "\ufffd",
	} {
		if got := printable(s); got != want {
			t.Errorf("%q is printed as %q, not %q", s, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		s := string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) + rapid.String().Draw(t, "text")
		got := printable(s)
		if !utf8.ValidString(got) || strings.ContainsFunc(got, func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }) {
			t.Fatalf("%q is printed as %q", s, got)
		}
		if printable(got) != got {
			t.Fatalf("%q changes when it is printed again", got)
		}
	})
}

func TestCauseText(t *testing.T) {
	one, two := errors.New("one"), errors.New("two")
	for want, err := range map[string]error{
		"one":                     one,
		"one; two":                errors.Join(one, two),
		"about: one; two":         fmt.Errorf("about: %w", errors.Join(one, two)),
		"one: two":                fmt.Errorf("%w: %w", one, two),
		"one; one; two; two: one": errors.Join(one, errors.Join(one, two), fmt.Errorf("%w: %w", two, one)),
	} {
		if got := causeText(err); got != want {
			t.Errorf("got %q, not %q", got, want)
		}
	}
}

// No name of a file, a column, an arm or a level reaches a message raw.
func TestMessagesArePrintable(t *testing.T) {
	const evil = "é\x1b[31m\u202eevil\n"
	dir := t.TempDir()
	path := filepath.Join(dir, evil+".parquet")
	rows := events(6)
	for i := range rows {
		rows[i].Arm = evil + "b" // near to a declared one
		rows[i].Land = new(evil)
	}
	rows[1].Round, rows[3].P = rows[0].Round, 2
	writeParquet(t, path, rows)
	p := protocol()
	p.Arms = []string{evil + "a"}
	missing := protocol()
	missing.Log.Reward = evil
	carried := protocol()
	carried.Log.Ties = evil
	big := protocol()
	big.Log.Order = []string{"round"}
	_, _, rules := ingestAll(t, p, Options{}, dir)
	_, _, column := ingestAll(t, missing, Options{}, dir)
	_, _, protocol := ingestAll(t, carried, Options{}, dir)
	_, _, memory := ingestAll(t, big, Options{MaxMemory: 1 << 10}, dir)
	_, absent := Discover(t.Context(), []string{filepath.Join(dir, evil)})
	_, twice := Discover(t.Context(), []string{path, dir})
	if err := os.WriteFile(path, []byte("no Parquet"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, _, damaged := ingestAll(t, missing, Options{}, dir)
	_, _, none := Open(filepath.Join(dir, evil))
	for name, err := range map[string]error{"rules": rules, "column": column, "protocol": protocol, "memory": memory, "absent": absent, "twice": twice, "damaged": damaged, "no tableau": none} {
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		lines := strings.Split(err.Error(), "\n") // one for each fault
		if n := max(1, len(inputErrors(err))); len(lines) != n {
			t.Errorf("%s: %d lines of %d faults", name, len(lines), n)
		}
		for _, line := range lines {
			if strings.ContainsFunc(line, treacherous) || !strings.Contains(line, "é") {
				t.Errorf("%s: %q", name, line)
			}
		}
	}
	if at := (Place{File: evil}).String(); strings.ContainsFunc(at, treacherous) {
		t.Errorf("a place: %q", at)
	}
}
