package regress

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// nearlyEqual is data with two columns that differ by a part in 10⁷: the first pass
// drops one, which a refit keeps.
func nearlyEqual(seed uint64, n int) dataset {
	d := random(seed, n, 2)
	d.names, d.x = append(d.names, "near"), append(d.x, make([]float64, n))
	for t, v := range d.x[0] {
		d.x[2][t] = v + math.Ldexp(math.Round(d.x[1][t]*d.x[1][t]*16), -28)
	}
	return d
}

// A refit of a design without trouble is the fit, to the last digits.
func TestRefitAgrees(t *testing.T) {
	for _, intercept := range []bool{true, false} {
		d := random(41, 90, 4)
		m := d.fit(intercept)
		if m.LosesDigits() {
			t.Error("a random design must not ask for a refit")
		}
		got := d.refit(t, m)
		for _, kind := range kinds {
			a, b := d.robust(t, got, kind), d.robust(t, m, kind)
			for i, c := range b.Coefficients {
				if g := a.Coefficients[i]; digits(g.Estimate, c.Estimate) < 12 || digits(g.StdErr, c.StdErr) < 12 {
					t.Errorf("%s: %s is %.15g ± %.15g, was %.15g ± %.15g", kind, c.Name, g.Estimate, g.StdErr, c.Estimate, c.StdErr)
				}
			}
		}
		if digits(got.F, m.F) < 12 || digits(got.ConditionNumber, m.ConditionNumber) < 12 || got.DFResidual != m.DFResidual {
			t.Errorf("%+v, was %+v", got, m)
		}
	}
}

// A column that float64 products cannot tell from another is kept, and the fit
// is that on their difference, which is exact here.
func TestRefitKeeps(t *testing.T) {
	d := nearlyEqual(42, 300)
	first := d.fit(true)
	if !first.LosesDigits() {
		t.Fatal("two columns that differ by 10⁻⁷ must ask for a refit")
	}
	m := d.refit(t, first)
	if diff := cmp.Diff(m.Columns, m.Kept); diff != "" {
		t.Fatal(diff)
	}
	apart := d
	apart.x = [][]float64{d.x[0], d.x[1], make([]float64, len(d.y))}
	for i := range d.y {
		apart.x[2][i] = d.x[2][i] - d.x[0][i]
	}
	want := apart.fit(true)
	for i, j := range []int{0, 1, 2, 3} {
		b := want.Estimates[j]
		if i == 1 {
			b -= want.Estimates[3]
		}
		if digits(m.Estimates[i], b) < 11 {
			t.Errorf("%s is %.15g, on the difference %.15g", m.Kept[i], m.Estimates[i], b)
		}
	}
}

// What depends on other columns up to rounding is dropped by a refit too.
func TestRefitDrops(t *testing.T) {
	d := random(43, 500, 3)
	sum, far, fives := make([]float64, 500), make([]float64, 500), make([]float64, 500)
	for i := range sum {
		sum[i] = d.x[0][i]/3 - 0.1*d.x[2][i] + 0.7
		d.x[1][i] += 1e6
		far[i], fives[i] = d.x[1][i]*0.3-d.x[0][i], 0.3
	}
	d.x, d.names = append(d.x, sum, far, fives, make([]float64, 500)), append(d.names, "sum", "far", "fives", "zero")
	m := d.refit(t, d.fit(true))
	if diff := cmp.Diff([]string{"sum", "far", "fives", "zero"}, m.Dropped); diff != "" {
		t.Error(diff)
	}
	free := d.refit(t, d.fit(false))
	if diff := cmp.Diff([]string{"far", "fives", "zero"}, free.Dropped); diff != "" {
		t.Error(diff) // beside no intercept the constant 0.3 is what sum has more than a and c
	}
}

func TestRefitSpecial(t *testing.T) {
	t.Run("responses equal", func(t *testing.T) {
		d := random(44, 30, 2)
		for i := range d.y {
			d.y[i] = 1e6 + 0.1
		}
		m := d.refit(t, d.fit(true))
		if m.RSS != 0 || !math.IsNaN(m.RSquared) || digits(m.Estimates[0], 1e6+0.1) < 15 || m.Estimates[1] != 0 {
			t.Errorf("%+v", m)
		}
	})
	t.Run("more columns than rows", func(t *testing.T) {
		for _, intercept := range []bool{true, false} {
			d := random(45, 3, 5)
			m := d.refit(t, d.fit(intercept))
			if m.Rank != 3 || m.DFResidual != 0 || !math.IsNaN(m.Sigma2) {
				t.Errorf("rank %d, df %d", m.Rank, m.DFResidual)
			}
		}
	})
	t.Run("other rows", func(t *testing.T) {
		d := random(46, 30, 1)
		r := NewRefit(d.fit(true))
		r.AddBlock(d.x, d.y, []int32{1, 2})
		if _, err := r.Model(); err == nil || !strings.Contains(err.Error(), "saw 2 rows, the fit 30") {
			t.Errorf("other rows than the fit's must be refused, got %v", err)
		}
	})
	t.Run("no rows", func(t *testing.T) {
		d := random(47, 0, 1)
		m := d.fit(true)
		if m.LosesDigits() {
			t.Error("no rows must not ask for a refit")
		}
		if _, err := NewRefit(m).Model(); err == nil {
			t.Error("no rows must be refused")
		}
	})
}

// Chunks merged in order give the bytes of any other run with these chunks, and
// per arm what the arm alone gives.
func TestRefitByArm(t *testing.T) {
	d := randomPooled(48, 400, 2, 3)
	byArm := d.byArm(t)
	run := func() []*Refit {
		total := make([]*Refit, 3)
		models := make([]*Model, 3)
		for _, a := range []int{0, 2} { // arm 1 is left out
			models[a] = Fit(byArm[a], d.names, true)
			total[a] = NewRefit(models[a])
		}
		for start := 0; start < 400; start += 150 {
			end := min(start+150, 400)
			part := make([]*Refit, 3)
			for _, a := range []int{0, 2} {
				part[a] = NewRefit(models[a])
			}
			if err := RefitByArm(part, d.arm[start:end], [][]float64{d.x[0][start:end], d.x[1][start:end]}, d.y[start:end]); err != nil {
				t.Fatal(err)
			}
			for _, a := range []int{0, 2} {
				total[a].Merge(part[a])
			}
		}
		return total
	}
	first, second := run(), run()
	for _, a := range []int{0, 2} {
		m, err := first[a].Model()
		if err != nil {
			t.Fatal(err)
		}
		again, err := second[a].Model()
		if err != nil {
			t.Fatal(err)
		}
		if !cmp.Equal(m.Estimates, again.Estimates) || !cmp.Equal(m.basis, again.basis) {
			t.Error("the same chunks gave other bytes")
		}
		for i, b := range Fit(byArm[a], d.names, true).Estimates {
			if digits(m.Estimates[i], b) < 12 {
				t.Errorf("arm %d: %s is %g, of the fit %g", a, m.Kept[i], m.Estimates[i], b)
			}
		}
	}
}

// A pooled refit is the pooled fit, with and without intercept and
// interactions, and so are its errors.
func TestRefitPooled(t *testing.T) {
	d := randomPooled(49, 500, 3, 4)
	for i := range d.y {
		d.x[1][i] += 1e6
	}
	for _, p := range []Pooling{
		d.pooling(1, true, true), d.pooling(0, true, false), d.pooling(2, false, true), d.pooling(3, false, false),
	} {
		m := d.fitPooled(t, p)
		r := NewRefit(m)
		if err := r.AddPooled(d.arm, d.x, d.y); err != nil {
			t.Fatal(err)
		}
		got, err := r.Model()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(m.Kept, got.Kept); diff != "" {
			t.Fatal(diff)
		}
		for _, kind := range kinds {
			a, b := d.robustPooled(t, got, kind), d.robustPooled(t, m, kind)
			for i, c := range b.Coefficients {
				// Levels at 0 are 10⁶ away from the data.
				if g := a.Coefficients[i]; digits(g.Estimate, c.Estimate) < 9 || digits(g.StdErr, c.StdErr) < 9 {
					t.Errorf("%s: %s is %.15g ± %.15g, was %.15g ± %.15g", kind, c.Name, g.Estimate, g.StdErr, c.Estimate, c.StdErr)
				}
			}
		}
	}
}

func BenchmarkRefit(b *testing.B) {
	d := random(50, 65536, 10)
	m := d.fit(true)
	b.ReportAllocs()
	for b.Loop() {
		NewRefit(m).AddBlock(d.x, d.y, nil)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/65536, "ns/row")
}

// Where no refit is asked for, the fit keeps nine digits of the scale of each
// coefficient, ‖y‖/‖x_j less its projection‖, and of the residuals, whatever the
// offsets and however the columns go together.
func TestFitKeepsDigits(t *testing.T) {
	asked := 0
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.IntRange(1, 5).Draw(t, "p")
		n := rapid.IntRange(p+3, 300).Draw(t, "n")
		d := random(rapid.Uint64().Draw(t, "seed"), n, p)
		shift := math.Pow(10, float64(rapid.IntRange(0, 9).Draw(t, "log10 offset")))
		apart := math.Pow(10, -float64(rapid.IntRange(0, 7).Draw(t, "log10 distance")))
		noise := math.Pow(10, -float64(rapid.IntRange(0, 4).Draw(t, "log10 noise")))
		for i := range d.y {
			for j := 1; j < p; j++ {
				d.x[j][i] = d.x[0][i] + apart*d.x[j][i]
			}
			d.y[i] = d.x[0][i] + noise*d.y[i] + shift/7
		}
		for _, col := range d.x {
			for i := range col {
				col[i] += shift
			}
		}
		m := d.fit(true)
		if m.LosesDigits() {
			asked++
			return
		}
		r := NewRefit(m)
		r.AddBlock(d.x, d.y, nil)
		want, err := r.Model()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want.Kept, m.Kept); diff != "" {
			t.Fatal(diff)
		}
		for j := 1; j < m.Rank; j++ {
			unit := math.Sqrt(want.TSS) * length(want.basis[j*m.Rank:][:m.Rank])
			if math.Abs(m.Estimates[j]-want.Estimates[j]) > 1e-9*unit {
				t.Fatalf("%s is %.15g, refitted %.15g (unit %g)", m.Kept[j], m.Estimates[j], want.Estimates[j], unit)
			}
		}
		if digits(m.RSS, want.RSS) < 8 {
			t.Fatalf("RSS %.15g, refitted %.15g", m.RSS, want.RSS)
		}
	})
	if asked == 0 {
		t.Error("none of these designs asked for a refit")
	}
}
