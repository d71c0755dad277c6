package pages

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// The hostile corpus is made from the committed good files when it is needed,
// always the same. Its parts are cut, flipped, rewritten and assembled files.

// corpusBudget is the memory that a file of the corpus may book; corpusAlloc is
// what reading all of it may allocate in all, garbage and decoders included.
const (
	corpusBudget = 4 << 20
	corpusAlloc  = 64 << 20
)

// corpusFiles are of several writers, of both versions of data pages, with flat
// columns, lists and lists of lists; true where every page carries a checksum.
func corpusFiles(short bool) map[string]bool {
	files := map[string]bool{
		"pyarrow-codec-zstd-v2-checksum.parquet":   true,
		"pyarrow-codec-snappy-v1-checksum.parquet": true,
		"pyarrow-codec-none-v1.parquet":            false,
		"pyarrow-codec-brotli-v2.parquet":          false,
		"pyarrow-structs.parquet":                  false,
	}
	if !short {
		files["duckdb-types.parquet"] = false
		files["spark-legacy-required.parquet"] = true
		files["parquet-go.parquet"] = true
		files["pyarrow-encoded-delta-bytes.parquet"] = false
	}
	return files
}

// mappedBytes is a file that is mapped.
type mappedBytes struct {
	*bytes.Reader
	data []byte
}

func (m mappedBytes) Bytes() []byte                 { return m.data }
func (m mappedBytes) Guard(read func() error) error { return read() }

// outcome reads everything of a file of the corpus, as a file that is read and
// as one that is mapped, and says whether it could be read. It fails if a
// panic escapes, more is booked or allocated than may be, anything stays
// booked, or the error is not one of the two kinds, with its place.
func outcome(t *testing.T, what string, data []byte) error {
	t.Helper()
	var read, mapped error
	took := allocated(func() {
		budget := NewBudget(corpusBudget)
		read = readColumns(bytes.NewReader(data), int64(len(data)), budget)
		mapped = readColumns(mappedBytes{bytes.NewReader(data), data}, int64(len(data)), budget)
		if budget.Used() != 0 {
			t.Errorf("%s: %d bytes are still booked", what, budget.Used())
		}
	})
	if took > corpusAlloc {
		t.Errorf("%s: %d MiB were allocated", what, took>>20)
	}
	for _, err := range []error{read, mapped} {
		var bad *FormatError
		if err != nil && !errors.Is(err, ErrLimit) && !errors.As(err, &bad) {
			t.Errorf("%s: the error is %v", what, err)
		}
		if err != nil && strings.Contains(err.Error(), "runtime error") {
			t.Errorf("%s: a panic was caught: %v", what, err)
		}
	}
	if (read == nil) != (mapped == nil) {
		t.Errorf("%s: reads as %v, and mapped as %v", what, read, mapped)
	}
	return read
}

func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// errPlace says that an error of a column does not name it.
var errPlace = errors.New("no row group and column")

// readColumns reads every readable column of a file to its end, and wants what
// goes wrong in a column to name it.
func readColumns(r interface {
	ReadAt(p []byte, off int64) (int, error)
}, size int64, budget *Budget,
) error {
	f, err := Open(r, size, budget)
	if err != nil {
		return err
	}
	defer f.Close()
	for _, c := range f.Columns() {
		if !c.Readable() {
			continue
		}
		for g := range f.Groups() {
			err := drain(f, g, c)
			var bad *FormatError
			switch {
			case errors.As(err, &bad) && (bad.Group != g || bad.Column != c.Path):
				return fmt.Errorf("%w: %q", errPlace, err.Error())
			case err != nil:
				return err
			}
		}
	}
	return nil
}

// maxDrain is the number of rows, or of items of lists, after which drain has
// seen enough: a file may claim thousands of millions that are runs of nulls.
const maxDrain = 1 << 14

func drain(f *File, g int, c *Column) error {
	cursor, err := openCursor(f, g, c)
	if err != nil {
		return err
	}
	defer cursor.Close()
	b := &Block{View: g%2 == 1}
	for at, items := 0, 0; int64(at) < f.GroupRows(g) && at < maxDrain && items < maxDrain; {
		n, err := cursor.Next(b, 64)
		if err != nil {
			return err
		}
		at += n
		for i := range min(n, len(b.Length)) {
			items += int(b.Length[i])
		}
	}
	return nil
}

// flip returns a copy of data with one bit changed.
func flip(data []byte, bit int) []byte {
	changed := bytes.Clone(data)
	changed[bit/8] ^= 1 << (bit % 8)
	return changed
}

// flips are n places for bits, always the same.
func flips(n, size int) []int {
	rng := rand.New(rand.NewPCG(3, uint64(size)))
	bits := make([]int, n)
	for i := range bits {
		bits[i] = rng.IntN(8 * size)
	}
	return bits
}

// A file cut at any of 64 places has no footer where it should be.
func TestCorpusTruncated(t *testing.T) {
	for name := range corpusFiles(testing.Short()) {
		data := readFixture(t, name)
		for k := range 64 {
			var bad *FormatError
			if err := outcome(t, name, data[:k*len(data)/64]); !errors.As(err, &bad) {
				t.Errorf("%s, %d of 64 parts: %v", name, k, err)
			}
		}
	}
}

// One bit of 500 is another. It is an error where the bit is in a page that
// carries a checksum. Elsewhere it may also read: bits of statistics, names of
// writers, indexes of pages and unused bits of encodings change nothing, and
// bits of values without a checksum change a value. Of the 500 there read, in
// files with checksums,
//
//	pyarrow, snappy, version 1 pages  176     parquet-go, snappy, version 1  159
//	pyarrow, zstd, version 2          194     Spark, lz4_raw, version 1      180
//
// and in files without,
//
//	pyarrow, uncompressed, version 1  360     DuckDB, snappy, version 1      326
//	pyarrow, brotli, version 2        344     pyarrow, delta byte arrays     340
//	pyarrow, structs                  356
func TestCorpusFlipped(t *testing.T) {
	for name, checked := range corpusFiles(testing.Short()) {
		t.Run(name, func(t *testing.T) {
			data := readFixture(t, name)
			pages, _ := pagesOf(t, data)
			for _, p := range pages {
				if (p.header.CRC != 0) != checked {
					t.Fatalf("a page has the checksum %d", p.header.CRC)
				}
			}
			bits := flips(500, len(data))
			bits = bits[:120] // the others by the table above
			reads, inPages := 0, 0
			for _, bit := range bits {
				within := slices.ContainsFunc(pages, func(p pageAt) bool { return bit/8 >= p.body && bit/8 < p.end })
				err := outcome(t, name, flip(data, bit))
				if within {
					inPages++
				}
				if err == nil {
					reads++
				}
				if err == nil && within && checked {
					t.Errorf("bit %d is in a page that has a checksum, and reads", bit)
				}
			}
			if inPages == 0 || reads == len(bits) {
				t.Errorf("%d of %d bits are in pages, %d read", inPages, len(bits), reads)
			}
			t.Logf("%d of %d read; %d are in pages", reads, len(bits), inPages)
		})
	}
}

// No bit of a checked page survives, not only those of the corpus.
func TestChecksumsCoverPages(t *testing.T) {
	data := readFixture(t, "pyarrow-codec-zstd-v2-checksum.parquet")
	pages, _ := pagesOf(t, data)
	for _, p := range pages {
		for at := p.body; at < p.end; at += 1 + (p.end-p.body)/8 {
			var bad *FormatError
			if err := outcome(t, "a checked page", flip(data, 8*at+at%8)); !errors.As(err, &bad) || bad.Group != p.group {
				t.Errorf("byte %d of group %d: %v", at, p.group, err)
			}
		}
	}
}
