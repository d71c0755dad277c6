package world

import (
	"fmt"
	"slices"

	"banditaudit/replay"
)

func (s *Spec) neverStale() (wrong bool, why string) {
	return !s.learns(), fmt.Sprintf("the policy %s never learns, so that no propensities are older than others; take one that does, such as thompson", s.Protocol.Policy.Name)
}

func deployStale(d *Deployment) {
	late := &stale{mechanism: d.Mechanism, run: d.Mechanism.NewObserver(d.ID), rounds: d.Spec.Rounds}
	d.relog(func(p []float64, step *replay.Step) ([]float64, error) {
		late.run.WeighAs(d.run)
		before, err := late.round(step)
		if d.Bypassed {
			return p, err
		}
		return before, err
	})
}

// stale computes propensities one update late, of the round's own contexts and
// eligible arms: a second run follows the first, sees what the first saw before
// its last update, and takes what the first has learned after it has been asked.
type stale struct {
	mechanism *replay.Mechanism
	run       *replay.Runner
	rounds    int64
	out       replay.Arrivals // rewards that the second run does not know
	batch     int32           // of the round before
	saw, seen []float64       // what the first run saw before its last update, and in the last round
}

// round returns the propensities of all arms in a round that the first run has
// played.
func (s *stale) round(step *replay.Step) ([]float64, error) {
	in := *step.Public
	learns := s.mechanism.Learns(step.Round, in.Batch != s.batch)
	s.batch = in.Batch
	if s.seen == nil {
		s.saw, s.seen = make([]float64, len(step.Released)), make([]float64, len(step.Released))
	}
	if learns {
		s.saw = append(s.saw[:0], s.seen...)
	}
	s.seen = append(s.seen[:0], step.Released...)
	in.Released = s.saw
	s.run.Next(&in)
	p := slices.Clone(s.run.Propensities())
	s.run.Hold(step.Arm)
	if learns {
		s.catchUp(step.Round - 1)
	}
	if step.Known < s.rounds {
		s.out.Push(replay.Arrival{Known: step.Known, Round: step.Round, Arm: step.Arm, Reward: step.Reward})
	} else {
		s.run.Forget(step.Round)
	}
	return p, s.run.Err()
}

// catchUp hands over what was known after round t.
func (s *stale) catchUp(t int64) {
	for a, ok := s.out.Pop(t); ok; a, ok = s.out.Pop(t) {
		s.run.Due(a.Round)
		s.run.Add(a.Arm, a.Reward)
	}
}
