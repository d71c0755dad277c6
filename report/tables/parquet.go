package tables

import (
	"fmt"
	"io"
	"reflect"

	"github.com/parquet-go/parquet-go"

	"banditaudit/schemas"
)

// parquetWriter writes rows as Parquet.
type parquetWriter struct{ *parquet.GenericWriter[any] }

// newParquetWriter starts a file. CreatedBy is set so that it does not depend on
// how the program was built.
func newParquetWriter(w io.Writer, record string, fields []field, tool schemas.Tool) parquetWriter {
	return parquetWriter{parquet.NewGenericWriter[any](w, schemaOf(record, fields), parquet.CreatedBy(tool.Name, tool.Version, ""), parquet.Compression(&parquet.Zstd))}
}

// Write writes rows.
func (p parquetWriter) Write(rows []parquet.Row) error {
	_, err := p.WriteRows(rows)
	return err
}

// schemaOf is the Parquet schema of columns.
func schemaOf(name string, fields []field) *parquet.Schema {
	types := map[reflect.Kind]reflect.Type{
		reflect.String: reflect.TypeFor[string](), reflect.Int64: reflect.TypeFor[int64](),
		reflect.Float64: reflect.TypeFor[float64](), reflect.Bool: reflect.TypeFor[bool](), reflect.Slice: reflect.TypeFor[[]string](),
	}
	members := make([]reflect.StructField, len(fields))
	for i, f := range fields {
		tag, t := f.name, types[f.kind]
		if f.kind == reflect.Slice {
			tag += ",list"
		}
		if f.optional {
			tag, t = tag+",optional", reflect.PointerTo(t)
		}
		members[i] = reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: t, Tag: reflect.StructTag(fmt.Sprintf("parquet:%q", tag))}
	}
	return parquet.NewSchema(name, parquet.SchemaOf(reflect.Zero(reflect.StructOf(members)).Interface()))
}
