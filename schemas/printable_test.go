package schemas

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestPrintable(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"plain", "arm-1 (blue)", "arm-1 (blue)"},
		{"empty", "", ""},
		{"accents and scripts stay", "Überschrift 日本語 ε≤½", "Überschrift 日本語 ε≤½"},
		{"newline", "a\nb", "a⟨U+000A⟩b"},
		{"control and escape", "\x00\x1b[31m", "⟨U+0000⟩⟨U+001B⟩[31m"},
		{"right-to-left override", "rtl\u202Egnp", "rtl⟨U+202E⟩gnp"},
		{"isolate", "\u2066x\u2069", "⟨U+2066⟩x⟨U+2069⟩"},
		{"zero width", "a\u200bb\ufeff", "a⟨U+200B⟩b⟨U+FEFF⟩"},
		{"line separator", "a\u2028b", "a⟨U+2028⟩b"},
		{"Hangul filler is a letter without a mark", "\u3164\u115f", "⟨U+3164⟩⟨U+115F⟩"},
		{"variation selector", "a\ufe0f", "a⟨U+FE0F⟩"},
		{"private use", "\ue000", "⟨U+E000⟩"},
		{"not UTF-8", "a\xffb", "a⟨0xFF⟩b"},
		{"a space that is none of ours", "a\u00a0b\u3000", "a⟨U+00A0⟩b⟨U+3000⟩"},
		{"next line and a tag", "\u0085\U000E0041", "⟨U+0085⟩⟨U+E0041⟩"},
		{"emoji and a letter with its mark stay", "🙂 e\u0301 −π \"x\"", "🙂 e\u0301 −π \"x\""},
		{"printed again", "a⟨U+202E⟩b", "a⟨U+202E⟩b"},
		{"replacement character that was logged", "a\ufffdb", "a\ufffdb"},
	} {
		if got := Printable(tc.in); got != tc.want {
			t.Errorf("%s: Printable(%q) = %q, want %q", tc.name, tc.in, got, tc.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		s := string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) + rapid.String().Draw(t, "text")
		got := Printable(s)
		if !utf8.ValidString(got) || strings.ContainsFunc(got, func(r rune) bool {
			return unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control, unicode.Cf, unicode.Zl, unicode.Zp)
		}) {
			t.Fatalf("%q is printed as %q", s, got)
		}
		if Printable(got) != got {
			t.Fatalf("%q changes when it is printed again", got)
		}
	})
}

func TestQuoted(t *testing.T) {
	for in, want := range map[string]string{
		"": `""`, "a b": `"a b"`, `say "x\y"`: `"say \"x\\y\""`, "a\u202eb\n": `"a⟨U+202E⟩b⟨U+000A⟩"`, "größe 好": `"größe 好"`, "\xff": `"⟨0xFF⟩"`,
	} {
		if got := Quoted(in); got != want {
			t.Errorf("Quoted(%q) = %s, want %s", in, got, want)
		}
	}
}
