package shard

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"

	"banditaudit/analyze/decide/aggregate"
	"banditaudit/schemas"
)

// ErrDamaged is in the chain of the error of bytes that are no fragment, or not as they
// were written.
var ErrDamaged = errors.New("not a whole fragment of banditaudit")

// maxLine bounds a line that is no outcome: the head holds the names of all files.
const maxLine = 1 << 30

// Entry is where the outcome of an experiment stands in a fragment.
type Entry struct {
	Index  int      // of the experiment in the log, from 0
	ID     string   // of the experiment
	Rows   int64    // of the experiment
	Offset int64    // of the outcome
	Bytes  int64    // of the outcome
	Prints []string // of its noise; see Writer.Add
}

// File is a fragment that was read once, outcomes unseen.
type File struct {
	Head    Head
	Entries []Entry // by their places in the fragment
	Count   int     // of experiments
	Rows    int64   // of its experiments
	SHA256  string  // of all its bytes, lower-case hex
}

// reader goes through a fragment once.
type reader struct {
	from *bufio.Reader
	sum  hash.Hash
	at   int64
	size int64
	n    int // lines so far, an outcome being one
}

// Read reads a fragment of size bytes and checks that it is whole: its form, its end and
// the SHA-256 there. It keeps no outcome. The error has ErrDamaged in its chain, or is
// from's.
func Read(from io.Reader, size int64) (*File, error) {
	r := &reader{from: bufio.NewReaderSize(from, 1<<16), sum: sha256.New(), size: size}
	f := &File{}
	if err := r.head(&f.Head); err != nil {
		return nil, err
	}
	for {
		var next line
		before := r.sum.Sum(nil)
		if err := r.line(&next); err != nil {
			return nil, err
		}
		switch {
		case next.Outcome == nil && next.End != nil:
			if err := f.finish(r, next.End, before); err != nil {
				return nil, err
			}
			return f, nil
		case next.Outcome == nil || next.End != nil:
			return nil, fmt.Errorf("%w: a line is neither that of an experiment nor the end", ErrDamaged)
		}
		if err := f.take(r, next.Outcome); err != nil {
			return nil, err
		}
	}
}

// head reads the first line.
func (r *reader) head(h *Head) error {
	text, err := r.text()
	if err != nil {
		return err
	}
	if err = schemas.ValidateFragment(text); err != nil {
		if !json.Valid(text) {
			return r.damaged()
		}
		return fmt.Errorf("%w: its first line: %w", ErrDamaged, err)
	}
	if decode(text, h) != nil {
		return r.damaged()
	}
	return h.check()
}

// line reads a line that is no outcome.
func (r *reader) line(v any) error {
	text, err := r.text()
	if err != nil {
		return err
	}
	if decode(text, v) != nil {
		return r.damaged()
	}
	return nil
}

// damaged is the error of a line that is not as it was written.
func (r *reader) damaged() error { return fmt.Errorf("%w: it is damaged at line %d", ErrDamaged, r.n) }

// text reads a line.
func (r *reader) text() ([]byte, error) {
	var b []byte
	for {
		part, err := r.from.ReadSlice('\n')
		b = append(b, part...)
		if err == nil {
			break
		}
		if errors.Is(err, io.EOF) || len(b) > maxLine {
			return nil, fmt.Errorf("%w: it ends early", ErrDamaged)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return nil, err
		}
	}
	r.at += int64(len(b))
	r.n++
	r.sum.Write(b)
	return b, nil
}

// decode reads one value, strictly.
func decode(b []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	return d.Decode(v)
}

// Outcome reads the outcome of an entry again, from the bytes that Read was given.
func (e *Entry) Outcome(from io.ReaderAt) (*aggregate.Outcome, error) {
	b := make([]byte, e.Bytes)
	if _, err := from.ReadAt(b, e.Offset); err != nil {
		return nil, err
	}
	var o outcome
	if decode(b, &o) != nil {
		return nil, fmt.Errorf("%w: what was found in experiment %q is damaged", ErrDamaged, e.ID)
	}
	if o.Experiment.ID != e.ID {
		return nil, fmt.Errorf("%w: the outcome of experiment %q stands in the place of %q", ErrDamaged, o.Experiment.ID, e.ID)
	}
	return o.outcome()
}

// check refuses a head that cannot be.
func (h *Head) check() error {
	if h.Shuffled() && len(h.Inputs) > 0 || !h.Shuffled() && (h.I >= h.N || h.Log != LogDigest(h.Inputs)) {
		return fmt.Errorf("%w: its first line contradicts itself", ErrDamaged)
	}
	return nil
}

// take passes over an outcome.
func (f *File) take(r *reader, e *entry) error {
	if e.Bytes < 1 || e.Bytes > r.size-r.at || e.Index < 0 || e.Index >= f.Head.Experiments || e.Rows < 0 {
		return fmt.Errorf("%w: line of experiment %q", ErrDamaged, e.ID)
	}
	f.Entries = append(f.Entries, Entry{e.Index, e.ID, e.Rows, r.at, e.Bytes, e.Prints})
	f.Count++
	f.Rows += e.Rows
	n, err := io.CopyN(r.sum, r.from, e.Bytes)
	r.at += n
	r.n++
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: it ends early", ErrDamaged)
	}
	return err
}

// finish holds the end against what came before it.
func (f *File) finish(r *reader, e *end, before []byte) error {
	if e.SHA256 != hex.EncodeToString(before) || e.Experiments != f.Count || e.Rows != f.Rows || r.at != r.size {
		return fmt.Errorf("%w: it is not what its last line says", ErrDamaged)
	}
	f.SHA256 = hex.EncodeToString(r.sum.Sum(nil))
	return nil
}
