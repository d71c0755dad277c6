package tableau

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"testing"
)

// Short and long pieces, hashed here or on the other goroutine, give the digest
// of the whole.
func TestDigestSink(t *testing.T) {
	data := bytes.Repeat([]byte("a tableau is written once "), 40000)
	var to bytes.Buffer
	s := newDigestSink(&to)
	for from, size := 0, 1; from < len(data); size = size*3%(3*worthwhile) + 1 {
		end := min(len(data), from+size)
		if n, err := s.Write(data[from:end]); n != end-from || err != nil {
			t.Fatal(n, err)
		}
		from = end
		if pos, err := s.Seek(0, io.SeekCurrent); pos != int64(from) || err != nil {
			t.Fatalf("at %d, not %d: %v", pos, from, err)
		}
	}
	want := sha256.Sum256(data)
	for range 2 { // closing again changes nothing
		if got := s.close(); got != hex.EncodeToString(want[:]) {
			t.Errorf("digest %s", got)
		}
	}
	if !bytes.Equal(to.Bytes(), data) {
		t.Error("other bytes were passed on")
	}
}

func TestDigestSinkErrors(t *testing.T) {
	s := newDigestSink(&fullDisk{io.Discard, 0})
	defer s.close()
	for _, size := range []int{10, 2 * worthwhile} {
		if _, err := s.Write(make([]byte, size)); !errors.Is(err, errFull) {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
	if _, err := s.Seek(8, io.SeekStart); err == nil {
		t.Error("a tableau was written from somewhere else")
	}
}
