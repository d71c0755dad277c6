// Package reference reads the reference values that lie beside it, for tests.
// The scripts that made them, with their tools' versions, lie here too.
package reference

import (
	"embed"
	"math"
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

// AnswersLog is the deterministic log of the answers sheet, appendix B: arms, rewards and
// propensities of 400 rounds.
func AnswersLog() (arm []int, y []float64, p [][]float64) {
	frac := func(x float64) float64 { return x - math.Floor(x) }
	for t := range 400 {
		law := []float64{.5, .3, .2}
		if t%100 >= 50 {
			law = []float64{.1, .1, .8}
		}
		u, k := frac(float64(t)*0.6180339887498949), 2
		if u < law[0] {
			k = 0
		} else if u < law[0]+law[1] {
			k = 1
		}
		reward := 0.0
		if frac(float64(t)*0.7548776662466927) < []float64{.2, .3, .4}[k] {
			reward = 1
		}
		arm, y, p = append(arm, k), append(y, reward), append(p, law)
	}
	return arm, y, p
}
