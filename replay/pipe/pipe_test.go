package pipe_test

import (
	"testing"

	"banditaudit/replay/pipe"
)

// What is filled is used in its order, whoever is faster; a filler whose user is over gets no
// block, and a user whose filler has ended none after the last.
func TestPipe(t *testing.T) {
	t.Parallel()
	for _, used := range []int{0, 1, 50, 100} {
		made := 0
		p := pipe.New(3, func() []int {
			made++
			return make([]int, 0, 1)
		})
		filled := make(chan int)
		go func() {
			n := 0
			defer func() { filled <- n }()
			defer p.End()
			for ; n < 100; n++ {
				block, ok := p.Empty()
				if !ok {
					return
				}
				p.Put(append(block, n))
			}
		}()
		for want := range used {
			block, ok := p.Filled()
			if !ok || block[0] != want {
				t.Fatalf("block %d: %v, %t", want, block, ok)
			}
			p.Return(block[:0])
		}
		if used == 100 {
			if _, ok := p.Filled(); ok {
				t.Error("a block after the last")
			}
		}
		p.Over()
		if n := <-filled; n < used || n > used+3 || made != 3 {
			t.Errorf("%d blocks used, %d filled, %d made", used, n, made)
		}
	}
}
