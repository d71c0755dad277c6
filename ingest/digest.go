package ingest

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
)

// digest computes the SHA-256 of every input.
func (l *logFiles) digest(stop func() error) error {
	for i := range l.inputs {
		in := &l.inputs[i]
		sum, err := fileDigest(in, stop)
		if err != nil {
			return err
		}
		in.sha = sum
	}
	return nil
}

func fileDigest(in *input, stop func() error) (string, error) {
	file, err := os.Open(in.Path)
	if err != nil {
		return "", fileError(in.URI, RuleUnreadable, "cannot be opened", "check its permissions", err)
	}
	defer file.Close()
	h := sha256.New()
	buf := make([]byte, 1<<20)
	for {
		if err := stop(); err != nil {
			return "", err
		}
		n, err := file.Read(buf)
		h.Write(buf[:n])
		if errors.Is(err, io.EOF) {
			return hex.EncodeToString(h.Sum(nil)), nil
		}
		if err != nil {
			return "", fileError(in.URI, RuleUnreadable, "cannot be read to its end", "check the disk", err)
		}
	}
}

// unchanged checks, at the end of a run, that every input is what it was.
func (l *logFiles) unchanged() {
	for i := range l.inputs {
		in := &l.inputs[i]
		if info, err := os.Stat(in.Path); err != nil || !sameState(info, in.info) {
			l.changed(in, err)
		}
	}
}
