package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// TestSpill: what was kept comes back, in less room, and a bit that changed on the disk
// is an error and never text.
func TestSpill(t *testing.T) {
	text := strings.Repeat("      \"verdict\": \"VERIFIED\",\n", 40_000)
	for _, damaged := range []bool{false, true} {
		s, err := newSpill(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if fault := s.discard(); fault != nil {
				t.Error(fault)
			}
		})
		for at := 0; at < len(text); at += 7 * len(text) / 1000 {
			if _, err = s.Write([]byte(text[at:min(at+7*len(text)/1000, len(text))])); err != nil {
				t.Fatal(err)
			}
		}
		if err = s.Flush(); err != nil {
			t.Fatal(err)
		}
		info, err := s.file.Stat()
		if err != nil || info.Size() > int64(len(text)/5) {
			t.Errorf("%d bytes are kept in %d: %v", len(text), info.Size(), err)
		}
		if damaged {
			var b [1]byte
			if _, err := s.file.ReadAt(b[:], info.Size()/2); err != nil {
				t.Fatal(err)
			}
			if _, err := s.file.WriteAt([]byte{b[0] ^ 4}, info.Size()/2); err != nil {
				t.Fatal(err)
			}
		}
		var back bytes.Buffer
		if _, err := s.WriteTo(&back); damaged != (err != nil) || !damaged && back.String() != text {
			t.Errorf("damaged %v: %d bytes came back, %v", damaged, back.Len(), err)
		}
	}
	s, err := newSpill(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	n, err := s.WriteTo(new(bytes.Buffer))
	if err = errors.Join(err, s.discard()); n != 0 || err != nil {
		t.Errorf("of nothing %d bytes came back, %v", n, err)
	}
}
