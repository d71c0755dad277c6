package replay

import "banditaudit/replay/counter"

// Recover returns what tells the draws of one stream of the declared counter
// apart: of an arm's sums, or of one coordinate of its vectors. It is nil where
// the policy reads no rewards, or the counter adds no noise.
func (m *Mechanism) Recover() counter.Recovery {
	if m.counter == nil || !m.noisy {
		return nil
	}
	return m.counter.Recover()
}

// Noise returns the multiset of Laplace scales that the declared counter adds to
// a sum of n rows, or to each coordinate of one; nil where it adds none.
func (m *Mechanism) Noise(n int64) []counter.Noise {
	if m.counter == nil {
		return nil
	}
	return m.counter.Noise(n)
}

// Grid returns the step of the lattice that released sums lie on, of rewards
// rescaled to [0,1]; 0 where there is none.
func (m *Mechanism) Grid() float64 {
	if c, ok := m.counter.(interface{ Grid() float64 }); ok {
		return c.Grid()
	}
	return 0
}

// InRelease returns how many rows are in what each arm's counter had released
// when the policy last learned. Where that is what it was, nothing has been
// released since. The slice is only read, and only until the next call of Next
// or Add.
func (r *run) InRelease() []int64 { return r.state.Pulls }

// Known returns how many rows have arrived at each arm's stream by the round
// that Next entered, whether or not the policy has learned of them. The slice is
// only read, and only until the next call of Next or Add.
func (r *run) Known() []int64 { return r.arrived }
