package report

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/parquet-go/parquet-go"

	"banditaudit/schemas"
)

// Tables writes the tables of the results as Parquet, one file each, for a
// warehouse: experiments, claims, inputs, checks, arms, ledger, regressions,
// tests, estimates and series. Rows are flat and keep the order of
// results.json; every table but inputs has a column experiment. Numbers are in
// full precision, absent ones are null, infinite ones are ±Inf. Text is as it
// was in the log, not escaped.
//
// The same results give the same bytes. An error is returned when r is nil.
//
// Special cases are:
//
//	a table without rows is written with its schema
//	a list is joined by ", "
func Tables(r *schemas.Results) ([]File, error) {
	return tables(r, ".parquet", func(t tableFile) ([]byte, error) { return t.parquet(r.Tool) })
}

// tableFile is one table's rows with the formats it can be written in.
type tableFile struct {
	name    string
	parquet func(schemas.Tool) ([]byte, error)
	csv     func() ([]byte, error)
}

// allTables are the tables of the results, in the order in which they are
// written.
func allTables(r *schemas.Results) []tableFile {
	return []tableFile{
		tableOf("experiments", experimentRows(r)),
		tableOf("claims", claimRows(r)),
		tableOf("inputs", inputRows(r)),
		tableOf("checks", checkRows(r)),
		tableOf("arms", armRows(r)),
		tableOf("ledger", ledgerRows(r)),
		tableOf("regressions", coefficientRows(r)),
		tableOf("tests", testRows(r)),
		tableOf("estimates", estimateRows(r)),
		tableOf("series", seriesRows(r)),
	}
}

// tableOf binds a table's name to its rows.
func tableOf[T any](name string, rows []T) tableFile {
	return tableFile{
		name:    name,
		parquet: func(tool schemas.Tool) ([]byte, error) { return encode(rows, tool) },
		csv:     func() ([]byte, error) { return encodeCSV(rows) },
	}
}

// tables writes every table in one format.
func tables(r *schemas.Results, extension string, write func(tableFile) ([]byte, error)) ([]File, error) {
	if r == nil {
		return nil, errNoResults
	}
	var files []File
	for _, t := range allTables(r) {
		data, err := write(t)
		if err != nil {
			return nil, fmt.Errorf("report: table %s: %w", t.name, err)
		}
		files = append(files, File{Name: "tables/" + t.name + extension, Data: data})
	}
	return files, nil
}

// encode writes one row group. CreatedBy is set so that it does not depend on
// how the program was built.
func encode[T any](rows []T, tool schemas.Tool) ([]byte, error) {
	var buf bytes.Buffer
	w := parquet.NewGenericWriter[T](&buf, parquet.CreatedBy(tool.Name, tool.Version, ""), parquet.Compression(&parquet.Snappy))
	if _, err := w.Write(rows); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}

// float turns an extended number into a column value; ±∞ stays itself.
func float(x *schemas.Extended) *float64 {
	if x == nil {
		return nil
	}
	v := float64(*x)
	return &v
}

// end returns one end of an interval.
func end(ci *schemas.Interval, i int) *float64 {
	if ci == nil {
		return nil
	}
	v := ci[i]
	return &v
}

func joined(list []string) string { return strings.Join(list, ", ") }

// each collects the rows of every experiment.
func each[T any](r *schemas.Results, rows func(*schemas.Experiment) []T) []T {
	var out []T
	for i := range r.Experiments {
		out = append(out, rows(&r.Experiments[i])...)
	}
	return out
}
