package main

import (
	"errors"
	"io"
	"syscall"
)

// printing is stdout or stderr of a run. A reader who has gone away, as after
// "| head -1", asked for no more and is no failure: what is then written goes
// nowhere. Any other failure is kept, for not all that print can return it.
type printing struct {
	to   io.Writer
	gone bool
	err  error
}

// Write implements io.Writer.
func (p *printing) Write(b []byte) (int, error) {
	if p.gone {
		return len(b), nil
	}
	if p.err != nil {
		return 0, p.err
	}
	n, err := p.to.Write(b)
	if errors.Is(err, syscall.EPIPE) {
		p.gone = true
		return len(b), nil
	}
	p.err = err
	return n, err
}
