package protocolinit

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// plainText is what YAML reads as the same text without quotes, wherever it
// stands: it begins with a letter, and no character of it means anything.
var plainText = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.-]*$`)

// yamlText writes a text as a YAML scalar that is read as that text, by YAML
// 1.1 and 1.2, in blocks and in flows, and shows on a terminal as nothing else.
// Special cases are:
//
//	true, no, null, inf and their like are quoted
//	numbers are quoted
//	control characters, direction marks and what is not printable are escaped
//	bytes that are not UTF-8 become U+FFFD, since YAML has no way to write them
func yamlText(s string) string {
	reserved := []string{"true", "false", "null", "yes", "no", "on", "off", "y", "n", "inf", "nan", "infinity"}
	if plainText.MatchString(s) && !slices.Contains(reserved, strings.ToLower(s)) {
		return s
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range strings.ToValidUTF8(s, string(utf8.RuneError)) {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case unicode.IsPrint(r) && !unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp):
			b.WriteRune(r)
		case r <= 0xff:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r <= 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// yamlList writes texts as a flow sequence.
func yamlList(texts []string) string {
	quoted := make([]string, len(texts))
	for i, t := range texts {
		quoted[i] = yamlText(t)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// wholeLabel is a label that the protocol's reader takes as it is written,
// though YAML takes it for a number.
var wholeLabel = regexp.MustCompile(`^(0|-?[1-9][0-9]{0,17})$`)

// yamlLabel is yamlText for labels, of which whole numbers need no quotes.
func yamlLabel(s string) string {
	if wholeLabel.MatchString(s) {
		return s
	}
	return yamlText(s)
}

// yamlLabels writes labels as a flow sequence.
func yamlLabels(labels []string) string {
	written := make([]string, len(labels))
	for i, l := range labels {
		written[i] = yamlLabel(l)
	}
	return "[" + strings.Join(written, ", ") + "]"
}
