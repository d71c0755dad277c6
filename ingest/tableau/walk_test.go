package tableau

import (
	"encoding/binary"
	"math"
	"testing"
)

// Every byte of a small file is set to several other values, and the file is
// cut at every length. No change may make the reader panic; a cut is an error.
func TestWalkSurvivesEveryByte(t *testing.T) {
	for name, file := range smallFiles(t) {
		refused := 0
		for i := range file.data {
			for _, change := range []byte{0x01, 0x80, 0xFF, file.data[i]} {
				changed := append([]byte{}, file.data...)
				changed[i] ^= change
				if _, err := file.read(changed); err != nil {
					refused++
				}
			}
		}
		if refused == 0 {
			t.Errorf("%s: no change was noticed", name)
		}
		for n := range file.data {
			if _, err := file.read(file.data[:n]); err == nil {
				t.Errorf("%s: a file cut to %d of %d bytes was opened", name, n, len(file.data))
			}
		}
	}
}

// Every aligned word of 2, 4 and 8 bytes is set to values that lie about
// offsets and lengths.
func TestWalkSurvivesLyingWords(t *testing.T) {
	lies := []uint64{0, 1, 7, 8, 0x7F, 0x7FFF, 0xFFFF, math.MaxInt32, math.MaxUint32, math.MaxInt64, math.MaxUint64 - 7, math.MaxUint64}
	if testing.Short() { // the rest is slow under the race detector
		lies = []uint64{0, 8, math.MaxUint32, math.MaxUint64}
	}
	for _, file := range smallFiles(t) {
		for i := 0; i+8 <= len(file.data); i += 2 {
			for _, lie := range lies {
				for _, width := range []int{2, 4, 8} {
					if i%width != 0 {
						continue
					}
					var word [8]byte
					binary.LittleEndian.PutUint64(word[:], lie)
					changed := append([]byte{}, file.data...)
					copy(changed[i:], word[:width])
					_, _ = file.read(changed) // It may be a harmless change; it must not panic.
				}
			}
		}
	}
}

func BenchmarkScan(b *testing.B) {
	const rows = 1 << 20
	s, batch := sample(true, 10, rows)
	path, _ := write(b, s, batch)
	tab, err := Open(path, s)
	if err != nil {
		b.Fatal(err)
	}
	defer func() {
		if cerr := tab.Close(); cerr != nil {
			b.Error(cerr)
		}
	}()
	slice := tab.Slice(0)
	rewards, err := slice.Disclose(&ledgerBook{}, "bench")
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(rows * s.RowBytes())
	for b.Loop() {
		total := 0.0
		for i := range slice.Chunks() {
			c := slice.Chunk(i)
			for _, y := range rewards.Chunk(i) {
				total += y
			}
			for _, x := range c.X {
				for _, v := range x {
					total += v
				}
			}
		}
		if total == 0 {
			b.Fatal("nothing was read")
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rows, "ns/row")
}

func BenchmarkOpen(b *testing.B) {
	const rows = 1 << 20
	s, batch := sample(true, 10, rows)
	path, _ := write(b, s, batch)
	b.SetBytes(rows * s.RowBytes())
	for b.Loop() {
		tab, err := Open(path, s)
		if err != nil {
			b.Fatal(err)
		}
		if err := tab.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rows, "ns/row")
}
