package pages

import (
	"fmt"
	"math"
	"sync/atomic"
)

// Budget is an amount of memory that readers share. It is safe for concurrent
// use; a nil Budget has no limit.
type Budget struct {
	limit int64
	used  atomic.Int64
}

// NewBudget returns a budget of limit bytes.
func NewBudget(limit int64) *Budget { return &Budget{limit: limit} }

// Take books n bytes, or returns an error that wraps ErrLimit and books none.
func (b *Budget) Take(n int64) error {
	if b == nil {
		return nil
	}
	if used := b.used.Add(n); used > b.limit {
		b.used.Add(-n)
		return fmt.Errorf("%d bytes beside %d in use, of %d allowed: %w", n, used-n, b.limit, ErrLimit)
	}
	return nil
}

// Give returns n bytes.
func (b *Budget) Give(n int64) {
	if b != nil {
		b.used.Add(-n)
	}
}

// Limit returns the number of bytes that may be in use; of a nil Budget, the
// largest number there is.
func (b *Budget) Limit() int64 {
	if b == nil {
		return math.MaxInt64
	}
	return b.limit
}

// Used returns the number of bytes in use.
func (b *Budget) Used() int64 {
	if b == nil {
		return 0
	}
	return b.used.Load()
}

// buffer is a byte slice that grows within a budget and never shrinks before
// it is freed.
type buffer struct {
	budget *Budget
	bytes  []byte
}

// grow returns n bytes, whose content is not defined.
func (b *buffer) grow(n int) ([]byte, error) {
	if n > cap(b.bytes) {
		if err := b.budget.Take(int64(n) - int64(cap(b.bytes))); err != nil {
			return nil, err
		}
		b.bytes = make([]byte, n)
	}
	return b.bytes[:n], nil
}

func (b *buffer) free() {
	b.budget.Give(int64(cap(b.bytes)))
	b.bytes = nil
}
