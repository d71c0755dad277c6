package tableau

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
)

// digestSink counts and hashes what passes. The Arrow writer asks for its
// position by seeking, and never moves.
type digestSink struct {
	w    io.Writer
	hash hash.Hash
	pos  int64

	work chan []byte   // what a goroutine is to hash while it is written
	done chan struct{} // and that it did; closed when the goroutine has ended
}

func newDigestSink(w io.Writer) *digestSink {
	s := &digestSink{w: w, hash: sha256.New(), work: make(chan []byte), done: make(chan struct{})}
	go func() {
		defer close(s.done)
		for b := range s.work {
			s.hash.Write(b)
			s.done <- struct{}{}
		}
	}()
	return s
}

// worthwhile is the least number of bytes to hash on the other goroutine: what
// it takes some 30 µs to hash.
const worthwhile = 1 << 16

// Write passes b on. Hashing costs more than writing to the page cache, so that
// both together take as long as hashing alone.
func (s *digestSink) Write(b []byte) (int, error) {
	if len(b) >= worthwhile {
		s.work <- b
		defer func() { <-s.done }()
	} else {
		s.hash.Write(b)
	}
	n, err := s.w.Write(b)
	s.pos += int64(n)
	return n, err
}

// Seek reports the position.
func (s *digestSink) Seek(offset int64, whence int) (int64, error) {
	if offset != 0 || whence != io.SeekCurrent {
		return 0, errors.New("tableau: a tableau is written from front to back")
	}
	return s.pos, nil
}

// close ends the goroutine, once, and returns the SHA-256 of what was written in
// lower-case hex.
func (s *digestSink) close() string {
	if s.work != nil {
		close(s.work)
		<-s.done
		s.work = nil
	}
	return hex.EncodeToString(s.hash.Sum(nil))
}
