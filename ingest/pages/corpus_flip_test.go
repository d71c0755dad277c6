package pages

import (
	"errors"
	"slices"
	"testing"
)

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
			bits = bits[:250] // the others by the table above
			if testing.Short() {
				bits = bits[:200]
			}
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
