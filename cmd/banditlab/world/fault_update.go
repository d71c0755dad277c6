package world

import (
	"fmt"

	"banditaudit/ingest/logfile"
	"banditaudit/replay"
	"banditaudit/schemas"
)

// updatePeriod is how many rounds lie between two updates of the declared policy; 1
// where it learns after each, 0 where it learns by batches and there are none.
func (s *Spec) updatePeriod() int64 {
	u := orZero(s.Protocol.Policy.Update)
	if u.Batch {
		return s.Batch
	}
	return max(u.Every, 1)
}

// faultsOfLearning lists the faults by which a policy learns at other times.
func faultsOfLearning() []Fault {
	return []Fault{{
		Name: "extra-update", Doc: "the policy also learns in the middle of each update period",
		Check: (*Spec).lacksPeriods, Deploy: deployHalves,
		Policy: func(p *schemas.Policy) { p.Update = &schemas.Update{Batch: true} },
	}}
}

// lacksPeriods refuses an update in the middle of a period that has none.
func (s *Spec) lacksPeriods() (wrong bool, why string) {
	if !s.learns() {
		return true, fmt.Sprintf("the policy %s never learns; declare one that does, such as ucb", s.Protocol.Policy.Name)
	}
	return s.updatePeriod() < 2, "the policy learns after every round, so that there is no update period in whose middle it could learn once more; declare policy.update: {every: 50} (--set 'update={every: 50}'), or batches of at least 2 rounds (--batch 50)"
}

// halves is a stage on which batches are halves of update periods: a policy
// that learns by batches learns after round ⌊n/2⌋ of every n, too.
type halves struct {
	replay.Environment

	stage replay.Setting // nil: there is nothing on it
	n     int64
	batch int32 // that is logged
}

var _ replay.Setting = (*halves)(nil)

func deployHalves(d *Deployment) {
	h := &halves{Environment: d.Stage, n: d.Spec.updatePeriod()}
	h.stage, _ = d.Stage.(replay.Setting)
	d.Stage = h
	d.Report = append(d.Report, func(row *logfile.Row, _ *replay.Step) error {
		row.Batch = int64(h.batch)
		return nil
	})
}

// Enter numbers the halves. Only whether a number differs from the one before
// matters, so that they may begin again.
func (h *halves) Enter(t int64, in *replay.Round) {
	if h.stage != nil {
		h.stage.Enter(t, in)
		h.batch = in.Batch
	}
	whole, rest := (t-1)/h.n, (t-1)%h.n
	half := whole * 2
	if rest >= h.n/2 {
		half++
	}
	in.Batch = int32(half & 0x3fffffff)
}

// Known returns when the reward of round t becomes known on the stage; without one, at once.
func (h *halves) Known(t int64) int64 {
	if h.stage == nil {
		return t
	}
	return h.stage.Known(t)
}
