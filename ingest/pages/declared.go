package pages

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"

	"github.com/parquet-go/parquet-go/format"
)

// Arrow and Spark keep their own schema in the footer, beside Parquet's. Where
// the two say different things of a column, one of them is damaged. What either
// does not say, or cannot be read, contradicts nothing.
const (
	keyArrow = "ARROW:schema"
	keySpark = "org.apache.spark.sql.parquet.row.metadata"
)

// theirs is what another schema says of a column.
type theirs struct {
	writer string
	words  string
	kind   Kind
	unit   Unit // of a Timestamp or Time: the finest that it can be; NoUnit: not said
	zoned  zone
	scale  int  // of a Decimal
	signed bool // of an integer
	width  int  // of an integer: bits, 0: not said
}

// zone is what is said of whether a time is of an instant.
type zone int

const (
	zoneUnsaid zone = iota
	zoneUTC
	zoneLocal
)

// declaredBytes is about what reading a schema takes for each of its bytes.
const declaredBytes = 8

// checkDeclared compares the schema with the schemas of Arrow and Spark.
func (f *File) checkDeclared() error {
	size := declaredBytes * int64(len(f.meta.arrow)+len(f.meta.spark))
	if err := f.book(size); err != nil {
		return err
	}
	defer f.release(size)
	var err error
	see := func(path string, t theirs) {
		if pair := f.names[path]; err == nil && pair[0] != nil && pair[1] == nil {
			err = pair[0].contradicts(&t)
		}
	}
	if text, bad := base64.StdEncoding.AppendDecode(nil, f.meta.arrow); bad == nil && len(text) > 0 {
		arrowColumns(text, see)
	}
	if len(f.meta.spark) > 0 {
		sparkFields("", f.meta.spark, 0, see)
	}
	return err
}

// contradicts is the error of a column of which another schema says otherwise.
func (c *Column) contradicts(t *theirs) error {
	if c.Kind == Other || c.Kind == Null || t.kind == Other || c.agrees(t) {
		return nil
	}
	err := damaged("column %q is %s by the schema, and %s by the schema of %s that the footer has too", c.Path, c.Type, t.words, t.writer)
	const widest = 64
	if t.width > widest {
		return &MendError{err, "cast the column to a whole number of 64 bits (BIGINT, INT64)"}
	}
	return err
}

func (c *Column) agrees(t *theirs) bool {
	switch {
	case t.kind == Int && (c.Kind == Int || c.Kind == Uint):
		// pyarrow writes 32 bits without a sign as 64 with one for older readers.
		return t.width == 0 || t.signed == (c.Kind == Int) || t.width == 32 && c.phys == format.Int64
	case t.kind == Date && c.Kind == Timestamp: // Arrow has dates in milliseconds
		return true
	case t.kind != c.Kind:
		return false
	case c.phys == format.Int96:
		return true
	case c.Kind == Decimal:
		return t.scale == c.Scale
	case c.Kind == Timestamp || c.Kind == Time:
		return c.agreesOnUnit(t.unit) && (!c.logical || t.zoned == zoneUnsaid || c.UTC == (t.zoned == zoneUTC))
	}
	return true
}

// agreesOnUnit reports whether a column of times may have been written from
// times in a unit: in that one, or, by pyarrow's coerce_timestamps and its older
// versions of the format, in milliseconds or microseconds, of instants with the
// converted type that goes with them. Nanoseconds are written of nanoseconds only.
func (c *Column) agreesOnUnit(u Unit) bool {
	switch {
	case u == NoUnit || c.Unit == u:
		return true
	case c.Unit == Nanosecond:
		return false
	}
	return c.Unit > u || c.converted || !c.UTC
}

// arrowColumns calls see for the columns of an Arrow schema: a message of IPC.
func arrowColumns(message []byte, see func(string, theirs)) {
	const (
		begin, header = 4, 8 // a marker and a length come before the message
		messageSchema = 1
	)
	at := header
	if len(message) < header || string(message[:begin]) != "\xff\xff\xff\xff" {
		at = begin // before version 0.15
	}
	t, ok := rootTable(message, at)
	if !ok || t.byte(1) != messageSchema {
		return
	}
	if schema, ok := t.table(2); ok {
		w := arrowWalk{see, 2 * maxLeaves}
		schema.each(1, func(field table) { w.column(field.text(0), field, 0) })
	}
}

// Types of Arrow (github.com/apache/arrow/blob/main/format/Schema.fbs).
const (
	arrowInt       = 2
	arrowFloat     = 3
	arrowBinary    = 4
	arrowUtf8      = 5
	arrowBool      = 6
	arrowDecimal   = 7
	arrowDate      = 8
	arrowTime      = 9
	arrowTimestamp = 10
	arrowList      = 12
	arrowStruct    = 13
	arrowFixedList = 16
	arrowLargeBin  = 19
	arrowLargeUtf8 = 20
	arrowLargeList = 21
	arrowBinView   = 23
	arrowUtf8View  = 24
	arrowListView  = 25
	arrowLargeView = 26
)

func dotted(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// arrowWalk looks at the columns of an Arrow schema. Tables may share the tables
// below them, so that few bytes make very many columns: it looks at some only.
type arrowWalk struct {
	see  func(path string, t theirs)
	left int
}

// column looks at what has a path: a column, a struct or the item of a list.
func (w *arrowWalk) column(path string, field table, depth int) {
	if w.left--; w.left < 0 || depth > maxSchemaDepth {
		return
	}
	switch kind := int(field.byte(2)); kind {
	case arrowList, arrowLargeList, arrowFixedList, arrowListView, arrowLargeView:
		field.each(5, func(item table) { w.column(path, item, depth+1) })
	case arrowStruct:
		field.each(5, func(item table) { w.column(dotted(path, item.text(0)), item, depth+1) })
	default:
		typ, _ := field.table(3)
		w.see(path, arrowTheirs(kind, typ))
	}
}

// arrowTheirs is what a type of Arrow says; typ is the table of its parameters.
func arrowTheirs(kind int, typ table) theirs {
	t := theirs{writer: "Arrow"}
	switch kind {
	case arrowInt:
		t.kind, t.width, t.signed = Int, int(typ.int32(0, 0)), typ.byte(1) != 0
		t.words = fmt.Sprintf("an integer of %d bits", t.width)
		if !t.signed {
			t.words += " without a sign"
		}
	case arrowFloat:
		t.kind, t.words = Float, "a floating-point number"
	case arrowBinary, arrowUtf8, arrowLargeBin, arrowLargeUtf8, arrowBinView, arrowUtf8View:
		t.kind, t.words = Text, "a text"
	case arrowBool:
		t.kind, t.words = Bool, "a boolean"
	case arrowDecimal:
		t.kind, t.scale = Decimal, int(typ.int32(1, 0))
		t.words = fmt.Sprintf("a decimal of scale %d", t.scale)
	case arrowDate:
		t.kind, t.words = Date, "a date"
	case arrowTime:
		t.kind, t.unit = Time, arrowUnit(typ.int16(0, 1))
		t.words = "a time of day in " + t.unit.words()
	case arrowTimestamp:
		t.kind, t.unit, t.zoned = Timestamp, arrowUnit(typ.int16(0, 0)), zoneLocal
		t.words = "a local timestamp in " + t.unit.words()
		if typ.text(1) != "" {
			t.zoned, t.words = zoneUTC, "a timestamp of instants in "+t.unit.words()
		}
	}
	return t
}

// arrowUnit is the unit of a number of Arrow; seconds become milliseconds.
func arrowUnit(u int16) Unit {
	switch u {
	case 0, 1:
		return Millisecond
	case 2:
		return Microsecond
	case 3:
		return Nanosecond
	}
	return NoUnit
}

// words names a unit.
func (u Unit) words() string {
	switch u {
	case Millisecond:
		return "milliseconds"
	case Microsecond:
		return "microseconds"
	case Nanosecond:
		return "nanoseconds"
	case NoUnit:
	}
	return "a unit that is not known"
}

// sparkType is a type of Spark: a word, or an object.
type sparkType struct {
	Type    string          `json:"type"`
	Fields  []sparkField    `json:"fields"`
	Element json.RawMessage `json:"elementType"`
}

type sparkField struct {
	Name string          `json:"name"`
	Type json.RawMessage `json:"type"`
}

// sparkFields calls see for the columns of a type of Spark.
func sparkFields(path string, text []byte, depth int, see func(string, theirs)) {
	if depth > maxSchemaDepth {
		return
	}
	var word string
	if json.Unmarshal(text, &word) == nil {
		see(path, sparkTheirs(word))
		return
	}
	var t sparkType
	if json.Unmarshal(text, &t) != nil {
		return
	}
	switch t.Type {
	case "array":
		sparkFields(path, t.Element, depth+1, see)
	case "struct":
		for _, f := range t.Fields {
			sparkFields(dotted(path, f.Name), f.Type, depth+1, see)
		}
	}
}

var sparkDecimal = regexp.MustCompile(`^decimal\(\d+,(-?\d+)\)$`)

// sparkTheirs is what a word of Spark says.
func sparkTheirs(word string) theirs {
	t := theirs{writer: "Spark", words: word}
	switch word {
	case "byte", "short", "integer":
		t.kind, t.width, t.signed = Int, 16, true
	case "long":
		t.kind, t.width, t.signed = Int, 64, true
	case "float", "double":
		t.kind = Float
	case "string", "binary":
		t.kind = Text
	case "boolean":
		t.kind = Bool
	case "date":
		t.kind = Date
	case "timestamp":
		t.kind, t.unit, t.zoned = Timestamp, Microsecond, zoneUTC
	case "timestamp_ntz":
		t.kind, t.unit, t.zoned = Timestamp, Microsecond, zoneLocal
	}
	if m := sparkDecimal.FindStringSubmatch(word); m != nil {
		t.kind = Decimal
		t.scale, _ = strconv.Atoi(m[1])
	}
	return t
}
