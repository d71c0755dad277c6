package tableau

import (
	"encoding/binary"
	"math"
	"os"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
)

// mutate opens a changed copy of a file's bytes; it may fail, and must not
// panic. What opens is walked over to the end.
func mutate(data []byte, s Schema) error {
	aligned := arrow.Uint64Traits.CastToBytes(make([]uint64, len(data)/8+1))[:len(data)]
	copy(aligned, data)
	tab := &Tableau{path: "mutant", schema: s, data: aligned, unmap: func() error { return nil }}
	if err := tab.Guard(tab.load); err != nil {
		return err
	}
	return exercise(tab)
}

// sum is an Adder whose work can be seen.
type sum struct {
	total float64
	arms  int
}

func (s *sum) Add(arm int, reward float64) { s.total += reward; s.arms += arm }

// exercise reads everything that a tableau offers.
func exercise(tab *Tableau) error {
	if _, err := tab.Digest(); err != nil {
		return err
	}
	for i := range tab.Experiments() {
		slice := tab.Slice(i)
		arms := make([]int, tab.Arms())
		for k := range slice.Chunks() {
			for _, a := range slice.Chunk(k).Arm {
				arms[a]++
			}
		}
		feed, err := slice.Feed(&ledgerBook{}, "law", &sum{})
		if err != nil {
			return err
		}
		for r := range slice.Rows() {
			feed.Row(r)
		}
	}
	return nil
}

// Every byte of a small file is set to several other values, and the file is
// cut at every length. No change may make the reader panic; a cut is an error.
func TestWalkSurvivesEveryByte(t *testing.T) {
	s, b := sample(true, 1, 3, 2)
	path, _ := write(t, s, b)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	for i := range data {
		for _, change := range []byte{0x01, 0x80, 0xFF, data[i]} {
			changed := append([]byte{}, data...)
			changed[i] ^= change
			if mutate(changed, s) != nil {
				refused++
			}
		}
	}
	if refused == 0 {
		t.Error("no change was noticed")
	}
	for n := range data {
		if mutate(data[:n], s) == nil {
			t.Errorf("a file cut to %d of %d bytes was opened", n, len(data))
		}
	}
}

// Every aligned word of 2, 4 and 8 bytes is set to values that lie about
// offsets and lengths.
func TestWalkSurvivesLyingWords(t *testing.T) {
	s, b := sample(false, 1, 5)
	path, _ := write(t, s, b)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lies := []uint64{0, 1, 7, 8, 0x7F, 0x7FFF, 0xFFFF, math.MaxInt32, math.MaxUint32, math.MaxInt64, math.MaxUint64 - 7, math.MaxUint64}
	for i := 0; i+8 <= len(data); i += 2 {
		for _, lie := range lies {
			for _, width := range []int{2, 4, 8} {
				if i%width != 0 {
					continue
				}
				var word [8]byte
				binary.LittleEndian.PutUint64(word[:], lie)
				changed := append([]byte{}, data...)
				copy(changed[i:], word[:width])
				_ = mutate(changed, s) // It may be a harmless change; it must not panic.
			}
		}
	}
}

func FuzzTableau(f *testing.F) {
	s, b := sample(true, 1, 3, 2)
	path, _ := write(f, s, b)
	data, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add(data[:len(data)/2])
	f.Add([]byte(magic + "\x00\x00" + "\x04\x00\x00\x00" + magic))
	f.Fuzz(func(_ *testing.T, data []byte) {
		_ = mutate(data, s) // The property is that it does not panic.
	})
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
