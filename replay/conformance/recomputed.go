package conformance

import (
	"context"
	"errors"
	"fmt"
	"math"

	"banditaudit/ingest/tableau"
	"banditaudit/replay"
	"banditaudit/replay/accounting"
	"banditaudit/replay/conformance/programreplay"
	"banditaudit/schemas"
)

// A recomputed propensity p is off by at most 10⁻⁹ + 10⁻⁷·p, whatever made it: a closed
// form, a quadrature, or sums in another order.
const (
	recomputedAbsolute = 1e-9
	recomputedRelative = 1e-7
)

// Between returns the two ends of a propensity that was recomputed as at least lo and at
// most hi, both in [0, 1]:
//
//	[lo − (10⁻⁹ + 10⁻⁷·lo), hi + (10⁻⁹ + 10⁻⁷·hi)], cut to [0, 1]
func Between(lo, hi float64) (least, most float64) {
	off := func(p float64) float64 { return recomputedAbsolute + float64(recomputedRelative*p) }
	return max(0, lo-off(lo)), min(1, hi+off(hi))
}

// Recomputed are the propensities of all arms on the logged history, round by round:
// P(arm | everything earlier, and what was public before the choice). Rounds are gone
// over once, in their order, and nothing is kept of those that are past. It is not safe
// for concurrent use, and is used below the Guard of the slice.
type Recomputed struct {
	j    *job
	l    *logged
	near *nearTies
	held *lawHeld // whose ends actions are held against
	t    int64    // rounds that the run has entered
	p    []float64
	have int64 // round of p
	err  error
	ask  *programreplay.Asking // a program; nil: a mechanism
}

// errNoSeed is returned where the noise of a seed is asked for, and no seed is at hand.
var errNoSeed = errors.New("the seed is not at hand, and with it what the policy saw")

// Recompute starts a walk over the propensities of one experiment, as a replay of the
// given mode has them:
//
//	seed        by what the seed's own counters released; where the policy reads no
//	            noise the seed decides nothing
//	released    by the logged released values; of a counter without noise by the exact
//	sums that they agree with, however finely they are written
//	propensity, law  by exact sums
//
// The feed is booked as a release of the declared law, for a purpose; a policy that
// reads no rewards is fed with none. It returns errors of the book, of the tableau, and of
// a mode that has no propensities. The mechanism must draw. A program (mode exec) is asked
// again, by a process of its own, which ends with Close; what goes wrong is a
// *program.Failure.
func (d *Declared) Recompute(ctx context.Context, s *tableau.Slice, book tableau.Book, mode, purpose string) (*Recomputed, error) {
	j := d.begin(ctx, s, book)
	if mode == schemas.ModeExec {
		e := j.experiment()
		e.Purpose = purpose
		return &Recomputed{j: j, p: make([]float64, s.Arms()), have: -1, ask: e.Ask()}, nil
	}
	var run *replay.Runner
	switch master := master(d.Protocol.Policy.Seed); {
	case s.Arms() > d.Mechanism.Arms():
		return nil, accounting.ErrArm
	case mode == schemas.ModeReleased && d.Mechanism.Noisy():
		j.shows, run = true, d.Mechanism.NewObserver(s.ID())
	case mode == schemas.ModeSeed && !d.Mechanism.PropensitiesKnown() && !d.SeedKnown():
		return nil, errNoSeed
	case mode == schemas.ModeSeed, mode != schemas.ModeNone && d.Mechanism.PropensitiesKnown():
		run = d.Mechanism.NewRunner(master, s.ID())
	default:
		return nil, fmt.Errorf("conformance: a replay of mode %s gives no propensities", mode)
	}
	var l *logged
	err := s.Guard(func() (err error) {
		l, err = j.openFor(d.Mechanism.Law().Name()+", "+purpose, run, nil)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("conformance: experiment %s: %w", schemas.Quoted(s.ID()), err)
	}
	near := j.nearTies(run)
	return &Recomputed{j: j, l: l, near: near, held: &lawHeld{near: near}, p: make([]float64, d.Mechanism.Arms()), have: -1}, nil
}

// SeedKnown reports whether the declared master seed is at hand.
func (d *Declared) SeedKnown() bool {
	s := d.Protocol.Policy.Seed
	return s != nil && len(s.Bytes) == len([32]byte{})
}

// At returns the propensities of all arms in a row of the experiment, from 0, which is
// none that is past. Of arms that could not be played they are 0. The slice is used again
// by the next call. After an error, see Err, all are NaN.
func (r *Recomputed) At(row int64) []float64 {
	for r.t <= row && r.err == nil {
		r.enter()
	}
	switch {
	case r.err != nil:
		for arm := range r.p {
			r.p[arm] = math.NaN()
		}
	case r.have != r.t:
		copy(r.p, r.answer())
		r.have = r.t
	}
	return r.p
}

// answer returns the propensities of the round that was entered.
func (r *Recomputed) answer() []float64 {
	if r.ask != nil {
		return r.ask.P
	}
	return r.l.run.Propensities()
}

// enter enters the next round.
func (r *Recomputed) enter() {
	if r.ask != nil {
		r.t++
		r.err = r.ask.Next()
		return
	}
	if r.t == r.l.Rounds() {
		r.err = errors.New("conformance: there is no such round")
		return
	}
	last := 0
	if r.t > 0 {
		last = r.l.arm()
	}
	r.t++
	if r.err = r.j.interrupted(r.t); r.err == nil {
		_, r.err = r.l.run.Ask(r.l, r.t, last)
	}
}

// Ends returns between what the propensities of the round lie that At returned, by
// whichever of the arms within the declared window of near ties was the largest; the
// recomputed ones twice where none tie. Rounding of p is not in it, see Between.
func (r *Recomputed) Ends() (lo, hi []float64) {
	if r.err != nil || r.ask != nil {
		return r.p, r.p
	}
	return r.near.ends(r.l, r.p)
}

// Held returns between what the propensities of the round are held against actions that
// At returned: as Ends does, and whether or not the policy counts its plays as they come,
// where arms without rows wait. Rounding of p is not in it, see Between.
func (r *Recomputed) Held() (lo, hi []float64) {
	if r.err != nil || r.ask != nil {
		return r.p, r.p
	}
	return r.held.ends(r.l, r.p)
}

// Err returns the first error of the walk, nil while there is none.
func (r *Recomputed) Err() error { return r.err }

// Close ends the walk, and the program that it asks.
func (r *Recomputed) Close() {
	if r.ask != nil {
		r.ask.Stop()
	}
}
