package world

import (
	"banditaudit/replay"
	"banditaudit/schemas"
)

// updatePeriod is how many rounds lie between two updates of the declared policy; 1
// where it learns after each, 0 where it learns by batches and there are none.
func (s *Spec) updatePeriod() int64 {
	switch u := s.Protocol.Policy.Update; {
	case u == nil:
		return 1
	case u.Batch:
		return s.Batch
	default:
		return max(u.Every, 1)
	}
}

// checkUpdateFault refuses an update in the middle of a period that has none.
func (s *Spec) checkUpdateFault(f faulty) []error {
	if !f.has(ExtraUpdate) {
		return nil
	}
	if !s.learns() {
		return []error{faultf("fault", "%s: the policy %s never learns; declare one that does, such as ucb", ExtraUpdate, s.Protocol.Policy.Name)}
	}
	if n := s.updatePeriod(); n < 2 {
		return []error{faultf("fault", "%s: the policy learns after every round, so that there is no update period in whose middle it could learn once more; declare policy.update: {every: 50} (--set 'update={every: 50}'), or batches of at least 2 rounds (--batch 50)", ExtraUpdate)}
	}
	return nil
}

// deployed is the protocol of the bandit that plays: with extra-update it learns
// by batches, which halves number.
func (s *Spec) deployed() *schemas.Protocol {
	if !faulty(s.Faults).has(ExtraUpdate) {
		return s.Protocol
	}
	protocol, policy := *s.Protocol, *s.Protocol.Policy
	policy.Update = &schemas.Update{Batch: true}
	protocol.Policy = &policy
	return &protocol
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

func newHalves(env replay.Environment, n int64) *halves {
	h := &halves{Environment: env, n: n}
	h.stage, _ = env.(replay.Setting)
	return h
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

// Known is that of the stage; without one, rewards are known at once.
func (h *halves) Known(t int64) int64 {
	if h.stage == nil {
		return t
	}
	return h.stage.Known(t)
}
