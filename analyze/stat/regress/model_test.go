package regress

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"banditaudit/analyze/stat/moments"
)

// random makes n rows of p standard normal covariates and a noisy response.
func random(seed uint64, n, p int) dataset {
	r := rand.New(rand.NewPCG(seed, 7))
	d := dataset{x: make([][]float64, p), y: make([]float64, n)}
	for j := range d.x {
		d.names = append(d.names, string(rune('a'+j)))
		d.x[j] = make([]float64, n)
	}
	for t := range n {
		d.y[t] = r.NormFloat64()
		for j := range d.x {
			d.x[j][t] = r.NormFloat64()
			d.y[t] += d.x[j][t] * float64(j+1) / 4
		}
	}
	return d
}

// Of a dependent set the later column goes, by name, whatever the reason, and
// the rest is what it would be without it.
func TestDropped(t *testing.T) {
	d := random(1, 60, 3)
	sum, fives, twice := make([]float64, 60), make([]float64, 60), make([]float64, 60)
	for i := range sum {
		sum[i] = d.x[0][i]/3 - 0.1*d.x[2][i] + 0.7
		fives[i], twice[i] = 0.1+0.2, d.x[1][i]*2e9
	}
	wide := dataset{
		names: []string{"a", "fives", "b", "twice b", "c", "sum", "zero"},
		x:     [][]float64{d.x[0], fives, d.x[1], twice, d.x[2], sum, make([]float64, 60)},
		y:     d.y,
	}
	m, want := wide.fit(true), d.fit(true)
	if diff := cmp.Diff([]string{"fives", "twice b", "sum", "zero"}, m.Dropped); diff != "" {
		t.Errorf("dropped (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{InterceptName, "a", "b", "c"}, m.Kept); diff != "" || m.Rank != 4 {
		t.Errorf("kept, rank %d (-want +got):\n%s", m.Rank, diff)
	}
	for i, v := range want.Estimates {
		if digits(m.Estimates[i], v) < 12 {
			t.Errorf("coefficient %d is %.15g, without the dropped columns %.15g", i, m.Estimates[i], v)
		}
	}
	// Without an intercept a constant column is a column like any other.
	free := wide.fit(false)
	if diff := cmp.Diff([]string{"twice b", "sum", "zero"}, free.Dropped); diff != "" {
		t.Errorf("dropped without an intercept (-want +got):\n%s", diff)
	}
}

// A dependence that holds up to the rounding of covariates near 10⁶.
func TestDroppedFarFromZero(t *testing.T) {
	d := random(2, 500, 2)
	third := make([]float64, 500)
	for i := range third {
		d.x[0][i] += 1e6
		d.x[1][i] += 1e6
		third[i] = d.x[0][i] + d.x[1][i]
	}
	d.x, d.names = append(d.x, third), append(d.names, "c")
	if m := d.fit(true); len(m.Dropped) != 1 || m.Dropped[0] != "c" {
		t.Errorf("dropped %q, want c", m.Dropped)
	}
}

// A column that is nearly, but really not, dependent stays and is right.
func TestNearlyDependentStays(t *testing.T) {
	d := random(3, 200, 2)
	for i, v := range d.x[0] {
		d.x[1][i] = v + 1e-4*d.x[1][i]
	}
	m := d.fit(true)
	if m.Rank != 3 {
		t.Fatalf("rank %d, want 3", m.Rank)
	}
	if m.ConditionNumber < 1e4 || m.ConditionNumber > 1e5 {
		t.Errorf("condition number %g, want about 2·10⁴", m.ConditionNumber)
	}
}

func TestFitSpecial(t *testing.T) {
	nan := math.IsNaN
	t.Run("no rows", func(t *testing.T) {
		m := Fit(moments.NewCross(1), []string{"a"}, true)
		if m.Rank != 0 || len(m.Estimates) != 0 || len(m.Warnings) == 0 || !nan(m.ConditionNumber) || len(m.Classical().Coefficients) != 0 {
			t.Errorf("%+v", m)
		}
		if diff := cmp.Diff([]string{InterceptName, "a"}, m.Dropped); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("more columns than rows", func(t *testing.T) {
		for _, intercept := range []bool{true, false} {
			m := random(4, 3, 5).fit(intercept)
			if m.Rank != 3 || m.DFResidual != 0 || !nan(m.Sigma2) || !nan(m.F) || !nan(m.AdjRSquared) {
				t.Errorf("intercept %v: rank %d, df %d, σ² %g, F %g", intercept, m.Rank, m.DFResidual, m.Sigma2, m.F)
			}
			for _, c := range m.Classical().Coefficients {
				if !nan(c.StdErr) || nan(c.Estimate) {
					t.Errorf("%s: %g ± %g, want an estimate without an error", c.Name, c.Estimate, c.StdErr)
				}
			}
		}
	})
	t.Run("one row", func(t *testing.T) {
		d := random(5, 1, 2)
		if m := d.fit(true); m.Rank != 1 || m.Estimates[0] != d.y[0] || m.DFResidual != 0 {
			t.Errorf("rank %d, estimates %v", m.Rank, m.Estimates)
		}
	})
	t.Run("two rows", func(t *testing.T) {
		d := random(6, 2, 1)
		slope := (d.y[1] - d.y[0]) / (d.x[0][1] - d.x[0][0])
		if m := d.fit(true); m.Rank != 2 || digits(m.Estimates[1], slope) < 13 {
			t.Errorf("rank %d, estimates %v, want slope %g", m.Rank, m.Estimates, slope)
		}
	})
	t.Run("responses equal", func(t *testing.T) {
		d := random(7, 20, 2)
		for i := range d.y {
			d.y[i] = 0.3
		}
		m := d.fit(true)
		if m.RSS != 0 || !nan(m.RSquared) || !nan(m.F) || m.Estimates[0] != 0.3 || m.Estimates[1] != 0 {
			t.Errorf("%+v", m)
		}
		if c := m.Classical().Coefficients[1]; c.StdErr != 0 || !nan(c.Test(0, 0, -3).LogP) {
			t.Errorf("a coefficient without variance must have no test: %+v", c)
		}
	})
	t.Run("perfect fit", func(t *testing.T) {
		d := random(8, 40, 2)
		for i := range d.y {
			d.y[i] = 1 + 2*d.x[0][i] - d.x[1][i]/3
		}
		for _, intercept := range []bool{true, false} {
			m := d.fit(intercept)
			if intercept && (m.RSS != 0 || m.RSquared != 1 || !nan(m.F) || digits(m.Estimates[1], 2) < 12) {
				t.Errorf("%+v", m)
			}
			if !intercept && m.RSS == 0 {
				t.Error("without its intercept the fit is not perfect")
			}
		}
		for _, k := range []Kind{HC0, HC3} {
			if c := d.robust(t, d.fit(true), k).Coefficients[1]; c.StdErr != 0 {
				t.Errorf("%s: standard error %g, want 0", k, c.StdErr)
			}
		}
	})
	t.Run("intercept only", func(t *testing.T) {
		d := random(9, 25, 0)
		m := d.fit(true)
		var s moments.Scalar
		s.Add(d.y)
		c := m.Classical().Coefficients[0]
		if digits(c.Estimate, s.Mean) < 14 || digits(c.StdErr, s.StdErr()) < 14 || m.ConditionNumber != 1 || !nan(m.F) {
			t.Errorf("%+v, want mean %g ± %g", c, s.Mean, s.StdErr())
		}
	})
	t.Run("no columns at all", func(t *testing.T) {
		m := random(10, 5, 0).fit(false)
		if m.Rank != 0 || m.DFResidual != 5 || !nan(m.ConditionNumber) {
			t.Errorf("%+v", m)
		}
	})
}

// Against the normal equations in the plain, for random designs.
func TestFitProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.IntRange(1, 5).Draw(t, "p")
		n := rapid.IntRange(p+2, 40).Draw(t, "n")
		intercept := rapid.Bool().Draw(t, "intercept")
		d := random(rapid.Uint64().Draw(t, "seed"), n, p)
		m := d.fit(intercept)
		x := designMatrix(d, intercept)
		var want mat.VecDense
		if err := want.SolveVec(x, mat.NewVecDense(n, d.y)); err != nil {
			t.Skip("the reference solver refuses so nearly dependent a design; another is drawn instead")
		}
		for i, b := range m.Estimates {
			if math.Abs(b-want.AtVec(i)) > 1e-8*m.ConditionNumber {
				t.Fatalf("coefficient %d is %g, QR says %g", i, b, want.AtVec(i))
			}
		}
		var fitted, rest mat.VecDense
		fitted.MulVec(x, &want)
		rest.SubVec(mat.NewVecDense(n, d.y), &fitted)
		if rss := mat.Dot(&rest, &rest); math.Abs(m.RSS-rss) > 1e-9*m.TSS {
			t.Fatalf("RSS %g, QR says %g", m.RSS, rss)
		}
		if len(m.Kept)+len(m.Dropped) != len(m.Columns) || m.Rank != len(m.Kept) {
			t.Fatalf("columns %v are not kept %v and dropped %v", m.Columns, m.Kept, m.Dropped)
		}
	})
}

func designMatrix(d dataset, intercept bool) *mat.Dense {
	first := 0
	if intercept {
		first = 1
	}
	x := mat.NewDense(len(d.y), len(d.x)+first, nil)
	for t := range d.y {
		if intercept {
			x.Set(t, 0, 1)
		}
		for j, col := range d.x {
			x.Set(t, first+j, col[t])
		}
	}
	return x
}

func TestFitPanicsOnNames(t *testing.T) {
	defer func() {
		if recover() != badLength {
			t.Error("a wrong number of names is the caller's mistake and must panic")
		}
	}()
	Fit(moments.NewCross(2), []string{"a"}, true)
}
