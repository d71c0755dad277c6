package replay

// Dataset is a tableau that queries are asked of.
type Dataset interface {
	// Rounds returns T.
	Rounds() int64
	// Round returns what is public before the choice of round t, valid until the
	// next call; nil when there is nothing.
	Round(t int64) *Round
	// Reveal says that arm joined the history in round t, and hands to the run
	// that asks the rewards that became known after it: D_{t,arm}, where rewards
	// are known at once.
	Reveal(t int64, arm int) error
}

// InteractQuery is algorithm InteractQuery of Neel and Roth (2018, section
// 2.3). The tableau D is fixed in advance; action i_t is the answer to the
// query
//
//	q_t(D) = f_t(Λ_{t−1}(D)),
//
// where Λ_{t−1}(D) are the rewards of D along the action history. The row of a
// round is read when the next query needs it, so the last row is never read.
//
// played makes the history: it is told the answer to q_t and returns the arm
// that joins the history. When played is nil the answers do (free mode); when
// it returns the logged actions the run is teacher-forced. visit is called for
// every round, before played, with the answer.
//
// It returns the first error of the dataset, of visit, or of the run.
func (r *Runner) InteractQuery(d Dataset, played func(t int64, answer int) int, visit func(t int64, answer int) error) error {
	last := 0
	for t := int64(1); t <= d.Rounds(); t++ {
		answer, err := r.Ask(d, t, last)
		if err != nil {
			return err
		}
		if err = visit(t, answer); err != nil {
			return err
		}
		last = answer
		if played != nil {
			last = played(t, answer)
		}
	}
	return nil
}

// Ask is one round of InteractQuery: it reveals that arm last joined the history in
// round t − 1, enters round t, and returns the answer to q_t. Rounds are asked for in
// order, from 1; before the first there is no last. It returns the first error of the
// dataset, or of the run.
func (r *Runner) Ask(d Dataset, t int64, last int) (answer int, err error) {
	if t > 1 {
		if err = d.Reveal(t-1, last); err != nil {
			return 0, err
		}
	}
	if r.err != nil {
		return 0, r.err
	}
	answer = r.Next(d.Round(t))
	return answer, r.err
}

// InteractQuery runs the mechanism freely on a full tableau and returns the
// action history (i_1, …, i_T).
func (m *Mechanism) InteractQuery(master [32]byte, experiment string, tab *Tab) ([]int, error) {
	return m.NewRunner(master, experiment).queryTab(tab)
}

func (r *Runner) queryTab(tab *Tab) ([]int, error) {
	actions := make([]int, 0, len(tab.Rewards))
	err := r.InteractQuery(fullTableau{tab, r}, nil, func(_ int64, answer int) error {
		actions = append(actions, answer)
		return nil
	})
	return actions, err
}

// fullTableau is a Tab that reveals to one run.
type fullTableau struct {
	tab *Tab
	run *Runner
}

var _ Dataset = fullTableau{}

// Rounds returns T.
func (f fullTableau) Rounds() int64 { return int64(len(f.tab.Rewards)) }

// Round returns x_t.
func (f fullTableau) Round(t int64) *Round { return f.tab.round(t) }

// Reveal hands D_{t,arm} to the run.
func (f fullTableau) Reveal(t int64, arm int) error {
	f.run.Add(arm, f.tab.Rewards[t-1][arm])
	return f.run.err
}

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
