package program

import "sync"

// mostStderr is how much is kept of what a program writes to its standard error.
const mostStderr = 64 << 10

// tail keeps the last bytes of what is written.
type tail struct {
	mu   sync.Mutex
	kept []byte
}

// Write keeps the end of everything that was written.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(b)
	b = b[max(0, n-mostStderr):]
	if over := len(t.kept) + len(b) - mostStderr; over > 0 {
		t.kept = t.kept[:copy(t.kept, t.kept[over:])]
	}
	t.kept = append(t.kept, b...)
	return n, nil
}

func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.kept)
}
