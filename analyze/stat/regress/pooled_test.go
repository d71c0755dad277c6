package regress

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"banditaudit/analyze/stat/moments"
)

// pooledData is rows of several arms.
type pooledData struct {
	dataset
	arm    []int32
	labels []string
}

func (d pooledData) byArm(tb testing.TB) []*moments.Cross {
	tb.Helper()
	out := make([]*moments.Cross, len(d.labels))
	for a := range out {
		out[a] = moments.NewCross(len(d.x))
	}
	if err := moments.AddByArm(out, d.arm, d.x, d.y); err != nil {
		tb.Fatal(err)
	}
	return out
}

func (d pooledData) pooling(control int, intercept, interactions bool) Pooling {
	return Pooling{Names: d.names, Labels: d.labels, Control: control, Intercept: intercept, Interactions: interactions}
}

func (d pooledData) fitPooled(tb testing.TB, p Pooling) *Model {
	tb.Helper()
	m, err := FitPooled(d.byArm(tb), p)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

func (d pooledData) robustPooled(tb testing.TB, m *Model, kind Kind) Table {
	tb.Helper()
	return d.sandwich(tb, m, kind).Table()
}

func (d pooledData) sandwich(tb testing.TB, m *Model, kind Kind) *Sandwich {
	tb.Helper()
	s := sandwichOf(tb, m, kind)
	if err := s.AddPooled(d.arm, d.x, d.y); err != nil {
		tb.Fatal(err)
	}
	return s
}

// explicit writes the columns of a pooled design out.
func (d pooledData) explicit(p Pooling) dataset {
	out := dataset{y: d.y}
	column := func(name string, value func(t int) float64) {
		col := make([]float64, len(d.y))
		for t := range col {
			col[t] = value(t)
		}
		out.names, out.x = append(out.names, name), append(out.x, col)
	}
	is := func(a, t int) float64 {
		if int(d.arm[t]) == a {
			return 1
		}
		return 0
	}
	for a, label := range d.labels {
		if a != p.Control || !p.Intercept {
			column("arm["+label+"]", func(t int) float64 { return is(a, t) })
		}
	}
	for j, name := range d.names {
		column(name, func(t int) float64 { return d.x[j][t] })
	}
	for j, name := range d.names {
		for a, label := range d.labels {
			if a != p.Control && p.Interactions {
				column("arm["+label+"]:"+name, func(t int) float64 { return is(a, t) * d.x[j][t] })
			}
		}
	}
	return out
}

// randomPooled makes n rows of p covariates in arms 0…k−1, with an effect of
// each arm on level and slopes, and more noise in later arms.
func randomPooled(seed uint64, n, p, k int) pooledData {
	r := rand.New(rand.NewPCG(seed, 11))
	d := pooledData{dataset: random(seed, n, p), arm: make([]int32, n)}
	for a := range k {
		d.labels = append(d.labels, fmt.Sprintf("a%d", a))
	}
	for t := range n {
		a := r.IntN(k)
		d.arm[t] = int32(a)
		d.y[t] = d.y[t]*(1+float64(a)/2) + float64(a)
		for j := range d.x {
			d.x[j][t] += float64(a * j)
		}
	}
	return d
}

var kinds = []Kind{Classical, HC0, HC1, HC2, HC3}

// A pooled model is the model on columns that are written out, for every kind
// of errors, with and without intercept and interactions.
func TestPooledProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, k := rapid.IntRange(0, 4).Draw(t, "p"), rapid.IntRange(1, 4).Draw(t, "k")
		n := rapid.IntRange(12*(p+1), 400).Draw(t, "n")
		d := randomPooled(rapid.Uint64().Draw(t, "seed"), n, p, k)
		o := d.pooling(rapid.IntRange(0, k-1).Draw(t, "control"), rapid.Bool().Draw(t, "intercept"), rapid.Bool().Draw(t, "interactions"))
		byArm := make([]*moments.Cross, k)
		for a := range byArm {
			byArm[a] = moments.NewCross(p)
		}
		if err := moments.AddByArm(byArm, d.arm, d.x, d.y); err != nil {
			t.Fatal(err)
		}
		if byArm[o.Control].N() == 0 {
			return // another test's
		}
		m, err := FitPooled(byArm, o)
		if err != nil {
			t.Fatal(err)
		}
		flat := d.explicit(o)
		want := flat.fit(o.Intercept)
		if diff := cmp.Diff(want.Columns, m.Columns); diff != "" {
			t.Fatal(diff)
		}
		if diff := cmp.Diff(want.Kept, m.Kept); diff != "" {
			t.Fatal(diff)
		}
		near := func(what string, got, want, unit float64) {
			if math.IsNaN(got) != math.IsNaN(want) || math.Abs(got-want) > 1e-10*unit*m.ConditionNumber*m.ConditionNumber {
				t.Fatalf("%s is %.15g, on explicit columns %.15g", what, got, want)
			}
		}
		near("condition", m.ConditionNumber, want.ConditionNumber, want.ConditionNumber)
		near("RSS", m.RSS, want.RSS, want.TSS)
		near("TSS", m.TSS, want.TSS, want.TSS)
		for _, kind := range kinds {
			s, err := NewSandwich(m, kind)
			if err != nil {
				t.Fatal(err)
			}
			if err = s.AddPooled(d.arm, d.x, d.y); err != nil {
				t.Fatal(err)
			}
			plain := sandwichOf(t, want, kind)
			plain.AddBlock(flat.x, flat.y, nil)
			a, b := s.Table(), plain.Table()
			near("leverage", a.MaxLeverage, b.MaxLeverage, 1)
			for i, c := range b.Coefficients {
				near(c.Name, a.Coefficients[i].Estimate, c.Estimate, 10)
				near("error of "+c.Name, a.Coefficients[i].StdErr, c.StdErr, 10+c.StdErr)
			}
			if len(a.Warnings) != len(b.Warnings) {
				t.Fatalf("warnings %q, on explicit columns %q", a.Warnings, b.Warnings)
			}
		}
	})
}

// Covariates near 10⁶ and 10⁹, where products with indicators lose their digits:
// the slopes and their errors are those of the covariates less the offset.
func TestPooledFarFromZero(t *testing.T) {
	near := randomPooled(21, 600, 2, 3)
	for i := range near.y {
		near.x[0][i] = math.Round(near.x[0][i]*1024) / 1024 // exact beside 10⁹
		near.x[1][i] = math.Round(near.x[1][i]*1024) / 1024
	}
	for _, offset := range []float64{1e6, 1e9} {
		far := near
		far.x = [][]float64{make([]float64, 600), make([]float64, 600)}
		for i := range near.y {
			far.x[0][i], far.x[1][i] = near.x[0][i]+offset, near.x[1][i]-offset
		}
		for _, interactions := range []bool{false, true} {
			o := near.pooling(1, true, interactions)
			a, b := far.fitPooled(t, o), near.fitPooled(t, o)
			if diff := cmp.Diff(b.Kept, a.Kept); diff != "" {
				t.Fatalf("kept (-near 0 +near %g):\n%s", offset, diff)
			}
			for _, kind := range kinds {
				got, want := far.robustPooled(t, a, kind), near.robustPooled(t, b, kind)
				for i, c := range want.Coefficients {
					level := c.Name == InterceptName || interactions && strings.HasSuffix(c.Name, "]")
					if level {
						continue // is another quantity
					}
					g := got.Coefficients[i]
					if digits(g.Estimate, c.Estimate) < 9 || digits(g.StdErr, c.StdErr) < 9 {
						t.Errorf("%g, %s, %s: %.12g ± %.12g, near 0 %.12g ± %.12g", offset, kind, c.Name, g.Estimate, g.StdErr, c.Estimate, c.StdErr)
					}
				}
			}
		}
	}
}

// A row of a pooled model costs what one of per-arm models does.
func BenchmarkSandwichPooled(b *testing.B) {
	d := randomPooled(70, 65536, 10, 10)
	for _, interactions := range []bool{false, true} {
		m := d.fitPooled(b, d.pooling(0, true, interactions))
		s := sandwichOf(b, m, HC3)
		b.Run(fmt.Sprintf("rank=%d", m.Rank), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := s.AddPooled(d.arm, d.x, d.y); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/65536, "ns/row")
		})
	}
}

func BenchmarkFitPooled(b *testing.B) {
	for _, arms := range []int{10, 80} {
		d := randomPooled(71, 20000, 10, arms)
		byArm := d.byArm(b)
		for _, interactions := range []bool{false, true} {
			p := d.pooling(0, true, interactions)
			b.Run(fmt.Sprintf("K=%d/interactions=%v", arms, interactions), func(b *testing.B) {
				for b.Loop() {
					if _, err := FitPooled(byArm, p); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
