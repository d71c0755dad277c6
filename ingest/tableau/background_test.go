package tableau

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// fullDisk takes so many bytes and then no more.
type fullDisk struct {
	to   io.Writer
	left int
}

var errFull = errors.New("no space left on device")

func (d *fullDisk) Write(b []byte) (int, error) {
	if len(b) > d.left {
		return 0, errFull
	}
	d.left -= len(b)
	return d.to.Write(b)
}

// A disk that fills up while the caller makes the next rows is an error of one
// of the next calls, and of all after it; nothing stays.
func TestWriterOnFullDisk(t *testing.T) {
	s, b := sample(true, 1, BatchRows)
	size := int(s.RowBytes()) * BatchRows
	for name, batches := range map[string]float64{"at once": 0, "in the second batch": 1.5, "in the footer": 4.0005} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "rounds.arrow")
			w, err := NewWriter(path, s)
			if err != nil {
				t.Fatal(err)
			}
			w.rows.sink.bytes.w = &fullDisk{w.rows.sink.file, int(batches * float64(size))}
			for range 4 {
				err = w.Append(&b)
			}
			if batches < 2 && !errors.Is(err, errFull) {
				t.Errorf("four batches were taken: %v", err)
			}
			if _, err = w.Close(); !errors.Is(err, errFull) {
				t.Errorf("Close: %v", err)
			}
			if _, err = os.Stat(path); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the file is still there: %v", err)
			}
			if _, err = w.Close(); !errors.Is(err, ErrClosed) {
				t.Errorf("closed twice: %v", err)
			}
			<-w.rows.background.done // or the test hangs
		})
	}
}

// A writer that is given up while a batch is being written leaves neither file
// nor goroutine.
func TestDiscardWhileWriting(t *testing.T) {
	s, b := sample(false, 0, 2*BatchRows+1)
	path := filepath.Join(t.TempDir(), "rounds.arrow")
	w, err := NewWriter(path, s)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Append(&b); err != nil {
		t.Fatal(err)
	}
	if err := w.Discard(); err != nil {
		t.Error(err)
	}
	<-w.rows.background.done // or the test hangs
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file is still there: %v", err)
	}
	if err := w.Append(&b); !errors.Is(err, ErrClosed) {
		t.Errorf("appended after discarding: %v", err)
	}
}

// What a writer holds is what WriterBytes says, however wide rows are.
func TestWriterHoldsBoundedMemory(t *testing.T) {
	s := Schema{Arms: 100, ContextByArm: 50, Eligible: true}
	n := 3 * s.BatchRows()
	b := Batch{
		Experiment: make([]int32, n), Round: make([]int64, n), Arm: make([]int32, n), Reward: make([]float64, n),
		ContextByArm: make([]float64, n*5000), Eligible: make([]bool, n*100),
	}
	w, err := NewWriter(filepath.Join(t.TempDir(), "rounds.arrow"), s)
	if err != nil {
		t.Fatal(err)
	}
	held := map[*byte]int64{}
	for from := 0; from < n; from += 50 {
		part := rowsOf(&b, &s, from, min(n, from+50))
		if err := w.Append(&part); err != nil {
			t.Fatal(err)
		}
		for _, c := range w.rows.pending.columns {
			held[&c[0]] = max(held[&c[0]], int64(cap(c)))
		}
	}
	if _, err := w.Close(); err != nil {
		t.Fatal(err)
	}
	sum := int64(0)
	for _, size := range held {
		sum += size
	}
	if sum > s.WriterBytes() || s.WriterBytes() > writerFrames*BatchBytes {
		t.Errorf("a writer of %d bytes held %d", s.WriterBytes(), sum)
	}
}
