package pages

import (
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"
)

// agree refuses an element whose logical type is contradicted by the converted
// type, the precision or the scale that are beside it for older readers
// (Parquet's LogicalTypes.md).
func agree(e *format.SchemaElement) error {
	if !isDecimal(e) && (e.Scale.V != 0 || e.Precision.V != 0) {
		return damaged("precision %d and scale %d of what is no decimal", e.Precision.V, e.Scale.V)
	}
	if e.LogicalType.Value == nil {
		return nil
	}
	if d, is := e.LogicalType.Value.(*format.DecimalType); is {
		if e.Scale.Valid && e.Scale.V != d.Scale || e.Precision.Valid && e.Precision.V != d.Precision {
			return damaged("decimal(%d,%d), and decimal(%d,%d) for older readers", d.Precision, d.Scale, e.Precision.V, e.Scale.V)
		}
	}
	if e.ConvertedType.Valid && !goesWith(e.LogicalType.Value, e.ConvertedType.V) {
		return damaged("logical type %s, and converted type %v for older readers", e.LogicalType.String(), e.ConvertedType.V)
	}
	return nil
}

func isDecimal(e *format.SchemaElement) bool {
	_, logical := e.LogicalType.Value.(*format.DecimalType)
	return logical || e.ConvertedType.Valid && e.ConvertedType.V == deprecated.Decimal
}

// goesWith reports whether a converted type may be beside a logical type. Texts
// of all kinds are read alike.
func goesWith(t format.LogicalTypeValue, c deprecated.ConvertedType) bool {
	switch t := t.(type) {
	case *format.StringType, *format.EnumType, *format.JsonType, *format.BsonType:
		return c == deprecated.UTF8 || c == deprecated.Enum || c == deprecated.Json || c == deprecated.Bson
	case *format.MapType:
		return c == deprecated.Map || c == deprecated.MapKeyValue
	case *format.ListType:
		return c == deprecated.List
	case *format.DecimalType:
		return c == deprecated.Decimal
	case *format.DateType:
		return c == deprecated.Date
	case *format.TimeType:
		return ofUnit(t.Unit, c, deprecated.TimeMillis, deprecated.TimeMicros)
	case *format.TimestampType:
		return ofUnit(t.Unit, c, deprecated.TimestampMillis, deprecated.TimestampMicros)
	case *format.IntType:
		return c == convertedInt(t)
	}
	return true
}

// ofUnit reports whether c is the converted type of a unit; nanoseconds have none.
func ofUnit(u format.TimeUnit, c, millis, micros deprecated.ConvertedType) bool {
	switch u.Value.(type) {
	case *format.MilliSeconds:
		return c == millis
	case *format.MicroSeconds:
		return c == micros
	}
	return false
}

// convertedInt is the converted type of an integer.
func convertedInt(t *format.IntType) deprecated.ConvertedType {
	first := deprecated.Uint8
	if t.IsSigned {
		first = deprecated.Int8
	}
	for i, width := range []int8{8, 16, 32, 64} {
		if t.BitWidth == width {
			return first + deprecated.ConvertedType(i)
		}
	}
	return -1
}
