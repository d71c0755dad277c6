package replay

import (
	"errors"
	"fmt"
	"slices"
)

// NewObserver starts a run of an experiment whose counters add no noise: each
// releases the exact sum, on the lattice of the declared counter and by its own
// schedule. It is for logs that say what the policy saw, see Round.Released:
// what is released less Exact is then the noise. It draws for the policy from
// the streams of the master seed of 32 zero bytes.
//
// What it computes is not private, and no such thing may be shown.
func (m *Mechanism) NewObserver(experiment string) *Runner {
	return m.NewSilent([32]byte{}, experiment)
}

// NewSilent starts a run as NewRunner does, with counters as NewObserver has.
func (m *Mechanism) NewSilent(master [32]byte, experiment string) *Runner {
	return m.seeded(master, experiment, m.silent())
}

// showing is what a run has beside when its policy chooses by other values
// than those that the run's counters released.
type showing struct {
	own    []float64 // what they released: K sums or K·d numbers, as the policy would see them
	fresh  []bool    // arms of which the policy learned in the round
	noised func(exact []float64, arrived []int64) []float64
	buffer []float64
}

// Distort has the policy choose, in every round from the next on, by what show
// returns, as if Round.Released had been that; nil leaves what the run's
// counters released. show is called once per round, after the policy has
// learned, with what Exact and Arrived then return; it keeps neither.
// Round.Released is no longer looked at.
//
// With it a run of NewSilent is a deployment with any noise at all.
func (r *Runner) Distort(show func(exact []float64, arrived []int64) []float64) {
	if r.m.counter != nil {
		r.shows = &showing{noised: show}
	}
}

// Exact returns what the run's own counters have released in the round that
// Next entered, of rewards rescaled to [0,1], as the policy would see it: K
// sums, or K·d numbers arm by arm, laid out as Step.Released is, and nil where
// the policy reads no rewards. Of a run of NewObserver that is without noise. The
// slice is only read, and only until the next call of Next, Add or Exact.
func (r *Runner) Exact() []float64 {
	if r.shows != nil && r.shows.own != nil {
		return r.shows.own
	}
	if r.m.counter == nil {
		return nil
	}
	r.sums = r.seen(r.sums[:0])
	return r.sums
}

// Arrived returns how many rows had arrived at each arm's stream when the
// policy last learned: at least as many as are in what its counter released. The
// slice is only read, and only until the next call of Next or Add.
func (r *Runner) Arrived() []int64 { return r.learned }

// instead prepares for a policy that sees other values than those of the run's
// counters.
func (r *Runner) instead() {
	if r.shows == nil {
		r.shows = &showing{}
	}
	if r.changed == nil {
		r.part()
	}
	r.shows.own, r.shows.fresh = r.seen(nil), make([]bool, r.m.arms)
}

var errReleased = errors.New("the released values of a round are not one finite number for each arm, or for each arm and each coordinate of a context; log 0 where nothing has been released")

// replace lets the policy learn, if it learns, and shows it what the round says
// was released.
func (r *Runner) replace(in *Round, learns bool) {
	w := r.shows
	per := len(w.own) / r.m.arms
	for arm, changed := range r.changed {
		if w.fresh[arm] = learns && changed; !w.fresh[arm] {
			continue
		}
		r.count(arm)
		if r.vectors == nil {
			w.own[arm] = r.live.Sums[arm]
		} else {
			copy(w.own[arm*per:], r.live.Vectors[arm])
		}
	}
	values := w.own
	if given := r.given(in); len(given) == len(w.own) && !slices.ContainsFunc(given, infinite) {
		values = given
	} else if given != nil {
		r.fail(fmt.Errorf("replay: round %d: %w", r.state.Round, errReleased))
	}
	for arm := range r.m.arms {
		if r.put(arm, values[arm*per:(arm+1)*per]) || w.fresh[arm] {
			r.policy.Observe(r.state, arm)
		}
	}
}

// given returns what the policy is to see; nil: what the run's counters
// released.
func (r *Runner) given(in *Round) []float64 {
	if w := r.shows; w.noised != nil {
		w.buffer = append(w.buffer[:0], w.own...)
		return w.noised(w.buffer, r.learned)
	}
	if in == nil {
		return nil
	}
	return in.Released
}

// put shows the policy the values of one arm, and reports whether they are new.
func (r *Runner) put(arm int, values []float64) bool {
	if r.vectors == nil {
		old := r.state.Sums[arm]
		r.state.Sums[arm] = values[0]
		return old != values[0]
	}
	if slices.Equal(r.state.Vectors[arm], values) {
		return false
	}
	copy(r.state.Vectors[arm], values)
	return true
}

func infinite(v float64) bool { return !finite(v) }
