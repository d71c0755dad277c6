package schemas

import (
	"bytes"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// shape is a compiled schema in a form that a text is held against as it stands, without a
// tree of its values: what it says of the keywords that the schemas here have. It says yes
// or nothing: where it says nothing, [Form.Check] decides, and words what is wrong.
type shape struct {
	all, any    []*shape // that a value must have: all, and one where there are some
	types       []string // nil: any
	properties  map[string]property
	required    uint64 // bits of properties
	items       *shape
	least, most int // items; a negative most: as many as there are
	runes       int // of a string, at least
	pattern     jsonschema.Regexp
	words       []any // one of which a string is; nil: any
	ends        []end
}

// property is one of an object, with a bit of its own.
type property struct {
	bit   uint64
	shape *shape
}

// end is one of a range: side·v must be at most side·at, or less where it is open.
type end struct {
	at, side float64
	open     bool
}

// newShape reads a schema; nil where it has a keyword that is not known here. Shapes that
// were begun are in known.
func newShape(s *jsonschema.Schema, known map[*jsonschema.Schema]*shape) *shape {
	if out, begun := known[s]; begun {
		return out
	}
	out := &shape{most: -1}
	known[s] = out
	ok := plainSchema(s)
	part := func(of *jsonschema.Schema) *shape {
		sub := newShape(of, known)
		ok = ok && sub != nil
		return sub
	}
	if s.Ref != nil {
		out.all = append(out.all, part(s.Ref))
	}
	for _, of := range s.AnyOf {
		out.any = append(out.any, part(of))
	}
	if s.Types != nil {
		out.types = s.Types.ToStrings()
	}
	if s.Properties != nil {
		ok = ok && s.AdditionalProperties == false && len(s.Properties) <= 64
		out.properties = map[string]property{}
		for name, of := range s.Properties {
			out.properties[name] = property{1 << len(out.properties), part(of)}
		}
	}
	for _, name := range s.Required {
		out.required |= out.properties[name].bit
	}
	if s.Items2020 != nil {
		out.items = part(s.Items2020)
	}
	out.values(s)
	if !ok {
		known[s] = nil
		return nil
	}
	return out
}

// values reads what a schema says of texts, numbers and lengths.
func (s *shape) values(of *jsonschema.Schema) {
	for _, n := range []struct{ to, from *int }{{&s.least, of.MinItems}, {&s.most, of.MaxItems}, {&s.runes, of.MinLength}} {
		if n.from != nil {
			*n.to = *n.from
		}
	}
	s.pattern = of.Pattern
	if of.Enum != nil {
		s.words = of.Enum.Values
	}
	if of.Const != nil {
		s.words = append(s.words, *of.Const)
	}
	if s.words != nil && s.types == nil {
		s.types = []string{"string"} // of other words nothing is known
	}
	for _, e := range []struct {
		at   *big.Rat
		side float64
		open bool
	}{{of.Minimum, -1, false}, {of.Maximum, 1, false}, {of.ExclusiveMinimum, -1, true}, {of.ExclusiveMaximum, 1, true}} {
		if e.at != nil {
			at, _ := e.at.Float64()
			s.ends = append(s.ends, end{at, e.side, e.open})
		}
	}
}

// plainSchema reports whether a schema has no keyword but those that shapes know.
func plainSchema(s *jsonschema.Schema) bool {
	known := []string{
		"DraftVersion", "Location", "ID", "Anchor", "Title", "Description", "Default", "Comment", "Ref", "AnyOf", "Types", "Properties", "AdditionalProperties",
		"Required", "Items2020", "MinItems", "MaxItems", "MinLength", "Pattern", "Enum", "Const", "Minimum", "Maximum", "ExclusiveMinimum", "ExclusiveMaximum",
	}
	v := reflect.ValueOf(s).Elem()
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.IsExported() && !v.Field(i).IsZero() && !slices.Contains(known, f.Name) {
			return false
		}
	}
	return len(s.Required) == 0 || s.Properties != nil
}

// fits reports whether a text that is JSON has the form, is UTF-8, holds no key twice and
// has nothing behind it. Where it says no, or the text is no JSON, nothing is known.
func (s *shape) fits(b []byte) bool {
	if s == nil || !utf8.Valid(b) {
		return false
	}
	t := held(b)
	at := t.value(s, t.blank(0), 0)
	return at > 0 && t.blank(at) == len(t)
}

// held is a text that is held against shapes. Its methods are given the place of a value
// and return the one behind it, or −1 where it is not known to have the shape.
type held []byte

// deepest bounds the nesting of values.
const deepest = 64

func (t held) value(s *shape, at, depth int) int {
	if s == nil || at < 0 || at >= len(t) || depth > deepest {
		return -1
	}
	end := 0
	for _, of := range s.all {
		if end = t.value(of, at, depth+1); end < 0 {
			return -1
		}
	}
	if len(s.any) > 0 {
		end = -1
		for _, of := range s.any {
			if end = t.value(of, at, depth+1); end > 0 {
				break
			}
		}
	}
	if end != 0 && s.types == nil { // nothing else is asked where another shape is
		return end
	}
	switch c := t[at]; {
	case c == '{' && s.has("object"):
		return t.object(s, at+1, depth)
	case c == '[' && s.has("array"):
		return t.array(s, at+1, depth)
	case c == '"' && s.has("string"):
		return t.text(s, at)
	case c == 't' && s.has("boolean"):
		return t.literal("true", at)
	case c == 'f' && s.has("boolean"):
		return t.literal("false", at)
	case c == 'n' && s.has("null"):
		return t.literal("null", at)
	case c == '-' || '0' <= c && c <= '9':
		return t.number(s, at)
	}
	return -1
}

func (s *shape) has(kind string) bool { return slices.Contains(s.types, kind) }

// blank is the first place from at on that is no blank.
func (t held) blank(at int) int {
	for at < len(t) && bytes.IndexByte([]byte(" \n\r\t"), t[at]) >= 0 {
		at++
	}
	return at
}

// next is behind a mark at a place, and the blanks around it.
func (t held) next(mark byte, at int) int {
	if at = t.blank(at); at >= len(t) || t[at] != mark {
		return -1
	}
	return t.blank(at + 1)
}

func (t held) literal(word string, at int) int {
	if !bytes.HasPrefix(t[at:], []byte(word)) {
		return -1
	}
	return at + len(word)
}

func (t held) object(s *shape, at, depth int) int {
	seen := uint64(0)
	if at = t.blank(at); at < len(t) && t[at] == '}' && s.properties != nil && s.required == 0 {
		return at + 1
	}
	for at >= 0 && at < len(t) && t[at] == '"' {
		end := bytes.IndexByte(t[at+1:], '"') + at + 1
		p := s.properties[string(t[at+1:max(end, at+1)])] // no property has a key with \
		if p.bit == 0 || seen&p.bit != 0 {
			return -1
		}
		seen |= p.bit
		if at = t.value(p.shape, t.next(':', end+1), depth+1); at < 0 {
			return -1
		}
		if at = t.blank(at); at < len(t) && t[at] == '}' && seen&s.required == s.required {
			return at + 1
		}
		at = t.next(',', at)
	}
	return -1
}

func (t held) array(s *shape, at, depth int) int {
	if at = t.blank(at); at < len(t) && t[at] == ']' && s.least == 0 {
		return at + 1
	}
	for n := 1; at >= 0; n++ {
		if at = t.value(s.items, at, depth+1); at < 0 || s.most >= 0 && n > s.most {
			return -1
		}
		if at = t.blank(at); at < len(t) && t[at] == ']' && n >= s.least {
			return at + 1
		}
		at = t.next(',', at)
	}
	return -1
}

// text is a string. Of one with an escape it is known only that it is one.
func (t held) text(s *shape, at int) int {
	escaped := false
	for end := at + 1; end < len(t); end++ {
		switch t[end] {
		case '\\':
			escaped = true
			end++
		case '"':
			inside := t[at+1 : end]
			plain := s.runes == 0 && s.pattern == nil && s.words == nil
			if !plain && (escaped || !s.says(string(inside))) {
				return -1
			}
			return end + 1
		}
	}
	return -1
}

// says reports whether a string is one of the shape.
func (s *shape) says(v string) bool {
	return utf8.RuneCountInString(v) >= s.runes && (s.words == nil || slices.Contains(s.words, any(v))) && (s.pattern == nil || s.pattern.MatchString(v))
}

// number is a number that is clearly within the range: what rounding could take to one of
// its ends is not known to be.
func (t held) number(s *shape, at int) int {
	end, whole := at, true
	for end < len(t) && bytes.IndexByte([]byte("+-.0123456789Ee"), t[end]) >= 0 {
		whole = whole && t[end] != '.' && t[end]|' ' != 'e'
		end++
	}
	if s.words != nil || !s.has("number") && (!whole || !s.has("integer")) {
		return -1
	}
	const exact = 15 // digits that no two float64 share
	text := string(t[at:end])
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || v == 0 && text != "0" {
		return -1
	}
	for _, e := range s.ends {
		if !(e.side*v < e.side*e.at) && (e.open || v != e.at || len(text) > exact) {
			return -1
		}
	}
	return end
}
