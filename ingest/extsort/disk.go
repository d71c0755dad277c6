package extsort

import (
	"fmt"
	"hash/crc32"
	"io"
	"os"
)

// span is the place of a run in a file, and what its bytes add up to.
type span struct {
	from, to int64
	sum      uint32
}

// castagnoli continues a CRC-32C, which processors have an instruction for.
func castagnoli(sum uint32, b []byte) uint32 {
	return crc32.Update(sum, crc32.MakeTable(crc32.Castagnoli), b)
}

// disk is a temporary file without a name, with runs in it one after the other.
type disk struct {
	dir   string
	file  *os.File
	name  string // where the system does not remove a file that is open
	size  int64
	spans []span
}

func newDisk(dir string) (*disk, error) {
	if file, err := nameless(dir); err == nil {
		return &disk{dir: dir, file: file}, nil
	}
	file, err := os.CreateTemp(dir, ".sort-*") // where the file system has no files without a name
	if err != nil {
		return nil, &DiskError{dir, err}
	}
	d := &disk{dir: dir, file: file}
	if err := os.Remove(file.Name()); err != nil {
		d.name = file.Name()
	}
	return d, nil
}

func (d *disk) runs() int { return len(d.spans) }

// begin begins a run at the end of the file.
func (d *disk) begin() { d.spans = append(d.spans, span{from: d.size, to: d.size}) }

// append writes to the end of the last run.
func (d *disk) append(b []byte) error {
	n, err := d.file.WriteAt(b, d.size)
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	if err != nil {
		return &DiskError{d.dir, err}
	}
	d.size += int64(n)
	last := &d.spans[len(d.spans)-1]
	last.to, last.sum = d.size, castagnoli(last.sum, b)
	return nil
}

func (d *disk) close() {
	_ = d.file.Close() // What is in it is of no more use.
	if d.name != "" {
		_ = os.Remove(d.name) // It holds nothing that anybody needs.
	}
}

// Sizes of buffers.
const (
	writeBuffer = 256 << 10
	leastBuffer = 4 << 10
)

// writer writes records to the last run of a disk.
type writer struct {
	disk    *disk
	buffer  []byte
	booked  int64
	account *account
}

// newWriter returns a writer whose buffer is a small part of memory. The least
// buffer is not booked, so that what is in memory can always be written.
func newWriter(d *disk, memory int64, a *account) *writer {
	w := &writer{disk: d, account: a}
	size := min(memory/16, writeBuffer)
	if size > leastBuffer && a.take(size) == nil {
		w.booked = size
	}
	w.buffer = make([]byte, 0, max(w.booked, leastBuffer))
	return w
}

func (w *writer) write(record []byte) error {
	if len(w.buffer)+len(record) > cap(w.buffer) {
		if err := w.flush(); err != nil {
			return err
		}
		if len(record) >= cap(w.buffer) {
			return w.disk.append(record)
		}
	}
	w.buffer = append(w.buffer, record...)
	return nil
}

func (w *writer) flush() error {
	if len(w.buffer) == 0 {
		return nil
	}
	err := w.disk.append(w.buffer)
	w.buffer = w.buffer[:0]
	return err
}

func (w *writer) free() {
	w.account.give(w.booked)
	w.booked, w.buffer = 0, nil
}

// DiskError says that the temporary file could not be made, written or read:
// the disk is full, or failing. The cause is wrapped.
type DiskError struct {
	Dir string // where the file is
	Err error
}

// Error names the directory and says what to do.
func (e *DiskError) Error() string {
	return fmt.Sprintf("sorting needs temporary space in %s: %v; free some there, raise --max-memory, or write the output to another disk", e.Dir, e.Err)
}

// Unwrap returns the cause.
func (e *DiskError) Unwrap() error { return e.Err }
