package conformance

import (
	"banditaudit/schemas"
)

// answeredBy holds what a program answers against the log: actions where it gives them, and
// propensities against those that are logged, or where none are, by a wager against the
// actions.
type answeredBy struct {
	e   *execution
	out *schemas.Conformance
	c   *comparison // nil: propensities are not compared
	law *lawHeld    // nil: actions are not wagered on
}

// holding begins to hold answers against the log.
func (e *execution) holding(out *schemas.Conformance) (*answeredBy, error) {
	h := &answeredBy{e: e, out: out}
	if e.declared.Gives == schemas.GivesArm {
		return h, nil
	}
	if !e.s.HasPropensity() {
		if e.Draws(e.s) == DrawsByRound {
			k := e.s.Arms()
			h.law = &lawHeld{j: e.job, wager: newWager(k, false), spread: make([]float64, k)}
		}
		return h, nil
	}
	var err error
	if h.c, err = e.written(); err == nil {
		out.Propensities = &h.c.out
	}
	return h, err
}

// round takes the answer for a round.
func (h *answeredBy) round(l *logged, a answer) error {
	if !h.e.record.Forced && h.out.FirstMismatch != nil {
		return nil // its state is not that of the log any more
	}
	var bad *schemas.Mismatch
	arm := l.arm()
	compared := a.arm >= 0
	if compared && a.arm != arm {
		bad = &schemas.Mismatch{Round: l.round(), Logged: h.e.label(arm), Replayed: h.e.label(a.arm)}
	}
	switch {
	case a.p == nil:
	case h.c != nil:
		same := h.propensities(l, a.p)
		if !compared {
			h.out.Replayable++
			h.out.Matched += int64(b2i(same))
		}
	case h.law != nil:
		h.law.hold(l, a.p, a.p, a.p)
		compared = true
		if !(a.p[arm] > 0) && bad == nil {
			bad = h.law.cannot(l)
		}
	}
	if compared {
		counted(h.out, bad)
	}
	return h.e.write(l, a.arm, a.p)
}

// propensities compares the logged propensities of a round, and reports whether they are
// those that were answered.
func (h *answeredBy) propensities(l *logged, want []float64) bool {
	d := h.c.deviation(l, want)
	h.c.out.Rounds++
	if d.size > h.c.worst {
		h.c.worst, h.c.out.Worst = d.size, d.mismatch(h.e.job, l)
	}
	if d.beyond < 0 {
		h.c.out.Matched++
		return true
	}
	if h.c.out.FirstMismatch == nil {
		first := deviation{arm: d.beyond, logged: d.got, want: want[d.beyond]}
		h.c.out.FirstMismatch = first.mismatch(h.e.job, l)
	}
	return false
}

// result is what was found.
func (h *answeredBy) result() {
	if h.law != nil {
		h.out.Law = h.law.result()
	}
}
