package moments

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Derived moments are those of the derived columns, also far from 0.
func TestDerive(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const rows = 700
	x, y := make([][]float64, 3), make([]float64, rows)
	for j := range x {
		x[j] = make([]float64, rows)
		for i := range rows {
			x[j][i] = 1e6 + math.Round(r.NormFloat64()*1024)/1024 // exact less 10⁶
		}
	}
	for i := range rows {
		y[i] = r.NormFloat64()
	}
	c := NewCross(3)
	c.AddBlock(x, y, nil)
	got := c.Derive([]int{2, -1, 0, 2, -1}, []float64{1e6, 1, 0, 999999.5, 0})
	want := NewCross(5)
	columns := [][]float64{make([]float64, rows), make([]float64, rows), x[0], make([]float64, rows), make([]float64, rows)}
	for i := range rows {
		columns[0][i], columns[1][i], columns[3][i] = x[2][i]-1e6, 1, x[2][i]-999999.5
	}
	want.AddBlock(columns, y, nil)
	if got.N() != rows || got.P() != 5 {
		t.Fatalf("%d rows of %d columns", got.N(), got.P())
	}
	for i := range 6 {
		if math.Abs(got.Mean(i)-want.Mean(i)) > 1e-13*math.Max(1, math.Abs(want.Mean(i))) {
			t.Errorf("mean %d is %.17g, want %.17g", i, got.Mean(i), want.Mean(i))
		}
		for j := range i + 1 {
			if math.Abs(got.Product(i, j)-want.Product(i, j)) > 1e-11*rows {
				t.Errorf("product %d, %d is %.17g, want %.17g", i, j, got.Product(i, j), want.Product(i, j))
			}
		}
	}
	// Accumulators of other rows may be merged in.
	got.Merge(c.Derive([]int{2, -1, 0, 2, -1}, []float64{1e6, 0, 0, 999999.5, 0}))
	if got.N() != 2*rows || math.Abs(got.Mean(1)-0.5) > 1e-15 || math.Abs(got.Product(1, 1)-rows/2) > 1e-10 {
		t.Errorf("merged: mean %g, sum of squares %g of half ones", got.Mean(1), got.Product(1, 1))
	}
}

func TestSelect(t *testing.T) {
	c := NewCross(3)
	c.AddBlock([][]float64{{1, 2, 4}, {3, 5, 1}, {0, 0, 9}}, []float64{1, 0, 1}, nil)
	got := c.Select([]int{2, 0})
	for i, from := range []int{2, 0, 3} {
		if got.Mean(i) != c.Mean(from) || got.Product(i, 0) != c.Product(from, 2) {
			t.Errorf("variable %d: mean %g, product %g; want those of %d", i, got.Mean(i), got.Product(i, 0), from)
		}
	}
	if none := NewCross(2).Select([]int{1}); none.N() != 0 || none.P() != 1 || !math.IsNaN(none.Mean(0)) {
		t.Errorf("of no rows: %+v", none)
	}
	for name, f := range map[string]func(){
		"negative":  func() { c.Select([]int{-1}) },
		"too large": func() { c.Select([]int{3}) }, // the response is no covariate
		"lengths":   func() { c.Derive([]int{0}, nil) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: must panic", name)
				}
			}()
			f()
		}()
	}
}
