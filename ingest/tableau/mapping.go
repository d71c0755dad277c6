package tableau

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"banditaudit/ingest/mmap"
)

// mapping is a file that is mapped into memory.
type mapping struct {
	*mmap.File

	path string
	data []byte
}

// openMapping maps the file at path read-only.
func openMapping(path string) (*mapping, error) {
	f, err := mmap.Open(path)
	switch {
	case errors.Is(err, mmap.ErrNoFile):
		return nil, fmt.Errorf("tableau: %s: %w: %w", path, ErrDamaged, err)
	case err != nil:
		return nil, fmt.Errorf("tableau: %w", err)
	}
	return &mapping{f, path, f.Bytes()}, nil
}

// guard runs read and turns a memory fault on the mapping into ErrFault. A nil
// mapping guards nothing.
func (m *mapping) guard(read func() error) error {
	if m == nil {
		return read()
	}
	err := mmap.Guard(m.data, read)
	if errors.Is(err, mmap.ErrFault) {
		return fmt.Errorf("tableau: %s: %w", m.path, ErrFault)
	}
	return err
}

// unchanged is Tableau.Unchanged of one file. What is mapped of none does not change.
func (m *mapping) unchanged() error {
	if m == nil || m.File == nil {
		return nil
	}
	if err := m.Unchanged(); err != nil {
		return fmt.Errorf("tableau: %s: %w", m.path, errors.Join(ErrChanged, err))
	}
	return nil
}

// digest returns the SHA-256 of the file in lower-case hex. It is taken in pieces, so that
// what else runs at the same time is not held up.
func (m *mapping) digest() string {
	const piece = 1 << 20
	sum := sha256.New()
	for at := 0; at < len(m.data); at += piece {
		_, _ = sum.Write(m.data[at:min(at+piece, len(m.data))]) // never fails
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// close unmaps the file, once. A nil mapping is closed.
func (m *mapping) close() error {
	if m == nil {
		return nil
	}
	m.data = nil
	if err := m.Close(); err != nil {
		return fmt.Errorf("tableau: %w", err)
	}
	return nil
}
