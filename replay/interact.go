package replay

// Tab is a full bandit tableau (D, C), fixed before the interaction begins:
// every arm's reward in every round, and the contexts.
type Tab struct {
	Rewards  [][]float64 // D, T×K; D[t−1][i] is what arm i earns in round t
	Contexts [][]float64 // C, T×d; nil when there are none
}

func (d *Tab) round(t int64) *Round {
	if d.Contexts == nil {
		return nil
	}
	return &Round{X: d.Contexts[t-1]}
}

// Interact is algorithm Interact of Neel and Roth (2018, section 2.3): in each
// round the algorithm is shown the context, plays i_t, and is then shown the
// reward D_{t,i_t}. It returns the action history (i_1, …, i_T) and the first
// error of the run.
func (m *Mechanism) Interact(master [32]byte, experiment string, tab *Tab) ([]int, error) {
	return m.NewRunner(master, experiment).interact(tab)
}

func (r *Runner) interact(tab *Tab) ([]int, error) {
	actions := make([]int, 0, len(tab.Rewards))
	for t := int64(1); t <= int64(len(tab.Rewards)); t++ {
		arm := r.Next(tab.round(t))
		actions = append(actions, arm)
		r.Add(arm, tab.Rewards[t-1][arm])
	}
	return actions, r.err
}
