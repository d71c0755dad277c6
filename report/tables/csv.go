package tables

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"reflect"
	"strconv"
	"strings"
	"unicode"

	"github.com/parquet-go/parquet-go"

	"banditaudit/schemas"
)

// csvWriter writes rows as comma-separated values.
type csvWriter struct {
	out    *csv.Writer
	fields []field
	record []string
}

// newCSVWriter writes the line of names.
func newCSVWriter(w io.Writer, fields []field) (*csvWriter, error) {
	c := &csvWriter{csv.NewWriter(w), fields, make([]string, len(fields))}
	for i := range fields {
		c.record[i] = fields[i].name
	}
	return c, c.out.Write(c.record)
}

// Write writes rows.
func (c *csvWriter) Write(rows []parquet.Row) error {
	for _, row := range rows {
		for i, values := range row.Range {
			if c.fields[i].kind == reflect.Slice {
				c.record[i] = listed(values)
			} else {
				c.record[i] = csvField(values[0])
			}
		}
		if err := c.out.Write(c.record); err != nil {
			return err
		}
	}
	return nil
}

// Flush hands everything to the file.
func (c *csvWriter) Flush() error {
	c.out.Flush()
	return c.out.Error()
}

// Close is Flush; the file stays open.
func (c *csvWriter) Close() error { return c.Flush() }

// csvField writes one value; null is empty.
func csvField(v parquet.Value) string {
	switch v.Kind() {
	case parquet.Double:
		return strconv.FormatFloat(v.Double(), 'g', -1, 64)
	case parquet.ByteArray:
		return harmless(string(v.ByteArray()))
	case parquet.Int64:
		return strconv.FormatInt(v.Int64(), 10)
	case parquet.Boolean:
		return strconv.FormatBool(v.Boolean())
	default:
		return ""
	}
}

// commands reports whether a terminal takes a character for an order, and not for a text.
func commands(r rune) bool { return unicode.IsControl(r) && !strings.ContainsRune("\t\n\r", r) }

// listed is a list as a JSON array.
func listed(values []parquet.Value) string {
	texts := []string{}
	for _, v := range values {
		if !v.IsNull() { // of a list without any
			texts = append(texts, string(v.ByteArray()))
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(texts); err != nil {
		return "" // texts are always encoded
	}
	return harmless(strings.TrimSuffix(b.String(), "\n"))
}

// harmless keeps a spreadsheet from running a text as a formula, and a terminal from obeying
// it: a control character that no table needs is written as a report writes it.
func harmless(text string) string {
	if strings.ContainsFunc(text, commands) {
		var b strings.Builder
		for _, r := range text {
			if commands(r) {
				b.WriteString(schemas.Printable(string(r)))
				continue
			}
			b.WriteRune(r)
		}
		text = b.String()
	}
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}
