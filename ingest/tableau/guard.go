package tableau

import "errors"

// ErrFault is returned where a page of a mapped file could not be read: the
// file was cut while it was mapped, or its disk failed.
var ErrFault = errors.New("the tableau was cut or became unreadable while it was being read; ingest the log again")

// ErrChanged is returned where a file of the tableau is not what it was when it
// was opened.
var ErrChanged = errors.New("the tableau was changed while it was being read; ingest the log again")

// Unchanged returns an error, which wraps ErrChanged, where somebody wrote to a file
// of the tableau since it was opened, or put another in its place. Values are checked
// once: what was computed from the tableau stands only if it is unchanged after.
func (t *Tableau) Unchanged() error { return errors.Join(t.rounds.unchanged(), t.units.unchanged()) }

// Guard runs read and turns a memory fault on the tableau's mappings into
// ErrFault, and any other panic over a tableau that was changed into ErrChanged,
// which it returns in place of read's own error: of values that are not those
// that were checked, an arm may be beyond a list. Every other panic goes on. A
// guard holds for the goroutine that called it only; a goroutine that read
// starts needs one of its own. It costs some 20 ns for each of the two files, so
// put it around a loop, not inside.
func (t *Tableau) Guard(read func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			if err = t.Unchanged(); err == nil {
				panic(p)
			}
		}
	}()
	if t.units == nil {
		return t.rounds.guard(read)
	}
	return t.rounds.guard(func() error { return t.units.guard(read) })
}

// Guard is Tableau.Guard.
func (s *Slice) Guard(read func() error) error { return s.t.Guard(read) }

// Together runs both, at one time where there is more than one worker, the first within a
// Guard of its own. It returns the error of first, else the error of second; a panic is
// raised again in the caller's goroutine.
func (s *Slice) Together(jobs int, first, second func() error) error {
	if jobs < 2 {
		if err := first(); err != nil {
			return err
		}
		return second()
	}
	var err error
	var panicked any
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { panicked = recover() }()
		err = s.Guard(first)
	}()
	later := func() error {
		defer func() { <-done }()
		return second()
	}()
	switch {
	case panicked != nil:
		panic(panicked)
	case err != nil:
		return err
	}
	return later
}
