package pages

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go/encoding/thrift"
)

// File is a Parquet file whose footer was read and found sound. Its methods are
// safe for concurrent use if the ReaderAt is, except Close.
type File struct {
	r      io.ReaderAt
	mapped Mapped // r, where it is that too
	size   int64
	budget *Budget
	// footerAt is where the footer begins.
	footerAt int64
	meta     *footer
	columns  []*Column
	names    map[string][2]*Column // the first two columns that have a name
	cost     int64                 // booked in budget
	zstd     zstdPool
	layouts  layouts
	spares   spares
}

const (
	magic       = "PAR1"
	cipherMagic = "PARE"
	// prefixBytes of a footer are looked at before the rest is made room for.
	prefixBytes = 4096
)

// Open reads and checks the footer of a Parquet file of the given size. The
// file's footer, and later the buffers of every cursor, are booked in the
// budget until Close. A ReaderAt that is Mapped too is read without copying;
// what it costs is not booked.
func Open(r io.ReaderAt, size int64, budget *Budget) (*File, error) {
	f := &File{r: r, size: size, budget: budget, layouts: newLayouts()}
	if m, ok := r.(Mapped); ok && int64(len(m.Bytes())) >= size {
		f.mapped = m
	}
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
	buf, err := f.readFooter()
	if err != nil {
		return err
	}
	if f.meta, err = readMeta(f.layouts.footer, buf, f.book); err != nil {
		return fmt.Errorf("footer: %w", err)
	}
	if f.columns, err = readSchema(f.meta.schema, f.book); err != nil {
		return fmt.Errorf("schema: %w", err)
	}
	f.release(int64(len(f.meta.schema)) * elementBytes)
	f.meta.schema = nil
	if err = f.index(); err != nil {
		return fmt.Errorf("schema: %w", err)
	}
	if err = f.checkGroups(); err != nil {
		return err
	}
	if err = f.checkPaths(); err != nil {
		return err
	}
	if err = f.checkDeclared(); err != nil {
		return fmt.Errorf("schema: %w", err)
	}
	return f.checkCover()
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
		return nil, &MendError{errors.New("an encrypted file, which is not read"), "write the log without encryption"}
	}
	if string(head[:4]) != magic {
		return nil, fmt.Errorf("%w: it does not begin with %s", ErrNotParquet, magic)
	}
	if string(tail[4:]) != magic {
		return nil, fmt.Errorf("truncated or not a Parquet file: it does not end with %s", magic)
	}
	size := int64(binary.LittleEndian.Uint32(tail[:]))
	if size > f.size-8-int64(len(magic)) {
		return nil, damaged("a footer of %d bytes in a file of %d", size, f.size)
	}
	if err := f.checkPrefix(size); err != nil {
		return nil, err
	}
	if err := f.book(size); err != nil {
		return nil, fmt.Errorf("footer of %d bytes: %w", size, err)
	}
	f.footerAt = f.size - 8 - size
	footer := make([]byte, size)
	if _, err := f.r.ReadAt(footer, f.size-8-size); err != nil {
		return nil, fmt.Errorf("reading the footer: %w", err)
	}
	return footer, nil
}

// checkPrefix looks at the first bytes of a footer, so that a length that lies
// is damage, and no reason to ask for more memory: the footer's one structure
// does not break, and does not end, within the prefix.
func (f *File) checkPrefix(size int64) error {
	if size <= 2*prefixBytes {
		return nil
	}
	prefix := make([]byte, prefixBytes)
	if _, err := f.r.ReadAt(prefix, f.size-8-size); err != nil {
		return fmt.Errorf("reading the footer: %w", err)
	}
	length, err := vetPrefix(prefix, size)
	switch {
	case err == nil:
		return damaged("a footer of %d bytes that ends after %d", size, length)
	case !errors.Is(err, errShort):
		return fmt.Errorf("footer of %d bytes: %w", size, err)
	}
	return nil
}

// release gives booked memory back.
func (f *File) release(n int64) {
	f.budget.Give(n)
	f.cost -= n
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
	for g := range f.meta.groups {
		group := &f.meta.groups[g]
		if len(group.chunks) != len(f.columns) {
			return damaged("row group %d has %d columns where the schema has %d", g, len(group.chunks), len(f.columns))
		}
		if group.rows < 0 || rows+group.rows < rows {
			return damaged("row group %d claims %d rows", g, group.rows)
		}
		rows += group.rows
	}
	if rows != f.meta.rows {
		return damaged("%d rows claimed and %d in the row groups", f.meta.rows, rows)
	}
	return nil
}

// checkPaths checks that the first row group's column chunks have the names of
// the schema; further ones are looked at when they are read.
func (f *File) checkPaths() error {
	if len(f.meta.groups) == 0 {
		return nil
	}
	for _, c := range f.columns {
		meta := f.meta.place(0, c.index)
		if !meta.far && !f.meta.hasPath(0, c) {
			return damaged("column %q of the schema, and a column of another name in row group 0", c.Path)
		}
	}
	return nil
}

// Close returns what the footer, and the buffers kept for further cursors, have
// booked. All cursors must be closed before.
func (f *File) Close() {
	f.spares.close()
	f.zstd.close()
	f.budget.Give(f.cost)
	f.cost = 0
}

// Rows returns the number of rows that the footer claims.
func (f *File) Rows() int64 { return f.meta.rows }

// Groups returns the number of row groups.
func (f *File) Groups() int { return len(f.meta.groups) }

// GroupRows returns the number of rows that row group g claims.
func (f *File) GroupRows(g int) int64 { return f.meta.groups[g].rows }

// Columns returns the columns that have values, in the order of the schema.
func (f *File) Columns() []*Column { return f.columns }
