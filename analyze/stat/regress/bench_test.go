package regress

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"banditaudit/analyze/stat/moments"
)

// The first pass of moments beside every second pass, over the same rows: a chunk
// of 65,536 rows of d covariates, of K arms with a model each. Clusters are of
// four rows; contexts are all distinct, as measured covariates are, or 500.
func BenchmarkPasses(b *testing.B) {
	const rows = 65536
	for _, size := range []struct{ d, arms int }{{10, 1}, {10, 10}, {10, 100}, {3, 10}, {30, 10}} {
		d := random(19, rows, size.d)
		arm, cluster, tau := make([]int32, rows), make([]int64, rows), make([]float64, rows)
		r := rand.New(rand.NewPCG(1, 2))
		for t := range rows {
			arm[t], cluster[t], tau[t] = int32(r.IntN(size.arms)), int64(t/4), .01
		}
		few := repeated(d, 500)
		cross := make([]*moments.Cross, size.arms)
		models := make([]*Model, size.arms)
		for a := range cross {
			cross[a] = moments.NewCross(size.d)
		}
		if err := moments.AddByArm(cross, arm, d.x, d.y); err != nil {
			b.Fatal(err)
		}
		for a := range cross {
			models[a] = Fit(cross[a], d.names, true)
		}
		limit := ContextLimit(size.arms, size.d+1)
		for _, pass := range []struct {
			name string
			run  func() error
		}{
			{"moments", func() error { return moments.AddByArm(cross, arm, d.x, d.y) }},
			{"HC0", func() error { return AddByArm(sandwiches(b, models, HC0), arm, d.x, d.y) }},
			{"HC3", func() error { return AddByArm(sandwiches(b, models, HC3), arm, d.x, d.y) }},
			{"CR1", func() error { return AddClusteredByArm(clustereds(b, models), arm, cluster, d.x, d.y) }},
			{"bias", func() error { return AddInfluenceByArm(influences(models, 0), arm, d.x, tau) }},
			{"bias, contexts distinct", func() error { return AddInfluenceByArm(influences(models, limit), arm, d.x, tau) }},
			{"bias, 500 contexts", func() error { return AddInfluenceByArm(influences(models, limit), arm, few.x, tau) }},
		} {
			b.Run(fmt.Sprintf("d=%d/K=%d/%s", size.d, size.arms, pass.name), func(b *testing.B) {
				for b.Loop() {
					if err := pass.run(); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rows, "ns/row")
			})
		}
	}
}

// repeated has the first contexts again and again.
func repeated(d dataset, contexts int) dataset {
	out := dataset{names: d.names, y: d.y}
	for _, col := range d.x {
		again := make([]float64, len(col))
		for t := range again {
			again[t] = col[t%contexts]
		}
		out.x = append(out.x, again)
	}
	return out
}

func sandwiches(tb testing.TB, models []*Model, kind Kind) []*Sandwich {
	tb.Helper()
	out := make([]*Sandwich, len(models))
	for a, m := range models {
		var err error
		if out[a], err = NewSandwich(m, kind); err != nil {
			tb.Fatal(err)
		}
	}
	return out
}

func clustereds(tb testing.TB, models []*Model) []*Clustered {
	tb.Helper()
	out := make([]*Clustered, len(models))
	for a, m := range models {
		var err error
		if out[a], err = NewClustered(m, CR1); err != nil {
			tb.Fatal(err)
		}
	}
	return out
}

func influences(models []*Model, limit int) []*Influence {
	out := make([]*Influence, len(models))
	for a, m := range models {
		out[a] = NewInfluence(m, limit)
	}
	return out
}

// Predictions at so many distinct contexts, one against all.
func BenchmarkWorst(b *testing.B) {
	for _, n := range []int{500, 2000, 10000} {
		b.Run(fmt.Sprintf("contexts=%d", n), func(b *testing.B) {
			d := random(20, n, 10)
			s := NewInfluence(d.fit(true), n)
			s.AddBlock(d.x, d.y, nil)
			for b.Loop() {
				s.Bounds()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n)/float64(n), "ns/pair")
		})
	}
}
