package compare

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
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

// First compares two files from their beginning, and holds neither; nil where they are
// equal, byte for byte. name says by its ending what they are: JSON is compared by its
// values, text by its lines, all else by its bytes. The error is of reading.
func First(name string, a, b io.ReadSeeker) (*Difference, error) {
	isJSON := strings.HasSuffix(name, ".json")
	if isJSON {
		if d := JSON(bufio.NewReader(a), bufio.NewReader(b)); d != nil {
			return d, nil
		}
		_, errA := a.Seek(0, io.SeekStart)
		if _, errB := b.Seek(0, io.SeekStart); errA != nil || errB != nil {
			return nil, errors.Join(errA, errB)
		}
	}
	return unlike(bufio.NewReader(a), bufio.NewReader(b), !isJSON && !strings.HasSuffix(name, ".parquet"))
}

// unlike is the first line that differs, or where lines do not, or are not asked for, the
// first byte; nil where none does.
func unlike(a, b *bufio.Reader, lines bool) (*Difference, error) {
	var start []byte // of the line, as far as it is shown
	for n, line := 1, 1; ; n++ {
		x, errA := a.ReadByte()
		y, errB := b.ReadByte()
		switch same := x == y && (errA == nil) == (errB == nil); {
		case errA != nil && !errors.Is(errA, io.EOF), errB != nil && !errors.Is(errB, io.EOF):
			return nil, errors.Join(errA, errB)
		case same && errA != nil:
			return nil, nil //nolint:nilnil,nilerr // both end here
		case same && x == '\n':
			line, start = line+1, start[:0]
		case same && len(start) <= longest:
			start = append(start, x)
		case !same:
			d := &Difference{"byte " + strconv.Itoa(n), oneByte(x, errA), oneByte(y, errB)}
			if left, right := lineOf(a, start, x, errA), lineOf(b, start, y, errB); lines && left != right {
				d = &Difference{"line " + strconv.Itoa(line), left, right}
			}
			return d, nil
		}
	}
}

// oneByte is a byte in a message; nothing at the end of a file.
func oneByte(x byte, end error) string {
	if end != nil {
		return nothing
	}
	return fmt.Sprintf("0x%02x", x)
}

// lineOf is the line of which start and the byte x were read, as it is shown; nothing
// where the file ends before it.
func lineOf(r *bufio.Reader, start []byte, x byte, end error) string {
	if end != nil && len(start) == 0 {
		return nothing
	}
	line := bytes.Clone(start)
	for end == nil && x != '\n' && len(line) <= longest {
		line = append(line, x)
		x, end = r.ReadByte()
	}
	return cut(string(line))
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
func Escape(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}

// Unescape is the name that Escape was given.
func Unescape(part string) string {
	return strings.ReplaceAll(strings.ReplaceAll(part, "~1", "/"), "~0", "~")
}

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
