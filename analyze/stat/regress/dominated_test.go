package regress

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"banditaudit/analyze/stat/moments"
)

// Errors by cluster are refused where a few clusters own most rows, warned of
// where they are fewer than 30 of like size, and given where none dominates.
func TestDominated(t *testing.T) {
	for _, c := range []struct {
		large       int // rows of the first cluster; 100 others have one each
		void, warns bool
	}{{300, true, false}, {60, true, false}, {20, false, true}, {5, false, false}} {
		r := rand.New(rand.NewPCG(5, 8))
		x, y, cluster := [][]float64{nil}, []float64(nil), []int64(nil)
		for i := range c.large + 100 {
			x[0], y = append(x[0], r.NormFloat64()), append(y, r.Float64())
			cluster = append(cluster, int64(max(0, i-c.large+1)))
		}
		cross := moments.NewCross(1)
		cross.AddBlock(x, y, nil)
		s := clusteredOf(t, Fit(cross, []string{"x"}, true), CR1)
		for from := 0; from < len(y); from += 37 { // clusters are cut into blocks anywhere
			to := min(len(y), from+37)
			if err := s.AddBlock(cluster[from:to], [][]float64{x[0][from:to]}, y[from:to], nil); err != nil {
				t.Fatal(err)
			}
		}
		table := s.Table()
		said := strings.Join(table.Warnings, "; ")
		if got := math.IsNaN(table.Coefficients[1].StdErr); got != c.void || strings.Contains(said, "lean on normal sums") != c.warns || c.void != strings.Contains(said, "so there are no standard errors") {
			t.Errorf("%d rows: no error %t, %q", c.large, got, said)
		}
	}
}
