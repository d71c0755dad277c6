package pages

import (
	"errors"
	"fmt"
	"strings"
	"unsafe"

	"github.com/parquet-go/parquet-go/format"
)

// footer is a Parquet footer that was walked over, and of which only the schema
// was decoded: it keeps its bytes, and where in them the column chunks are. A
// file of many row groups and columns takes its footer's size and four bytes for
// every column chunk, however few columns are read.
type footer struct {
	buf    []byte
	rows   int64
	schema []format.SchemaElement // nil once the columns are made of it
	groups []footerGroup

	arrow, spark []byte // schemas that they keep beside, as they stand in buf
	pads         bool   // fastparquet wrote the file
	ordered      []bool // by column, as far as the footer says: values are in the order of their type
}

// footerGroup is a row group.
type footerGroup struct {
	rows   int64
	chunks []uint32 // where the structures of the column chunks begin in buf
}

// Fields of FileMetaData and RowGroup
// (github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift).
const (
	fieldSchema     = 2
	fieldRows       = 3
	fieldGroups     = 4
	fieldKeyValues  = 5
	fieldCreatedBy  = 6
	fieldOrders     = 7
	fieldEncryption = 8

	fieldChunks    = 1
	fieldGroupRows = 3
)

const (
	groupBytes   = int64(unsafe.Sizeof(footerGroup{}))
	elementBytes = int64(unsafe.Sizeof(format.SchemaElement{})) + 64 // with what its logical type points at
)

var errEncrypted = &MendError{Err: errors.New("an encrypted or signed footer, which is not read"), Mend: "write the log without encryption"}

// readMeta walks over a footer, which has a layout. What it keeps beside buf is booked.
func readMeta(l *layout, buf []byte, book func(int64) error) (*footer, error) {
	length, err := vetAs(l, buf)
	if err != nil {
		return nil, err
	}
	if length != len(buf) {
		return nil, errEncrypted
	}
	m := &footer{buf: buf, rows: -1}
	w := walker{vetter: vetter{buf: buf}, book: book}
	err = w.fields(func(id, typ int) (bool, error) {
		switch {
		case id == fieldSchema && typ == thriftList:
			return true, w.schema(m)
		case id == fieldRows && typ == thriftI64:
			return true, w.number(&m.rows)
		case id == fieldGroups && typ == thriftList:
			return true, w.groups(m)
		case id == fieldKeyValues && typ == thriftList:
			return true, w.keyValues(m)
		case id == fieldCreatedBy && typ == thriftBinary:
			by, bad := w.binary()
			m.pads = strings.HasPrefix(string(by), "fastparquet")
			return true, bad
		case id == fieldOrders && typ == thriftList:
			return true, w.orders(m)
		case id == fieldEncryption:
			return false, errEncrypted
		case id >= fieldSchema && id <= fieldGroups:
			return false, damaged("field %d of type %d", id, typ)
		}
		return false, nil
	})
	if err == nil && (m.rows < 0 || m.schema == nil) {
		err = damaged("%d rows, %d elements of a schema", m.rows, len(m.schema))
	}
	return m, err
}

// column decodes what the footer says of a column chunk.
func (m *footer) column(g, index int) (*format.ColumnChunk, error) {
	at := m.groups[g].chunks[index]
	length, err := vet(m.buf[at:])
	if err != nil {
		return nil, err
	}
	return decode[format.ColumnChunk](m.buf[at : int(at)+length])
}

// walker is a vetter that looks at what it walks over. The bytes were vetted.
type walker struct {
	vetter
	book func(int64) error
}

// fields calls see with the number and type of every field of a structure; a
// field that see does not take is walked over.
func (w *walker) fields(see func(id, typ int) (taken bool, err error)) error {
	for id := 0; ; {
		typ, next, err := w.fieldHead(id)
		if err != nil || typ == thriftStop {
			return err
		}
		id = next
		taken, err := see(id, typ)
		if err != nil {
			return err
		}
		if !taken && typ != thriftTrue && typ != thriftFalse {
			if err := w.value(typ, 0); err != nil {
				return err
			}
		}
	}
}

// number reads a zigzag number.
func (w *walker) number(to *int64) error {
	u, err := w.varint()
	*to = int64(u>>1) ^ -int64(u&1)
	return err
}

// structures reads the head of a list of structures.
func (w *walker) structures() (n int, err error) {
	count, item, err := w.listHead()
	if err != nil {
		return 0, err
	}
	if count > uint64(len(w.buf[w.pos:])) {
		return 0, errShort
	}
	if count > 0 && item != thriftStruct {
		return 0, damaged("a list of type %d where structures are expected", item)
	}
	return int(count), nil //nolint:gosec // at most len(buf)
}

func (w *walker) schema(m *footer) error {
	n, err := w.structures()
	if err != nil {
		return err
	}
	if m.schema != nil {
		return damaged("two schemas")
	}
	if err := w.book(int64(n) * elementBytes); err != nil {
		return fmt.Errorf("a schema of %d elements: %w", n, err)
	}
	m.schema = make([]format.SchemaElement, n)
	for i := range m.schema {
		at := w.pos
		if err := w.structure(1); err != nil {
			return err
		}
		e, err := decode[format.SchemaElement](w.buf[at:w.pos])
		if err != nil {
			return fmt.Errorf("schema: %w", err)
		}
		if e.LogicalType.Value == nil && w.hasLogical(at) {
			e.LogicalType.Value = &newerType{}
		}
		m.schema[i] = *e
	}
	return nil
}

func (w *walker) groups(m *footer) error {
	n, err := w.structures()
	if err != nil {
		return err
	}
	if m.groups != nil {
		return damaged("two lists of row groups")
	}
	if err := w.book(int64(n) * groupBytes); err != nil {
		return fmt.Errorf("%d row groups: %w", n, err)
	}
	m.groups = make([]footerGroup, n)
	for i := range m.groups {
		if err := w.group(&m.groups[i]); err != nil {
			return fmt.Errorf("row group %d: %w", i, err)
		}
	}
	return nil
}

func (w *walker) group(g *footerGroup) error {
	g.rows = -1
	return w.fields(func(id, typ int) (bool, error) {
		switch {
		case id == fieldChunks && typ == thriftList && g.chunks == nil:
			return true, w.chunks(g)
		case id == fieldGroupRows && typ == thriftI64:
			return true, w.number(&g.rows)
		case id == fieldChunks || id == fieldGroupRows:
			return false, damaged("field %d of type %d", id, typ)
		}
		return false, nil
	})
}

// chunks notes where the structures of a row group's column chunks begin.
func (w *walker) chunks(g *footerGroup) error {
	n, err := w.structures()
	if err != nil {
		return err
	}
	if err := w.book(4 * int64(n)); err != nil {
		return fmt.Errorf("%d column chunks: %w", n, err)
	}
	g.chunks = make([]uint32, n)
	for i := range g.chunks {
		g.chunks[i] = uint32(w.pos) //nolint:gosec // a footer's length has 32 bits
		if err := w.structure(1); err != nil {
			return err
		}
	}
	return nil
}

// keyValues notes what other writers say of the columns.
func (w *walker) keyValues(m *footer) error {
	n, err := w.structures()
	if err != nil {
		return err
	}
	for range n {
		var pair [3][]byte // by the number of the field
		if err := w.fields(func(id, typ int) (taken bool, err error) {
			if typ != thriftBinary || id >= len(pair) {
				return false, nil
			}
			pair[id], err = w.binary()
			return true, err
		}); err != nil {
			return err
		}
		switch string(pair[1]) {
		case keyArrow:
			m.arrow = pair[2]
		case keySpark:
			m.spark = pair[2]
		}
	}
	return nil
}

// orders notes of which columns the order of the type is the order that
// statistics are in.
func (w *walker) orders(m *footer) error {
	n, err := w.structures()
	if err != nil {
		return err
	}
	if err := w.book(int64(n)); err != nil {
		return fmt.Errorf("orders of %d columns: %w", n, err)
	}
	const byType = 1 // of the members of ColumnOrder
	m.ordered = make([]bool, n)
	for i := range m.ordered {
		if err := w.fields(func(id, _ int) (bool, error) {
			m.ordered[i] = id == byType
			return false, nil
		}); err != nil {
			return err
		}
	}
	return nil
}

// told is what statistics say of whether a value is whole.
type told int

const (
	untold told = iota
	toldYes
	toldNo
)

// statistics holds the statistics of a column chunk, not decoded.
type statistics struct {
	hasNulls           bool
	nulls              int64
	min, max           []byte // nil where they are not there
	minExact, maxExact told
}

// statistics finds the statistics of a column chunk; the footer was vetted.
func (m *footer) statistics(g, index int) (s statistics) {
	w := walker{vetter: vetter{buf: m.buf, pos: int(m.groups[g].chunks[index])}}
	_ = w.fields(func(id, typ int) (bool, error) {
		if id != fieldMetaData || typ != thriftStruct {
			return false, nil
		}
		return true, w.fields(func(id, typ int) (bool, error) {
			if id != fieldStatistics || typ != thriftStruct {
				return false, nil
			}
			return true, w.fields(func(id, typ int) (bool, error) { return w.statistic(&s, id, typ) })
		})
	})
	return s
}

// statistic reads a field of statistics.
func (w *walker) statistic(s *statistics, id, typ int) (taken bool, err error) {
	exact := toldYes
	if typ == thriftFalse {
		exact = toldNo
	}
	switch id {
	case fieldNullCount:
		s.hasNulls = true
		return true, w.number(&s.nulls)
	case fieldMin:
		s.min, err = w.binary()
		return true, err
	case fieldMax:
		s.max, err = w.binary()
		return true, err
	case fieldMinExact:
		s.minExact = exact
	case fieldMaxExact:
		s.maxExact = exact
	}
	return false, nil
}

// binary reads bytes.
func (w *walker) binary() ([]byte, error) {
	n, err := w.varint()
	if err != nil {
		return nil, err
	}
	at := w.pos
	if err := w.skip(n); err != nil {
		return nil, err
	}
	return w.buf[at:w.pos:w.pos], nil
}

// hasPath reports whether a column chunk says that it is of a column, or does not say.
func (m *footer) hasPath(g int, c *Column) bool {
	const fieldPath = 3 // of ColumnMetaData
	is := false
	w := walker{vetter: vetter{buf: m.buf, pos: int(m.groups[g].chunks[c.index])}}
	_ = w.fields(func(id, typ int) (bool, error) {
		if id != fieldMetaData || typ != thriftStruct {
			return false, nil
		}
		return true, w.fields(func(id, typ int) (bool, error) {
			if id != fieldPath || typ != thriftList {
				return false, nil
			}
			var err error
			is, err = w.isPath(c.Path)
			return true, err
		})
	})
	return is
}

// isPath reads a list of names, and reports whether joined by dots they are a path.
func (w *walker) isPath(path string) (bool, error) {
	n, _, err := w.listHead()
	is := true
	for i := range n {
		name, bad := w.binary()
		if bad != nil {
			return false, bad
		}
		if i > 0 {
			is = is && strings.HasPrefix(path, ".")
			path = strings.TrimPrefix(path, ".")
		}
		is = is && strings.HasPrefix(path, string(name))
		path = path[min(len(name), len(path)):]
	}
	return n == 0 || is && path == "", err
}

// newerType is a logical type that the format did not have when this was written.
type newerType struct{}

// FieldID returns no number of a member, since it is not known.
func (*newerType) FieldID() int16 { return 0 }

// String says so.
func (*newerType) String() string { return "of a logical type that is not known" }

// hasLogical reports whether the element at a place has a logical type.
func (w *walker) hasLogical(at int) bool {
	const fieldLogical = 10
	has := false
	one := walker{vetter: vetter{buf: w.buf, pos: at}}
	_ = one.fields(func(id, _ int) (bool, error) {
		has = has || id == fieldLogical
		return false, nil
	})
	return has
}
