package pages

import (
	"testing"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// Every logical and converted type on the physical types that the format has
// for it, and on one that it has not.
func TestClassify(t *testing.T) {
	unit := func(v format.TimeUnitValue) format.TimeUnit { return format.TimeUnit{Value: v} }
	ms, us, ns := unit(new(format.MilliSeconds)), unit(new(format.MicroSeconds)), unit(new(format.NanoSeconds))
	for _, tc := range []struct {
		phys    format.Type
		size    int32
		logical format.LogicalTypeValue
		older   deprecated.ConvertedType // -1: none
		kind    Kind
		unit    Unit
		words   string
	}{
		{format.Boolean, 0, nil, -1, Bool, NoUnit, "BOOLEAN"},
		{format.Int96, 0, nil, -1, Timestamp, Nanosecond, "INT96 (timestamp, nanoseconds, UTC)"},
		{format.FixedLenByteArray, 7, nil, -1, Text, NoUnit, "FIXED_LEN_BYTE_ARRAY (7 bytes)"},
		{format.FixedLenByteArray, 0, nil, -1, Other, NoUnit, "FIXED_LEN_BYTE_ARRAY (0 bytes)"},
		{format.FixedLenByteArray, -1, nil, -1, Other, NoUnit, "FIXED_LEN_BYTE_ARRAY (-1 bytes)"},
		{format.FixedLenByteArray, 16, &format.UUIDType{}, -1, Text, NoUnit, "FIXED_LEN_BYTE_ARRAY (UUID)"},
		{format.FixedLenByteArray, 15, &format.UUIDType{}, -1, Other, NoUnit, "FIXED_LEN_BYTE_ARRAY (UUID)"},
		{format.ByteArray, 0, &format.UUIDType{}, -1, Other, NoUnit, "BYTE_ARRAY (UUID)"},
		{format.FixedLenByteArray, 2, &format.Float16Type{}, -1, Float, NoUnit, "FIXED_LEN_BYTE_ARRAY (float16)"},
		{format.FixedLenByteArray, 4, &format.Float16Type{}, -1, Other, NoUnit, "FIXED_LEN_BYTE_ARRAY (float16)"},
		{format.ByteArray, 0, &format.JsonType{}, -1, Text, NoUnit, "BYTE_ARRAY (JSON)"},
		{format.ByteArray, 0, nil, deprecated.Json, Text, NoUnit, "BYTE_ARRAY (JSON)"},
		{format.ByteArray, 0, &format.EnumType{}, -1, Text, NoUnit, "BYTE_ARRAY (enum)"},
		{format.ByteArray, 0, &format.BsonType{}, -1, Other, NoUnit, "BYTE_ARRAY (BSON)"},
		{format.FixedLenByteArray, 12, nil, deprecated.Interval, Other, NoUnit, "FIXED_LEN_BYTE_ARRAY (converted type 21)"},
		{format.Int32, 0, &format.NullType{}, -1, Null, NoUnit, "INT32 (unknown)"},
		{format.ByteArray, 0, &format.NullType{}, -1, Null, NoUnit, "BYTE_ARRAY (unknown)"},
		{format.Int32, 0, &format.TimeType{IsAdjustedToUTC: true, Unit: ms}, -1, Time, Millisecond, "INT32 (time, milliseconds, UTC)"},
		{format.Int64, 0, &format.TimeType{Unit: us}, -1, Time, Microsecond, "INT64 (time, microseconds, local)"},
		{format.Int64, 0, &format.TimeType{Unit: ns}, -1, Time, Nanosecond, "INT64 (time, nanoseconds, local)"},
		{format.Int64, 0, &format.TimeType{Unit: ms}, -1, Other, Millisecond, "INT64 (time, milliseconds, local)"},
		{format.Int32, 0, &format.TimeType{Unit: ns}, -1, Other, Nanosecond, "INT32 (time, nanoseconds, local)"},
		{format.Int64, 0, &format.TimeType{}, -1, Other, NoUnit, "INT64 (time, in a unit that is not known)"},
		{format.Int64, 0, &format.TimestampType{}, -1, Other, NoUnit, "INT64 (timestamp, in a unit that is not known)"},
		{format.Int32, 0, nil, deprecated.TimeMillis, Time, Millisecond, "INT32 (time, milliseconds, UTC)"},
		{format.Int64, 0, nil, deprecated.TimeMicros, Time, Microsecond, "INT64 (time, microseconds, UTC)"},
		{format.Int64, 0, nil, deprecated.TimeMillis, Other, Millisecond, "INT64 (time, milliseconds, UTC)"},
		{format.Int32, 0, &format.DecimalType{Precision: 9, Scale: 2}, -1, Decimal, NoUnit, "INT32 (decimal(9,2))"},
		{format.ByteArray, 0, &format.DecimalType{Precision: 307, Scale: 307}, -1, Decimal, NoUnit, "BYTE_ARRAY (decimal(307,307))"},
		{format.ByteArray, 0, &format.DecimalType{Precision: 308}, -1, Other, NoUnit, "BYTE_ARRAY (decimal(308,0))"},
		{format.FixedLenByteArray, 16, &format.DecimalType{Precision: 38}, -1, Decimal, NoUnit, "FIXED_LEN_BYTE_ARRAY (decimal(38,0))"},
		{format.FixedLenByteArray, 129, &format.DecimalType{Precision: 38}, -1, Other, NoUnit, "FIXED_LEN_BYTE_ARRAY (decimal(38,0))"},
		{format.FixedLenByteArray, 0, &format.DecimalType{Precision: 38}, -1, Other, NoUnit, "FIXED_LEN_BYTE_ARRAY (decimal(38,0))"},
		{format.Int64, 0, &format.DecimalType{Precision: 5, Scale: 6}, -1, Other, NoUnit, "INT64 (decimal(5,6))"},
		{format.Int64, 0, &format.DecimalType{Precision: 5, Scale: -1}, -1, Other, NoUnit, "INT64 (decimal(5,-1))"},
		{format.Int64, 0, &format.DecimalType{}, -1, Other, NoUnit, "INT64 (decimal(0,0))"},
		{format.Double, 0, &format.DecimalType{Precision: 5}, -1, Other, NoUnit, "DOUBLE (decimal(5,0))"},
		{format.Double, 0, &format.StringType{}, -1, Other, NoUnit, "DOUBLE (string)"},
		{format.Double, 0, nil, deprecated.Int32, Other, NoUnit, "DOUBLE (int32)"},
		{format.Int64, 0, nil, deprecated.Date, Other, NoUnit, "INT64 (date)"},
	} {
		e := format.SchemaElement{Type: thrift.New(tc.phys), TypeLength: thrift.New(tc.size)}
		e.LogicalType.Value = tc.logical
		if tc.older >= 0 {
			e.ConvertedType = thrift.New(tc.older)
		}
		if kind, unit, words := classify(&e); kind != tc.kind || unit != tc.unit || words != tc.words {
			t.Errorf("%s is %v in %v, %q", tc.words, kind, unit, words)
		}
	}
}

// A decimal of the older kind has its scale beside the converted type.
func TestScale(t *testing.T) {
	e := format.SchemaElement{Type: thrift.New(format.Int64), ConvertedType: thrift.New(deprecated.Decimal), Precision: thrift.New[int32](9), Scale: thrift.New[int32](3)}
	if c := newColumn(&e, node{path: []string{"x"}}, 0); c.Kind != Decimal || c.Scale != 3 || c.Type != "INT64 (decimal(9,3))" {
		t.Errorf("%+v", c)
	}
	e.LogicalType.Value = &format.DecimalType{Precision: 9, Scale: 2}
	if c := newColumn(&e, node{path: []string{"x"}}, 0); c.Scale != 2 {
		t.Errorf("%+v", c)
	}
}
