package ledger

import (
	"errors"
	"fmt"
	"slices"
	"sync"
)

// ErrRefused is in the chain of every error that a book returns instead of
// booking. A refused read must not take place, and the book is unchanged.
var ErrRefused = errors.New("the book refuses the read")

// Booking is one entry of a book.
type Booking struct {
	Purpose string   // what the reading was for, such as "test:H1"; "replay:" and the law for a feed
	Rows    int64    // rows that could be read
	Columns []string // columns whose values were disclosed
	Law     string   // the law of the counter that was fed; "" for an exact read
}

// Disclosures is the book of one audit of one experiment: every exact read of
// rewards, and every feed of a counter, in the order in which they were
// booked. Booking comes before reading and is per purpose, never per row. It
// implements the Book of package tableau. The zero value is an empty open
// book; methods may be called from several goroutines.
type Disclosures struct {
	mu       sync.Mutex
	closed   bool
	bookings []Booking
}

// Release books that a counter of the given law is fed with rows rewards. The
// values that leave it have the law's noise; a feed with the logged seed
// releases nothing that the experiment had not released.
//
// It refuses an empty law, a negative number of rows, a law that has been fed
// before, and everything once the book is closed.
func (d *Disclosures) Release(law string, rows int64) error {
	return d.book(Booking{Purpose: "replay:" + law, Rows: rows, Columns: []string{"reward"}, Law: law}, law)
}

// Disclose books one exact read of columns for a purpose.
//
// It refuses an empty purpose, a negative number of rows, a read of no column,
// a purpose that was booked before, and everything once the book is closed.
func (d *Disclosures) Disclose(purpose string, rows int64, columns []string) error {
	if len(columns) == 0 {
		return fmt.Errorf("ledger: purpose %q names no column; name what is read: %w", purpose, ErrRefused)
	}
	return d.book(Booking{Purpose: purpose, Rows: rows, Columns: slices.Clone(columns)}, purpose)
}

// Close closes the book: what was read is now printed, so nothing more may be
// read. Closing twice is harmless.
func (d *Disclosures) Close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
}

// List returns a copy of all bookings in booking order.
func (d *Disclosures) List() []Booking {
	d.mu.Lock()
	defer d.mu.Unlock()
	list := slices.Clone(d.bookings)
	for i := range list {
		list[i].Columns = slices.Clone(list[i].Columns)
	}
	return list
}

// book enters b under the name of its law or its purpose, or refuses.
func (d *Disclosures) book(b Booking, name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.closed:
		return fmt.Errorf("ledger: %q comes after the book was closed; read before the results are written: %w", b.Purpose, ErrRefused)
	case name == "":
		return fmt.Errorf("ledger: a read without a name; name its purpose or law: %w", ErrRefused)
	case b.Rows < 0:
		return fmt.Errorf("ledger: %q reads %d rows; rows are never negative: %w", b.Purpose, b.Rows, ErrRefused)
	case slices.ContainsFunc(d.bookings, func(o Booking) bool { return o.Purpose == b.Purpose }):
		return fmt.Errorf("ledger: %q is booked already; keep the rewards of the first read: %w", b.Purpose, ErrRefused)
	}
	d.bookings = append(d.bookings, b)
	return nil
}
