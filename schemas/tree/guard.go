package tree

import (
	"fmt"
	"unicode/utf8"

	"github.com/goccy/go-yaml/token"
)

// Bounds on a protocol's text. The YAML parser recurses once per level and
// takes time quadratic in the number of tokens: without these a megabyte of
// quotation marks takes a minute and a megabyte of brackets all of the stack.
const (
	MaxBytes  = 1 << 20
	maxTokens = 50_000
	maxDepth  = 24
	maxIndent = 200
)

// readable reports whether src is text of a bearable size.
func (r *textParser) readable(src []byte) bool {
	if len(src) > MaxBytes {
		r.report(Place{}, fmt.Sprintf("the protocol is longer than %d bytes", MaxBytes), "that is the bound on its size", "check that this file is a protocol")
		return false
	}
	line, col := 1, 1
	for rest := src; len(rest) > 0; {
		c, size := utf8.DecodeRune(rest)
		switch {
		case c == 0:
			r.report(Place{line, col}, "a zero byte", "a protocol is YAML in UTF-8, which has none", "save the file as UTF-8, or check that it is a protocol")
			return false
		case c == utf8.RuneError && size == 1:
			r.report(Place{line, col}, "a byte that is not UTF-8 text", "a protocol is YAML in UTF-8", "save the file as UTF-8, or check that it is a protocol")
			return false
		case c == '\n':
			line, col = line+1, 0
		}
		col++
		rest = rest[size:]
	}
	return true
}

// guard refuses what a protocol has no use for before the parser recurses
// into it.
func (r *textParser) guard(tokens token.Tokens) {
	if len(tokens) > maxTokens {
		r.report(tokenPlace(tokens[maxTokens]), fmt.Sprintf("the protocol has more than %d words and marks", maxTokens), "that is the bound on its size", "check that this file is a protocol")
		return
	}
	depth := 0
	for _, t := range tokens {
		switch t.Type {
		case token.SequenceStartType, token.MappingStartType:
			depth++
		case token.SequenceEndType, token.MappingEndType:
			depth--
		default:
		}
		if depth > maxDepth || (t.Type == token.SequenceEntryType && t.Position.Column > maxIndent) {
			r.tooDeep(tokenPlace(t))
			return
		}
		if name, mend := refused(t.Type); name != "" {
			r.report(tokenPlace(t), name+" is not allowed here", "a protocol must read the same to every eye", mend)
		}
	}
}

func (r *textParser) tooDeep(at Place) {
	r.report(at, "the nesting is too deep", fmt.Sprintf("a protocol has at most %d levels", maxDepth), "check the brackets and the indentation before this place")
}

// refused names the YAML constructs that a protocol may not use.
func refused(t token.Type) (name, mend string) {
	switch t {
	case token.AnchorType:
		return "an anchor (&)", "write the value out where it is used"
	case token.AliasType:
		return "an alias (*)", "write the value out, or quote the text"
	case token.MergeKeyType:
		return "a merge key (<<)", "write the keys out"
	case token.TagType:
		return "a tag (!)", "delete the tag, or quote the text"
	case token.DirectiveType:
		return "a directive (%)", "delete the line, or quote the text"
	case token.MappingKeyType:
		return "an explicit key (?)", "write key: value, or quote the text"
	default:
		return "", ""
	}
}
