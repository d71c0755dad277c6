package policy

import "sync/atomic"

// roots is a table of √w at rounds 1, 2, … below 2¹⁴, in blocks made when first
// needed. It may be shared by goroutines, because every entry is a pure
// function of its place.
type roots struct {
	blocks [rootBlocks]atomic.Pointer[rootBlock]
}

const (
	rootBits   = 10
	rootBlocks = 16
)

type rootBlock [1 << rootBits]float64

// Shared returns a width of the same value with a table of its √w, for runs one
// after the other or side by side.
func (w Width) Shared() Width {
	w.table = new(roots)
	return w
}

// around returns a part of the table that holds round t, and its first round;
// nil when there is none.
func (w Width) around(t int64) (from int64, part []float64) {
	if w.table == nil || t < 0 || t>>rootBits >= rootBlocks {
		return 0, nil
	}
	from = t &^ (1<<rootBits - 1)
	place := &w.table.blocks[t>>rootBits]
	b := place.Load()
	if b == nil {
		b = new(rootBlock)
		for i := range b {
			b[i] = w.root(from + int64(i))
		}
		place.Store(b)
	}
	return from, b[:]
}
