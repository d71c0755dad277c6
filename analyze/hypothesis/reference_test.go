package hypothesis

import (
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
)

// reference returns the lines of a file of testdata/reference that begin with
// kind, as numbers.
func reference(t *testing.T, file, kind string) [][]float64 {
	t.Helper()
	b, err := os.ReadFile("../../testdata/reference/" + file)
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
		t.Fatalf("%s has no line of kind %q", file, kind)
	}
	return rows
}

// near reports |got − want| ≤ tol·|want|; infinities and NaN must agree.
func near(got, want, tol float64) bool {
	return got == want || math.IsNaN(got) && math.IsNaN(want) || math.Abs(got-want) <= tol*math.Abs(want)
}
