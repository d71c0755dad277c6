package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strconv"
	"sync"
	"time"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/tableau"
	"banditaudit/replay/world"
	"banditaudit/report/digest"
	"banditaudit/schemas"
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

// end stops the watch and returns the peak in bytes; ok is false where the
// system does not tell.
func (w *memoryWatch) end() (peak int64, ok bool) {
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

// unstopped is asked before an output gets its name: a run that was cancelled,
// also after its last look at the context, leaves none and does not end well.
func unstopped(ctx context.Context) error { return ctx.Err() }

// What an arm takes, in bytes: its record, its line in the figure of the allocation, and
// while its experiment is in work.
const (
	armRecord = 512
	armLine   = 1280
	armWork   = 1280

	armScores  = 6144 // where propensities weigh rewards: beside, its scores in the rounds of a block, for each job
	armWagers  = 4096 // and its accounts of check H17, of at most mostWagers arms
	mostWagers = 1 << 12
)

// showable refuses, before the analysis, more arms than a report can be made of within the
// limit. Of the experiments that it lists it holds every arm:
//
//	arms × (512·listed + 1280·drawn) + work ≤ ¾ of the limit
func showable(arms, experiments int, work, limit int64) error {
	need := int64(arms)*(armRecord*int64(min(experiments, digest.MostListed))+armLine*int64(min(experiments, schemas.SeriesExperiments))) + work
	if need <= limit-limit/4 {
		return nil
	}
	return fmt.Errorf("%w: what an audit holds of %s in %s takes about %d MiB, of %d allowed; raise --max-memory, or check that log.action names the arm that was played, and no id",
		fault.ErrResource, schemas.Counted(int64(arms), "arm"), schemas.Counted(int64(experiments), "experiment"), need>>20, limit>>20)
}

// working is what all arms take while they are in work: in outer experiments at one time,
// and where propensities weigh, in as many chunks of each as it has jobs, if the longest has
// as many.
func (pl *pipeline) working(t *tableau.Tableau, outer, inner int) int64 {
	arms := int64(t.Arms())
	each := armWork * arms
	if m := pl.declared.Mechanism; t.Schema().Propensity || m != nil && m.Known() {
		chunks := 1
		for i := 0; i < t.Experiments() && chunks < inner; i++ {
			chunks = max(chunks, t.Slice(i).Chunks())
		}
		each += armScores*arms*int64(min(inner, chunks)) + armWagers*min(arms, mostWagers)
	}
	return each * int64(outer)
}

// affordStates refuses, before the replay, strata whose states of the policy take more than
// half of what an experiment may use.
func (pl *pipeline) affordStates(s *tableau.Slice, memory int64) error {
	m := pl.declared.Mechanism
	if m == nil || !m.Stratified() {
		return nil
	}
	strata := s.Strata()
	need := m.RunBytes(publiclog.ContextDim(s), strata)
	if need <= memory/2 {
		return nil
	}
	return fmt.Errorf("%w: experiment %s has %s strata (policy.by: %s) in %s, and the states of the policy in these take about %d MiB, and half of the %d MiB allowed may be used; raise --max-memory, or check that policy.by names the column of strata, and not one that differs from row to row",
		publiclog.ErrMemory, schemas.Named(s.ID()), schemas.Grouped(strata), pl.doc.Protocol.Strata(), schemas.Counted(s.Rows(), "row"), need>>20, memory>>20)
}

// spare is what a second run of the policy may take, which makes a replay faster, of what an
// experiment may use: so little that it never is what does not fit.
func spare(memory int64) int64 {
	const share = 8
	return memory / share
}

// waiting is how many outcomes may wait for those before them: enough that one long
// experiment does not leave the other jobs idle, in an eighth of the limit.
func waiting(arms, jobs int, limit int64) int {
	const most, share = 32, 8
	return max(1, int(min(int64(jobs*most), limit/share/int64(armRecord*max(1, arms)))))
}

// simulable refuses, before anything is written, a simulation that is known to
// take more memory than is allowed.
func simulable(spec *world.Spec, limit int64) error {
	need, err := spec.Bytes()
	if err != nil || need <= limit-limit/4 {
		return err
	}
	return fmt.Errorf("%w: simulating this takes at least %d MiB, and --max-memory allows %d: linear policies keep a matrix of context-dim × context-dim for each arm, and truth.json has every experiment; "+
		"raise --max-memory, or simulate fewer arms, coordinates or experiments", fault.ErrResource, need>>20, limit>>20)
}
