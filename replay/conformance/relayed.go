package conformance

import (
	"errors"

	"banditaudit/replay"
)

// relayed is a second walk along a log, with a run whose counters draw their noise before
// the run of the first asks for what they release. nil is none.
type relayed struct {
	j      *job
	teller *replay.Runner
	relay  *replay.Relay
}

// halves starts the run of a replay with a master seed: in two halves where vectors have noise
// and there may be another run, unless one goes before already (see forecast).
func (j *job) halves(master [32]byte, alone bool) (*replay.Runner, *relayed) {
	m := j.Mechanism
	if alone || !m.Linear() || !m.Noisy() || !j.another() {
		return m.NewRunner(master, j.s.ID()), nil
	}
	run, teller, relay := m.NewRelayed(master, j.s.ID())
	return run, &relayed{j, teller, relay}
}

// beside runs compare, a walk with l, with the second walk beside it. The second fails where
// the first does, or is interrupted sooner: then the first had nobody to follow.
func (r *relayed) beside(l *logged, compare func() error) error {
	if r == nil {
		return compare()
	}
	own := r.j.shell()
	own.run, own.feed = r.teller, l.feed.To(r.teller)
	var before error
	err := r.j.s.Together(r.j.Jobs, func() error {
		defer r.relay.Over()
		return compare()
	}, func() error {
		defer r.relay.End()
		before = going(own.through(r.j, true, func() error { return nil }))
		return before
	})
	if errors.Is(err, replay.ErrOver) && before != nil {
		return before
	}
	return err
}
