package tableau

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
)

// Tableau is an open tableau file. Its methods are safe for concurrent use,
// except OpenUnits and Close.
type Tableau struct {
	schema  Schema
	layout  *layout
	rounds  *mapping
	batches []batch
	counts  []counts                     // by experiment; nil where there are neither batches nor units
	gates   []atomic.Pointer[rewardGate] // by experiment; nil where no reward was asked for
	whole   rewardGate                   // of all that were checked and miss no reward

	watch func(rows int64) // told of what is read; nil: nobody is

	units  *mapping // units.arrow; nil until OpenUnits
	byUnit []batch
}

// counts are what an experiment's public columns number from 0.
type counts struct {
	batches, units int64
}

// Open maps the tableau at path, checks its structure and every public value
// against s, and returns it. Close must be called when nothing that came from
// it is used any more. Errors wrap ErrDamaged or ErrFault where the file's
// bytes are at fault.
func Open(path string, s Schema) (*Tableau, error) { return openBeside(path, s, func(*Tableau) {}) }

// OpenDigested is Open with [Tableau.Digest], which is taken while values are checked.
// Where digest fails the tableau is open nevertheless.
func OpenDigested(path string, s Schema) (t *Tableau, digest func() (string, error), err error) {
	var sha string
	var failed error
	t, err = openBeside(path, s, func(t *Tableau) { sha, failed = t.Digest() })
	return t, func() (string, error) { return sha, failed }, err
}

// openBeside is Open with other work on the file at the same time.
func openBeside(path string, s Schema, beside func(*Tableau)) (*Tableau, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	m, err := openMapping(path)
	if err != nil {
		return nil, err
	}
	t := newTableau(m, s)
	var group sync.WaitGroup
	group.Go(func() { beside(t) })
	err = t.Guard(t.load)
	if group.Wait(); err != nil {
		return nil, joinClose(err, t)
	}
	return t, nil
}

func newTableau(m *mapping, s Schema) *Tableau {
	n := len(s.Experiments)
	t := &Tableau{schema: s, layout: s.layout(), rounds: m, gates: make([]atomic.Pointer[rewardGate], n)}
	t.whole.once.Do(func() {})
	if s.Batch || s.Unit {
		t.counts = make([]counts, n)
	}
	return t
}

func joinClose(err error, t *Tableau) error {
	if cerr := t.Close(); cerr != nil {
		return fmt.Errorf("%w (and %w)", err, cerr)
	}
	return err
}

// load reads the structure and checks the public values.
func (t *Tableau) load() error {
	batches, err := walk(t.rounds.data, t.layout.fields, t.layout.batchRows())
	if err != nil {
		return fmt.Errorf("tableau: %s: %w: %w", t.rounds.path, ErrDamaged, err)
	}
	if rows := countRows(batches); rows != t.schema.Rows() {
		return fmt.Errorf("tableau: %s: %w: %d rows where the manifest says %d", t.rounds.path, ErrDamaged, rows, t.schema.Rows())
	}
	t.batches = batches
	if err := t.checkPlaces(); err != nil {
		return fmt.Errorf("tableau: %s: %w: %w", t.rounds.path, ErrDamaged, err)
	}
	return t.checkValues()
}

func countRows(batches []batch) (rows int64) {
	for i := range batches {
		rows += batches[i].rows
	}
	return rows
}

// Digest returns the SHA-256 of the file in lower-case hex.
func (t *Tableau) Digest() (sha string, err error) {
	err = t.Guard(func() error {
		sha = t.rounds.digest()
		return nil
	})
	return sha, err
}

// Close unmaps the file, and the file of OpenUnits. Nothing that came from the tableau may
// be used after.
func (t *Tableau) Close() error {
	t.batches, t.byUnit = nil, nil
	return errors.Join(t.rounds.close(), t.units.close())
}

// Watch has read told of the rows of every chunk that is looked at, however often, by
// whichever goroutine looks at it. It is called before the tableau is shared.
func (t *Tableau) Watch(read func(rows int64)) { t.watch = read }

// Schema returns what the tableau was opened with.
func (t *Tableau) Schema() Schema { return t.schema }

// Rows returns the number of rows.
func (t *Tableau) Rows() int64 { return t.schema.Rows() }

// Arms returns the number K of arms.
func (t *Tableau) Arms() int { return t.schema.Arms }

// Experiments returns the number of experiments.
func (t *Tableau) Experiments() int { return len(t.schema.Experiments) }

// Slice returns experiment i, in [0, Experiments()).
func (t *Tableau) Slice(i int) *Slice {
	rng := t.schema.Experiments[i]
	first := t.batchOf(rng.Offset)
	return &Slice{t: t, index: i, rng: rng, first: first, at: rng.Offset - t.batches[first].first, shift: t.layout.shift}
}
