package pages

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// An element that contradicts itself, or does not say how often its value is
// there, is refused; what writers put beside a logical type for older readers is not.
func TestElementsAgree(t *testing.T) {
	logical := func(v format.LogicalTypeValue) format.LogicalType { return format.LogicalType{Value: v} }
	micros := format.TimeUnit{Value: &format.MicroSeconds{}}
	nanos := format.TimeUnit{Value: &format.NanoSeconds{}}
	for what, tc := range map[string]struct {
		typ     format.Type
		edit    func(e *format.SchemaElement)
		refused bool
	}{
		"nothing": {format.Int64, func(*format.SchemaElement) {}, false},
		"no repetition": {format.Int64, func(e *format.SchemaElement) {
			e.RepetitionType = thrift.Null[format.FieldRepetitionType]{}
		}, true},
		"microseconds": {format.Int64, func(e *format.SchemaElement) {
			e.LogicalType, e.ConvertedType = logical(&format.TimestampType{Unit: micros, IsAdjustedToUTC: true}), thrift.New(deprecated.TimestampMicros)
		}, false},
		"nanoseconds and microseconds": {format.Int64, func(e *format.SchemaElement) {
			e.LogicalType, e.ConvertedType = logical(&format.TimestampType{Unit: nanos}), thrift.New(deprecated.TimestampMicros)
		}, true},
		"microseconds and a time of day": {format.Int64, func(e *format.SchemaElement) {
			e.LogicalType, e.ConvertedType = logical(&format.TimestampType{Unit: micros}), thrift.New(deprecated.TimeMicros)
		}, true},
		"a decimal": {format.Int32, func(e *format.SchemaElement) {
			e.LogicalType, e.ConvertedType = logical(&format.DecimalType{Scale: 2, Precision: 9}), thrift.New(deprecated.Decimal)
			e.Scale, e.Precision = thrift.New[int32](2), thrift.New[int32](9)
		}, false},
		"a decimal of two scales": {format.Int32, func(e *format.SchemaElement) {
			e.LogicalType, e.Scale = logical(&format.DecimalType{Scale: 2, Precision: 9}), thrift.New[int32](3)
		}, true},
		"a scale of no decimal": {format.Int32, func(e *format.SchemaElement) { e.Scale = thrift.New[int32](12) }, true},
		"a text and JSON": {format.ByteArray, func(e *format.SchemaElement) {
			e.LogicalType, e.ConvertedType = logical(&format.StringType{}), thrift.New(deprecated.Json)
		}, false},
		"integers of two widths": {format.Int32, func(e *format.SchemaElement) {
			e.LogicalType, e.ConvertedType = logical(&format.IntType{BitWidth: 16, IsSigned: true}), thrift.New(deprecated.Int32)
		}, true},
		"integers with a sign and without": {format.Int32, func(e *format.SchemaElement) {
			e.LogicalType, e.ConvertedType = logical(&format.IntType{BitWidth: 16, IsSigned: true}), thrift.New(deprecated.Uint16)
		}, true},
	} {
		leaf := format.SchemaElement{Name: "c", Type: thrift.New(tc.typ), RepetitionType: thrift.New(format.Required)}
		tc.edit(&leaf)
		_, err := readSchema([]format.SchemaElement{{Name: "root", NumChildren: thrift.New[int32](1)}, leaf}, func(int64) error { return nil })
		if (err != nil) != tc.refused {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// Spark's and Arrow's types of a column agree with those that they write it in,
// and with no other.
func TestTheirTypes(t *testing.T) {
	column := func(k Kind, u Unit, utc bool, scale int) *Column {
		return &Column{Path: "c", Kind: k, Unit: u, UTC: utc, Scale: scale, phys: format.Int64, logical: true}
	}
	for word, tc := range map[string]struct{ good, bad *Column }{
		"long":          {column(Int, NoUnit, false, 0), column(Timestamp, Microsecond, true, 0)},
		"timestamp":     {column(Timestamp, Microsecond, true, 0), column(Timestamp, Nanosecond, true, 0)},
		"timestamp_ntz": {column(Timestamp, Microsecond, false, 0), column(Timestamp, Microsecond, true, 0)},
		"decimal(9,2)":  {column(Decimal, NoUnit, false, 2), column(Decimal, NoUnit, false, 3)},
		"date":          {column(Date, NoUnit, false, 0), column(Int, NoUnit, false, 0)},
		"double":        {column(Float, NoUnit, false, 0), column(Int, NoUnit, false, 0)},
		"string":        {column(Text, NoUnit, false, 0), column(Decimal, NoUnit, false, 0)},
		"boolean":       {column(Bool, NoUnit, false, 0), column(Int, NoUnit, false, 0)},
		"interval day":  {column(Int, NoUnit, false, 0), nil},
	} {
		said := sparkTheirs(word)
		if err := tc.good.contradicts(&said); err != nil {
			t.Errorf("%s: %v", word, err)
		}
		if tc.bad == nil {
			continue
		}
		if err := tc.bad.contradicts(&said); err == nil || !strings.Contains(err.Error(), "Spark") {
			t.Errorf("%s: %v", word, err)
		}
	}
}

// A schema of Arrow or Spark that is none is left alone: a FlatBuffers message
// of any bytes is read within its bounds.
func FuzzTheirSchemas(f *testing.F) {
	data := readFixture(f, "bits/pyarrow.parquet")
	file := openedBytes(f, data, nil)
	message, err := base64.StdEncoding.AppendDecode(nil, file.meta.arrow)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(message)
	f.Add([]byte(`{"type":"struct","fields":[{"name":"c","type":{"type":"array","elementType":"long"}}]}`))
	f.Fuzz(func(_ *testing.T, text []byte) {
		see := func(string, theirs) {}
		arrowColumns(text, see)
		sparkFields("", text, 0, see)
	})
}
