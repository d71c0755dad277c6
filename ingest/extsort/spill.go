package extsort

import (
	"bytes"
	"errors"
	"fmt"
)

// Budget is an account of memory that is shared with others. Take books n bytes
// or returns an error and books none; Give returns them.
type Budget interface {
	Take(n int64) error
	Give(n int64)
}

// Config are the settings of a Sorter.
type Config struct {
	// Dir is the directory of the temporary file. Required when the records may
	// not fit in memory.
	Dir string
	// Memory is the number of bytes that the Sorter keeps its records in, and
	// merges with. A single record of any size is taken beyond it. Values below
	// 4,096 count as 4,096.
	Memory int64
	// Budget is where memory is booked. When it refuses, the Sorter does with what
	// it has. Nil books nowhere.
	Budget Budget
	// Stop, where it is not nil, is asked now and then; its error ends the work.
	Stop func() error
}

// Sorter takes records in any order. It is not safe for concurrent use. The
// zero value is not usable; use New.
type Sorter struct {
	config  Config
	arena   arena
	account account
	disk    *disk
	last    []byte // the last key of the last run
	sorted  bool   // Sort was called
	failed  error
}

// minMemory is the least memory that a Sorter works with.
const minMemory = 4096

// New returns a Sorter. Close must be called on it.
func New(c Config) *Sorter {
	c.Memory = max(c.Memory, minMemory)
	if c.Stop == nil {
		c.Stop = func() error { return nil }
	}
	s := &Sorter{config: c, account: account{budget: c.Budget}}
	s.arena = arena{slabSize: int(min(c.Memory/8, maxSlab)), account: &s.account}
	return s
}

// errSorted is what Add and Sort return after Sort.
var errSorted = errors.New("extsort: the records were sorted already")

// Add adds a record; it copies key and payload. Errors are a *DiskError, the
// Budget's where not even one record can be kept, or the errors of Stop. After an error
// every further call returns it.
func (s *Sorter) Add(key, payload []byte) error {
	if s.failed != nil {
		return s.failed
	}
	if s.sorted {
		return errSorted
	}
	if s.arena.fits(len(key)+len(payload), s.config.Memory) {
		if s.arena.add(key, payload) == nil {
			return nil
		}
	}
	if s.failed = s.spill(); s.failed != nil {
		return s.failed
	}
	if err := s.arena.add(key, payload); err != nil {
		s.failed = fmt.Errorf("extsort: a record of %d bytes: %w", len(key)+len(payload), err)
	}
	return s.failed
}

// Spill writes the records that are in memory to disk and frees their memory,
// for others to use. It returns the same errors as Add.
func (s *Sorter) Spill() error {
	if s.failed != nil {
		return s.failed
	}
	if s.sorted {
		return errSorted
	}
	if s.failed = s.spill(); s.failed == nil {
		s.arena.free()
	}
	return s.failed
}

// spill sorts what is in memory and writes it as a run, or to the end of the
// last run where it continues that.
func (s *Sorter) spill() error {
	if s.arena.count == 0 {
		return nil
	}
	if s.disk == nil {
		d, err := newDisk(s.config.Dir)
		if err != nil {
			return err
		}
		s.disk = d
	}
	order := s.arena.sort()
	first, last := order.ends()
	if s.disk.runs() == 0 || bytes.Compare(first, s.last) < 0 {
		s.disk.begin()
	}
	s.last = append(s.last[:0], last...)
	if err := s.write(&order); err != nil {
		return err
	}
	s.arena.reset()
	return nil
}

// stopEvery is the number of records between two questions whether to stop.
const stopEvery = 1 << 12

// write appends the records of memory to the last run.
func (s *Sorter) write(o *ordered) error {
	w := newWriter(s.disk, s.config.Memory, &s.account)
	defer w.free()
	for i := 0; o.next(); i++ {
		if i%stopEvery == 0 {
			if err := s.config.Stop(); err != nil {
				return err
			}
		}
		if err := w.write(o.record); err != nil {
			return err
		}
	}
	return w.flush()
}

// Sort ends the adding and returns the records in order. It returns the same errors as Add.
// The Iterator is valid until the Sorter is closed.
func (s *Sorter) Sort() (*Iterator, error) {
	if s.failed != nil {
		return nil, s.failed
	}
	if s.sorted {
		return nil, errSorted
	}
	s.sorted = true
	it, err := s.sort()
	s.failed = err
	return it, err
}

func (s *Sorter) sort() (*Iterator, error) {
	if s.disk == nil {
		order := s.arena.sort()
		return &Iterator{memory: &order, stop: s.config.Stop}, nil
	}
	if err := s.spill(); err != nil {
		return nil, err
	}
	s.arena.free()
	for s.disk.runs() > fanIn(s.config.Memory) {
		if err := s.pass(); err != nil {
			return nil, err
		}
	}
	m, err := newMerge(s.disk, s.disk.spans, s.config.Memory, &s.account)
	if err != nil {
		return nil, err
	}
	return &Iterator{merge: m, stop: s.config.Stop}, nil
}

// pass merges runs that lie beside each other, as many at a time as the memory
// allows, to a new file, so that there are fewer.
func (s *Sorter) pass() error {
	from := s.disk
	to, err := newDisk(s.config.Dir)
	if err != nil {
		return err
	}
	s.disk = to
	defer from.close()
	for spans := from.spans; len(spans) > 0; {
		n := min(fanIn(s.config.Memory), len(spans))
		to.begin()
		if err := s.mergeTo(from, spans[:n]); err != nil {
			return err
		}
		spans = spans[n:]
	}
	return nil
}

// mergeTo merges some runs of a file to the end of the Sorter's own.
func (s *Sorter) mergeTo(from *disk, spans []span) error {
	m, err := newMerge(from, spans, s.config.Memory, &s.account)
	if err != nil {
		return err
	}
	defer m.free()
	w := newWriter(s.disk, s.config.Memory, &s.account)
	defer w.free()
	it := &Iterator{merge: m, stop: s.config.Stop}
	for it.Next() {
		if err := w.write(m.top().record); err != nil {
			return err
		}
	}
	return errors.Join(it.Err(), w.flush())
}

// Close frees the memory and the temporary file. It may be called at any time,
// and more than once.
func (s *Sorter) Close() {
	s.sorted = true
	s.arena.free()
	s.account.giveAll()
	if s.disk != nil {
		s.disk.close()
	}
}

// account remembers what a Sorter booked in the shared budget.
type account struct {
	budget Budget
	booked int64
}

func (a *account) take(n int64) error {
	if a.budget != nil {
		if err := a.budget.Take(n); err != nil {
			return err
		}
	}
	a.booked += n
	return nil
}

func (a *account) give(n int64) {
	n = min(n, a.booked) // after giveAll nothing is left to give
	if a.budget != nil {
		a.budget.Give(n)
	}
	a.booked -= n
}

func (a *account) giveAll() { a.give(a.booked) }
