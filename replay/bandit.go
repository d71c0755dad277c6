package replay

import (
	"fmt"
	"math"
)

// Environment is a world whose rewards are drawn when they are asked for, and
// only for the arm that was played.
type Environment interface {
	// Dim returns d, the length of a context; 0 when there is none.
	Dim() int
	// Context writes x_t, the context of round t = 1, 2, …, into dst of length
	// d. It is called once per round, in order, when d > 0.
	Context(t int64, dst []float64)
	// Reward draws y_{arm,t}. It is called once per round, after Context.
	Reward(t int64, arm int) float64
}

// Setting is an Environment in which there is more to a round than one context
// for all arms and a reward that is known at once.
type Setting interface {
	Environment
	// Enter adds contexts by arm, eligible arms and the batch of round t to what
	// is public before its choice. It is called once per round, after Context.
	Enter(t int64, in *Round)
	// Known returns the last round that is chosen without knowing the reward of
	// round t: t itself when it is known at once, NeverKnown when it never is.
	// It is called once per round, after Reward, and does not depend on the
	// reward.
	Known(t int64) int64
}

// Step is one round of a run.
type Step struct {
	Round        int64 // t, 1-based
	Arm          int   // i_t, 0-based
	Reward       float64
	Propensity   float64   // P(i_t | what the policy had seen); NaN when the mechanism is not Random
	Propensities []float64 // of every arm, where they were asked for; used again by the next round
	Released     []float64 // what the policy saw: released sums arm by arm, or vectors of d numbers each, of rewards rescaled to [0,1]; nil when it reads none; used again
	Known        int64     // the last round chosen without knowing the reward: t for at once, NeverKnown for never
	Public       *Round    // what was public before the choice; used again by the next round
}

// Bandit is algorithm Bandit of Neel and Roth (2018, section 2.3): in each
// round i_t = f_t(Λ_{t−1}) is played, then y_{i_t,t} is drawn from the
// environment, and (i_t, y) joins the history Λ_t when the reward becomes
// known. visit is called once per round, in order, with a Step that is reused;
// what it returns stops the run.
//
// It returns the first error of visit or of the run (see Runner.Add).
func (m *Mechanism) Bandit(master [32]byte, experiment string, env Environment, rounds int64, visit func(*Step) error) error {
	return m.NewRunner(master, experiment).bandit(env, rounds, visit)
}

// Bandit is Mechanism.Bandit of a run that has not begun.
func (r *Runner) Bandit(env Environment, rounds int64, visit func(*Step) error) error {
	return r.bandit(env, rounds, visit)
}

func (r *Runner) bandit(env Environment, rounds int64, visit func(*Step) error) error {
	in := &Round{}
	s := Step{Propensity: math.NaN(), Public: in}
	setting, _ := env.(Setting)
	var out Arrivals
	if d := env.Dim(); d > 0 {
		in.X = make([]float64, d)
	}
	if in.X == nil && setting == nil && r.strata == nil && r.overrule == nil && r.bare() {
		return r.sprint(env, rounds, visit)
	}
	for t := int64(1); t <= rounds; t++ {
		if in.X != nil {
			env.Context(t, in.X)
		}
		if setting != nil {
			setting.Enter(t, in)
		}
		s.Round, s.Known, s.Arm = t, t, r.Next(in)
		if r.err != nil {
			return r.err
		}
		if r.m.random {
			s.Propensities = r.Propensities()
			s.Propensity = s.Propensities[s.Arm]
		}
		if r.overrule != nil {
			r.overrule(&s)
		}
		s.Released = r.seen(s.Released[:0])
		s.Reward = env.Reward(t, s.Arm)
		if setting != nil {
			s.Known = setting.Known(t)
		}
		r.await(&out, &s, rounds)
		if r.err != nil {
			return r.err
		}
		if err := visit(&s); err != nil {
			return err
		}
	}
	return nil
}

// bare reports whether a round is a choice without a draw, from sums that are
// seen at once.
func (r *run) bare() bool {
	return r.bank != nil && r.means == nil && r.weighing == nil && r.m.rows == 0 && r.floor == nil && r.changed == nil && r.shows == nil && !r.m.random
}

// sprint is bandit for such rounds with nothing public and rewards that are
// known at once: what Next and Add do then, without a look at what else a round
// might have.
func (r *Runner) sprint(env Environment, rounds int64, visit func(*Step) error) error {
	state, rewards := r.state, r.m.rewards
	s := Step{Propensity: math.NaN(), Public: &Round{}, Released: append([]float64(nil), state.Sums...)}
	for t := int64(1); t <= rounds; t++ {
		state.Round++
		arm := r.policy.Select(state)
		s.Released[s.Arm] = state.Sums[s.Arm] // all that the last round changed
		s.Reward = env.Reward(t, arm)
		s.Round, s.Known, s.Arm = t, t, arm
		y, ok := rewards.unit(s.Reward)
		if !ok {
			r.outside(arm)
			return r.err
		}
		sum, rows, err := r.bank.Add(arm, y)
		if err != nil {
			r.fail(fmt.Errorf("replay: round %d: %w", t, err))
			return r.err
		}
		state.Played[arm]++
		r.arrived[arm]++
		state.Sums[arm], state.Pulls[arm] = sum, rows
		r.policy.Observe(state, arm)
		if err := visit(&s); err != nil {
			return err
		}
	}
	return nil
}

// seen appends the released values that the policy chose by to dst.
func (r *run) seen(dst []float64) []float64 {
	switch {
	case r.vectors != nil:
		for _, v := range r.state.Vectors {
			dst = append(dst, v...)
		}
	case r.bank != nil:
		dst = append(dst, r.state.Sums...)
	}
	return dst
}

// await shows the run the reward of a round, or holds it, and then those that
// have become known after it, in the order in which they did and, among equals,
// of their rounds.
func (r *Runner) await(out *Arrivals, s *Step, rounds int64) {
	if s.Known <= s.Round && len(*out) == 0 {
		r.Add(s.Arm, s.Reward)
		return
	}
	r.Hold(s.Arm)
	if s.Known >= rounds {
		r.Forget(s.Round) // no decision will see it
	} else {
		out.Push(Arrival{Known: s.Known, Round: s.Round, Arm: s.Arm, Reward: s.Reward})
	}
	for a, ok := out.Pop(s.Round); ok; a, ok = out.Pop(s.Round) {
		r.Due(a.Round)
		r.Add(a.Arm, a.Reward)
	}
}
