package files

import (
	"io"
	"os"

	"banditaudit/ingest/mmap"
)

// Reader returns what an open file is read by, and what to call when it was
// read: its mapping, so that nothing is copied, or the file itself where it
// cannot be mapped.
func Reader(file *os.File) (io.ReaderAt, func()) {
	m, err := mmap.Map(file)
	if err != nil {
		return file, func() {}
	}
	return m, func() { _ = m.Close() } // It was mapped for reading; nothing is lost.
}
