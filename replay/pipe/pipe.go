// Package pipe hands blocks from one goroutine, which fills them, to another, which uses
// them in the same order. A few blocks go round: whoever is faster waits for the other, and
// the memory is bounded.
package pipe

// Pipe is a few blocks between a filler and a user. Each of the two is one goroutine.
type Pipe[T any] struct {
	empty, filled chan T
	over          chan struct{}
}

// New makes a pipe of n ≥ 1 blocks.
func New[T any](n int, block func() T) *Pipe[T] {
	p := &Pipe[T]{empty: make(chan T, n), filled: make(chan T, n), over: make(chan struct{})}
	for range n {
		p.empty <- block()
	}
	return p
}

// Empty returns a block to fill, when there is one; false where the user is over. The filler
// calls it.
func (p *Pipe[T]) Empty() (block T, ok bool) {
	select {
	case <-p.over:
		return block, false
	default:
	}
	select {
	case block = <-p.empty:
		return block, true
	case <-p.over:
		return block, false
	}
}

// Put hands a block of Empty to the user. The filler calls it, and End once after all.
func (p *Pipe[T]) Put(block T) { p.filled <- block }

// End says that there are no more blocks.
func (p *Pipe[T]) End() { close(p.filled) }

// Filled returns the next block, when there is one; false where there are no more. The user
// calls it, and Return with each block that it has used.
func (p *Pipe[T]) Filled() (block T, ok bool) {
	block, ok = <-p.filled
	return block, ok
}

// Return gives back a block that was used.
func (p *Pipe[T]) Return(block T) { p.empty <- block }

// Over says that no more blocks are used. The user calls it once.
func (p *Pipe[T]) Over() { close(p.over) }
