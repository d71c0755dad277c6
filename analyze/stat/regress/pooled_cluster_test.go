package regress

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// Errors by cluster and bounds on biases of a pooled model are those of the
// design written out, with clusters that have rows of several arms and rows that
// repeat contexts, in any parts.
func TestPooledSecondPasses(tb *testing.T) {
	rapid.Check(tb, func(t *rapid.T) {
		n, p, k := rapid.IntRange(60, 900).Draw(t, "n"), rapid.IntRange(1, 3).Draw(t, "p"), rapid.IntRange(2, 5).Draw(t, "arms")
		seed := rapid.Uint64().Draw(t, "seed")
		d := randomPooled(seed, n, p, k)
		r := rand.New(rand.NewPCG(seed, 3))
		cluster, tau := make([]int64, n), make([]float64, n)
		for i := range n {
			if i > 0 {
				cluster[i] = cluster[i-1] + int64(r.IntN(5)/4)
			}
			tau[i] = r.Float64()
			if same := i % 40; r.IntN(3) > 0 {
				for j := range d.x {
					d.x[j][i] = d.x[j][same]
				}
			}
		}
		pooling := d.pooling(rapid.IntRange(0, k-1).Draw(t, "control"), rapid.Bool().Draw(t, "intercept"), rapid.Bool().Draw(t, "interactions"))
		m := d.fitPooled(tb, pooling)
		plain := d.explicit(pooling)
		want := plain.fit(pooling.Intercept)
		step := rapid.IntRange(1, 300)
		table, bounds := d.passes(t, m, cluster, tau, step)
		errors, biases := plain.clustered(tb, want, CR1, cluster), plain.influence(want, tau, n)
		classical := want.Classical() // errors by cluster may be near 0
		for i, c := range errors.Coefficients {
			got := find(tb, table, c.Name)
			if math.IsNaN(got.StdErr) != math.IsNaN(c.StdErr) || math.Abs(got.StdErr-c.StdErr) > 1e-9*want.ConditionNumber*(c.StdErr+1e-3*classical.Coefficients[i].StdErr) || got.DF != c.DF {
				t.Fatalf("%s: %g on %g degrees of freedom, written out %g on %g", c.Name, got.StdErr, got.DF, c.StdErr, c.DF)
			}
			if b := bounds.Coefficients[i]; math.Abs(b-biases.Coefficients[i]) > 1e-9*want.ConditionNumber*biases.Coefficients[i] {
				t.Fatalf("bias of %s: %g, written out %g", c.Name, b, biases.Coefficients[i])
			}
		}
		if table.Clusters != errors.Clusters || math.Abs(table.MaxLeverage-errors.MaxLeverage) > 1e-9*want.ConditionNumber {
			t.Fatalf("%d clusters, leverage %g, written out %d and %g", table.Clusters, table.MaxLeverage, errors.Clusters, errors.MaxLeverage)
		}
		if bounds.Contexts != biases.Contexts || math.Abs(bounds.Worst-biases.Worst) > 1e-9*want.ConditionNumber*biases.Worst || math.Abs(bounds.RMS-biases.RMS) > 1e-12 {
			t.Fatalf("%+v, written out %+v", bounds, biases)
		}
	})
}

// passes makes both second passes of a pooled model, in parts.
func (d pooledData) passes(t *rapid.T, m *Model, cluster []int64, tau []float64, step *rapid.Generator[int]) (Table, Bounds) {
	total := clusteredOf(t, m, CR1)
	influence := NewInfluence(m, len(tau))
	for from := 0; from < len(tau); {
		to := min(len(tau), from+step.Draw(t, "rows"))
		x := make([][]float64, len(d.x))
		for j := range x {
			x[j] = d.x[j][from:to]
		}
		part := clusteredOf(t, m, CR1)
		if err := part.AddPooled(d.arm[from:to], cluster[from:to], x, d.y[from:to]); err != nil {
			t.Fatal(err)
		}
		if err := total.Merge(part); err != nil {
			t.Fatal(err)
		}
		some := influence.Part()
		if err := some.AddPooled(d.arm[from:to], x, tau[from:to]); err != nil {
			t.Fatal(err)
		}
		influence.Merge(some)
		from = to
	}
	return total.Table(), influence.Bounds()
}

// What does not depend on where the covariates lie is the same with covariates
// near 10⁶, to eight digits.
func TestPooledSecondPassesFarFromZero(t *testing.T) {
	for _, interactions := range []bool{false, true} {
		near := randomPooled(41, 500, 2, 3)
		far := randomPooled(41, 500, 2, 3)
		for j := range far.x {
			for i := range far.x[j] {
				far.x[j][i] += 1e6
				near.x[j][i] = far.x[j][i] - 1e6 // exact
			}
		}
		cluster, tau := clusterOf("uneven", 500), filled(500, .1)
		passes := func(d pooledData) (Table, Bounds) {
			m := d.fitPooled(t, d.pooling(0, true, interactions))
			s := clusteredOf(t, m, CR1)
			if err := s.AddPooled(d.arm, cluster, d.x, d.y); err != nil {
				t.Fatal(err)
			}
			b := NewInfluence(m, 500)
			if err := b.AddPooled(d.arm, d.x, tau); err != nil {
				t.Fatal(err)
			}
			return s.Table(), b.Bounds()
		}
		nearTable, nearBounds := passes(near)
		farTable, farBounds := passes(far)
		if digits(farBounds.Worst, nearBounds.Worst) < 8 || digits(farBounds.MaxLeverage, nearBounds.MaxLeverage) < 8 || farBounds.Contexts != 500 {
			t.Errorf("interactions %v: %+v, near 0 %+v", interactions, farBounds, nearBounds)
		}
		for i, c := range nearTable.Coefficients {
			if c.Name == InterceptName || interactions && c.Name[0] == 'a' && c.Name[len(c.Name)-1] == ']' {
				continue // these are about x = 0
			}
			if digits(farTable.Coefficients[i].StdErr, c.StdErr) < 8 || digits(farBounds.Coefficients[i], nearBounds.Coefficients[i]) < 8 {
				t.Errorf("interactions %v, %s: %g and %g, near 0 %g and %g", interactions, c.Name,
					farTable.Coefficients[i].StdErr, farBounds.Coefficients[i], c.StdErr, nearBounds.Coefficients[i])
			}
		}
	}
}

// Rows given without arms to a pooled model, and the other way round, are the
// caller's mistake.
func TestSecondPassesOfTheOtherModel(t *testing.T) {
	d := randomPooled(42, 60, 1, 2)
	pooled, plain := d.fitPooled(t, d.pooling(0, true, false)), d.fit(true)
	cluster := make([]int64, 60)
	passes := func(m *Model) (*Clustered, *Influence) {
		s := clusteredOf(t, m, CR0)
		return s, NewInfluence(m, 1)
	}
	pooledErrors, pooledBiases := passes(pooled)
	plainErrors, plainBiases := passes(plain)
	for name, f := range map[string]func(){
		"clustered block":   func() { _ = pooledErrors.AddBlock(cluster, d.x, d.y, nil) },
		"clustered pooled":  func() { _ = plainErrors.AddPooled(d.arm, cluster, d.x, d.y) },
		"clustered by arm":  func() { _ = AddClusteredByArm([]*Clustered{pooledErrors, nil}, d.arm, cluster, d.x, d.y) },
		"influence block":   func() { pooledBiases.AddBlock(d.x, d.y, nil) },
		"influence pooled":  func() { _ = plainBiases.AddPooled(d.arm, d.x, d.y) },
		"influence by arm":  func() { _ = AddInfluenceByArm([]*Influence{pooledBiases, nil}, d.arm, d.x, d.y) },
		"clusters too few":  func() { _ = plainErrors.AddBlock(cluster[1:], d.x, d.y, nil) },
		"influence, merged": func() { plainBiases.Merge(pooledBiases) },
		"clustered, merged": func() { _ = plainErrors.Merge(pooledErrors) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
	d.arm[9] = 2
	if pooledErrors.AddPooled(d.arm, cluster, d.x, d.y) == nil || pooledBiases.AddPooled(d.arm, d.x, d.y) == nil {
		t.Error("an arm that is no label must be refused")
	}
}
