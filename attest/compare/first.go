package compare

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Difference is the first place in which two documents differ. At is a JSON pointer, or
// a line or a byte in words where the documents are no JSON. A and B are what stands
// there, cut where it is long; "nothing" where nothing does.
type Difference struct {
	At string `json:"at"`
	A  string `json:"a"`
	B  string `json:"b"`
}

// nothing stands where one document has nothing.
const nothing = "nothing"

// Whole reports whether a list or an object stands on one side.
func (d *Difference) Whole() bool {
	return strings.HasPrefix(d.A, "{") || strings.HasPrefix(d.B, "{") || strings.HasPrefix(d.A, "[") || strings.HasPrefix(d.B, "[")
}

// longest is how much of a value is shown.
const longest = 200

// First compares two documents; nil where they are equal, byte for byte. name says by its
// ending what they are: JSON is compared by its values, text by its lines, all else by
// its bytes.
func First(name string, a, b []byte) *Difference {
	switch {
	case bytes.Equal(a, b):
		return nil
	case strings.HasSuffix(name, ".json"):
		if d := JSON(bytes.NewReader(a), bytes.NewReader(b)); d != nil {
			return d
		}
		return unlike(a, b)
	case strings.HasSuffix(name, ".parquet"):
		return unlike(a, b)
	}
	return lines(a, b)
}

// unlike is the first byte that differs.
func unlike(a, b []byte) *Difference {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	one := func(text []byte) string {
		if n == len(text) {
			return nothing
		}
		return fmt.Sprintf("0x%02x", text[n])
	}
	return &Difference{"byte " + strconv.Itoa(n+1), one(a), one(b)}
}

// lines is the first line that differs.
func lines(a, b []byte) *Difference {
	left, right := strings.SplitAfter(string(a), "\n"), strings.SplitAfter(string(b), "\n")
	n := 0
	for n < len(left) && n < len(right) && left[n] == right[n] {
		n++
	}
	one := func(all []string) string {
		if n >= len(all) || all[n] == "" {
			return nothing
		}
		return cut(strings.TrimSuffix(all[n], "\n"))
	}
	d := &Difference{"line " + strconv.Itoa(n+1), one(left), one(right)}
	if d.A == d.B {
		return unlike(a, b)
	}
	return d
}

// cut is the beginning of a value.
func cut(text string) string {
	if len(text) <= longest {
		return text
	}
	return strings.ToValidUTF8(text[:longest], "") + "…"
}

// JSON compares two JSON documents in one pass over both, and holds neither. It returns
// nil where their values are equal, in the same order of members and with numbers in the
// same spelling. What is no JSON differs where it breaks off.
func JSON(a, b io.Reader) *Difference { return Meaning(a, b, nil) }

// Meaning is as JSON, where same may say of two values, as they are spelled at a place,
// that they are one.
func Meaning(a, b io.Reader, same func(at, a, b string) bool) *Difference {
	w := &walker{json.NewDecoder(a), json.NewDecoder(b), same}
	w.a.UseNumber()
	w.b.UseNumber()
	return w.value("")
}

// walker goes through two documents in step.
type walker struct {
	a, b *json.Decoder
	same func(at, a, b string) bool // nil: only in one spelling
}

// next is the next token of both, as text.
func (w *walker) next(at string) (json.Token, *Difference) {
	x, errA := w.a.Token()
	y, errB := w.b.Token()
	left, right := shown(x, errA), shown(y, errB)
	if errA != nil || left != right && (errB != nil || w.same == nil || !w.same(at, left, right)) {
		return nil, &Difference{at, whole(x, errA), whole(y, errB)}
	}
	return x, nil
}

// shown is a token as text.
func shown(t json.Token, err error) string {
	if err != nil {
		return nothing
	}
	if d, ok := t.(json.Delim); ok {
		return d.String()
	}
	b, err := json.Marshal(t)
	if err != nil {
		return nothing
	}
	return string(b)
}

// whole is what a token stands for in a message: of a list or an object only its kind.
func whole(t json.Token, err error) string {
	switch text := shown(t, err); text {
	case "{":
		return "an object"
	case "[":
		return "a list"
	case "}", "]":
		return nothing
	default:
		return cut(text)
	}
}

// value compares the next value of both.
func (w *walker) value(at string) *Difference {
	t, d := w.next(at)
	if d != nil {
		return d
	}
	switch t {
	case json.Delim('{'):
		return w.object(at)
	case json.Delim('['):
		return w.list(at)
	}
	return nil
}

func (w *walker) object(at string) *Difference {
	for w.a.More() && w.b.More() {
		x, errA := w.a.Token()
		y, errB := w.b.Token()
		left, right := shown(x, errA), shown(y, errB)
		if left != right || errA != nil {
			return &Difference{at + "/" + member(x), "the member " + cut(left), "the member " + cut(right)}
		}
		if d := w.value(at + "/" + member(x)); d != nil {
			return d
		}
	}
	if w.a.More() != w.b.More() {
		return w.more(at)
	}
	return w.end(at)
}

// more is the member that one of both objects has more. What is no JSON has none.
func (w *walker) more(at string) *Difference {
	longer := w.a
	if w.b.More() {
		longer = w.b
	}
	key, err := longer.Token()
	if err != nil {
		return &Difference{at, nothing, nothing}
	}
	d := &Difference{at + "/" + member(key), nothing, nothing}
	value := whole(longer.Token())
	if longer == w.a {
		d.A = value
	} else {
		d.B = value
	}
	return d
}

// member is a key as a part of a JSON pointer.
func member(t json.Token) string {
	key, _ := t.(string) // the token of a key is one
	return Escape(key)
}

// Escape is a name as a part of a JSON pointer.
func Escape(name string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(name) }

func (w *walker) list(at string) *Difference {
	i := 0
	for ; w.a.More() && w.b.More(); i++ {
		if d := w.value(at + "/" + strconv.Itoa(i)); d != nil {
			return d
		}
	}
	return w.end(at + "/" + strconv.Itoa(i))
}

// end reads what closes an object or a list, or what one of both has more.
func (w *walker) end(at string) *Difference {
	_, d := w.next(at)
	return d
}
