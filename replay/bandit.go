package replay

import "math"

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

// Step is one round of a run.
type Step struct {
	Round      int64 // t, 1-based
	Arm        int   // i_t, 0-based
	Reward     float64
	Propensity float64   // P(i_t | what the policy had seen); NaN when the mechanism is not Random
	X          []float64 // context; nil when there is none
}

// Bandit is algorithm Bandit of Neel and Roth (2018, section 2.3): in each
// round i_t = f_t(Λ_{t−1}) is played, then y_{i_t,t} is drawn from the
// environment, and (i_t, y) joins the history Λ_t. visit is called once per
// round, in order, with a Step that is reused; what it returns stops the run.
//
// It returns the first error of visit or of the run (see Runner.Add).
func (m *Mechanism) Bandit(master [32]byte, experiment string, env Environment, rounds int64, visit func(*Step) error) error {
	return m.NewRunner(master, experiment).bandit(env, rounds, visit)
}

func (r *Runner) bandit(env Environment, rounds int64, visit func(*Step) error) error {
	s := Step{Propensity: math.NaN()}
	if d := env.Dim(); d > 0 {
		s.X = make([]float64, d)
	}
	for t := int64(1); t <= rounds; t++ {
		if s.X != nil {
			env.Context(t, s.X)
		}
		s.Round, s.Arm = t, r.Next(s.X)
		if r.m.random {
			s.Propensity = r.Propensity(s.Arm)
		}
		s.Reward = env.Reward(t, s.Arm)
		r.Add(s.Arm, s.Reward)
		if r.err != nil {
			return r.err
		}
		if err := visit(&s); err != nil {
			return err
		}
	}
	return nil
}
