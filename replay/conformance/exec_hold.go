package conformance

import (
	"banditaudit/replay/conformance/programreplay"
	"banditaudit/schemas"
)

// answeredBy holds what a program answers against the log: actions where it gives them, and
// propensities against those that are logged, or where none are, by a wager against the
// actions.
type answeredBy struct {
	j   *job
	l   *logged
	out *schemas.Conformance
	c   *comparison // nil: propensities are not compared
	law *lawHeld    // nil: actions are not wagered on
}

// holding begins to hold answers against the log.
func holding(j *job, out *schemas.Conformance) (*answeredBy, error) {
	h := &answeredBy{j: j, l: &logged{s: j.s, index: -1, before: -1}, out: out}
	if !j.protocol.Program.AnswersPropensities() {
		return h, nil
	}
	if !j.s.HasPropensity() {
		if j.declared.Draws(j.s) == DrawsByRound {
			h.law = newLawHeld(j, j.wagering(j.s.Arms(), false))
		}
		return h, nil
	}
	var err error
	if h.c, err = j.written(); err == nil {
		out.Propensities = &h.c.out
	}
	return h, err
}

// round takes the answer for a row of chunk i.
func (h *answeredBy) round(i, row int, a programreplay.Answer) error {
	l := h.l
	if i != l.index {
		l.index, l.chunk = i, l.s.Chunk(i)
	}
	l.row = row
	if !h.out.Program.Forced && h.out.FirstMismatch != nil {
		return nil // its state has left the log's
	}
	var bad *schemas.Mismatch
	arm := l.arm()
	compared := a.Arm >= 0
	if compared && a.Arm != arm {
		bad = &schemas.Mismatch{Round: l.round(), Logged: h.j.label(arm), Replayed: h.j.label(a.Arm)}
	}
	switch {
	case a.P == nil:
	case h.c != nil:
		same := h.propensities(l, a.P)
		if !compared {
			h.out.Replayable++
			h.out.Matched += int64(b2i(same))
		}
	case h.law != nil:
		h.law.hold(l, a.P, a.P, a.P)
		compared = true
		if !(a.P[arm] > 0) && bad == nil {
			bad = h.law.cannot(l)
		}
	}
	if compared {
		counted(h.out, bad)
	}
	return h.j.write(l, a.Arm, a.P)
}

// propensities compares the logged propensities of a round, and reports whether they are
// those that were answered.
func (h *answeredBy) propensities(l *logged, want []float64) bool {
	d := h.c.deviation(l, want)
	h.c.out.Rounds++
	if d.size > h.c.worst {
		h.c.worst, h.c.out.Worst = d.size, d.mismatch(h.j, l)
	}
	if d.beyond < 0 {
		h.c.out.Matched++
		return true
	}
	if h.c.out.FirstMismatch == nil {
		first := deviation{arm: d.beyond, logged: d.got, want: want[d.beyond]}
		h.c.out.FirstMismatch = first.mismatch(h.j, l)
	}
	return false
}

// result is what was found.
func (h *answeredBy) result() {
	if h.law != nil {
		h.out.Law = h.law.result()
	}
}
