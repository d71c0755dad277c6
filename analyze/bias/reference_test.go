package bias

import (
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
)

// reference returns the lines of testdata/reference/maxinfo.csv (mpmath 1.3.0,
// made by maxinfo.py beside it) of one kind, as numbers.
func reference(t *testing.T, kind string) [][]float64 {
	t.Helper()
	b, err := os.ReadFile("../../testdata/reference/maxinfo.csv")
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]float64
	for line := range strings.Lines(string(b)) {
		fields := strings.Split(strings.TrimSpace(line), ",")
		if fields[0] != kind {
			continue
		}
		row := make([]float64, len(fields)-1)
		for i, s := range fields[1:] {
			if row[i], err = strconv.ParseFloat(s, 64); err != nil {
				t.Fatal(err)
			}
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		t.Fatalf("no reference of kind %q", kind)
	}
	return rows
}

// same reports agreement to a relative tolerance; NaN agrees with NaN.
func same(got, want, tol float64) bool {
	return got == want || math.IsNaN(got) && math.IsNaN(want) || math.Abs(got-want) <= tol*math.Abs(want)
}
