package tail

import (
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
)

// TestReference compares every law with arbitrary-precision values
// (testdata/reference/tails.csv, mpmath 1.3.0, made by tails.py beside it).
// The tolerance is relative to ln P where P is far below 1 and absolute in ln P
// otherwise; and where P is near 1, so that ln P is minus the other tail,
// relative to that tail as well.
func TestReference(t *testing.T) {
	laws := map[string]func(a []float64) float64{
		"normal":    func(a []float64) float64 { return LogNormal(a[0]) },
		"student":   func(a []float64) float64 { return LogStudent(a[0], a[1]) },
		"fisher":    func(a []float64) float64 { return LogFisher(a[0], a[1], a[2]) },
		"chisquare": func(a []float64) float64 { return LogChiSquare(a[0], a[1]) },
		"atleast":   func(a []float64) float64 { return LogBinomialAtLeast(int64(a[0]), int64(a[1]), a[2]) },
		"atmost":    func(a []float64) float64 { return LogBinomialAtMost(int64(a[0]), int64(a[1]), a[2]) },
	}
	b, err := os.ReadFile("../../../testdata/reference/tails.csv")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(b)) {
		fields := strings.Split(strings.TrimSpace(line), ",")
		a := make([]float64, len(fields)-1)
		for i := range a {
			if a[i], err = strconv.ParseFloat(fields[i+1], 64); err != nil {
				t.Fatal(err)
			}
		}
		want := a[len(a)-1]
		got := laws[fields[0]](a[:len(a)-1])
		if !(math.Abs(got-want) <= 5e-13*math.Max(1, math.Abs(want)) && math.Abs(got-want) <= 1e-10*math.Abs(want)+math.SmallestNonzeroFloat64) {
			t.Errorf("%s: got %.17g, off by %.2g", strings.TrimSpace(line), got, got-want)
		}
		n++
	}
	if n < 500 {
		t.Fatalf("only %d reference lines", n)
	}
}
