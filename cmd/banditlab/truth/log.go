package truth

import (
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"

	"github.com/parquet-go/parquet-go"
)

// Log is a log in memory: columns of equal length, of any types that Parquet has.
type Log struct{ columns []column }

type column struct {
	name   string
	values reflect.Value // a slice
}

// Put adds a column: a slice of int64, float64, float32, string, bool, or a slice
// of slices of these.
func (l *Log) Put(name string, values any) *Log {
	l.columns = append(l.columns, column{name, reflect.ValueOf(values)})
	return l
}

// as replaces the logged propensities p and all by the same ones in all rounds.
func (l *Log) as(labels []string, p []float64) *Log {
	of := map[string]float64{}
	for i, label := range labels {
		of[label] = p[i]
	}
	for _, c := range l.columns {
		for t := range l.Rows() {
			switch c.name {
			case "p":
				c.values.Index(t).SetFloat(of[l.action(t)])
			case "all":
				c.values.Index(t).Set(reflect.ValueOf(p))
			}
		}
	}
	return l
}

// action is the label that was logged.
func (l *Log) action(row int) string {
	for _, c := range l.columns {
		if c.name == "action" {
			return c.values.Index(row).String()
		}
	}
	return ""
}

// First is the log of the first n rows.
func (l *Log) First(n int) *Log {
	out := &Log{}
	for _, c := range l.columns {
		out.columns = append(out.columns, column{c.name, c.values.Slice(0, n)})
	}
	return out
}

// Rows is the number of rows.
func (l *Log) Rows() int {
	if len(l.columns) == 0 {
		return 0
	}
	return l.columns[0].values.Len()
}

// write makes a Parquet file of the log. Columns of unequal length are an error.
func (l *Log) write(path string) (err error) {
	row := reflect.New(l.rowType()).Elem()
	for i := range l.columns {
		if c := &l.columns[i]; c.values.Len() != l.Rows() {
			return fmt.Errorf("truth: column %s has %d rows, and column %s has %d", c.name, c.values.Len(), l.columns[0].name, l.Rows())
		}
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	w := parquet.NewWriter(file, parquet.SchemaOf(row.Addr().Interface()))
	for t := range l.Rows() {
		for i := range l.columns {
			row.Field(i).Set(l.columns[i].values.Index(t))
		}
		if err = w.Write(row.Addr().Interface()); err != nil {
			return err
		}
	}
	return w.Close()
}

// rowType is a struct with a field for each column.
func (l *Log) rowType() reflect.Type {
	fields := make([]reflect.StructField, len(l.columns))
	for i, c := range l.columns {
		tag := c.name
		if of := c.values.Type().Elem(); of.Kind() == reflect.Slice {
			tag += ",list"
		}
		fields[i] = reflect.StructField{Name: fmt.Sprintf("C%d", i), Type: c.values.Type().Elem(), Tag: reflect.StructTag(fmt.Sprintf(`parquet:%q`, tag))}
	}
	return reflect.StructOf(fields)
}

// describe writes what the log holds, reals to six digits: on another processor
// the last ones may be others.
func (l *Log) describe(w io.Writer) {
	for _, c := range l.columns {
		fmt.Fprintf(w, "%s:", c.name)
		for t := range c.values.Len() {
			switch v := c.values.Index(t).Interface().(type) {
			case float64, float32, []float64, []float32:
				fmt.Fprintf(w, " %.6g", v)
			default:
				fmt.Fprintf(w, " %v", v)
			}
		}
		fmt.Fprintln(w)
	}
}
