package hashassign

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Positions and arms of the library of the platform, by
//
//	python growthbook_hash.py > growthbook_hash.csv
//
// in testdata/reference, with growthbook 4.0.0.
func TestLibrary(t *testing.T) {
	t.Parallel()
	file, err := os.Open(filepath.Join("..", "..", "testdata", "reference", "growthbook_hash.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	rows, err := csv.NewReader(file).ReadAll()
	const least = 1000
	if err != nil || len(rows) < least {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, row := range rows[1:] {
		h, ok := Named("growthbook-v" + row[0])
		if !ok {
			t.Fatal(row)
		}
		n := h.Position(row[1], row[2])
		if got := strconv.FormatInt(n, 10); got != row[3] {
			t.Errorf("%q: position %s", row, got)
		}
		var weights []float64
		for text := range strings.FieldsSeq(row[4]) {
			weights = append(weights, number(t, text))
		}
		if got := (Ranges{Coverage: number(t, row[5])}).Arm(n, h.Steps, weights); strconv.Itoa(got) != row[6] {
			t.Errorf("%q: arm %d", row, got)
		}
	}
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}
