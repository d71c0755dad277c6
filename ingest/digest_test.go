package ingest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"banditaudit/ingest/fault"
	"banditaudit/ingest/files"
	"banditaudit/ingest/mmap"
)

// Files are hashed to their end, mapped or read, with any number of jobs; an
// empty one cannot be mapped.
func TestDigest(t *testing.T) {
	dir := t.TempDir()
	l := &logFiles{}
	var want []string
	for i, size := range []int{0, 1, digestBytes - 1, digestBytes, 2*digestBytes + 7} {
		data := bytes.Repeat([]byte{byte(i), 1, 2}, size)[:size]
		path := filepath.Join(dir, strconv.Itoa(i))
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(data)
		want = append(want, hex.EncodeToString(sum[:]))
		l.inputs = append(l.inputs, input{Source: files.Source{Path: path}})
		h := sha256.New()
		if err := hashReader(h, bytes.NewReader(data), func() error { return nil }); err != nil || hex.EncodeToString(h.Sum(nil)) != want[i] {
			t.Errorf("%d bytes that are read: %v", size, err)
		}
	}
	for _, jobs := range []int{0, 1, 3} {
		l.jobs = jobs
		if err := l.digest(func() error { return nil }); err != nil {
			t.Fatal(err)
		}
		for i := range l.inputs {
			if l.inputs[i].sha != want[i] {
				t.Errorf("%d jobs: file %d has %s, not %s", jobs, i, l.inputs[i].sha, want[i])
			}
			l.inputs[i].sha = ""
		}
	}
	if err := l.digest(func() error { return os.ErrDeadlineExceeded }); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("a run that was stopped: %v", err)
	}
	l.inputs = append(l.inputs, input{Source: files.Source{Path: filepath.Join(dir, "none"), URI: "none"}}, input{Source: files.Source{Path: dir, URI: "dir"}})
	var e *fault.InputError
	if err := l.digest(func() error { return nil }); !errors.As(err, &e) || e.File != "none" || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the first file that cannot be read: %v", err)
	}
}

// A file that is cut while it is hashed is a fault of the file.
func TestDigestOfCutFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, make([]byte, 3*digestBytes), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := mmap.Map(file); errors.Is(err, errors.ErrUnsupported) {
		t.Skip("this system does not map files, so that none can be cut while it is mapped")
	}
	cut := func() error { return os.Truncate(path, 10) }
	var e *fault.InputError
	if _, err := fileDigest(&files.Source{Path: path, URI: "f"}, cut); !errors.As(err, &e) || !errors.Is(err, mmap.ErrFault) {
		t.Errorf("%v", err)
	}
}
