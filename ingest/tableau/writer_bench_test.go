package tableau

import (
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkWriter writes rows of 104 bytes, hashing included.
func BenchmarkWriter(b *testing.B) {
	const rows = 1 << 20
	s, batch := sample(true, 9, rows)
	b.SetBytes(rows * s.RowBytes())
	path := filepath.Join(b.TempDir(), "rounds.arrow")
	for b.Loop() {
		w, err := NewWriter(path, s)
		if err != nil {
			b.Fatal(err)
		}
		for from := 0; from < rows; from += 8192 {
			part := rowsOf(&batch, &s, from, from+8192)
			if err := w.Append(&part); err != nil {
				b.Fatal(err)
			}
		}
		if _, err := w.Close(); err != nil {
			b.Fatal(err)
		}
		if err := os.Remove(path); err != nil { // so that the disk's queue stays short
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rows, "ns/row")
}
