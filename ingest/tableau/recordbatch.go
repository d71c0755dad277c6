package tableau

import (
	"encoding/binary"
	"errors"
	"fmt"

	flatbuffers "github.com/google/flatbuffers/go"
)

// batch is one record batch: its body within the file.
type batch struct {
	rows  int64
	first int64 // row of the file with which it begins
	body  []byte
	plan  *plan // one for all batches of as many rows, so that a batch takes little memory however many columns it has

	again []uint64 // by bit, the rows with all propensities as in the row before; nil: not known
}

// column returns the bytes of a column's values.
func (b *batch) column(i int) []byte {
	from, to := b.plan.start[i], b.plan.start[i]+b.plan.size[i]
	return b.body[from:to:to]
}

// plan says where in the body of a record batch of some number of rows the values of each
// column are: where Writer puts them.
type plan struct {
	start, size []int64
	end         int64 // of the body
}

func newPlan(fields []field, rows int64) *plan {
	p := &plan{start: make([]int64, len(fields)), size: make([]int64, len(fields))}
	for i := range fields {
		p.start[i], p.size[i] = p.end, fields[i].size(rows)
		p.end += (p.size[i] + bufferAlign - 1) / bufferAlign * bufferAlign
	}
	return p
}

// batchReader reads the record batches of a file.
type batchReader struct {
	data   []byte // up to the footer
	fields []field
	limit  int64 // rows of a batch at most
	full   *plan
}

// read reads the message that the first block of blocks points to, and returns
// where it ends too.
func (r *batchReader) read(blocks []byte) (b batch, end int64, err error) {
	offset := flatbuffers.GetInt64(blocks)
	metaSize := int64(flatbuffers.GetInt32(blocks[8:]))
	bodySize := flatbuffers.GetInt64(blocks[16:])
	if offset < 8 || offset%8 != 0 || metaSize < 8 || metaSize%8 != 0 || !within(r.data, offset, metaSize) {
		return batch{}, 0, fmt.Errorf("%d bytes of metadata at %d of %d", metaSize, offset, len(r.data))
	}
	meta, body := r.data[offset:offset+metaSize], r.data[offset+metaSize:]
	if bodySize < 0 || bodySize > int64(len(body)) {
		return batch{}, 0, fmt.Errorf("a body of %d bytes where %d are left", bodySize, len(body))
	}
	record, err := recordTable(meta, bodySize)
	if err != nil {
		return batch{}, 0, err
	}
	b, err = r.columns(&record, body[:bodySize])
	return b, offset + metaSize + bodySize, err
}

// columns checks that the columns of a batch are where they are to be in its
// body.
func (r *batchReader) columns(record *table, body []byte) (batch, error) {
	rows, err := record.int64Field(batchLength)
	if err != nil {
		return batch{}, err
	}
	if rows < 1 || rows > r.limit {
		return batch{}, fmt.Errorf("%d rows; a batch has from 1 to %d", rows, r.limit)
	}
	b := batch{rows: rows, body: body, plan: r.full}
	if rows < r.limit {
		b.plan = newPlan(r.fields, rows)
	}
	if int64(len(body)) != b.plan.end {
		return batch{}, fmt.Errorf("a body of %d bytes, not of %d", len(body), b.plan.end)
	}
	arrays, err := newArrays(record)
	if err != nil {
		return batch{}, err
	}
	for i := range r.fields {
		if err := arrays.column(&r.fields[i], rows, b.plan.start[i]); err != nil {
			return batch{}, fmt.Errorf("column %q: %w", r.fields[i].name, err)
		}
	}
	if len(arrays.nodes)+len(arrays.buffers) > 0 {
		return batch{}, fmt.Errorf("%d arrays and %d buffers that belong to no column", len(arrays.nodes)/nodeSize, len(arrays.buffers)/bufferSize)
	}
	return b, nil
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
