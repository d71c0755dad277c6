package tableau

import (
	"errors"
	"fmt"

	flatbuffers "github.com/google/flatbuffers/go"
)

// arrays takes the arrays of a record batch and their buffers one after the
// other, as Arrow lists them: a list before its items. Buffers are where Writer
// put them, so that no two overlap and none can be moved.
type arrays struct {
	nodes   []byte // length and number of nulls of every array that is left
	buffers []byte // offset in the body and length of every buffer that is left
}

func newArrays(record *table) (*arrays, error) {
	nodes, err := record.vectorField(batchNodes, nodeSize)
	if err != nil {
		return nil, err
	}
	buffers, err := record.vectorField(batchBuffers, bufferSize)
	if err != nil {
		return nil, err
	}
	return &arrays{nodes, buffers}, nil
}

// column takes the next column, whose values begin at start.
func (a *arrays) column(f *field, rows, start int64) error {
	if f.list > 0 {
		if err := a.array(rows, start); err != nil {
			return err
		}
	}
	if err := a.array(rows*f.perRow(), start); err != nil {
		return err
	}
	return a.buffer(start, f.size(rows))
}

// array takes an array of length values and no nulls, and its validity bitmap,
// which no null makes needless.
func (a *arrays) array(length, start int64) error {
	if len(a.nodes) < nodeSize {
		return errors.New("its array is missing")
	}
	got, nulls := flatbuffers.GetInt64(a.nodes), flatbuffers.GetInt64(a.nodes[8:])
	a.nodes = a.nodes[nodeSize:]
	if got != length || nulls != 0 {
		return fmt.Errorf("%d values and %d nulls where there are to be %d and none", got, nulls, length)
	}
	return a.buffer(start, 0)
}

// buffer takes a buffer.
func (a *arrays) buffer(start, size int64) error {
	if len(a.buffers) < bufferSize {
		return errors.New("a buffer of it is missing")
	}
	gotStart, gotSize := flatbuffers.GetInt64(a.buffers), flatbuffers.GetInt64(a.buffers[8:])
	a.buffers = a.buffers[bufferSize:]
	if gotStart != start || gotSize != size {
		return fmt.Errorf("%d bytes at %d of the body where there are to be %d at %d", gotSize, gotStart, size, start)
	}
	return nil
}
