package tableau

import (
	"errors"
	"fmt"
	"runtime/debug"
	"unsafe"
)

// ErrFault is returned where a page of the mapped file could not be read: the
// file was cut while it was mapped, or its disk failed.
var ErrFault = errors.New("the tableau was cut or became unreadable while it was being read; ingest the log again")

// Guard runs read and turns a memory fault on the tableau's mapping into
// ErrFault, which it returns in place of read's own error. Every other panic
// goes on. A guard holds for the goroutine that called it only; a goroutine
// that read starts needs one of its own. It costs some 20 ns, so put it around
// a loop, not inside.
func (t *Tableau) Guard(read func() error) (err error) {
	old := debug.SetPanicOnFault(true)
	defer debug.SetPanicOnFault(old)
	defer func() {
		if p := recover(); p != nil {
			if !t.faulted(p) {
				panic(p)
			}
			err = fmt.Errorf("tableau: %s: %w", t.path, ErrFault)
		}
	}()
	return read()
}

// Guard is Tableau.Guard.
func (s *Slice) Guard(read func() error) error { return s.t.Guard(read) }

// faulted reports whether a recovered value is a memory fault within the
// mapping.
func (t *Tableau) faulted(p any) bool {
	fault, ok := p.(interface{ Addr() uintptr })
	if !ok || len(t.data) == 0 {
		return false
	}
	start := uintptr(unsafe.Pointer(unsafe.SliceData(t.data))) //nolint:gosec // compared with a fault's address, never followed
	return fault.Addr() >= start && fault.Addr()-start < uintptr(len(t.data))
}
