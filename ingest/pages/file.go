package pages

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// File is a Parquet file whose footer was read and found sound. It holds no
// buffers of its own; its methods are safe for concurrent use if the ReaderAt
// is.
type File struct {
	r       io.ReaderAt
	size    int64
	budget  *Budget
	meta    *format.FileMetaData
	columns []*Column
	cost    int64 // booked in budget
}

const (
	magic       = "PAR1"
	cipherMagic = "PARE"
	// structBytes is about what the largest decoded list item of a footer, a
	// column chunk, takes in memory.
	structBytes = 1024
)

// Open reads and checks the footer of a Parquet file of the given size. The
// file's footer, and later the buffers of every cursor, are booked in the
// budget until Close.
func Open(r io.ReaderAt, size int64, budget *Budget) (*File, error) {
	f := &File{r: r, size: size, budget: budget}
	if err := f.open(); err != nil {
		f.Close()
		if errors.Is(err, ErrLimit) {
			return nil, err
		}
		return nil, &FormatError{Group: -1, Err: err}
	}
	return f, nil
}

func (f *File) open() (err error) {
	defer rescue(&err)
	footer, err := f.readFooter()
	if err != nil {
		return err
	}
	length, items, err := vet(footer)
	if err != nil {
		return fmt.Errorf("footer: %w", err)
	}
	if err = f.book(items * structBytes); err != nil {
		return fmt.Errorf("footer with %d items: %w", items, err)
	}
	if f.meta, err = decode[format.FileMetaData](footer[:length]); err != nil {
		return fmt.Errorf("footer: %w", err)
	}
	if f.meta.EncryptionAlgorithm.Value != nil || length != len(footer) {
		return errors.New("an encrypted or signed footer, which is not read; write the log without encryption")
	}
	if f.columns, err = readSchema(f.meta.Schema); err != nil {
		return fmt.Errorf("schema: %w", err)
	}
	return f.checkGroups()
}

// readFooter returns the bytes of the footer.
func (f *File) readFooter() ([]byte, error) {
	var head, tail [8]byte
	if f.size < int64(len(magic)+len(tail)) {
		return nil, fmt.Errorf("%d bytes, too few for a Parquet file", f.size)
	}
	if _, err := f.r.ReadAt(head[:4], 0); err != nil {
		return nil, fmt.Errorf("reading the first bytes: %w", err)
	}
	if _, err := f.r.ReadAt(tail[:], f.size-8); err != nil {
		return nil, fmt.Errorf("reading the last bytes: %w", err)
	}
	if string(head[:4]) == cipherMagic || string(tail[4:]) == cipherMagic {
		return nil, errors.New("an encrypted file, which is not read; write the log without encryption")
	}
	if string(head[:4]) != magic {
		return nil, fmt.Errorf("not a Parquet file: it does not begin with %s", magic)
	}
	if string(tail[4:]) != magic {
		return nil, fmt.Errorf("truncated or not a Parquet file: it does not end with %s", magic)
	}
	size := int64(binary.LittleEndian.Uint32(tail[:]))
	if size > f.size-8-int64(len(magic)) {
		return nil, damaged("a footer of %d bytes in a file of %d", size, f.size)
	}
	if err := f.book(size); err != nil {
		return nil, fmt.Errorf("footer of %d bytes: %w", size, err)
	}
	footer := make([]byte, size)
	if _, err := f.r.ReadAt(footer, f.size-8-size); err != nil {
		return nil, fmt.Errorf("reading the footer: %w", err)
	}
	return footer, nil
}

func (f *File) book(n int64) error {
	if err := f.budget.Take(n); err != nil {
		return err
	}
	f.cost += n
	return nil
}

// decode decodes a Thrift structure that was vetted. A panic of the decoder
// becomes an error.
func decode[T any](buf []byte) (v *T, err error) {
	defer rescue(&err)
	v = new(T)
	if err := thrift.Unmarshal(new(thrift.CompactProtocol), buf, v); err != nil {
		return nil, err
	}
	return v, nil
}

// checkGroups checks what the footer claims of row groups and column chunks.
func (f *File) checkGroups() error {
	rows := int64(0)
	for g := range f.meta.RowGroups {
		group := &f.meta.RowGroups[g]
		if len(group.Columns) != len(f.columns) {
			return damaged("row group %d has %d columns where the schema has %d", g, len(group.Columns), len(f.columns))
		}
		if group.NumRows < 0 || rows+group.NumRows < rows {
			return damaged("row group %d claims %d rows", g, group.NumRows)
		}
		rows += group.NumRows
	}
	if rows != f.meta.NumRows {
		return damaged("%d rows claimed and %d in the row groups", f.meta.NumRows, rows)
	}
	return nil
}

// Close returns what the footer booked.
func (f *File) Close() {
	f.budget.Give(f.cost)
	f.cost = 0
}

// Rows returns the number of rows that the footer claims.
func (f *File) Rows() int64 { return f.meta.NumRows }

// Groups returns the number of row groups.
func (f *File) Groups() int { return len(f.meta.RowGroups) }

// GroupRows returns the number of rows that row group g claims.
func (f *File) GroupRows(g int) int64 { return f.meta.RowGroups[g].NumRows }

// Columns returns the columns that have values, in the order of the schema.
func (f *File) Columns() []*Column { return f.columns }
