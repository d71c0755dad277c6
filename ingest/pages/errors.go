package pages

import (
	"errors"
	"fmt"
)

// ErrNotParquet is wrapped by errors of files of another kind.
var ErrNotParquet = errors.New("not a Parquet file")

// ErrLimit is wrapped by errors that say that reading on would take more
// memory than the budget has.
var ErrLimit = errors.New("the memory limit does not allow it")

// ErrNoColumn is wrapped by File.Column's error when there is no such column.
var ErrNoColumn = errors.New("no such column")

// ErrTwice is wrapped by File.Column's error when two columns have the name.
var ErrTwice = errors.New("two columns have this name")

// GroupError says that a name stands for several columns: a struct or a map. It
// wraps ErrNoColumn.
type GroupError struct {
	Name          string
	First, Second string // names of two of its columns
	Map           bool   // the columns are keys and values
}

// Error names two of the columns.
func (e *GroupError) Error() string {
	return fmt.Sprintf("%q is a group of several columns, such as %q and %q", e.Name, e.First, e.Second)
}

// Unwrap returns ErrNoColumn.
func (e *GroupError) Unwrap() error { return ErrNoColumn }

// errDamaged is the cause of errors for which there is no better one.
var errDamaged = errors.New("damaged")

// What levels of lists that do not add up say.
var (
	errAbsent  = damaged("an absent value within a list")
	errNoItems = damaged("an item of a list that has none")
)

// FormatError says what is wrong with a file, and where.
type FormatError struct {
	Group  int    // row group, from 0; -1 for the file as a whole
	Column string // dotted path; "" when no column is meant
	Err    error
}

// Error names the place and the cause.
func (e *FormatError) Error() string {
	switch {
	case e.Column != "":
		return fmt.Sprintf("row group %d, column %q: %v", e.Group, e.Column, e.Err)
	case e.Group >= 0:
		return fmt.Sprintf("row group %d: %v", e.Group, e.Err)
	}
	return e.Err.Error()
}

// Unwrap returns the cause.
func (e *FormatError) Unwrap() error { return e.Err }

// damaged is an error with a reason.
func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %s", errDamaged, fmt.Sprintf(format, args...))
}

// MendError is what is wrong with a file that has another mend than to write it again.
type MendError struct {
	Err  error
	Mend string
}

func (e *MendError) Error() string { return e.Err.Error() }

// Unwrap gives what is wrong.
func (e *MendError) Unwrap() error { return e.Err }

// rescue turns a panic into an error. Decoding checks what it reads and does
// not panic; should it ever, a hostile file must not end the program. Memory
// faults are left to the guard of what is mapped.
func rescue(err *error) {
	if p := recover(); p != nil {
		if _, fault := p.(interface{ Addr() uintptr }); fault {
			panic(p)
		}
		*err = damaged("%v", p)
	}
}
