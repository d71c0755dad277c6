// Package rerun is the exact test that arms pay alike, by running the policy again:
// if every round's record would have been the same under any arm, then the log is one
// of many that the policy could have made of the same records, put in another order
// within groups in which they are exchangeable, and with other draws of its own.
//
// The observed statistic is then exchangeable with those of the runs, whatever the
// policy does, and p is its rank. This is exact at every number of rounds, for
// deterministic policies too where records are permuted (own proof, internally
// reviewed; after Simon & Simon 2011, doi 10.1016/j.spl.2010.12.018).
package rerun

import (
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
	Reward  []float64
	Groups  []int32   // of each round: records move within a group; one that is alone stays. nil: none moves
	Centred []float64 // what is summed in place of the reward, and moves with it; nil: the reward
}

// Policy is the declared policy, which is asked again. Play runs it once from its
// start: in round t, from 0, it meets the record of round order[t] of the log, and
// played is told the arm. Its draws are from the source alone. Runs of several
// goroutines do not meet.
type Policy interface {
	Play(order []int32, draws rand.Source, played func(t, arm int)) error
}

// Options are fixed before rewards are read.
type Options struct {
	Draws       int      // M ≥ 1, the most runs
	Exceedances int      // h ≥ 1: where so many runs reach the statistic, no more are made
	Seed        [32]byte // of the runs; never that of the log
	Name        string   // experiment and test, so that no two tests share their runs
	Jobs        int
}

// Result is the outcome of a test.
type Result struct {
	Statistic   float64
	P           float64
	Runs        int // that p rests on
	Exceedances int // of them, with a statistic as large
	Values      int // how many different values the statistic took in the runs
	Moved       int // runs that played another sequence of arms than the log
}

// Spread is the statistic Σ_i (S_i − N_i·ȳ)²/(N_i + 10), with 10 pseudo-pulls of each
// arm. S is the sum of what is counted, N the pulls, ȳ the mean of all.
func Spread(n []int64, s []float64, mean float64) float64 {
	const pseudo = 10
	q := 0.0
	for i, pulls := range n {
		d := s[i] - float64(float64(pulls)*mean)
		q += d * d / (float64(pulls) + pseudo)
	}
	return q
}

// Test runs the policy again until so many runs reached the observed statistic, or
// all were made (Besag & Clifford 1991, doi 10.1093/biomet/78.2.301):
//
//	p = h/L            where the h-th exceedance came in run L
//	p = (g + 1)/(M + 1) where g < h of M runs reached it
//
// P(p ≤ α) ≤ α for every α. A run reaches q where q_m ≥ q − 10⁻¹²·(1 + |q|), so that
// ties count against rejection. Run m draws from ChaCha8 with the key SHA-256(seed ‖
// "rerun" ‖ name ‖ m), first the order of the records, group by group, then the
// policy's own: the result is the same for every number of jobs.
func Test(l *Log, p Policy, o Options) (Result, error) {
	t := &test{log: l, policy: p, options: o, members: l.members(), mean: l.mean()}
	observed := newTally(l)
	for round := range l.Arm {
		observed.add(int(l.Arm[round]), l.counted(round))
	}
	out := Result{Statistic: Spread(observed.n, observed.s, t.mean)}
	reach := out.Statistic - float64(1e-12*(1+math.Abs(out.Statistic)))
	values := map[float64]bool{}
	for out.Runs < o.Draws {
		runs, err := t.window(out.Runs, min(o.Draws-out.Runs, max(1, o.Jobs)))
		if err != nil {
			return Result{}, err
		}
		for _, r := range runs {
			out.Runs++
			values[r.q] = true
			out.Values = len(values)
			if r.moved {
				out.Moved++
			}
			if r.q >= reach {
				out.Exceedances++
			}
			if out.Exceedances == o.Exceedances {
				out.P = float64(out.Exceedances) / float64(out.Runs)
				return out, nil
			}
		}
	}
	out.P = float64(out.Exceedances+1) / float64(o.Draws+1)
	return out, nil
}

// test is what all runs share.
type test struct {
	log     *Log
	policy  Policy
	options Options
	members [][]int32 // rounds of each group that has several
	mean    float64
}

// run is the outcome of one.
type run struct {
	q     float64
	moved bool
}

// window makes runs from+1 to from+n, each by itself.
func (t *test) window(from, n int) ([]run, error) {
	out := make([]run, n)
	var g errgroup.Group
	for i := range out {
		g.Go(func() (err error) {
			out[i], err = t.run(from + i + 1)
			return err
		})
	}
	return out, g.Wait()
}

// run makes run m.
func (t *test) run(m int) (run, error) {
	key := sha256.New()
	key.Write(t.options.Seed[:])
	key.Write([]byte("rerun" + t.options.Name))
	key.Write(binary.BigEndian.AppendUint64(nil, uint64(m))) //nolint:gosec // a count
	draws := rand.NewChaCha8([32]byte(key.Sum(nil)))

	order := t.order(draws)
	sums, moved := newTally(t.log), false
	err := t.policy.Play(order, draws, func(round, arm int) {
		sums.add(arm, t.log.counted(int(order[round])))
		moved = moved || int32(arm) != t.log.Arm[round] //nolint:gosec // an arm
	})
	return run{q: Spread(sums.n, sums.s, t.mean), moved: moved}, err
}

// order is the records' new order: each group's are shuffled among its places.
func (t *test) order(draws rand.Source) []int32 {
	out := make([]int32, len(t.log.Arm))
	for i := range out {
		out[i] = int32(i)
	}
	shuffle := rand.New(draws)
	for _, places := range t.members {
		shuffle.Shuffle(len(places), func(i, j int) {
			a, b := places[i], places[j]
			out[a], out[b] = out[b], out[a]
		})
	}
	return out
}

// members are the rounds of each group that has several, in the order of the first.
func (l *Log) members() [][]int32 {
	place := map[int32]int{}
	var all [][]int32
	for t, g := range l.Groups {
		i, ok := place[g]
		if !ok {
			i = len(all)
			place[g], all = i, append(all, nil)
		}
		all[i] = append(all[i], int32(t))
	}
	var out [][]int32
	for _, m := range all {
		if len(m) > 1 {
			out = append(out, m)
		}
	}
	return out
}

// counted is what is summed of a round.
func (l *Log) counted(round int) float64 {
	if l.Centred != nil {
		return l.Centred[round]
	}
	return l.Reward[round]
}

func (l *Log) mean() float64 {
	sum := 0.0
	for t := range l.Reward {
		sum += l.counted(t)
	}
	return sum / float64(len(l.Reward))
}

// tally is pulls and sums by arm.
type tally struct {
	n []int64
	s []float64
}

func newTally(l *Log) *tally { return &tally{make([]int64, l.Arms), make([]float64, l.Arms)} }

func (t *tally) add(arm int, y float64) {
	t.n[arm]++
	t.s[arm] += y
}

// Blocks are groups of runs of so many consecutive rounds; a last short one joins its
// neighbour.
func Blocks(rounds, length int) []int32 {
	out := make([]int32, rounds)
	last := max(0, rounds/length-1)
	for t := range out {
		out[t] = int32(min(t/length, last)) //nolint:gosec // rounds of one experiment are below 2³¹
	}
	return out
}
