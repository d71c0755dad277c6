package protocolinit

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
)

// hostileTexts are names that a writer of YAML could get wrong.
func hostileTexts() []string {
	return []string{
		"a", "user_id", "ctx.age", "y", "No", "NULL", "~", "true", "1", "-1", "1.5", "1e5", "0x10", "0o7", "1_000", ".inf", ".NaN", "2026-11-01", "12:30", "=", "<<",
		"", " ", " a", "a ", "a b", "a: b", "a #b", "#a", "- a", "[a]", "{a: b}", "a, b", "&a", "*a", "!a", "|", ">", "%a", "@a", "`a`", "'a'", `"a"`, `\`, `a\nb`,
		"a\nb", "a\tb", "a\x00b", "\x7f", "\u0085", "\u00a0", "\u2028", "\u202eabc", "\ufeff", "\u200b", "ünï", "日本", "😀", "\U000e0041", "\xff", "a\xc3", "?", "? a", "---", "...", "a.", "e5", "Inf",
	}
}

// reads what YAML makes of a text, in a block and in a flow.
func checkYAML(t *testing.T, text string, write func(string) string) {
	t.Helper()
	want := strings.ToValidUTF8(text, string(utf8.RuneError))
	var got struct {
		Block string
		Flow  []string
		Map   map[string]string
	}
	source := "block: " + write(text) + " # a comment\nflow: [" + write(text) + ", " + write(text) + "]\nmap: {k: " + write(text) + "}\n"
	if err := yaml.Unmarshal([]byte(source), &got); err != nil {
		t.Fatalf("%q: %v in\n%s", text, err, source)
	}
	if got.Block != want || len(got.Flow) != 2 || got.Flow[0] != want || got.Flow[1] != want || got.Map["k"] != want {
		t.Errorf("%q reads as %q in\n%s", text, got, source)
	}
	for _, r := range write(text) {
		if unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) {
			t.Errorf("%q is written with %U", text, r)
		}
	}
}

func TestYAMLText(t *testing.T) {
	for _, text := range hostileTexts() {
		checkYAML(t, text, yamlText)
	}
	for text, want := range map[string]string{"user_id": "user_id", "ctx.age": "ctx.age", "y": `"y"`, "7": `"7"`, "a\n": `"a\x0a"`, "ü": `"ü"`} {
		if got := yamlText(text); got != want {
			t.Errorf("%q: %s", text, got)
		}
	}
	for text, want := range map[string]string{"7": "7", "-7": "-7", "0": "0", "07": `"07"`, "-0": `"-0"`, "1e5": `"1e5"`, "1234567890123456789": `"1234567890123456789"`} {
		if got := yamlLabel(text); got != want {
			t.Errorf("label %q: %s", text, got)
		}
	}
}

func FuzzYAMLText(f *testing.F) {
	for _, text := range hostileTexts() {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		checkYAML(t, text, yamlText)
	})
}
