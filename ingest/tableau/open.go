package tableau

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// Tableau is an open tableau file. Its methods are safe for concurrent use,
// except Close.
type Tableau struct {
	path    string
	schema  Schema
	data    []byte
	batches []batch
	unmap   func() error
}

// Open maps the tableau at path, checks its structure and every public value
// against s, and returns it. Close must be called when nothing that came from
// it is used any more. Errors wrap ErrDamaged or ErrFault where the file's
// bytes are at fault.
func Open(path string, s Schema) (*Tableau, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	data, unmap, err := mapFile(path)
	if err != nil {
		return nil, fmt.Errorf("tableau: %s: %w", path, err)
	}
	t := &Tableau{path: path, schema: s, data: data, unmap: unmap}
	if err := t.Guard(t.load); err != nil {
		return nil, joinClose(err, t)
	}
	return t, nil
}

func joinClose(err error, t *Tableau) error {
	if cerr := t.Close(); cerr != nil {
		return fmt.Errorf("%w (and %w)", err, cerr)
	}
	return err
}

// load reads the structure and checks the public values.
func (t *Tableau) load() error {
	batches, err := walk(t.data, t.schema.fields())
	if err != nil {
		return fmt.Errorf("tableau: %s: %w: %w", t.path, ErrDamaged, err)
	}
	t.batches = batches
	rows := int64(0)
	for _, b := range batches {
		rows += b.rows
	}
	if rows != t.schema.Rows() {
		return fmt.Errorf("tableau: %s: %w: %d rows where the manifest says %d", t.path, ErrDamaged, rows, t.schema.Rows())
	}
	if err := t.checkValues(); err != nil {
		return fmt.Errorf("tableau: %s: %w: %w", t.path, ErrDamaged, err)
	}
	return nil
}

// Digest returns the SHA-256 of the file in lower-case hex.
func (t *Tableau) Digest() (string, error) {
	h := sha256.New()
	err := t.Guard(func() error {
		h.Write(t.data)
		return nil
	})
	if err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Close unmaps the file. Nothing that came from the tableau may be used after.
func (t *Tableau) Close() error {
	if t.unmap == nil {
		return nil
	}
	unmap := t.unmap
	t.unmap, t.data, t.batches = nil, nil, nil
	if err := unmap(); err != nil {
		return fmt.Errorf("tableau: %s: %w", t.path, err)
	}
	return nil
}

// Schema returns what the tableau was opened with.
func (t *Tableau) Schema() Schema { return t.schema }

// Rows returns the number of rows.
func (t *Tableau) Rows() int64 { return t.schema.Rows() }

// Arms returns the number K of arms.
func (t *Tableau) Arms() int { return t.schema.Arms }

// Experiments returns the number of experiments.
func (t *Tableau) Experiments() int { return len(t.schema.Experiments) }

// Slice returns experiment i, in [0, Experiments()).
func (t *Tableau) Slice(i int) *Slice { return &Slice{t: t, rng: t.schema.Experiments[i]} }
