package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
)

// csvWriter writes rows of a struct type whose fields carry parquet tags.
type csvWriter[T any] struct {
	out    *csv.Writer
	record []string
}

var _ rowWriter[struct{}] = (*csvWriter[struct{}])(nil)

// newCSVWriter writes the line of names.
func newCSVWriter[T any](w io.Writer) (*csvWriter[T], error) {
	fields := reflect.TypeFor[T]()
	c := &csvWriter[T]{out: csv.NewWriter(w), record: make([]string, fields.NumField())}
	for i := range c.record {
		c.record[i], _, _ = strings.Cut(fields.Field(i).Tag.Get("parquet"), ",")
	}
	return c, c.out.Write(c.record)
}

// Write writes rows.
func (c *csvWriter[T]) Write(rows []T) (int, error) {
	for n, row := range rows {
		v := reflect.ValueOf(row)
		for i := range c.record {
			c.record[i] = csvField(v.Field(i))
		}
		if err := c.out.Write(c.record); err != nil {
			return n, err
		}
	}
	return len(rows), nil
}

// Flush hands everything to the file.
func (c *csvWriter[T]) Flush() error {
	c.out.Flush()
	return c.out.Error()
}

// Close is Flush; the file stays open.
func (c *csvWriter[T]) Close() error { return c.Flush() }

// csvField writes one value; nil is empty.
func csvField(v reflect.Value) string {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return ""
		}
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.Float64:
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	case reflect.String:
		return harmless(v.String())
	default:
		return fmt.Sprint(v.Interface())
	}
}

// harmless keeps a spreadsheet from running a text as a formula.
func harmless(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}
