package ingest

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"banditaudit/ingest/logfile"
	"banditaudit/ingest/tableaudir"
)

// BenchmarkIngest turns a log of a million rows, with a propensity and ten
// context columns, into a tableau; the digests of input and output are part of
// it.
func BenchmarkIngest(b *testing.B) {
	const rows = 1_000_000
	s := logfile.Layout{Labels: []string{"a", "b", "c", "d", "e"}, Reward: logfile.RewardFloat, Propensity: true, ContextDim: 10, RowsPerFile: 250_000, CreatedBy: "bench"}
	for name, shuffled := range map[string]bool{"sorted": false, "shuffled": true} {
		dir := b.TempDir()
		writeBench(b, dir, s, rows, shuffled)
		for _, jobs := range []int{1, 2} {
			b.Run(name+"/jobs="+string(rune('0'+jobs)), func(b *testing.B) {
				src := sourcesOf(b, []string{dir})
				p := logProtocol(&s)
				out := b.TempDir()
				for b.Loop() {
					if _, err := Ingest(b.Context(), p, src, out, Options{Jobs: jobs}); err != nil {
						b.Fatal(err)
					}
					for _, f := range []string{tableaudir.RoundsFile, tableaudir.ManifestFile} {
						if err := os.Remove(filepath.Join(out, f)); err != nil {
							b.Fatal(err)
						}
					}
				}
				b.ReportMetric(float64(rows)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mrow/s")
			})
		}
	}
}

func writeBench(b *testing.B, dir string, s logfile.Layout, rows int, shuffled bool) {
	b.Helper()
	w, err := logfile.NewWriter(dir, s)
	if err != nil {
		b.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	order := rng.Perm(rows)
	row := logfile.Row{X: make([]float64, s.ContextDim)}
	for i := range rows {
		row.Round, row.Arm, row.Reward, row.Propensity = int64(i), i%5, rng.Float64(), 0.2
		if shuffled {
			row.Round = int64(order[i])
		}
		for j := range row.X {
			row.X[j] = rng.NormFloat64()
		}
		if err := w.Append(&row); err != nil {
			b.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
}
