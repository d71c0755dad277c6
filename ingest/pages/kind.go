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
	case format.Int96, format.FixedLenByteArray:
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
	case *format.StringType:
		return when(isText, Text), NoUnit, "string"
	case *format.EnumType:
		return when(isText, Text), NoUnit, "enum"
	case *format.IntType:
		if t.IsSigned {
			return when(is32 || is64, Int), NoUnit, fmt.Sprintf("int%d", t.BitWidth)
		}
		return when(is32 || is64, Uint), NoUnit, fmt.Sprintf("uint%d", t.BitWidth)
	case *format.DateType:
		return when(is32, Date), NoUnit, "date"
	case *format.TimestampType:
		unit, words := timeUnit(t)
		return when(is64 && unit != NoUnit, Timestamp), unit, words
	case *format.DecimalType:
		return Decimal, NoUnit, fmt.Sprintf("decimal(%d,%d)", t.Precision, t.Scale)
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

func timeUnit(t *format.TimestampType) (Unit, string) {
	zone := ", local"
	if t.IsAdjustedToUTC {
		zone = ", UTC"
	}
	switch t.Unit.Value.(type) {
	case *format.MilliSeconds:
		return Millisecond, "timestamp, milliseconds" + zone
	case *format.MicroSeconds:
		return Microsecond, "timestamp, microseconds" + zone
	case *format.NanoSeconds:
		return Nanosecond, "timestamp, nanoseconds" + zone
	}
	return NoUnit, "timestamp of unknown unit"
}

// isUTC reports whether a timestamp is adjusted to UTC, as all converted types
// are (Parquet's LogicalTypes.md, "Deprecated timestamp ConvertedType").
func isUTC(e *format.SchemaElement) bool {
	t, ok := e.LogicalType.Value.(*format.TimestampType)
	return !ok || t.IsAdjustedToUTC
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
	case deprecated.Int8, deprecated.Int16, deprecated.Int32, deprecated.Int64:
		return when(is32 || is64, Int), NoUnit, fmt.Sprintf("int%d", 8<<(e.ConvertedType.V-deprecated.Int8))
	case deprecated.Uint8, deprecated.Uint16, deprecated.Uint32, deprecated.Uint64:
		return when(is32 || is64, Uint), NoUnit, fmt.Sprintf("uint%d", 8<<(e.ConvertedType.V-deprecated.Uint8))
	case deprecated.Date:
		return when(is32, Date), NoUnit, "date"
	case deprecated.TimestampMillis:
		return when(is64, Timestamp), Millisecond, "timestamp, milliseconds, UTC"
	case deprecated.TimestampMicros:
		return when(is64, Timestamp), Microsecond, "timestamp, microseconds, UTC"
	case deprecated.Decimal:
		return Decimal, NoUnit, fmt.Sprintf("decimal(%d,%d)", e.Precision.V, e.Scale.V)
	default:
		return Other, NoUnit, fmt.Sprintf("converted type %d", e.ConvertedType.V)
	}
}
