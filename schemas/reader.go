package schemas

import (
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"banditaudit/schemas/near"
	"banditaudit/schemas/param"
	"banditaudit/schemas/tree"
)

// reader decodes nodes into Go values by their json tags. It goes on after a
// fault, so that all of them are reported at once.
type reader struct {
	catalogue *Catalogue

	file     string
	places   map[string]tree.Place // of every key path in the file
	filled   *likeFilled           // paths that policy.like fills in; nil: none
	faults   *marks                // paths whose value could not be read; rules keep silent about them
	required map[string]bool       // paths in the file of keys that have to be there
	words    map[string]string     // and the list of words of those that have one
	problems Problems
	warnings Problems
}

func newReader(c *Catalogue, file string) *reader {
	return &reader{catalogue: c, file: file, places: map[string]tree.Place{}, faults: newMarks(), required: map[string]bool{}, words: map[string]string{}}
}

func (r *reader) report(path string, at tree.Place, what, why, mend string) {
	r.problems = append(r.problems, Problem{File: r.file, Line: at.Line, Col: at.Col, Path: path, What: what, Why: why, Mend: mend})
}

// mistyped reports a value of the wrong kind and marks its path.
func (r *reader) mistyped(n *tree.Node, path, want, mend string) {
	r.faults.mark(path)
	if n.Kind == tree.Null || (n.Kind == tree.Scalar && n.Text == "") {
		if !r.required[path] { // without it there would be a problem again
			mend += ", or delete it"
		}
		r.report(path, n.At, path+" is empty", "it must be "+want, mend)
		return
	}
	r.report(path, n.At, path+" is "+n.Describe(shown), "it must be "+want, mend)
}

// decode fills v from the root of the file.
func (r *reader) decode(root *tree.Node, v any) {
	r.value(root, reflect.ValueOf(v).Elem(), "")
}

// value fills one Go value from a node.
func (r *reader) value(n *tree.Node, v reflect.Value, path string) {
	r.places[path] = n.At
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	if r.union(n, v.Addr().Interface(), path) {
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		r.structure(n, v, path)
	case reflect.Slice:
		r.list(n, v, path)
	case reflect.Map:
		r.numbers(n, v, path)
	case reflect.String:
		r.text(n, v, path)
	case reflect.Int, reflect.Int64:
		r.whole(n, v, path)
	case reflect.Float64:
		r.number(n, v, path)
	case reflect.Bool:
		r.truth(n, v, path)
	default:
		r.mistyped(n, path, "of a type that this reader does not know", "report this as a defect")
	}
}

// structure fills a struct from a mapping, by json tags.
func (r *reader) structure(n *tree.Node, v reflect.Value, path string) {
	if n.Kind != tree.Mapping {
		r.mistyped(n, path, "a mapping", "write its keys: "+strings.Join(keysOf(v.Type()), ", "))
		return
	}
	known := keysOf(v.Type())
	for _, f := range n.Fields {
		i := fieldOf(v.Type(), f.Key)
		if i < 0 {
			r.unknown(f, known, path)
			continue
		}
		at := join(path, f.Key)
		r.required[at] = !optional(v.Type().Field(i)) || v.Type().Field(i).Tag.Get(readerTag) == "needed"
		_, r.words[at], _ = strings.Cut(v.Type().Field(i).Tag.Get("schema"), "words=")
		if f.Value.Kind == tree.Scalar && v.Type().Field(i).Tag.Get("shape") == "one-or-list" {
			f.Value = &tree.Node{Kind: tree.Sequence, At: f.Value.At, Items: []*tree.Node{f.Value}}
		}
		r.value(f.Value, v.Field(i), at)
	}
}

// readerTag says of a key what its form does not: needed, though other forms go
// without it.
const readerTag = "reader"

// unknown reports a key that the mapping does not have. The closest known key
// counts as given, so that no rule calls it missing.
func (r *reader) unknown(f tree.Field, known []string, path string) {
	if r.later(f, path) {
		return
	}
	r.faults.mark(join(path, near.Closest(f.Key, known)))
	mend := "delete the key"
	if word := near.Word(f.Key, known); word != "" {
		mend = "write " + word + ", or delete the key"
	}
	where := "the protocol"
	if path != "" {
		where = path
	}
	r.report(join(path, f.Key), f.At, "unknown key "+shown(f.Key), where+" has no such key"+near.Among(f.Key, known, asWritten), mend)
}

func (r *reader) list(n *tree.Node, v reflect.Value, path string) {
	if n.Kind != tree.Sequence {
		r.mistyped(n, path, "a list", "write it in brackets: [..., ...]")
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), len(n.Items), len(n.Items)))
	for i, item := range n.Items {
		r.value(item, v.Index(i), path+"["+strconv.Itoa(i)+"]")
	}
}

// numbers fills a map from names to numbers.
func (r *reader) numbers(n *tree.Node, v reflect.Value, path string) {
	if n.Kind != tree.Mapping {
		r.mistyped(n, path, "a mapping of names to numbers", "write {name: number, ...}")
		return
	}
	v.Set(reflect.MakeMapWithSize(v.Type(), len(n.Fields)))
	for _, f := range n.Fields {
		x := reflect.New(v.Type().Elem()).Elem()
		r.value(f.Value, x, join(path, f.Key))
		v.SetMapIndex(reflect.ValueOf(f.Key), x)
	}
}

// text takes any scalar as it is written, so that arms and columns may be
// named 1 or true without quotes. See mayBeEmpty.
func (r *reader) text(n *tree.Node, v reflect.Value, path string) {
	if n.Kind != tree.Scalar || n.Text == "" && !mayBeEmpty(n, path) {
		if words := r.words[path]; words != "" {
			list := strings.ReplaceAll(words, "|", ", ")
			r.mistyped(n, path, "one of "+list, "write one of these")
			return
		}
		if n.Kind == tree.Sequence && strings.HasSuffix(path, "_by_arm") {
			r.mistyped(n, path, "one column, whose lists have a value for each arm", "make it in the log, as with DuckDB by "+listOf(n, strings.TrimPrefix(path, "log.")))
			return
		}
		r.mistyped(n, path, "a word or text", "write it, in quotes where YAML would read it as nothing (null, ~)")
		return
	}
	v.SetString(n.Text)
}

// listOf is the SQL that makes one column of lists of the columns that a node names.
func listOf(n *tree.Node, column string) string {
	const most = 20
	var names []string
	for _, item := range n.Items[:min(most, len(n.Items))] {
		names = append(names, `"`+strings.ReplaceAll(Printable(item.Text), `"`, `""`)+`"`)
	}
	if len(n.Items) > most {
		names = append(names, "...")
	}
	return "SELECT *, [" + strings.Join(names, ", ") + "] AS " + column + " FROM 'log.parquet', in the order of arms"
}

// mayBeEmpty reports whether a text may be empty: an entry of a list, a baseline, and in
// quotes the seed of a hash.
func mayBeEmpty(n *tree.Node, path string) bool {
	return strings.HasSuffix(path, "]") || strings.HasSuffix(path, "].baseline") || n.Quoted && path == "policy.draw.seed"
}

var (
	wholeText  = regexp.MustCompile(`^[+-]?(0|[1-9][0-9]*)$`)
	numberText = regexp.MustCompile(`^[+-]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?$`)
)

// leadingZeros are zeros that some readers of YAML take for the sign of a number to
// base 8, and JSON does not know.
var leadingZeros = regexp.MustCompile(`^[+-]?0[0-9]+(/[0-9]+)?([.eE][0-9.eE+-]*)?$`)

// padded reports a number with zeros before it, and says that it is one.
func (r *reader) padded(n *tree.Node, path string) bool {
	found := n.Kind == tree.Scalar && !n.Quoted && leadingZeros.MatchString(n.Text)
	if found {
		r.mistyped(n, path, "a number without zeros before it", "leave the zeros out: readers differ in what they mean")
	}
	return found
}

func (r *reader) whole(n *tree.Node, v reflect.Value, path string) {
	if r.padded(n, path) {
		return
	}
	if n.Kind != tree.Scalar || n.Quoted || !wholeText.MatchString(n.Text) {
		r.mistyped(n, path, "a whole number", "write digits only, such as 20000")
		return
	}
	x, err := strconv.ParseInt(n.Text, 10, 64)
	if err != nil {
		r.mistyped(n, path, fmt.Sprintf("a whole number within ±%d", int64(math.MaxInt64)), "write a smaller one")
		return
	}
	v.SetInt(x)
}

// number takes a decimal, without quotes, or a quotient or a power of two, of which
// it is the nearest float64.
func (r *reader) number(n *tree.Node, v reflect.Value, path string) {
	if r.padded(n, path) {
		return
	}
	decimal := !n.Quoted && numberText.MatchString(n.Text)
	if n.Kind != tree.Scalar || !decimal && !param.Fraction(n.Text) {
		r.mistyped(n, path, "a finite number", "write a decimal such as 0.05, without quotes, or a quotient such as 1/30")
		return
	}
	x, err := strconv.ParseFloat(n.Text, 64)
	if !decimal {
		var exact Rational
		exact, err = ParseRational(n.Text)
		x = exact.Float()
	}
	if err != nil || math.IsInf(x, 0) {
		r.mistyped(n, path, "a finite number", "write one of size below 1e308")
		return
	}
	v.SetFloat(x)
}

func (r *reader) truth(n *tree.Node, v reflect.Value, path string) {
	if n.Kind != tree.Scalar || n.Quoted || (n.Text != "true" && n.Text != "false") {
		r.mistyped(n, path, "true or false", "write true or false, without quotes")
		return
	}
	v.SetBool(n.Text == "true")
}

// join appends a key to a path.
func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// keysOf lists the keys of a struct in the order of its fields.
func keysOf(t reflect.Type) []string {
	var keys []string
	for f := range t.Fields() {
		if key := jsonKey(f); key != "" {
			keys = append(keys, key)
		}
	}
	return keys
}

// fieldOf finds the field of a key; -1 when the struct has none.
func fieldOf(t reflect.Type, key string) int {
	for i := range t.NumField() {
		if name := jsonKey(t.Field(i)); name != "" && name == key {
			return i
		}
	}
	return -1
}

// optional reports whether the key of a field may be left out.
func optional(f reflect.StructField) bool {
	_, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	return strings.Contains(options, "omit")
}

// jsonKey is the name a field has in JSON and YAML; "" when it has none.
func jsonKey(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	if name == "-" {
		return ""
	}
	return name
}

// asWritten quotes nothing.
func asWritten(word string) string { return word }
