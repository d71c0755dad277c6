package kit

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strconv"
	"sync"
	"time"

	"banditaudit/ingest/fault"
)

// memoryWatch samples the peak of the process's anonymous memory (RssAnon of
// /proc/self/status), which is what --max-memory bounds; mapped file pages are
// the system's to take back and do not count.
//
// A run whose memory goes above the limit is cancelled, so that it ends with
// its own exit code and not by the hand of the system.
type memoryWatch struct {
	mu    sync.Mutex
	peak  int64
	limit int64
	over  func(error)
	stop  chan struct{}
	once  sync.Once
	done  sync.WaitGroup
}

const memoryInterval = 50 * time.Millisecond

// watchMemory begins to watch; over is called with the reason when the limit
// is passed.
func watchMemory(limit int64, over func(error)) *memoryWatch {
	w := &memoryWatch{limit: limit, over: over, stop: make(chan struct{})}
	w.sample()
	w.done.Go(func() {
		tick := time.NewTicker(memoryInterval)
		defer tick.Stop()
		for {
			select {
			case <-w.stop:
				return
			case <-tick.C:
				w.sample()
			}
		}
	})
	return w
}

func (w *memoryWatch) sample() {
	v, ok := anonymousMemory()
	if !ok {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.peak = max(w.peak, v)
	if v > w.limit {
		w.over(fmt.Errorf("%w: the run's own memory passed --max-memory (%d MiB); raise --max-memory", fault.ErrResource, w.limit>>20))
	}
}

// End stops the watch and returns the peak in bytes; ok is false where the
// system does not tell.
func (w *memoryWatch) End() (peak int64, ok bool) {
	w.once.Do(func() { close(w.stop) })
	w.done.Wait()
	w.sample()
	return w.peak, w.peak > 0
}

// anonymousMemory reads RssAnon in bytes.
func anonymousMemory() (int64, bool) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, false
	}
	_, rest, found := bytes.Cut(status, []byte("RssAnon:"))
	fields := bytes.Fields(rest)
	if !found || len(fields) == 0 {
		return 0, false
	}
	kib, err := strconv.ParseInt(string(fields[0]), 10, 64)
	return kib << 10, err == nil
}

// Unstopped is asked before an output gets its name: a run that was cancelled,
// also after its last look at the context, leaves none and does not end well.
func Unstopped(ctx context.Context) error { return ctx.Err() }
