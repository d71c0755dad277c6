package schemas

import (
	"bytes"
	"encoding"
	"encoding/json"
	"io"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// text is JSON while it is written: what json.Encoder writes without escaping HTML, with two
// blanks of indentation and [] for a nil slice.
//
// No library writes it: github.com/go-json-experiment/json v1.27.2 takes 2.2 times the
// processor time to stream experiments (BenchmarkEncode, go1.26.8). It gives the same bytes
// but for texts that are not UTF-8.
type text struct {
	to      io.Writer // where pieces go; nil: all is kept
	b       []byte    // what did not go there
	line    []byte    // how a line begins: the end of the one before, and blanks
	invalid error     // a value has no JSON
	failed  error     // of to
}

// pieceBytes is how much text is kept before it is handed on.
const pieceBytes = 1 << 15

// writing writes a value of one type.
type writing func(x *text, v reflect.Value)

// writings holds the writings that were made, by type: a reflect.Type and its writing.
var writings sync.Map //nolint:gochecknoglobals // what is made of a type depends on nothing else

func writingOf(t reflect.Type) writing {
	known, ok := writings.Load(t)
	if !ok {
		known, _ = writings.LoadOrStore(t, maker{}.of(t))
	}
	return known.(writing) //nolint:forcetypeassert // as it was stored
}

// value writes any value.
func (x *text) value(v reflect.Value) {
	if !v.IsValid() {
		x.put("null")
		return
	}
	writingOf(v.Type())(x, v)
}

func (x *text) put(s string) { x.b = append(x.b, s...) }

// open begins an object or a list, whose items stand on lines of their own.
func (x *text) open(bracket byte) {
	x.b, x.line = append(x.b, bracket), append(x.line, "  "...)
}

// empty reports whether nothing stands behind the bracket that was opened last.
func (x *text) empty() bool {
	n := len(x.b)
	return n > 0 && (x.b[n-1] == '{' || x.b[n-1] == '[')
}

// item begins the next item.
func (x *text) item() {
	if !x.empty() {
		x.b = append(x.b, ',')
	}
	x.b = append(x.b, x.line...)
}

func (x *text) end(bracket byte) {
	x.line = x.line[:len(x.line)-len("  ")]
	if !x.empty() {
		x.b = append(x.b, x.line...)
	}
	x.b = append(x.b, bracket)
}

// hand hands on what is kept, if it is more than so much.
func (x *text) hand(most int) {
	if x.to == nil || len(x.b) <= most || x.invalid != nil || x.failed != nil {
		return
	}
	_, x.failed = x.to.Write(x.b)
	x.b = x.b[:0]
}

// maker makes writings; a type may hold itself.
type maker map[reflect.Type]*writing

func (m maker) of(t reflect.Type) writing {
	if w, ok := m[t]; ok {
		return func(x *text, v reflect.Value) { (*w)(x, v) }
	}
	w := new(writing)
	m[t] = w
	*w = m.made(t)
	return *w
}

func (m maker) made(t reflect.Type) writing {
	switch {
	case t.Kind() == reflect.Pointer:
		return m.pointer(t.Elem())
	case t == reflect.TypeFor[Extended]():
		return (*text).number
	case writesItself(t), t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
		return (*text).itself
	}
	switch t.Kind() {
	case reflect.String:
		return (*text).quoted
	case reflect.Bool:
		return func(x *text, v reflect.Value) { x.b = strconv.AppendBool(x.b, v.Bool()) }
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return func(x *text, v reflect.Value) { x.b = strconv.AppendInt(x.b, v.Int(), 10) }
	case reflect.Float64:
		return (*text).number
	case reflect.Interface:
		return func(x *text, v reflect.Value) { x.value(v.Elem()) }
	case reflect.Struct:
		return m.object(t)
	case reflect.Slice, reflect.Array:
		return m.list(t.Elem())
	default:
		return (*text).itself
	}
}

func (m maker) pointer(t reflect.Type) writing {
	inner := m.of(t)
	return func(x *text, v reflect.Value) {
		if v.IsNil() {
			x.put("null")
			return
		}
		inner(x, v.Elem())
	}
}

func (m maker) list(t reflect.Type) writing {
	inner := m.of(t)
	return func(x *text, v reflect.Value) {
		x.open('[')
		for i := range v.Len() {
			x.item()
			inner(x, v.Index(i))
			x.hand(pieceBytes)
		}
		x.end(']')
	}
}

// field is a member of an object.
type field struct {
	index   []int  // of reflect's fields, through those that are embedded
	key     string // as it is written
	absent  func(reflect.Value) bool
	writing writing
}

func (m maker) object(t reflect.Type) writing {
	fields := m.fields(t, nil)
	return func(x *text, v reflect.Value) {
		x.open('{')
		for i := range fields {
			f := &fields[i]
			member, err := v.FieldByIndexErr(f.index)
			if err != nil || f.absent != nil && f.absent(member) {
				continue // err: below a pointer that is nil
			}
			x.item()
			x.put(f.key)
			f.writing(x, member)
		}
		x.end('}')
	}
}

// fields are the members of an object, with those of embedded ones, by the tags that say so.
func (m maker) fields(t reflect.Type, above []int) (out []field) {
	for i := range t.NumField() {
		f := t.Field(i)
		index := slices.Concat(above, []int{i})
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-" || !f.IsExported():
			continue
		case f.Anonymous && name == "":
			inner := f.Type
			if inner.Kind() == reflect.Pointer {
				inner = inner.Elem()
			}
			out = append(out, m.fields(inner, index)...)
			continue
		case name == "":
			name = f.Name
		}
		out = append(out, field{index, strconv.Quote(name) + ": ", absentBy(options), m.of(f.Type)})
	}
	return out
}

// absentBy says, by the options of a tag, which values are left out; nil: none.
func absentBy(options string) func(reflect.Value) bool {
	switch options {
	case "omitempty":
		return func(v reflect.Value) bool {
			switch v.Kind() {
			case reflect.Slice, reflect.Map, reflect.Array:
				return v.Len() == 0
			case reflect.Struct:
				return false
			default:
				return v.IsZero()
			}
		}
	case "omitzero":
		return func(v reflect.Value) bool {
			if z, ok := reflect.TypeAssert[interface{ IsZero() bool }](v); ok {
				return z.IsZero()
			}
			return v.IsZero()
		}
	}
	return nil
}

// writesItself reports whether values of a type decide on their own form.
func writesItself(t reflect.Type) bool {
	for _, form := range []reflect.Type{reflect.TypeFor[json.Marshaler](), reflect.TypeFor[encoding.TextMarshaler]()} {
		if t.Implements(form) || reflect.PointerTo(t).Implements(form) {
			return true
		}
	}
	return t == reflect.TypeFor[json.Number]()
}

// itself writes what json.Encoder does.
func (x *text) itself(v reflect.Value) {
	if v.CanAddr() {
		v = v.Addr()
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent(string(x.line[1:]), "  ")
	x.refuse(e.Encode(v.Interface()))
	x.b = append(x.b, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
}

// refuse keeps the first error of a value.
func (x *text) refuse(err error) {
	if x.invalid == nil {
		x.invalid = err
	}
}

// quoted writes a text, which as a rule stands in JSON as it is.
func (x *text) quoted(v reflect.Value) {
	s := v.String()
	if !plain(s) {
		x.itself(v)
		return
	}
	x.b = append(append(append(x.b, '"'), s...), '"')
}

func plain(s string) bool {
	ascii := true
	for i := range len(s) {
		switch c := s[i]; {
		case c < ' ' || c == '"' || c == '\\':
			return false
		case c >= utf8.RuneSelf:
			ascii = false
		}
	}
	return ascii || utf8.ValidString(s) && !strings.Contains(s, "\u2028") && !strings.Contains(s, "\u2029")
}

// number writes a number with the fewest digits that give it again.
func (x *text) number(v reflect.Value) {
	f, form := v.Float(), byte('f')
	switch size := math.Abs(f); {
	case math.IsNaN(f) || math.IsInf(f, 0):
		x.itself(v) // which says that a float64 has no JSON then
		return
	case size != 0 && (size < 1e-6 || size >= 1e21):
		form = 'e'
	}
	x.b = strconv.AppendFloat(x.b, f, form, -1, 64)
	if n := len(x.b); form == 'e' && string(x.b[n-4:n-1]) == "e-0" {
		x.b = append(x.b[:n-2], x.b[n-1])
	}
}
