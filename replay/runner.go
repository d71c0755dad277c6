package replay

import (
	"fmt"
	"math/rand/v2"

	"banditaudit/replay/counter"
	"banditaudit/replay/policy"
)

// Runner is one run of a mechanism: the algorithm 𝒜 of Neel and Roth (2018).
// Each round calls Next once and then Add with the action that was played and
// its reward. A Runner is not safe for concurrent use.
type Runner struct {
	m      *Mechanism
	policy policy.Policy
	bank   counter.Bank // nil when the policy reads no rewards
	state  *policy.State
	probs  []float64
	err    error
}

// NewRunner starts a run of an experiment: the policy draws from its stream
// and each arm's counter from its own, all made from the master seed. A
// deterministic mechanism draws nothing, and any master will do.
func (m *Mechanism) NewRunner(master [32]byte, experiment string) *Runner {
	var noise []rand.Source
	if m.counter != nil {
		noise = make([]rand.Source, m.arms)
	}
	for i := range noise {
		noise[i] = Stream(master, PurposeCounter, experiment, i)
	}
	return m.newRunner(Stream(master, PurposePolicy, experiment, NoArm), noise)
}

func (m *Mechanism) newRunner(choices rand.Source, noise []rand.Source) *Runner {
	r := &Runner{m: m, policy: m.policy(choices), state: policy.NewState(m.arms), probs: make([]float64, m.arms)}
	r.state.Round = 0
	if m.counter != nil {
		r.bank = m.counter.Bank(noise)
	}
	return r
}

// Next enters the next round and returns the arm i_t = f_t(Λ_{t−1}) that the
// policy plays in it. x is the round's context, nil when there is none; it is
// only read until the next call.
func (r *Runner) Next(x []float64) int {
	r.state.Round++
	r.state.X = x
	return r.policy.Select(r.state)
}

// Propensity returns the probability with which the policy plays arm in the
// round that Next entered, given what it has seen. It is called between Next
// and Add. For a policy that is not Random it is 1 or 0.
//
// Special cases are:
//
//	an arm that does not exist has probability 0
func (r *Runner) Propensity(arm int) float64 {
	if arm < 0 || arm >= len(r.probs) {
		return 0
	}
	return r.Propensities()[arm]
}

// Propensities returns what Propensity returns, of every arm; the slice is used
// again by the next call.
func (r *Runner) Propensities() []float64 {
	r.policy.Propensities(r.state, r.probs)
	return r.probs
}

// Add shows the run the reward of the round that Next entered: arm was played
// and earned reward, in the units of the protocol's range. Where the policy
// reads no rewards the value is not looked at.
//
// A reward that is NaN or outside the range (and not to be clipped), an arm
// that does not exist and an abort of the noise sampler leave an error in Err,
// and the run does nothing from then on.
func (r *Runner) Add(arm int, reward float64) {
	switch {
	case r.err != nil:
	case arm < 0 || arm >= r.m.arms:
		r.err = fmt.Errorf("replay: round %d: arm %d is not among the %d declared arms; declare it", r.state.Round, arm, r.m.arms)
	default:
		r.state.Pulls[arm]++
		if r.bank != nil {
			r.feed(arm, reward)
		}
	}
}

// feed gives the reward to the arm's counter and its release to the policy.
func (r *Runner) feed(arm int, reward float64) {
	y, ok := r.m.rewards.unit(reward)
	if !ok {
		r.err = fmt.Errorf("replay: round %d, arm %d: the reward is NaN or outside [%g, %g]; widen reward.range or declare out_of_range: clip",
			r.state.Round, arm, r.m.rewards.lo, r.m.rewards.hi)
		return
	}
	sum, err := r.bank.Add(arm, y)
	if err != nil {
		r.err = fmt.Errorf("replay: round %d: %w", r.state.Round, err)
		return
	}
	r.state.Sums[arm] = sum
	r.policy.Observe(r.state, arm)
}

// Err returns the first error of the run, nil while there is none.
func (r *Runner) Err() error { return r.err }

// Released returns the sum that arm's counter last released, for rewards
// rescaled to [0,1]; 0 before the first.
func (r *Runner) Released(arm int) float64 { return r.state.Sums[arm] }
