package ingest

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"

	"golang.org/x/sync/errgroup"

	"banditaudit/ingest/fault"
	"banditaudit/ingest/files"
	"banditaudit/ingest/mmap"
)

// digest computes the SHA-256 of every input, as many at a time as there are
// jobs.
func (l *logFiles) digest(stop func() error) error {
	var group errgroup.Group
	group.SetLimit(max(l.jobs, 1))
	errs := make([]error, len(l.inputs))
	for i := range l.inputs {
		group.Go(func() error {
			in := &l.inputs[i]
			in.sha, errs[i] = fileDigest(&in.Source, stop)
			if errs[i] != nil && in.info != nil && stop() == nil {
				if info, err := os.Stat(in.Path); err != nil || !mmap.SameState(info, in.info) {
					errs[i] = changedError(in, err) // says more than that it cannot be read
				}
			}
			return errs[i]
		})
	}
	if group.Wait() == nil {
		return nil
	}
	for _, err := range errs { // the first by file, not by time
		if err != nil {
			return err
		}
	}
	return nil
}

// digestBytes are hashed between two looks at whether the run was cancelled.
const digestBytes = 1 << 20

func fileDigest(in *files.Source, stop func() error) (string, error) {
	file, err := os.Open(in.Path)
	if err != nil {
		return "", fault.OfFile(in.URI, fault.RuleUnreadable, "cannot be opened", "check its permissions", err)
	}
	defer file.Close()
	h := sha256.New()
	if m, merr := mmap.Map(file); merr == nil {
		err = errors.Join(m.Guard(func() error { return hashBytes(h, m.Bytes(), stop) }), m.Close())
	} else {
		err = hashReader(h, file, stop)
	}
	switch {
	case err == nil:
		return hex.EncodeToString(h.Sum(nil)), nil
	case stop() != nil:
		return "", stop()
	}
	return "", fault.OfFile(in.URI, fault.RuleUnreadable, "cannot be read to its end", "check the disk", err)
}

func hashBytes(h io.Writer, data []byte, stop func() error) error {
	for len(data) > 0 {
		if err := stop(); err != nil {
			return err
		}
		n, err := h.Write(data[:min(len(data), digestBytes)])
		if err != nil {
			return err
		}
		data = data[n:]
	}
	return nil
}

func hashReader(h io.Writer, r io.Reader, stop func() error) error {
	buf := make([]byte, digestBytes)
	for {
		if err := stop(); err != nil {
			return err
		}
		n, err := r.Read(buf)
		if _, werr := h.Write(buf[:n]); werr != nil {
			return werr
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// unchanged checks, at the end of a run, that every input is what it was.
func (l *logFiles) unchanged() {
	for i := range l.inputs {
		in := &l.inputs[i]
		if info, err := os.Stat(in.Path); err != nil || !mmap.SameState(info, in.info) {
			l.changed(in, err)
		}
	}
}

// hashing counts the digests of the inputs as a walk over all rows, where it
// goes before the others: hashing a large log takes longer than anybody waits
// for a first sign of life. It wraps what the digests call once for every
// digestBytes. They are on one goroutine, and nothing else reports progress
// until they are done.
func (r *intake) hashing(stop func() error) func() error {
	size, hashed := int64(0), int64(0)
	for i := range r.log.inputs {
		size += r.log.inputs[i].info.Size()
	}
	const others = 2 // walks that follow at least
	r.walks = 1
	return func() error {
		hashed = min(hashed+digestBytes, size)
		r.done = int64(float64(r.log.rows) * (float64(hashed) / float64(size)))
		if r.options.Progress != nil {
			r.options.Progress(r.done, (r.walks+others)*r.log.rows)
		}
		return stop()
	}
}
