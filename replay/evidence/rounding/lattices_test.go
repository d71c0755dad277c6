package rounding

import (
	"math"
	"math/rand/v2"
	"testing"

	"banditaudit/ingest/precision"
)

// The coarsest lattice on which values lie is found where there is one. Values in full
// precision, as float32, or with decimals lie on none.
func TestCoarserLattice(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	draw := func() float64 { return 40 * (r.Float64() - 0.5) }
	on := func(step float64) func() float64 {
		return func() float64 { return math.RoundToEven(draw()/step) * step }
	}
	for _, c := range []struct {
		name  string
		value func() float64
		want  int64
		whole bool
		text  string
	}{
		{"2^-10", on(0x1p-10), 1 << 10, false, "2^-10"},
		{"2^-4", on(0x1p-4), 1 << 4, false, "2^-4"},
		{"thirds, as sums of thirds are rounded", func() float64 { return math.RoundToEven(3*draw()) * (1. / 3) }, 3, false, "1/3"},
		{"whole numbers", on(1), 0, true, ""},
		{"the declared lattice", on(0x1p-20), 0, false, ""},
		{"no lattice", draw, 0, false, ""},
		{"float32", func() float64 { return float64(float32(draw())) }, 0, false, ""},
		{"three decimals", func() float64 { return math.Round(1000*draw()) / 1000 }, 0, false, ""},
		{"one decimal", func() float64 { return math.Round(10*draw()) / 10 }, 0, false, ""},
	} {
		column := Resolution{grid: 0x1p-20, lattice: newLattice()}
		values := make([]float64, 400)
		for i := range values {
			values[i] = c.value()
		}
		column.Take(values, 1)
		if got := column.DrawnOn(); got != c.want || column.Whole() != c.whole {
			t.Errorf("%s: multiples of 1/%d, whole %v; want 1/%d, %v", c.name, got, column.Whole(), c.want, c.whole)
		}
		if c.want > 0 && (column.Rounds() || StepWords(c.want) != c.text) {
			t.Errorf("%s: rounded %v, written %q", c.name, column.Rounds(), StepWords(c.want))
		}
	}
}

// Few values are too few to tell a lattice: of the declared lattice, a value lies on the
// whole numbers with probability 2⁻²⁰, and two with 2⁻⁴⁰.
func TestFewValuesShowNoLattice(t *testing.T) {
	for n, want := range []int64{0, 0, 1, 1} {
		l := newLattice()
		for i := range n {
			l.take(float64(i + 1))
		}
		if got := l.coarser(0x1p-20); got != want {
			t.Errorf("%d values: %d, want %d", n, got, want)
		}
	}
	if l := newLattice(); l.coarser(0) != 0 || l.coarser(1) != 0 {
		t.Error("no grid, and the coarsest one, have no coarser lattice")
	}
}

// What rounding may have moved a value by does not depend on the declared grid.
func TestWritten(t *testing.T) {
	r := Resolution{grid: 1, lattice: newLattice()}
	r.Take([]float64{1.234567, 2.5, -3.000001}, 1)
	if got := r.Written(1.234567); r.places != 6 || math.Abs(got-5e-7) > 1e-12 {
		t.Errorf("%d decimals: %g", r.places, got)
	}
	full := Resolution{grid: 1, lattice: newLattice()}
	full.Take([]float64{math.Pi, math.E}, 1)
	if got := full.Written(math.Pi); full.places <= precision.Most || got != 0 {
		t.Errorf("in full: %g", got)
	}
}
