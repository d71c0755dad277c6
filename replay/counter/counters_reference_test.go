package counter

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	vectors "banditaudit/testdata/reference"
)

// The counters whose runs testdata/reference/counters.py wrote. The tree has
// three levels of 13 children, all of which move within 200 rows.
func referenceSpecs() []Spec {
	epsilon := big.NewRat(3, 10)
	return []Spec{
		{Name: "laplace", Epsilon: epsilon},
		{Name: "binary", Epsilon: epsilon, Horizon: 200},
		{Name: "tree", Epsilon: epsilon, Horizon: 1000},
		{Name: "interval", Epsilon: epsilon, Horizon: 200},
		{Name: "epochs", Epsilon: epsilon},
	}
}

// A second implementation, in Python 3.11 from the package and type comments,
// releases the same bits: cd testdata/reference && python3 counters.py.
func TestCountersEqualTheReferenceProgram(t *testing.T) {
	for _, s := range referenceSpecs() {
		bank := built(t, s).Bank([]rand.Source{referenceStream(s.Name)})
		for _, row := range vectors.Rows(t, "counters.csv", "run."+s.Name) {
			sum, rows, err := bank.Add(0, row[1])
			if err != nil || sum != row[2] || float64(rows) != row[3] {
				t.Fatalf("%s, row %v: %v of %d rows (%v)", s.Name, row, sum, rows, err)
			}
		}
	}
}

// Vectors of two coordinates with sensitivity 7/5; the first coordinate draws
// first.
func TestVectorCountersEqualTheReferenceProgram(t *testing.T) {
	for _, s := range referenceSpecs() {
		s.Sensitivity = big.NewRat(7, 5)
		bank, dst := built(t, s).VectorBank([]rand.Source{nil, referenceStream(s.Name)}, 2), make([]float64, 2)
		for _, row := range vectors.Rows(t, "counters.csv", "vector."+s.Name) {
			rows, err := bank.Add(1, row[2:4], row[1], dst)
			if err != nil || dst[0] != row[4] || dst[1] != row[5] || float64(rows) != row[6] {
				t.Fatalf("%s, row %v: %v of %d rows (%v)", s.Name, row, dst, rows, err)
			}
		}
	}
}

// Every run that counters.py wrote is held against the counter of its name.
func TestEveryReferenceRunIsCompared(t *testing.T) {
	var compared []string
	for _, s := range referenceSpecs() {
		compared = append(compared, s.Name)
	}
	for _, kind := range []string{"run.", "vector."} {
		if written := vectors.Names(t, "counters.csv", kind); !slices.Equal(written, compared) {
			t.Errorf("%s: written are %q, compared are %q", kind, written, compared)
		}
	}
}
