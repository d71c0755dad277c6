package schemas

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestTextThatIsNoProtocol(t *testing.T) {
	for _, tc := range []struct{ name, src, want string }{
		{"empty", "", "p.yaml:1:1: the protocol is empty (it must declare version, experiment, log and reward); start from the example in the README"},
		{"comments only", "# nothing\n", "p.yaml:1:1: the protocol is empty (it must declare version, experiment, log and reward); start from the example in the README"},
		{"a word", "hello\n", `p.yaml:1:1: the protocol is "hello" (it must be a mapping of keys such as version and log); start the file with version: 1`},
		{"a list", "- a\n- b\n", "p.yaml:1:1: the protocol is a list (it must be a mapping of keys such as version and log); start the file with version: 1"},
		{"null", "~\n", "p.yaml:1:1: the protocol is empty (it must be a mapping of keys such as version and log); start the file with version: 1"},
		{"not UTF-8", "version: 1\na: \xff\n", "p.yaml:2:4: a byte that is not UTF-8 text (a protocol is YAML in UTF-8); save the file as UTF-8, or check that it is a protocol"},
		{"a zero byte in quotes", `arms: ["a\0x", b]`, "p.yaml:1:8: a text with a zero byte (no label of a log, no column and no path has one); write it without \\0"},
		{"a zero byte", "a: \x00\n", "p.yaml:1:4: a zero byte (a protocol is YAML in UTF-8, which has none); save the file as UTF-8, or check that it is a protocol"},
		{"too long", strings.Repeat("#", MaxProtocolBytes+1), "p.yaml: the protocol is longer than 1048576 bytes (that is the bound on its size); check that this file is a protocol"},
		{"too many words", "a: [" + strings.Repeat("1,", 50_000) + "]", "p.yaml:1:50002: the protocol has more than 50000 words and marks (that is the bound on its size); check that this file is a protocol"},
		{"too deep in brackets", "a: " + strings.Repeat("[", 24+1), "p.yaml:1:28: the nesting is too deep (a protocol has at most 24 levels); check the brackets and the indentation before this place"},
		{"too deep in dashes", "a:\n" + strings.Repeat("- ", 24+1) + "x\n", "p.yaml:2:49: the nesting is too deep (a protocol has at most 24 levels); check the brackets and the indentation before this place"},
		{"far too deep in dashes", strings.Repeat("- ", 200) + "x\n", "p.yaml:1:201: the nesting is too deep (a protocol has at most 24 levels); check the brackets and the indentation before this place"},
		{"two documents", "version: 1\n---\nversion: 1\n", "p.yaml:2:1: a second document starts here (a protocol is one YAML document); keep one, and put the others in files of their own"},
	} {
		got := messages(standard().ParseProtocol("p.yaml", []byte(tc.src)))
		if d := cmp.Diff([]string{tc.want}, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, d)
		}
	}
}

// TestHostileTextEndsSoon reads texts that would take the parser minutes, or
// all of the stack, without the bounds. The limit is thirty times what they
// take on a slow machine; without bounds it is passed many times over.
func TestHostileTextEndsSoon(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out twenty megabytes of hostile text; the full run has them")
	}
	for _, piece := range []string{"[", "{a: ", "- ", "? ", "!a ", "\"", "a:\n", "a: 1\n", "a\n", "---\n", "&a ", "'", "{", "a: b: ", "|\n", "\t", "\n", " ", "%a\n", "- a\n", "[a]: "} {
		n := MaxProtocolBytes / len(piece)
		start := time.Now() //nolint:forbidigo // A test of how long reading takes.
		problems := messages(standard().ParseProtocol("p.yaml", []byte(strings.Repeat(piece, n))))
		if took := time.Since(start); took > 15*time.Second { //nolint:forbidigo // As above.
			t.Errorf("%d times %q took %v", n, piece, took)
		}
		if len(problems) == 0 {
			t.Errorf("%d times %q is a protocol", n, piece)
		}
	}
}

// TestWaysToWriteYAML reads the same protocol with a byte order mark, with
// carriage returns, with a document mark, in one line, and as JSON.
func TestWaysToWriteYAML(t *testing.T) {
	const plain = "version: 1\nexperiment: {id: é}\nlog: {order: t, action: a, reward: r}\nreward: {range: [0, 1]}\n"
	want, err := standard().ParseProtocol("p.yaml", []byte(plain))
	if err != nil {
		t.Fatal(err)
	}
	for name, src := range map[string]string{
		"byte order mark": "\ufeff" + plain,
		"carriage return": strings.ReplaceAll(plain, "\n", "\r\n"),
		"document mark":   "---\n" + plain + "...\n",
		"no final line":   strings.TrimSuffix(plain, "\n"),
		"comments":        "# a\n" + strings.ReplaceAll(plain, "\n", " # b\n"),
		"one line":        "{version: 1, experiment: {id: é}, log: {order: [t], action: a, reward: r}, reward: {range: [0, 1]}}",
		"JSON":            `{"version":1,"experiment":{"id":"\u00e9"},"log":{"order":["t"],"action":"a","reward":"r"},"reward":{"range":[0,1]}}`,
		"block":           "version: 1\nexperiment:\n  id: 'é'\nlog:\n  order:\n  - t\n  action: a\n  reward: r\nreward:\n  range:\n    - 0\n    - 1\n",
	} {
		got, err := standard().ParseProtocol("p.yaml", []byte(src))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if d := cmp.Diff(want.Protocol, got.Protocol); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}
