package pages

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"

	"banditaudit/ingest/mmap"
)

// readWay reads all values of a column, as text, in blocks of the given sizes
// in turn; the views are read before the next call only.
func readWay(f *File, c *Column, view bool, sizes []int) ([]string, error) {
	var all []string
	b := usedBlock()
	b.View = view
	for g := range f.Groups() {
		cursor, err := openCursor(f, g, c)
		if err != nil {
			return nil, err
		}
		for k := 0; ; k++ {
			n, err := cursor.Next(b, sizes[k%len(sizes)])
			if errors.Is(err, io.EOF) && n == 0 {
				break
			}
			if err != nil {
				cursor.Close()
				return nil, err
			}
			for i := range n {
				all = append(all, fmt.Sprint(rowOf(b, c, i)))
			}
		}
		cursor.Close()
	}
	return all, nil
}

// sameEveryWay reads a file as one that is read and one that is mapped, with
// copies and with views.
func sameEveryWay(t *testing.T, data []byte, path string, sizes []int) {
	t.Helper()
	m, err := mmap.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if cerr := m.Close(); cerr != nil {
			t.Error(cerr)
		}
	})
	budget := NewBudget(testBudget)
	for name := range columnsOf(t, data) {
		var want []string
		for way := range 4 {
			var r io.ReaderAt = bytes.NewReader(data)
			if way >= 2 {
				r = m
			}
			f, err := Open(r, int64(len(data)), budget)
			if err != nil {
				t.Fatal(err)
			}
			c := columnOf(t, f, name)
			got, err := readWay(f, c, way%2 == 1, sizes)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			f.Close()
			if way == 0 {
				want = got
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%s: mapped %v, view %v: differs", name, way >= 2, way%2 == 1)
			}
		}
	}
	if budget.Used() != 0 {
		t.Fatalf("%d bytes are still booked", budget.Used())
	}
}

// columnsOf are the readable columns of a file that a name stands for.
func columnsOf(t *testing.T, data []byte) map[string]bool {
	t.Helper()
	f := openedBytes(t, data, nil)
	defer f.Close()
	names := map[string]bool{}
	for _, c := range f.Columns() {
		if named, err := f.Column(c.Path); err == nil && named == c && c.Readable() {
			names[c.Path] = true
		}
	}
	return names
}

// drawSizes draws sizes of blocks.
func drawSizes(rng *rand.Rand) []int {
	sizes := make([]int, 1+rng.IntN(4))
	for i := range sizes {
		sizes[i] = 1 + rng.IntN([]int{10, 100, 3000}[rng.IntN(3)])
	}
	return sizes
}

// Mapped or read, copied or viewed, in blocks of any size: the values are the
// same, for every file by another program.
func TestEveryWayReadsTheSame(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(fixtures, "*.parquet"))
	if err != nil || len(paths) < 15 {
		t.Fatalf("%d files, %v", len(paths), err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			for range 2 {
				sameEveryWay(t, data, path, drawSizes(rng))
			}
		})
	}
}

// wideRow has a column for every fast path: doubles and integers in place,
// floats and integers to be widened, dictionaries, and lists of one length.
type wideRow struct {
	X     float64   `parquet:"x"`
	N     *int64    `parquet:"n,optional"`
	F     float32   `parquet:"f"`
	I     int32     `parquet:"i"`
	Dict  float64   `parquet:"dict,dict"`
	Label string    `parquet:"label,dict"`
	List  []float64 `parquet:"list,list"`
}

// drawWide draws rows whose doubles do not compress; every odd-th has a null
// and a list of another length.
func drawWide(rng *rand.Rand, n, odd int) []wideRow {
	rows := make([]wideRow, n)
	for i := range rows {
		r := &rows[i]
		*r = wideRow{rng.NormFloat64(), new(rng.Int64()), rng.Float32(), rng.Int32(), float64(rng.IntN(700)), string(rune('a' + rng.IntN(9))), make([]float64, listWidth)}
		for k := range r.List {
			r.List[k] = rng.NormFloat64()
		}
		if rng.IntN(odd) == 0 {
			r.N, r.List = nil, r.List[:rng.IntN(listWidth)]
		}
	}
	return rows
}

// Pages by parquet-go, of every size and codec, read the same in every way, and
// hold what was written.
func TestEveryWayReadsWhatWasWritten(t *testing.T) {
	codecs := []compress.Codec{&parquet.Uncompressed, &parquet.Snappy, &parquet.Zstd, &parquet.Lz4Raw}
	rng := rand.New(rand.NewPCG(3, 4))
	path := filepath.Join(t.TempDir(), "f")
	for k := range 24 {
		rows := drawWide(rng, 1+rng.IntN(6000), []int{1, 20, 1 << 30}[k%3])
		var file bytes.Buffer
		w := parquet.NewGenericWriter[wideRow](&file, parquet.Compression(codecs[k%4]), parquet.DataPageVersion(1+k/4%2),
			parquet.PageBufferSize([]int{1 << 10, 60_000, 1 << 20}[k/3%3]), parquet.MaxRowsPerRowGroup(int64(1000+rng.IntN(5000))))
		if _, err := w.Write(rows); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		sameEveryWay(t, file.Bytes(), path, drawSizes(rng))
		checkWide(t, file.Bytes(), rows)
	}
}

// checkWide compares a file with what was written.
func checkWide(t *testing.T, data []byte, rows []wideRow) {
	t.Helper()
	f := openedBytes(t, data, nil)
	for name, want := range map[string]func(r *wideRow) any{
		"x":     func(r *wideRow) any { return r.X },
		"f":     func(r *wideRow) any { return float64(r.F) },
		"i":     func(r *wideRow) any { return int64(r.I) },
		"dict":  func(r *wideRow) any { return r.Dict },
		"label": func(r *wideRow) any { return r.Label },
		"n": func(r *wideRow) any {
			if r.N == nil {
				return nil
			}
			return *r.N
		},
		"list": func(r *wideRow) any {
			l := list{length: len(r.List)}
			for k := range listWidth {
				if k < len(r.List) {
					l.kept = append(l.kept, r.List[k])
				} else {
					l.kept = append(l.kept, 0.0)
				}
			}
			return l
		},
	} {
		c := columnOf(t, f, name)
		got, err := values(f, c, 777)
		if err != nil || len(got) != len(rows) {
			t.Fatalf("%s: %d values of %d, %v", name, len(got), len(rows), err)
		}
		for i := range rows {
			if !reflect.DeepEqual(got[i], want(&rows[i])) {
				t.Fatalf("%s: row %d is %v, not %v", name, i, got[i], want(&rows[i]))
			}
		}
	}
}

// A mapped file that is cut is an error of the column, not the end of the
// program.
func TestCutWhileMapped(t *testing.T) {
	var file bytes.Buffer
	w := parquet.NewGenericWriter[wideRow](&file)
	if _, err := w.Write(drawWide(rand.New(rand.NewPCG(5, 6)), 40_000, 50)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := mmap.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if cerr := m.Close(); cerr != nil {
			t.Error(cerr)
		}
	})
	f, err := Open(m, int64(file.Len()), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 4); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"n", "f", "label", "list"} { // what is left of the first page reads as zeros
		c := columnOf(t, f, name)
		var format *FormatError
		if _, err := values(f, c, 100); !errors.As(err, &format) || !errors.Is(err, mmap.ErrFault) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
