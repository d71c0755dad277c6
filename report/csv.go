package report

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"banditaudit/schemas"
)

// CSV writes the tables of [Tables] as comma-separated values (RFC 4180), one
// file each, with the columns' names in the first line. An absent number is an
// empty field, ±∞ is "+Inf" or "-Inf"; numbers are in full precision.
//
// A text field that a spreadsheet would take for a formula (it begins with =,
// +, -, @, a tab or a carriage return) has an apostrophe before it: text in a
// log is not to be run by whoever opens its report.
//
// The same results give the same bytes. An error is returned when r is nil.
func CSV(r *schemas.Results) ([]File, error) {
	return tables(r, ".csv", func(t tableFile) ([]byte, error) { return t.csv() })
}

// encodeCSV writes rows of a struct type whose fields carry parquet tags.
func encodeCSV[T any](rows []T) ([]byte, error) {
	var buf bytes.Buffer
	w := csv.NewWriter(&buf)
	fields := reflect.TypeFor[T]()
	record := make([]string, fields.NumField())
	for i := range record {
		record[i], _, _ = strings.Cut(fields.Field(i).Tag.Get("parquet"), ",")
	}
	if err := w.Write(record); err != nil {
		return nil, err
	}
	for _, row := range rows {
		v := reflect.ValueOf(row)
		for i := range record {
			record[i] = csvField(v.Field(i))
		}
		if err := w.Write(record); err != nil {
			return nil, err
		}
	}
	w.Flush()
	return buf.Bytes(), w.Error()
}

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
