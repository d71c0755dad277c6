package tableau

// writerFrames is the number of frames of a background: one that the caller
// fills, and one that is being written.
const writerFrames = 2

// background writes frames on a goroutine of its own, in the order in which
// they are sent, while the caller fills the next.
type background struct {
	sink *sink
	free chan *frame
	work chan *frame
	done chan struct{}
	err  error // of the goroutine; read it after done
}

func newBackground(s *sink) *background {
	b := &background{sink: s, free: make(chan *frame, writerFrames), work: make(chan *frame), done: make(chan struct{})}
	for range writerFrames {
		b.free <- &frame{}
	}
	go b.run()
	return b
}

// run writes until work is closed. After an error it only hands frames back,
// marked with it.
func (b *background) run() {
	defer close(b.done)
	for f := range b.work {
		if b.err == nil {
			b.err = b.sink.write(f)
		}
		f.rows, f.failed = 0, b.err
		b.free <- f
	}
}

// next waits for an empty frame. Its error belongs to a frame sent earlier.
func (b *background) next() (*frame, error) {
	f := <-b.free
	return f, f.failed
}

// send hands a frame over.
func (b *background) send(f *frame) { b.work <- f }

// stop waits until everything sent is written, and ends the goroutine.
func (b *background) stop() error {
	close(b.work)
	<-b.done
	return b.err
}
