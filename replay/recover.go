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

// InRelease returns how many rows are in what each arm's counter had released
// when the policy last learned. Where that is what it was, nothing has been
// released since. The slice is only read, and only until the next call of Next
// or Add.
func (r *Runner) InRelease() []int64 { return r.state.Pulls }
