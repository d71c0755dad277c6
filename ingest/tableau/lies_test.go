package tableau

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"testing"
)

// The counts, offsets and lengths of a record batch lie, one after the other.
func TestHostileRecordBatch(t *testing.T) {
	for name, file := range smallFiles(t) {
		nodes, buffers := recordVectors(t, file.data)
		for at := 0; at < len(nodes); at += 8 {
			for _, lie := range []int64{-1, math.MinInt64, math.MaxInt64, 1 << 32, 0, 7} {
				tryLie(t, &file, name+": a node", nodes[at:], lie)
			}
		}
		for at := 0; at < len(buffers); at += 8 {
			for _, add := range []int64{-8, -1, 1, 4, 1 << 32, math.MaxInt64 - 1<<20, math.MinInt64} {
				tryLie(t, &file, name+": a buffer", buffers[at:], int64(binary.LittleEndian.Uint64(buffers[at:]))+add)
			}
		}
	}
}

// tryLie writes a lie to a word of the file, reads the file and takes the lie
// back. The lie is an error, unless it is none.
func tryLie(t *testing.T, file *hostileFile, name string, word []byte, lie int64) {
	t.Helper()
	old := binary.LittleEndian.Uint64(word)
	binary.LittleEndian.PutUint64(word, uint64(lie))
	defer binary.LittleEndian.PutUint64(word, old)
	if _, err := file.read(file.data); !errors.Is(err, ErrDamaged) && uint64(lie) != old {
		t.Errorf("%s: %d for %d: %v", name, lie, old, err)
	}
}

// The footer lies about where record batches are: every word of it, and batches
// in another order, twice and left out.
func TestHostileBlocks(t *testing.T) {
	s := Schema{Arms: 1, ContextByArm: BatchBytes / 16, Experiments: []Range{{"a", 0, 3}}}
	b := Batch{
		Experiment: make([]int32, 3), Round: []int64{1, 2, 3}, Arm: make([]int32, 3), Reward: make([]float64, 3),
		ContextByArm: make([]float64, 3*s.ContextByArm),
	}
	path, _ := write(t, s, b)
	m := inMemory(readFile(t, path))
	footer, _, err := readFooter(m.data)
	if err != nil {
		t.Fatal(err)
	}
	blocks, err := footer.vectorField(footerBatches, blockSize)
	if err != nil || len(blocks) != 3*blockSize {
		t.Fatalf("%d bytes of blocks: %v", len(blocks), err)
	}
	good := slices.Clone(blocks)
	try := func(name string) {
		_, err := walk(m.data, s.layout().fields, 1)
		if changed := !bytes.Equal(padded(blocks), padded(good)); (err != nil) != changed {
			t.Errorf("%s: %v", name, err)
		}
		copy(blocks, good)
	}
	for at := 0; at < len(blocks); at += 4 {
		for _, lie := range []uint32{0, 1, 4, 8, 64, 1 << 31, math.MaxUint32, binary.LittleEndian.Uint32(blocks[at:]) + 8, binary.LittleEndian.Uint32(blocks[at:]) - 8} {
			binary.LittleEndian.PutUint32(blocks[at:], lie)
			try("a word")
		}
	}
	for _, order := range [][3]int{{0, 0, 0}, {0, 0, 2}, {1, 0, 2}, {0, 2, 1}, {2, 2, 2}, {1, 2, 2}, {0, 1, 2}} {
		for i, from := range order {
			copy(blocks[i*blockSize:], good[from*blockSize:(from+1)*blockSize])
		}
		try("another order")
	}
	count := m.data[cap(m.data)-cap(blocks)-4:] // blocks is a slice of m.data
	for n := range uint32(6) {
		binary.LittleEndian.PutUint32(count, n)
		if _, err := walk(m.data, s.layout().fields, 1); (err != nil) != (n != 3) {
			t.Errorf("%d batches: %v", n, err)
		}
	}
}

// padded returns blocks with their padding, 4 bytes behind the metadata's
// length, as zeros.
func padded(blocks []byte) []byte {
	blocks = slices.Clone(blocks)
	for at := 12; at < len(blocks); at += blockSize {
		clear(blocks[at : at+4])
	}
	return blocks
}

// recordVectors returns the nodes and buffers of the only record batch, as
// slices of data.
func recordVectors(t *testing.T, data []byte) (nodes, buffers []byte) {
	t.Helper()
	footer, _, err := readFooter(data)
	if err != nil {
		t.Fatal(err)
	}
	blocks, err := footer.vectorField(footerBatches, blockSize)
	if err != nil {
		t.Fatal(err)
	}
	offset, meta, body := binary.LittleEndian.Uint64(blocks), binary.LittleEndian.Uint32(blocks[8:]), binary.LittleEndian.Uint64(blocks[16:])
	record, err := recordTable(data[offset:offset+uint64(meta)], int64(body))
	if err != nil {
		t.Fatal(err)
	}
	a, err := newArrays(&record)
	if err != nil {
		t.Fatal(err)
	}
	return a.nodes, a.buffers
}
