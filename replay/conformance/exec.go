package conformance

import (
	"errors"
	"slices"

	"banditaudit/replay/conformance/interview"
	"banditaudit/replay/program"
	"banditaudit/schemas"
)

// notAllowed is the cause where no program may be run.
const notAllowed = "not-allowed"

// program is the replay of a log by the program that the protocol declares: mode exec.
func (j *job) program() (schemas.Conformance, error) {
	out := schemas.Conformance{Mode: schemas.ModeExec, Rounds: j.s.Rows()}
	p := j.Protocol.Program
	record := &schemas.ProgramReplay{Argv: slices.Clone(p.Exec), Files: []schemas.ProgramFile{}, Gives: p.Gives}
	out.Program = record
	if j.Programs == nil {
		record.Failure = &schemas.ProgramFailure{Cause: notAllowed, Words: "was not run: running a program that a protocol names takes --allow-exec"}
		return out, nil
	}
	held := out // what was found goes with a program that fails
	h, err := holding(j, &held)
	if err == nil {
		e := &interview.Experiment{Context: j.ctx, Slice: j.s, Book: j.book, Protocol: j.Protocol, Arms: j.Arms, Programs: j.Programs}
		err = e.Run(record, h.round)
	}
	failure, ok := errors.AsType[*program.Failure](err)
	switch {
	case j.ctx.Err() != nil:
		return out, j.ctx.Err()
	case ok:
		record.Failure, record.Again = failureOf(failure), nil
		return out, nil
	}
	h.result()
	return held, err
}

func failureOf(f *program.Failure) *schemas.ProgramFailure {
	out := &schemas.ProgramFailure{Cause: string(f.Cause), Words: f.Words()}
	if f.Round > 0 {
		out.Round = new(f.Round)
	}
	return out
}
