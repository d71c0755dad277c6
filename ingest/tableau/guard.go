package tableau

import "errors"

// ErrFault is returned where a page of a mapped file could not be read: the
// file was cut while it was mapped, or its disk failed.
var ErrFault = errors.New("the tableau was cut or became unreadable while it was being read; ingest the log again")

// Guard runs read and turns a memory fault on the tableau's mappings into
// ErrFault, which it returns in place of read's own error. Every other panic
// goes on. A guard holds for the goroutine that called it only; a goroutine
// that read starts needs one of its own. It costs some 20 ns for each of the
// two files, so put it around a loop, not inside.
func (t *Tableau) Guard(read func() error) error {
	if t.units == nil {
		return t.rounds.guard(read)
	}
	return t.rounds.guard(func() error { return t.units.guard(read) })
}

// Guard is Tableau.Guard.
func (s *Slice) Guard(read func() error) error { return s.t.Guard(read) }
