package replay

import (
	"errors"
	"fmt"
	"slices"

	"banditaudit/replay/policy"
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
	return m.begun(func(of string) *run { return m.seeded(master, experiment, of, m.silent()) })
}

// NewTeller starts a run of NewObserver that tells what its counters have released, and
// chooses nothing: of a policy that reads sums, which is then not asked, Next returns 0.
func (m *Mechanism) NewTeller(experiment string) *Runner {
	return m.begun(func(of string) *run {
		r := m.seeded([32]byte{}, experiment, of, m.silent())
		if r.linear == nil && r.weighing == nil { // others say what of a reward is summed
			r.policy, r.floor = mute{r.policy}, nil
		}
		return r
	})
}

// mute is a policy that is neither told anything nor asked.
type mute struct{ policy.Policy }

// Select plays the first arm.
func (mute) Select(*policy.State) int { return 0 }

// Observe does nothing.
func (mute) Observe(*policy.State, int) {}

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
func (r *run) Distort(show func(exact []float64, arrived []int64) []float64) {
	if r.m.counter != nil {
		r.shows = &showing{noised: show}
	}
}

// Exact returns what the run's own counters have released in the round that
// Next entered, of rewards rescaled to [0,1], as the policy would see it: K
// sums, or K·d numbers arm by arm, laid out as Step.Released is, and nil where
// the policy reads no rewards. Of a run of NewObserver that is without noise. The
// slice is only read, and only until the next call of Next, Add or Exact.
func (r *run) Exact() []float64 {
	if r.shows != nil && r.shows.own != nil {
		return r.shows.own
	}
	if r.m.counter == nil {
		return nil
	}
	r.sums = r.seen(r.sums[:0])
	return r.sums
}

// Sum returns the sum of an arm in Exact, of a policy that reads sums.
func (r *run) Sum(arm int) float64 { return r.state.Sums[arm] }

// Arrived returns how many rows had arrived at each arm's stream when the
// policy last learned: at least as many as are in what its counter released. The
// slice is only read, and only until the next call of Next or Add.
func (r *run) Arrived() []int64 { return r.learned }

// instead prepares for a policy that sees other values than the run's counters release.
func (r *run) instead() {
	if r.shows == nil {
		r.shows = &showing{}
	}
	if r.changed == nil {
		r.part()
	}
	r.shows.own, r.shows.fresh = r.seen(nil), make([]bool, r.m.arms)
}

var errReleased = errors.New("the released values of a round are not one finite number for each arm, or for each arm and each coordinate of a context; log 0 where nothing has been released")

// replace lets the policy of a run learn, if it learns, and shows it what the round says
// was released.
func (w *showing) replace(r *run, in *Round, learns bool) {
	if w.noised == nil && r.vectors == nil && in != nil && len(in.Released) == len(w.own) {
		w.replaceSums(r, in.Released, learns)
		return
	}
	per := len(w.own) / r.m.arms
	for arm, changed := range r.changed {
		if w.fresh[arm] = learns && changed; w.fresh[arm] {
			r.count(arm)
			if r.vectors == nil {
				w.own[arm] = r.live.Sums[arm]
			} else {
				copy(w.own[arm*per:], r.live.Vectors[arm])
			}
		}
	}
	values := w.given(in, r.learned)
	if values == nil {
		values = w.own
	}
	if !alike(values, w.own) {
		r.fail(fmt.Errorf("replay: round %d: %w", r.state.Round, errReleased))
		return
	}
	for arm, fresh := range w.fresh {
		if put(r, arm, values[arm*per:arm*per+per]) || fresh {
			r.policy.Observe(r.state, arm)
		}
	}
}

// replaceSums is replace for logged sums, in one walk over the arms: a replay
// does little else.
func (w *showing) replaceSums(r *run, values []float64, learns bool) {
	own, changed, sums := w.own, r.changed, r.state.Sums
	for arm, v := range values {
		if learns && changed[arm] {
			r.count(arm)
			own[arm] = r.live.Sums[arm]
		} else if v == sums[arm] {
			continue
		}
		if v-v != 0 {
			r.fail(fmt.Errorf("replay: round %d: %w", r.state.Round, errReleased))
			return
		}
		sums[arm] = v
		r.policy.Observe(r.state, arm)
	}
}

// alike reports whether values are finite and as many as own.
func alike(values, own []float64) bool {
	if len(values) != len(own) {
		return false
	}
	for _, v := range values {
		if v-v != 0 {
			return false
		}
	}
	return true
}

// given returns what the policy is to see, which learned from a number of rows of each arm;
// nil: what the run's counters released.
func (w *showing) given(in *Round, learned []int64) []float64 {
	if w.noised != nil {
		w.buffer = append(w.buffer[:0], w.own...)
		return w.noised(w.buffer, learned)
	}
	if in == nil {
		return nil
	}
	return in.Released
}

// put shows the policy of a run the values of one arm, and reports whether they are new.
func put(r *run, arm int, values []float64) bool {
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

// Supposing returns what Propensities would, had the policy seen other sums in
// the round that Next entered, one for each arm; the run goes on as it was. It is
// for policies that read sums. The slice is used again by the next call of it or
// of Propensities.
func (r *run) Supposing(sums []float64) []float64 {
	seen := slices.Clone(r.state.Sums)
	r.suppose(sums)
	out := r.Propensities()
	r.suppose(seen)
	return out
}

// suppose shows the policy sums.
func (r *run) suppose(sums []float64) {
	for arm, v := range sums {
		if r.state.Sums[arm] != v {
			r.state.Sums[arm] = v
			r.policy.Observe(r.state, arm)
		}
	}
}
