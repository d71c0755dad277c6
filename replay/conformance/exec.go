package conformance

import (
	"errors"
	"slices"

	"banditaudit/replay/conformance/programreplay"
	"banditaudit/replay/program"
	"banditaudit/schemas"
)

// NotAllowed is the cause of a failure where no program may be run.
const NotAllowed = "not-allowed"

// byProgram is the evidence of a policy that is a program: what it answers.
func byProgram() evidence {
	return evidence{there: func(j *job) bool { return j.protocol.Program != nil }, pass: (*job).program}
}

// program is the replay of a log by the program that the protocol declares: mode exec.
func (j *job) program() (schemas.Conformance, error) {
	out := schemas.Conformance{Mode: schemas.ModeExec, Rounds: j.s.Rows()}
	p := j.protocol.Program
	record := &schemas.ProgramReplay{Argv: slices.Clone(p.Exec), Files: []schemas.ProgramFile{}, Gives: p.Gives}
	out.Program = record
	if j.declared.Programs == nil {
		record.Failure = &schemas.ProgramFailure{Cause: NotAllowed, Words: "was not run: running a program that a protocol names takes --allow-exec"}
		return out, nil
	}
	e := j.experiment()
	if j.sink != nil {
		e.Alone() // the transcript has every round once
	}
	held, err := j.interviewed(e, out)
	_, failed := errors.AsType[*program.Failure](err)
	if e.Alone() && j.ctx.Err() == nil && (failed || err == nil && !asDeclared(&held)) {
		held, err = j.interviewed(e, out)
	}
	record = held.Program
	failure, ok := errors.AsType[*program.Failure](err)
	switch {
	case j.ctx.Err() != nil:
		return out, j.ctx.Err()
	case ok:
		record.Failure, record.Again = failureOf(failure), nil
		out.Program = record
		return out, nil
	}
	return held, err
}

// experiment is the log as a program is asked about it.
func (j *job) experiment() *programreplay.Experiment {
	return &programreplay.Experiment{
		Context: j.ctx, Slice: j.s, Book: j.book, Protocol: j.protocol, Arms: j.arms, Programs: j.declared.Programs,
	}
}

// interviewed is what a program answers, held against the log; out is what is known before.
func (j *job) interviewed(e *programreplay.Experiment, out schemas.Conformance) (schemas.Conformance, error) {
	record := *out.Program
	record.Files = []schemas.ProgramFile{}
	out.Program = &record
	h, err := holding(j, &out)
	if err == nil {
		err = e.Run(&record, h.round)
	}
	if err == nil {
		h.result()
	}
	return out, err
}

// asDeclared reports whether nothing in the runs of a program stands against it: what does
// is looked at again where programs are shared.
func asDeclared(c *schemas.Conformance) bool {
	again := c.Program.Again
	return c.FirstMismatch == nil && (c.Propensities == nil || c.Propensities.FirstMismatch == nil) && (c.Law == nil || !c.Law.Allocation.Rejected) &&
		again != nil && again.Before == nil && (again.Later > 0 || again.Mirrored == nil || *again.Mirrored > 0)
}

func failureOf(f *program.Failure) *schemas.ProgramFailure {
	words, round := f.Lasting()
	out := &schemas.ProgramFailure{Cause: string(f.Cause), Words: words}
	if round > 0 {
		out.Round = new(round)
	}
	return out
}

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

// ProgramFailed words the failure of a program in err; "" where err has none.
func ProgramFailed(err error) string {
	if failure, ok := errors.AsType[*program.Failure](err); ok {
		words, _ := failure.Lasting()
		return "the program " + words
	}
	return ""
}
