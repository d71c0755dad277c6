package regress

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"banditaudit/analyze/stat/moments"
)

// A dummy that marks one row gives it leverage 1: no robust error of the dummy
// exists, those of columns that the row does not touch do.
func TestLeverageOne(t *testing.T) {
	d := random(11, 30, 1)
	dummy := make([]float64, 30)
	dummy[4] = 1
	d.x, d.names = append(d.x, dummy), append(d.names, "only row 4")
	m := d.fit(true)
	for _, kind := range []Kind{HC0, HC1, HC2, HC3} {
		got := d.robust(t, m, kind)
		for _, c := range got.Coefficients {
			if undefined := c.Name == "only row 4"; math.IsNaN(c.StdErr) != undefined {
				t.Errorf("%s: standard error of %s is %g", kind, c.Name, c.StdErr)
			}
		}
		if len(got.Warnings) != 2 || !strings.Contains(got.Warnings[0], "only row 4") {
			t.Errorf("%s: warnings %q", kind, got.Warnings)
		}
		if math.Abs(got.MaxLeverage-1) > 1e-12 {
			t.Errorf("%s: largest leverage %g, want 1", kind, got.MaxLeverage)
		}
	}
}

// The errors that survive a row of leverage 1 are those of the fit without it.
func TestLeverageOneOthers(t *testing.T) {
	d := random(12, 30, 1)
	without := dataset{names: d.names, x: [][]float64{d.x[0][1:]}, y: d.y[1:]}
	dummy := make([]float64, 30)
	dummy[0] = 1
	with := dataset{names: []string{"a", "first"}, x: [][]float64{d.x[0], dummy}, y: d.y}
	got := with.robust(t, with.fit(true), HC3)
	want := without.robust(t, without.fit(true), HC3)
	for i := range 2 {
		if digits(got.Coefficients[i].StdErr, want.Coefficients[i].StdErr) < 10 {
			t.Errorf("%s: %g, without the row %g", want.Coefficients[i].Name, got.Coefficients[i].StdErr, want.Coefficients[i].StdErr)
		}
	}
}

func TestSandwichSpecial(t *testing.T) {
	d := random(13, 200, 2)
	m := d.fit(true)
	t.Run("kind", func(t *testing.T) {
		if _, err := NewSandwich(m, "HC4"); err == nil {
			t.Error("a kind that does not exist must be refused")
		}
	})
	t.Run("classical", func(t *testing.T) {
		got, want := d.robust(t, m, Classical), m.Classical()
		if want.MaxLeverage = d.robust(t, m, HC0).MaxLeverage; !cmp.Equal(got, want) {
			t.Errorf("got %+v, want %+v", got, want)
		}
	})
	t.Run("other rows", func(t *testing.T) {
		s := sandwichOf(t, m, HC3)
		s.AddBlock(d.x, d.y, []int32{0, 1, 2})
		got := s.Table()
		if len(got.Warnings) != 1 || !math.IsNaN(got.Coefficients[0].StdErr) {
			t.Errorf("%+v", got)
		}
	})
	t.Run("no residual degrees of freedom", func(t *testing.T) {
		few := random(14, 3, 2)
		if got := few.robust(t, few.fit(true), HC0); !math.IsNaN(got.Coefficients[0].StdErr) {
			t.Errorf("%+v", got)
		}
	})
	t.Run("no columns", func(t *testing.T) {
		none := random(15, 70, 0)
		got := none.robust(t, none.fit(false), HC3)
		if len(got.Coefficients) != 0 || len(got.Warnings) != 0 {
			t.Errorf("%+v", got)
		}
	})
}

// Chunks that are merged in order give the errors of one pass, and the same
// bytes each time.
func TestSandwichMerge(t *testing.T) {
	d := random(16, 1000, 3)
	m := d.fit(true)
	whole := d.robust(t, m, HC3)
	merged := func() Table {
		var total *Sandwich
		for start := 0; start < 1000; start += 300 {
			s := sandwichOf(t, m, HC3)
			end := min(start+300, 1000)
			x := make([][]float64, len(d.x))
			for j := range x {
				x[j] = d.x[j][start:end]
			}
			s.AddBlock(x, d.y[start:end], nil)
			if total == nil {
				total = s
			} else {
				total.Merge(s)
			}
		}
		return total.Table()
	}
	a, b := merged(), merged()
	for i, c := range a.Coefficients {
		if c.StdErr != b.Coefficients[i].StdErr {
			t.Error("the same chunks gave other bytes")
		}
		if digits(c.StdErr, whole.Coefficients[i].StdErr) < 12 {
			t.Errorf("%s: %g merged, %g in one pass", c.Name, c.StdErr, whole.Coefficients[i].StdErr)
		}
	}
	if a.MaxLeverage != whole.MaxLeverage {
		t.Error("largest leverage differs")
	}
}

func TestSandwichByArm(t *testing.T) {
	d := random(17, 400, 2)
	arm := make([]int32, 400)
	for i := range arm {
		arm[i] = int32(i%4) - 1 // -1 is left out
	}
	cross := []*moments.Cross{moments.NewCross(2), nil, moments.NewCross(2)}
	if err := moments.AddByArm(cross, arm, d.x, d.y); err != nil {
		t.Fatal(err)
	}
	dst := make([]*Sandwich, 3)
	for _, a := range []int{0, 2} {
		var err error
		if dst[a], err = NewSandwich(Fit(cross[a], d.names, true), HC2); err != nil {
			t.Fatal(err)
		}
	}
	if err := AddByArm(dst, arm, d.x, d.y); err != nil {
		t.Fatal(err)
	}
	for _, a := range []int{0, 2} {
		own := dataset{names: d.names, x: make([][]float64, 2)}
		for i := range d.y {
			if int(arm[i]) == a {
				own.y = append(own.y, d.y[i])
				own.x[0], own.x[1] = append(own.x[0], d.x[0][i]), append(own.x[1], d.x[1][i])
			}
		}
		got, want := dst[a].Table(), own.robust(t, own.fit(true), HC2)
		for i, c := range got.Coefficients {
			if len(got.Warnings) != 0 || digits(c.StdErr, want.Coefficients[i].StdErr) < 11 {
				t.Errorf("arm %d, %s: %g, alone %g, warnings %q", a, c.Name, c.StdErr, want.Coefficients[i].StdErr, got.Warnings)
			}
		}
	}
	arm[7] = 3
	if err := AddByArm(dst, arm, d.x, d.y); err == nil || !strings.Contains(err.Error(), "row 7") {
		t.Errorf("an arm that does not exist must be refused with its row, got %v", err)
	}
}

// White's errors are those of the textbook formula, row by row.
func TestSandwichCovariance(t *testing.T) {
	d := random(18, 25, 1)
	m := d.fit(true)
	n, sx, sxx := 25.0, 0.0, 0.0
	for _, v := range d.x[0] {
		sx += v
		sxx += v * v
	}
	det := n*sxx - sx*sx
	var cov float64 // of intercept and slope
	for i, v := range d.x[0] {
		e := d.y[i] - m.Estimates[0] - m.Estimates[1]*v
		cov += e * e * (sxx - sx*v) / det * (n*v - sx) / det
	}
	got := d.robust(t, m, HC0)
	if digits(got.Cov[1], cov) < 11 || got.Cov[1] != got.Cov[2] {
		t.Errorf("covariance %g and %g, want %g", got.Cov[1], got.Cov[2], cov)
	}
}

// An index outside the columns must not reach the assembly, which does not look.
func TestSandwichRefusesRows(t *testing.T) {
	d := random(3, 30, 1)
	for _, row := range []int32{-1, 30} {
		s := sandwichOf(t, d.fit(true), HC3)
		func() {
			defer func() {
				if recover() != badRow {
					t.Errorf("row %d of 30 must panic", row)
				}
			}()
			s.AddBlock(d.x, d.y, []int32{0, 1, 2, row})
		}()
	}
}

func BenchmarkFit(b *testing.B) {
	c := random(20, 65536, 10).cross()
	names := strings.Split("a b c d e f g h i j", " ")
	b.ReportAllocs()
	for b.Loop() {
		Fit(c, names, true)
	}
}
