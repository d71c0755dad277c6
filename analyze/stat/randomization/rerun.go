// Package randomization is the exact test that arms pay alike, by running the policy again:
// if every round's record would have been the same under any arm, then the log is one
// of many that the policy could have made of the same records, put in another order
// within groups in which they are exchangeable, and with other draws of its own.
//
// The observed statistic is then exchangeable with the statistics of the runs, whatever the
// policy does, and p is its rank. This is exact at every number of rounds, for
// deterministic policies too where records are permuted (own proof, internally reviewed;
// after Simon & Simon 2011, doi 10.1016/j.spl.2010.12.018).
package randomization

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"math"
	"math/rand/v2"

	"golang.org/x/sync/errgroup"
)

// Log is what was seen: the reward of every round, as the policy saw it, and the arm.
type Log struct {
	Arms    int
	Arm     []int32
	Reward  []float64 // in [0,1]; NaN where it is not known, and then it is in no sum
	Groups  []int32   // from 0, of each piece of Width rounds; pieces change places within a group, and one that is alone stays. nil: none moves
	Width   int       // Rounds that move together. Defaults to 1.
	Centred []float64 // what is summed in place of the reward, and moves with it; nil: the reward
	Strata  []int32   // of each round, from 0, and moves with it: the statistic is summed over them; nil: one
	Side    Side      // of the statistic
}

// Policy is the declared policy, which is asked again. Play runs it once from its
// start: in round t, from 0, it meets the record of round order[t] of the log, and
// played is told the arm. Its draws are from the source alone. Runs of several
// goroutines do not meet.
type Policy interface {
	Play(order []int32, draws rand.Source, played func(t, arm int)) error
}

// Fleet is a policy of which Size runs at most are made at a time, by one goroutine, whatever
// Options.Jobs is.
type Fleet interface {
	Size() int
	PlayAll(orders [][]int32, draws []rand.Source, played func(run, t, arm int)) error
}

// Options are fixed before rewards are read.
type Options struct {
	Draws       int      // M ≥ 1, the most runs
	More        int      // M' > M: the runs to make where none of M reaches the statistic; else M are the most
	Exceedances int      // h ≥ 1: where h runs reach the statistic, no more are made
	Seed        [32]byte // of the runs; never the seed of the log
	Name        string   // experiment and test, so that no two tests share their runs
	Jobs        int      // workers; the result does not depend on it. Defaults to 1.
}

// Result is the outcome of a test.
type Result struct {
	Statistic   float64
	P           float64
	Runs        int  // that p rests on
	Exceedances int  // of them, with a statistic as large
	Most        int  // runs that were to be made at most
	Vain        bool // runs were made behind these M, and did not make p smaller
	Looked      int  // runs in which values were counted: Runs, or up to Look where these had fewer than Few
	Values      int  // how many different values the statistic took in these
	Moved       int  // of these, runs that played another sequence of arms than the log
}

// Few is the number of different values of the statistic below which runs cannot
// tell, and Look the number of runs that is enough to see Few values.
const (
	Few  = 20
	Look = 99
)

// Test runs the policy again until h runs reached the observed statistic, or all were made
// (Besag & Clifford 1991, doi 10.1093/biomet/78.2.301):
//
//	p = h/L            where the h-th exceedance came in run L
//	p = (g + 1)/(M + 1) where g < h of M runs reached it
//
// P(p ≤ α) ≤ α for every α. Where none of M runs reaches it, runs go on to M' (Options.More), and
//
//	p = min(1/(M + 1), p')
//
// with p' the p of the rule over M' runs. That is valid too: for α < 1/(M + 1) p ≤ α means
// that p' ≤ α, and for larger α that the p of M runs is at most α. So no decision at a
// level of 1/(M + 1) and more depends on M'. Runs that cannot make p smaller than 1/(M + 1)
// are not made. A run reaches q where q_m ≥ q − 10⁻¹²·(1 + |q|), so that ties count against
// rejection. Where runs that stopped early had fewer than Few values, more are made to see
// whether Few are reached; p does not change.
//
// Run m draws from ChaCha8 with the key SHA-256(seed ‖ "rerun" ‖ name ‖ m), first the
// order of the records, group by group, then the policy's own: the result is the same
// for every number of jobs. Test returns errors of the policy and of ctx.
func Test(ctx context.Context, l *Log, p Policy, o Options) (Result, error) { //nolint:funlen // one walk over the runs
	t := newTest(l, p, o)
	observed := newTally(l)
	for round := range l.Arm {
		observed.add(int(l.Arm[round]), round)
	}
	out := Result{Statistic: t.statistic(observed)}
	reach := out.Statistic - float64(1e-12*(1+math.Abs(out.Statistic)))
	values := map[float64]bool{}
	stopped := false
	rounds := int64(len(l.Arm))
	tell, all := progressOf(ctx), int64(o.Draws)*rounds
	tell(0, all)
	defer func() { tell(all, all) }()
	for out.Most = o.Draws; out.Looked < out.Most; {
		runs, err := t.window(ctx, out.Looked, out.Most-out.Looked)
		if err != nil {
			return Result{}, err
		}
		for _, r := range runs {
			if r.err != nil {
				return Result{}, r.err
			}
			out.Looked++
			values[r.q] = true
			out.Values = len(values)
			if r.moved {
				out.Moved++
			}
			if !stopped {
				out.Runs++
				if r.q >= reach {
					out.Exceedances++
				}
				stopped = out.Exceedances == o.Exceedances
			}
			if stopped && (out.Values >= Few || out.Looked >= Look) {
				out.P = min(float64(out.Exceedances)/float64(out.Runs), o.least(&out))
				return out, nil
			}
			if o.vain(&out) {
				return out, nil
			}
		}
		if out.Looked == o.Draws && out.Exceedances == 0 && o.More > o.Draws {
			out.Most, all = o.More, int64(o.More)*rounds
		}
		tell(int64(out.Looked)*rounds, all)
	}
	if out.P = float64(out.Exceedances+1) / float64(out.Most+1); stopped {
		out.P = float64(out.Exceedances) / float64(out.Runs)
	}
	return out, nil
}

// least is the largest p of a test: 1/(M + 1) where runs went on behind M.
func (o *Options) least(r *Result) float64 {
	if r.Most > o.Draws {
		return 1 / float64(o.Draws+1)
	}
	return 1
}

// vain reports whether runs after M have reached the statistic so often that p is the p of
// M runs, and sets the result to the result of the M runs.
func (o *Options) vain(r *Result) bool {
	if r.Most <= o.Draws || float64(r.Exceedances+1)/float64(o.More+1) < 1/float64(o.Draws+1) {
		return false
	}
	r.P, r.Runs, r.Exceedances, r.Most, r.Vain = 1/float64(o.Draws+1), o.Draws, 0, o.Draws, true
	return true
}

// test is what all runs share.
type test struct {
	log     *Log
	policy  Policy
	fleet   Fleet // the policy, where it is one
	options Options
	members []int32   // pieces, group by group
	ends    []int32   // of each group among them
	means   []float64 // of what is summed, by stratum
	workers []worker
}

// worker is what the runs of one goroutine use one after the other.
type worker struct {
	order, pieces []int32
	sums          *tally
	panicked      any
}

func newTest(l *Log, p Policy, o Options) *test {
	t := &test{log: l, policy: p, options: o, means: l.means(), workers: make([]worker, max(1, o.Jobs))}
	if fleet, ok := p.(Fleet); ok {
		t.fleet, t.workers = fleet, make([]worker, fleet.Size())
	}
	t.members, t.ends = l.members()
	for i := range t.workers {
		w := &t.workers[i]
		w.order, w.sums = make([]int32, len(l.Reward)), newTally(l)
		if l.width() > 1 {
			w.pieces = make([]int32, len(l.Groups))
		}
	}
	return t
}

// run is the outcome of one.
type run struct {
	q     float64
	moved bool
	err   error // of the policy; it counts where the run does
}

// windowRounds is about how many rounds a worker plays before the outcomes are looked
// at: whoever waits, waits rarely, and little is played in vain.
const windowRounds = 1 << 17

// window makes the runs from+1, from+2, …, most of them at most, each by itself.
func (t *test) window(ctx context.Context, from, most int) ([]run, error) {
	if t.fleet != nil {
		return t.together(from, min(most, len(t.workers)))
	}
	each := max(1, min(Few, windowRounds/max(1, len(t.log.Reward))))
	out := make([]run, min(most, each*len(t.workers)))
	var g errgroup.Group
	for i := range t.workers {
		w := &t.workers[i]
		g.Go(func() (err error) {
			defer func() { w.panicked = recover() }()
			for j := i; j < len(out); j += len(t.workers) {
				if err = ctx.Err(); err != nil {
					return err
				}
				out[j] = t.run(w, from+j+1)
			}
			return nil
		})
	}
	err := g.Wait()
	for i := range t.workers {
		if p := t.workers[i].panicked; p != nil {
			panic(p) // in the caller's goroutine, where it can be recovered
		}
	}
	return out, err
}

// together makes the runs from+1, from+2, …, of a fleet.
func (t *test) together(from, n int) ([]run, error) {
	out, orders, draws := make([]run, n), make([][]int32, n), make([]rand.Source, n)
	for i := range out {
		w := &t.workers[i]
		draws[i], orders[i] = t.begin(w, from+i+1), w.order
	}
	err := t.fleet.PlayAll(orders, draws, func(i, round, arm int) {
		out[i].moved = t.played(&t.workers[i], round, arm) || out[i].moved
	})
	for i := range out {
		out[i].q = t.statistic(t.workers[i].sums)
	}
	return out, err
}

// begin makes the order of run m, and returns its draws.
func (t *test) begin(w *worker, m int) rand.Source {
	key := sha256.New()
	key.Write(t.options.Seed[:])
	key.Write([]byte("rerun" + t.options.Name))
	key.Write(binary.BigEndian.AppendUint64(nil, uint64(m))) //nolint:gosec // a count
	draws := rand.NewChaCha8([32]byte(key.Sum(nil)))

	t.shuffle(w, draws)
	w.sums.clear()
	return draws
}

// played takes an arm of a run, and reports whether the log has another one there.
func (t *test) played(w *worker, round, arm int) bool {
	w.sums.add(arm, int(w.order[round]))
	return int(t.log.Arm[round]) != arm
}

// run makes run m.
func (t *test) run(w *worker, m int) run {
	draws, moved := t.begin(w, m), false
	err := t.policy.Play(w.order, draws, func(round, arm int) {
		moved = t.played(w, round, arm) || moved
	})
	return run{q: t.statistic(w.sums), moved: moved, err: err}
}

// shuffle makes the records' new order: each group's pieces are shuffled among its
// places.
func (t *test) shuffle(w *worker, draws rand.Source) {
	pieces := w.order
	if w.pieces != nil {
		pieces = w.pieces
	}
	for i := range pieces {
		pieces[i] = int32(i)
	}
	shuffle := rand.New(draws)
	from := int32(0)
	for _, to := range t.ends {
		places := t.members[from:to]
		for i := len(places) - 1; i > 0; i-- {
			j := shuffle.Uint32N(uint32(i + 1)) //nolint:gosec // of a group
			a, b := places[i], places[j]
			pieces[a], pieces[b] = pieces[b], pieces[a]
		}
		from = to
	}
	if w.pieces == nil {
		return
	}
	width := t.log.width()
	for i := range w.order {
		w.order[i] = pieces[i/width]*int32(width) + int32(i%width) //nolint:gosec // likewise
	}
}

// width is the number of rounds that move together.
func (l *Log) width() int { return max(1, l.Width) }

// members are all pieces, group by group and in their order, and where each group ends.
func (l *Log) members() (members, ends []int32) {
	for _, g := range l.Groups {
		for int(g) >= len(ends) {
			ends = append(ends, 0)
		}
		ends[g]++
	}
	from := int32(0)
	for g, n := range ends { // where the next of the group goes
		ends[g] = from
		from += n
	}
	members = make([]int32, len(l.Groups))
	for t, g := range l.Groups {
		members[ends[g]] = int32(t)
		ends[g]++
	}
	return members, ends
}

// Blocks returns the group of each round: a group has length consecutive rounds, and a last
// short one joins its neighbour.
func Blocks(rounds, length int) []int32 {
	out := make([]int32, rounds)
	last := max(0, rounds/length-1)
	for t := range out {
		out[t] = int32(min(t/length, last)) //nolint:gosec // rounds of one experiment are below 2³¹
	}
	return out
}

// progressKey is the key of what WithProgress puts into a context.
type progressKey struct{}

// WithProgress returns a context in which Test tells how many rounds its runs have played,
// of how many at most: 0 before the first run, and all at its end, however early that is.
// It is told from one goroutine. The result does not depend on it.
func WithProgress(ctx context.Context, tell func(done, total int64)) context.Context {
	return context.WithValue(ctx, progressKey{}, tell)
}

// progressOf is whom Test tells in a context.
func progressOf(ctx context.Context) func(done, total int64) {
	if tell, ok := ctx.Value(progressKey{}).(func(done, total int64)); ok {
		return tell
	}
	return func(_, _ int64) {}
}
