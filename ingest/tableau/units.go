package tableau

import (
	"errors"
	"fmt"
	"iter"
)

// UnitChunk is a block of rows of one experiment in order of unit, then row.
type UnitChunk struct {
	Unit []int64 // not decreasing, from 0
	Row  []int64 // rows within the experiment, from 0; see Slice.Locate
}

// errNoUnits is the message of Units' panic, a broken invariant of the caller.
const errNoUnits = "tableau: units were not opened"

// OpenUnits maps units.arrow at path and checks that it is an Arrow IPC file of
// this package that holds every row once, in order of experiment, unit and row,
// and agrees with the tableau about the unit of each. Close closes it too.
// Errors wrap ErrDamaged or ErrFault where the file's bytes are at fault; a
// tableau whose schema has no units, or that has them open, is an error too.
func (t *Tableau) OpenUnits(path string) error {
	if t.layout.at[colUnit] < 0 || t.units != nil {
		return errors.New("tableau: units can be opened once, of a tableau that has them")
	}
	m, err := openMapping(path)
	if err != nil {
		return err
	}
	t.units = m
	if err := t.Guard(t.loadUnits); err != nil {
		t.units, t.byUnit = nil, nil
		return errors.Join(err, m.close())
	}
	return nil
}

// loadUnits reads the structure of units.arrow and checks its values.
func (t *Tableau) loadUnits() error {
	batches, err := walk(t.units.data, unitFields(), BatchRows)
	if err != nil {
		return fmt.Errorf("tableau: %s: %w: %w", t.units.path, ErrDamaged, err)
	}
	if rows := countRows(batches); rows != t.schema.Rows() {
		return fmt.Errorf("tableau: %s: %w: %d rows where the manifest says %d", t.units.path, ErrDamaged, rows, t.schema.Rows())
	}
	for i := range batches[:len(batches)-1] {
		if batches[i].rows < BatchRows {
			return fmt.Errorf("tableau: %s: %w: record batch %d: %d rows; every batch has %d, or fewer if it is the last", t.units.path, ErrDamaged, i, batches[i].rows, BatchRows)
		}
	}
	t.byUnit = batches
	return t.checkUnits()
}

// UnitsDigest returns the SHA-256 of the file of OpenUnits in lower-case hex.
func (t *Tableau) UnitsDigest() (sha string, err error) {
	if t.units == nil {
		return "", errors.New(errNoUnits)
	}
	err = t.Guard(func() error {
		sha = t.units.digest()
		return nil
	})
	return sha, err
}

// HasUnits reports whether the tableau's units were opened.
func (s *Slice) HasUnits() bool { return s.t.byUnit != nil }

// Units yields the experiment's rows in order of unit, then row, in chunks of at
// BatchRows rows, of which only the last may have fewer. A unit's rows may go on in
// the next chunk. The slices of a chunk are used again for the next one; read under
// Slice.Guard. It panics where HasUnits is false.
func (s *Slice) Units() iter.Seq[UnitChunk] {
	if !s.HasUnits() {
		panic(errNoUnits)
	}
	return func(yield func(UnitChunk) bool) {
		units, rows := make([]int64, 0, min(BatchRows, s.rng.Rows)), make([]int64, 0, min(BatchRows, s.rng.Rows))
		for at, end := s.rng.Offset, s.rng.Offset+s.rng.Rows; at < end; {
			b := &s.t.byUnit[at>>maxBatchShift]
			from := at & (BatchRows - 1)
			to := min(b.rows, from+end-at, from+int64(BatchRows-len(rows)))
			units = append(units, b.int64s(colOwner, from, to)...)
			for _, row := range b.int64s(colOwnRow, from, to) {
				rows = append(rows, row-s.rng.Offset)
			}
			if at += to - from; at < end && len(rows) < BatchRows {
				continue
			}
			if !yield(UnitChunk{units, rows}) {
				return
			}
			units, rows = units[:0], rows[:0]
		}
	}
}
