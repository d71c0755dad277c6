package tableau

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
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
	fieldType, fieldDictionary                      = 3, 4
	typeInt, typeFloat                              = 2, 3
	intWidth, intSigned, floatPrecision, floatIs64  = 0, 1, 0, 2
	messageKind, messageHeader, messageBody         = 1, 2, 3
	kindRecordBatch                                 = 3
	batchLength, batchNodes, batchBuffers           = 0, 1, 2
	batchCompression                                = 3
	blockSize, nodeSize, bufferSize                 = 24, 16, 16
	continuation                                    = 0xFFFFFFFF
)

// walk reads the footer and the record batch tables of an Arrow IPC file and
// returns the batches, which point into data. Nothing is trusted: every
// offset, length, alignment and count is checked before it is used.
func walk(data []byte, want []field) ([]batch, error) {
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
	batches := make([]batch, 0, len(blocks)/blockSize)
	for i := 0; len(blocks) > 0; i++ {
		b, err := readBatch(data[:bodyEnd], blocks, want)
		if err != nil {
			return nil, fmt.Errorf("record batch %d: %w", i, err)
		}
		blocks = blocks[blockSize:]
		if b.rows != BatchRows && len(blocks) > 0 {
			return nil, fmt.Errorf("record batch %d has %d rows; every batch but the last has %d", i, b.rows, BatchRows)
		}
		batches = append(batches, b)
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
	if nullable, nerr := f.byteField(fieldNullable); nerr != nil || nullable != 0 || f.has(fieldDictionary) {
		return errors.Join(fmt.Errorf("%q is nullable or dictionary-encoded; a tableau's columns are neither", want.name), nerr)
	}
	got, err := fieldKind(f)
	if err != nil {
		return fmt.Errorf("%q: %w", want.name, err)
	}
	if got != want.kind {
		return fmt.Errorf("%q is %v, not %v", want.name, got, want.kind)
	}
	return nil
}

func fieldKind(f *table) (kind, error) {
	union, err := f.byteField(fieldTypeKind)
	if err != nil {
		return 0, err
	}
	typ, err := f.tableField(fieldType)
	if err != nil {
		return 0, err
	}
	switch union {
	case typeInt:
		return intKind(&typ)
	case typeFloat:
		if p, err := typ.int16Field(floatPrecision); err != nil || p != floatIs64 {
			return 0, errors.Join(errors.New("a float that is not 64 bits wide"), err)
		}
		return kindFloat64, nil
	}
	return 0, fmt.Errorf("of Arrow type %d; a tableau holds integers and floats only", union)
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
