package tableau

import (
	"encoding/binary"
	"errors"
	"fmt"

	flatbuffers "github.com/google/flatbuffers/go"
)

// batch is one record batch: its columns' bytes within the file.
type batch struct {
	rows    int64
	columns [][]byte // by position; len = rows × width
}

// readBatch reads the message that the first block of blocks points to.
func readBatch(data, blocks []byte, want []field) (batch, error) {
	offset := flatbuffers.GetInt64(blocks)
	metaSize := int64(flatbuffers.GetInt32(blocks[8:]))
	bodySize := flatbuffers.GetInt64(blocks[16:])
	if offset < 8 || offset%8 != 0 || metaSize < 8 || metaSize%8 != 0 || !within(data, offset, metaSize) {
		return batch{}, fmt.Errorf("%d bytes of metadata at %d of %d", metaSize, offset, len(data))
	}
	meta, body := data[offset:offset+metaSize], data[offset+metaSize:]
	if bodySize < 0 || bodySize > int64(len(body)) {
		return batch{}, fmt.Errorf("a body of %d bytes where %d are left", bodySize, len(body))
	}
	record, err := recordTable(meta, bodySize)
	if err != nil {
		return batch{}, err
	}
	return readColumns(&record, body[:bodySize], want)
}

// recordTable unwraps the encapsulated message.
func recordTable(meta []byte, bodySize int64) (table, error) {
	size := int64(binary.LittleEndian.Uint32(meta[4:]))
	if binary.LittleEndian.Uint32(meta) != continuation || size > int64(len(meta)-8) {
		return table{}, fmt.Errorf("a message of %d bytes in %d of metadata", size, len(meta))
	}
	message, err := rootTable(meta[8 : 8+size])
	if err != nil {
		return table{}, err
	}
	if k, kerr := message.byteField(messageKind); kerr != nil || k != kindRecordBatch {
		return table{}, errors.Join(fmt.Errorf("a message of kind %d, not a record batch", k), kerr)
	}
	if n, nerr := message.int64Field(messageBody); nerr != nil || n != bodySize {
		return table{}, errors.Join(fmt.Errorf("a body of %d bytes in the message and %d in the footer", n, bodySize), nerr)
	}
	record, err := message.tableField(messageHeader)
	if err != nil {
		return table{}, err
	}
	if record.has(batchCompression) {
		return table{}, errors.New("compressed; a tableau is not")
	}
	return record, nil
}

// readColumns cuts the columns out of a batch's body.
func readColumns(record *table, body []byte, want []field) (batch, error) {
	rows, err := record.int64Field(batchLength)
	if err != nil {
		return batch{}, err
	}
	nodes, err := record.vectorField(batchNodes, nodeSize)
	if err != nil {
		return batch{}, err
	}
	buffers, err := record.vectorField(batchBuffers, bufferSize)
	if err != nil {
		return batch{}, err
	}
	if rows < 1 || rows > BatchRows {
		return batch{}, fmt.Errorf("%d rows; a batch has 1 to %d", rows, BatchRows)
	}
	if len(nodes) != len(want)*nodeSize || len(buffers) != 2*len(want)*bufferSize {
		return batch{}, fmt.Errorf("%d columns and %d buffers where %d columns are", len(nodes)/nodeSize, len(buffers)/bufferSize, len(want))
	}
	b := batch{rows: rows, columns: make([][]byte, len(want))}
	for i, f := range want {
		length, nulls := flatbuffers.GetInt64(nodes[i*nodeSize:]), flatbuffers.GetInt64(nodes[i*nodeSize+8:])
		if length != rows || nulls != 0 {
			return batch{}, fmt.Errorf("column %q: %d rows and %d nulls in a batch of %d rows", f.name, length, nulls, rows)
		}
		values := buffers[(2*i+1)*bufferSize:] // the buffer before it is the validity bitmap, which no null makes needless
		offset, size := flatbuffers.GetInt64(values), flatbuffers.GetInt64(values[8:])
		if offset%8 != 0 || size < rows*f.kind.width() || !within(body, offset, size) {
			return batch{}, fmt.Errorf("column %q: %d bytes at %d of a body of %d for %d rows", f.name, size, offset, len(body), rows)
		}
		b.columns[i] = body[offset : offset+rows*f.kind.width()]
	}
	return b, nil
}
