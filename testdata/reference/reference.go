// Package reference reads the reference values that lie beside it, for tests.
// The scripts that made them, with their tools' versions, lie here too.
package reference

import (
	"embed"
	"slices"
	"strconv"
	"strings"
	"testing"
)

//go:embed *.csv
var files embed.FS

// Rows returns the lines of a CSV file of this directory whose first field is
// kind, without that field, as numbers; "Inf" and "NaN" are numbers. The test
// fails where the file has no such line, or one that is not of numbers.
func Rows(tb testing.TB, file, kind string) [][]float64 {
	tb.Helper()
	var rows [][]float64
	for _, fields := range lines(tb, file) {
		if fields[0] != kind {
			continue
		}
		row := make([]float64, len(fields)-1)
		for i, s := range fields[1:] {
			var err error
			if row[i], err = strconv.ParseFloat(s, 64); err != nil {
				tb.Fatalf("%s: %v", file, err)
			}
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		tb.Fatalf("%s has no line of kind %q", file, kind)
	}
	return rows
}

// Names returns the names behind a prefix of the kinds of lines of a CSV file of
// this directory, each once, in the order of the lines.
func Names(tb testing.TB, file, prefix string) []string {
	tb.Helper()
	var names []string
	for _, fields := range lines(tb, file) {
		if name, ok := strings.CutPrefix(fields[0], prefix); ok && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// lines returns the fields of every line of a CSV file of this directory.
func lines(tb testing.TB, file string) [][]string {
	tb.Helper()
	b, err := files.ReadFile(file)
	if err != nil {
		tb.Fatal(err)
	}
	var out [][]string
	for line := range strings.Lines(string(b)) {
		out = append(out, strings.Split(strings.TrimSpace(line), ","))
	}
	return out
}
