package tableau

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	flatbuffers "github.com/google/flatbuffers/go"
)

// ErrDamaged is what every error about the bytes of a tableau file wraps: it
// is truncated, was changed, or was not written by this program.
var ErrDamaged = errors.New("the tableau is damaged; ingest the log again")

// magic opens and closes an Arrow IPC file.
const magic = "ARROW1"

// Field numbers and values of Arrow's Schema.fbs, Message.fbs and File.fbs
// (format/ in apache/arrow, metadata version 5).
const (
	footerSchema, footerDictionaries, footerBatches = 1, 2, 3
	schemaEndianness, schemaFields                  = 0, 1
	fieldName, fieldNullable, fieldTypeKind         = 0, 1, 2
	fieldType, fieldDictionary, fieldChildren       = 3, 4, 5
	typeInt, typeFloat, typeBool, typeFixedSizeList = 2, 3, 6, 16
	intWidth, intSigned, floatPrecision, floatIs64  = 0, 1, 0, 2
	listSize                                        = 0
	messageKind, messageHeader, messageBody         = 1, 2, 3
	kindRecordBatch                                 = 3
	batchLength, batchNodes, batchBuffers           = 0, 1, 2
	batchCompression                                = 3
	blockSize, nodeSize, bufferSize                 = 24, 16, 16
	continuation                                    = 0xFFFFFFFF
	bufferAlign                                     = 8 // bytes
)

// walk reads the footer and the record batch tables of an Arrow IPC file and
// returns the batches, which point into data. Nothing is trusted: every
// offset, length, alignment and count is checked before it is used. A batch has
// at most limit rows.
func walk(data []byte, want []field, limit int64) ([]batch, error) {
	footer, bodyEnd, err := readFooter(data)
	if err != nil {
		return nil, err
	}
	if serr := checkSchema(&footer, want); serr != nil {
		return nil, serr
	}
	blocks, err := footer.vectorField(footerBatches, blockSize)
	if err != nil {
		return nil, fmt.Errorf("footer: record batches: %w", err)
	}
	r := batchReader{data[:bodyEnd], want, limit, newPlan(want, limit)}
	batches := make([]batch, 0, len(blocks)/blockSize)
	last, rows := int64(0), int64(0)
	for i := 0; len(blocks) > 0; i++ {
		b, end, err := r.read(blocks)
		if err != nil {
			return nil, fmt.Errorf("record batch %d: %w", i, err)
		}
		if start := flatbuffers.GetInt64(blocks); i > 0 && start != last {
			return nil, fmt.Errorf("record batch %d begins at %d, not at %d where the one before ends", i, start, last)
		}
		b.first = rows
		blocks, last, rows = blocks[blockSize:], end, rows+b.rows
		batches = append(batches, b)
	}
	if last != int64(bodyEnd) {
		return nil, fmt.Errorf("the last record batch ends at %d and the footer begins at %d", last, bodyEnd)
	}
	return batches, nil
}

// readFooter returns the footer table and where the batches must end.
func readFooter(data []byte) (footer table, bodyEnd int, err error) {
	const tail = 4 + len(magic)
	if len(data) < 8+tail || !bytes.HasPrefix(data, []byte(magic)) || !bytes.HasSuffix(data, []byte(magic)) {
		return footer, 0, fmt.Errorf("%d bytes that do not begin and end with %s", len(data), magic)
	}
	size := int64(binary.LittleEndian.Uint32(data[len(data)-tail:]))
	bodyEnd = len(data) - tail
	if size > int64(bodyEnd-8) {
		return footer, 0, fmt.Errorf("a footer of %d bytes in a file of %d", size, len(data))
	}
	bodyEnd -= int(size)
	footer, err = rootTable(data[bodyEnd : len(data)-tail])
	if err != nil {
		return footer, 0, fmt.Errorf("footer: %w", err)
	}
	if dicts, err := footer.vectorField(footerDictionaries, blockSize); err != nil || len(dicts) > 0 {
		return footer, 0, errors.Join(errors.New("footer: dictionaries, which a tableau does not have"), err)
	}
	return footer, bodyEnd, nil
}

// checkSchema compares the file's columns with those that are wanted.
func checkSchema(footer *table, want []field) error {
	schema, err := footer.tableField(footerSchema)
	if err != nil {
		return fmt.Errorf("footer: schema: %w", err)
	}
	if big, berr := schema.int16Field(schemaEndianness); berr != nil || big != 0 {
		return errors.Join(errors.New("schema: not little-endian"), berr)
	}
	fields, err := schema.tablesField(schemaFields)
	if err != nil {
		return fmt.Errorf("schema: fields: %w", err)
	}
	if len(fields) != len(want) {
		return fmt.Errorf("%d columns where the manifest asks for %d", len(fields), len(want))
	}
	for i := range fields {
		if err := checkField(&fields[i], want[i]); err != nil {
			return fmt.Errorf("column %d: %w", i, err)
		}
	}
	return nil
}

func checkField(f *table, want field) error {
	name, err := f.vectorField(fieldName, 1)
	if err != nil {
		return err
	}
	if string(name) != want.name {
		return fmt.Errorf("named %q where the manifest asks for %q", name, want.name)
	}
	if err := checkType(f, want); err != nil {
		return fmt.Errorf("%q: %w", want.name, err)
	}
	return nil
}

// checkType compares the type of a column, or of the items of a list, with the
// one that is wanted.
func checkType(f *table, want field) error {
	if nullable, err := f.byteField(fieldNullable); err != nil || nullable != 0 || f.has(fieldDictionary) {
		return errors.Join(errors.New("nullable or dictionary-encoded; a tableau's columns are neither"), err)
	}
	children, err := f.tablesField(fieldChildren)
	if err != nil {
		return err
	}
	union, err := f.byteField(fieldTypeKind)
	if err != nil {
		return err
	}
	typ, err := f.tableField(fieldType)
	if err != nil {
		return err
	}
	if want.list > 0 {
		return checkList(union, &typ, children, want)
	}
	got, err := scalarKind(union, &typ)
	switch {
	case err != nil:
		return err
	case got != want.kind || len(children) > 0:
		return fmt.Errorf("%v with %d fields in it, not %v", got, len(children), want.kind)
	}
	return nil
}

func checkList(union byte, typ *table, children []table, want field) error {
	if union != typeFixedSizeList || len(children) != 1 {
		return fmt.Errorf("of Arrow type %d with %d fields in it, not a list of %d %v", union, len(children), want.list, want.kind)
	}
	if n, err := typ.int32Field(listSize); err != nil || int64(n) != want.list {
		return errors.Join(fmt.Errorf("a list of %d, not of %d", n, want.list), err)
	}
	want.list = 0
	if err := checkType(&children[0], want); err != nil {
		return fmt.Errorf("items: %w", err)
	}
	return nil
}

func scalarKind(union byte, typ *table) (kind, error) {
	switch union {
	case typeInt:
		return intKind(typ)
	case typeFloat:
		if p, err := typ.int16Field(floatPrecision); err != nil || p != floatIs64 {
			return 0, errors.Join(errors.New("a float that is not 64 bits wide"), err)
		}
		return kindFloat64, nil
	case typeBool:
		return kindBool, nil
	}
	return 0, fmt.Errorf("of Arrow type %d; a tableau holds integers, floats, bools and fixed-size lists of them", union)
}

func intKind(typ *table) (kind, error) {
	width, err := typ.int32Field(intWidth)
	if err != nil {
		return 0, err
	}
	signed, err := typ.byteField(intSigned)
	if err != nil {
		return 0, err
	}
	switch {
	case width == 32 && signed == 1:
		return kindInt32, nil
	case width == 64 && signed == 1:
		return kindInt64, nil
	}
	return 0, fmt.Errorf("an integer of %d bits (signed: %d)", width, signed)
}
