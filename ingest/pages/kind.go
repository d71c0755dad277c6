package pages

import (
	"fmt"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"
)

// classify reads an element's physical and logical type.
func classify(e *format.SchemaElement) (Kind, Unit, string) {
	phys := e.Type.V.String()
	kind, unit, words := logical(e)
	if words != "" {
		return kind, unit, phys + " (" + words + ")"
	}
	switch e.Type.V {
	case format.Boolean:
		return Bool, NoUnit, phys
	case format.Int32, format.Int64:
		return Int, NoUnit, phys
	case format.Float, format.Double:
		return Float, NoUnit, phys
	case format.ByteArray:
		return Text, NoUnit, phys
	case format.Int96: // by convention of Hive, Impala and Spark; nothing else is written in it
		return Timestamp, Nanosecond, phys + " (timestamp, nanoseconds, UTC)"
	case format.FixedLenByteArray:
		return when(e.TypeLength.V > 0, Text), NoUnit, fmt.Sprintf("%s (%d bytes)", phys, e.TypeLength.V)
	}
	return Other, NoUnit, phys
}

// logical reads the logical type, or the converted type of older files. It
// returns no words when there is neither. A logical type that does not go with
// the physical one makes the column Other.
func logical(e *format.SchemaElement) (Kind, Unit, string) {
	is32, is64, isText := e.Type.V == format.Int32, e.Type.V == format.Int64, e.Type.V == format.ByteArray
	switch t := e.LogicalType.Value.(type) {
	case nil:
		return converted(e)
	case *format.NullType:
		return Null, NoUnit, "unknown"
	case *format.StringType:
		return when(isText, Text), NoUnit, "string"
	case *format.EnumType:
		return when(isText, Text), NoUnit, "enum"
	case *format.JsonType:
		return when(isText, Text), NoUnit, "JSON"
	case *format.UUIDType:
		return when(isFixed(e, uuidBytes), Text), NoUnit, "UUID"
	case *format.Float16Type:
		return when(isFixed(e, 2), Float), NoUnit, "float16"
	case *format.IntType:
		if t.IsSigned {
			return when(holdsInt(e, int(t.BitWidth)), Int), NoUnit, fmt.Sprintf("int%d", t.BitWidth)
		}
		return when(holdsInt(e, int(t.BitWidth)), Uint), NoUnit, fmt.Sprintf("uint%d", t.BitWidth)
	case *format.DateType:
		return when(is32, Date), NoUnit, "date"
	case *format.TimestampType:
		unit, words := timeUnit(t.Unit, t.IsAdjustedToUTC)
		return when(is64 && unit != NoUnit, Timestamp), unit, "timestamp, " + words
	case *format.TimeType:
		unit, words := timeUnit(t.Unit, t.IsAdjustedToUTC)
		return when(unit == Millisecond && is32 || unit > Millisecond && is64, Time), unit, "time, " + words
	case *format.DecimalType:
		return decimal(e, t.Precision, t.Scale)
	default:
		return Other, NoUnit, e.LogicalType.String()
	}
}

func when(ok bool, k Kind) Kind {
	if ok {
		return k
	}
	return Other
}

// holdsInt reports whether integers of a width are stored in the element's type:
// integers of 64 bits in INT64, shorter ones in INT32.
func holdsInt(e *format.SchemaElement, width int) bool {
	if e.Type.V == format.Int64 {
		return width == 64
	}
	return e.Type.V == format.Int32 && (width == 8 || width == 16 || width == 32)
}

// isFixed reports whether a value is a number of bytes, always the same.
func isFixed(e *format.SchemaElement, size int32) bool {
	return e.Type.V == format.FixedLenByteArray && e.TypeLength.V == size
}

func timeUnit(u format.TimeUnit, utc bool) (Unit, string) {
	zone := ", local"
	if utc {
		zone = ", UTC"
	}
	switch u.Value.(type) {
	case *format.MilliSeconds:
		return Millisecond, "milliseconds" + zone
	case *format.MicroSeconds:
		return Microsecond, "microseconds" + zone
	case *format.NanoSeconds:
		return Nanosecond, "nanoseconds" + zone
	}
	return NoUnit, "in a unit that is not known"
}

// decimal is Other where precision and scale are none: the format wants a
// precision above 0 and a scale from 0 up to it.
func decimal(e *format.SchemaElement, precision, scale int32) (Kind, Unit, string) {
	fits := false
	switch e.Type.V {
	case format.Int32, format.Int64, format.ByteArray:
		fits = true
	case format.FixedLenByteArray:
		fits = e.TypeLength.V > 0 && e.TypeLength.V <= maxDecimalBytes
	case format.Boolean, format.Int96, format.Float, format.Double:
	}
	fits = fits && precision > 0 && scale >= 0 && scale <= precision && precision <= maxPrecision
	return when(fits, Decimal), NoUnit, fmt.Sprintf("decimal(%d,%d)", precision, scale)
}

// scale is the scale of a column that decimal found to be one.
func scale(e *format.SchemaElement) int {
	if t, ok := e.LogicalType.Value.(*format.DecimalType); ok {
		return int(t.Scale)
	}
	return int(e.Scale.V)
}

// isUTC reports whether a time is adjusted to UTC, as all converted types are
// (Parquet's LogicalTypes.md, "Deprecated timestamp ConvertedType") and INT96.
func isUTC(e *format.SchemaElement) bool {
	switch t := e.LogicalType.Value.(type) {
	case *format.TimestampType:
		return t.IsAdjustedToUTC
	case *format.TimeType:
		return t.IsAdjustedToUTC
	}
	return true
}

func converted(e *format.SchemaElement) (Kind, Unit, string) {
	if !e.ConvertedType.Valid {
		return Other, NoUnit, ""
	}
	is32, is64, isText := e.Type.V == format.Int32, e.Type.V == format.Int64, e.Type.V == format.ByteArray
	switch e.ConvertedType.V {
	case deprecated.UTF8:
		return when(isText, Text), NoUnit, "string"
	case deprecated.Enum:
		return when(isText, Text), NoUnit, "enum"
	case deprecated.Json:
		return when(isText, Text), NoUnit, "JSON"
	case deprecated.TimeMillis:
		return when(is32, Time), Millisecond, "time, milliseconds, UTC"
	case deprecated.TimeMicros:
		return when(is64, Time), Microsecond, "time, microseconds, UTC"
	case deprecated.Int8, deprecated.Int16, deprecated.Int32, deprecated.Int64:
		width := 8 << (e.ConvertedType.V - deprecated.Int8)
		return when(holdsInt(e, width), Int), NoUnit, fmt.Sprintf("int%d", width)
	case deprecated.Uint8, deprecated.Uint16, deprecated.Uint32, deprecated.Uint64:
		width := 8 << (e.ConvertedType.V - deprecated.Uint8)
		return when(holdsInt(e, width), Uint), NoUnit, fmt.Sprintf("uint%d", width)
	case deprecated.Date:
		return when(is32, Date), NoUnit, "date"
	case deprecated.TimestampMillis:
		return when(is64, Timestamp), Millisecond, "timestamp, milliseconds, UTC"
	case deprecated.TimestampMicros:
		return when(is64, Timestamp), Microsecond, "timestamp, microseconds, UTC"
	case deprecated.Decimal:
		return decimal(e, e.Precision.V, e.Scale.V)
	default:
		return Other, NoUnit, fmt.Sprintf("converted type %d", e.ConvertedType.V)
	}
}
