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
	e := &programreplay.Experiment{Context: j.ctx, Slice: j.s, Book: j.book, Protocol: j.protocol, Arms: j.arms, Programs: j.declared.Programs}
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
