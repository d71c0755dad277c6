package conformance

import (
	"slices"

	"banditaudit/replay/draws"
)

// mostStarts bounds the updates by which shares are scored, and mostWindow the
// rounds in which these are.
const (
	mostStarts = 1024
	mostWindow = 200_000
)

// starts are the rows in which shares are new. What a hypothesis says of them there
// does not depend on them; of later rounds it may, since their arms were drawn by
// these shares.
func (e *estimated) starts() []int64 {
	rows := e.shares.Starts(mostStarts)
	end, _ := slices.BinarySearch(rows, mostWindow)
	return rows[:end]
}

// lean scores how shares of draws lean to a hypothesis.
type lean struct{ score draws.Score }

// add takes up a row; nothing where its shares are not new.
func (s *lean) add(o *tried, want []float64) {
	if !o.shares {
		return
	}
	rest := 1 - float64(float64(o.arms())*o.floor)
	undone := func(from []float64) []float64 {
		out := make([]float64, len(from))
		for a, v := range from {
			if o.can(a) {
				out[a] = max(0, v-o.floor) / rest
			}
		}
		return out
	}
	if rest > 1e-9 {
		s.score.Add(undone(o.byArm), undone(o.want), undone(want), o.draws, o.low)
	}
}

// lean keeps how the shares lean to what was tried without a fitted number.
func (e *explainer) lean(late *stale, cadences []cadence, priors []*guess) {
	add := func(words, settles string, t *tally) {
		if t.rows > 0 {
			e.leans = append(e.leans, leaning{words, settles, &t.lean.score})
		}
	}
	if late != nil {
		add("the propensities before the last update", "", &late.tally)
	}
	add("the propensities of the round before", "", &e.earlier)
	for _, c := range cadences {
		add(c.words, c.settles, &c.tally)
	}
	for _, g := range priors {
		is := priorWords(g.prior)
		add("the prior "+is, "policy.prior: "+is, &g.tally)
	}
}

// decide comes to a verdict on shares, trying other laws where a known number of
// draws does not settle it.
func (e *estimated) decide(master [32]byte) error {
	if err := e.test(); err != nil {
		return err
	}
	if !e.settled() {
		var err error
		if e.scores, err = e.tryOthers(e.job, master, e); err != nil {
			return err
		}
	}
	e.judge()
	e.finish()
	return nil
}
