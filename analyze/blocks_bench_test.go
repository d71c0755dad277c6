package analyze

import (
	"context"
	"testing"

	"banditaudit/analyze/log/corrections"
	"banditaudit/schemas"
)

// BenchmarkBlocks measures, in ns for each row, what counting by unit and the
// passes of one regression take, on rows of two covariates of which a third are
// the first of their unit.
func BenchmarkBlocks(b *testing.B) {
	const n = 1 << 18
	l := longLog(n)
	s := l.open(b)
	p := blockProtocol(true)
	p.Experiment.Stopping, p.Analysis.Alpha = schemas.StoppingFixed, 0.05
	p.Policy.Set("eta", 1e-9)
	for _, kind := range []struct {
		name       string
		covariance schemas.Covariance
	}{
		{"HC3/unit bounds", schemas.Covariance{Kind: "HC3"}},
		{"CR1/unit", schemas.Covariance{Kind: "CR1", Cluster: "unit"}},
		{"CR1/batch", schemas.Covariance{Kind: "CR1", Cluster: "batch"}},
	} {
		p.Analysis.Regressions = []schemas.RegressionSpec{{Name: "main", Arms: "each", Covariance: kind.covariance}}
		in := inputOf(b, l, s, p, 2)
		b.Run(kind.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := Run(context.Background(), in); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/row")
		})
	}
	a := accountsOf(b, s, p)
	b.Run("costs", func(b *testing.B) {
		for b.Loop() {
			if err := a.Facts.Declared.Costs(context.Background(), s, func(int, []float64) error { return nil }); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/row")
	})
	b.Run("levels by batch", func(b *testing.B) {
		for b.Loop() {
			if err := a.CountBlocks(context.Background(), corrections.BatchBlocks, a.Expected(corrections.BatchBlocks), nil, nil, nil); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/row")
	})
}
