package conformance

import (
	"context"
	"encoding/hex"
	"errors"
	"slices"

	"banditaudit/ingest/tableau"
	"banditaudit/replay/program"
	"banditaudit/schemas"
)

// Programs says how a policy that is a program is run. Whoever makes one has been allowed to.
type Programs struct {
	Dir    string                                 // of the protocol: files of the program are below it
	Lookup func(name string) (string, bool)       // of the environment
	Said   func(experiment, failure, last string) // told of a program that failed, and the end of what it wrote to its standard error; nil: nobody
	// Start runs a program. nil: program.Start.
	Start func(ctx context.Context, c program.Command) (Running, error)
}

// Running is a program that runs.
type Running interface {
	program.Exchanger
	Close(last []byte) error
	Stderr() string
}

// purposeExec is what the rewards are booked for that a program is handed.
const purposeExec = "replay:exec"

// notAllowed is the cause where no program may be run.
const notAllowed = "not-allowed"

// execution is the replay of one experiment by a program.
type execution struct {
	*job

	declared *schemas.Policy
	command  program.Command
	record   *schemas.ProgramReplay
	rewards  *tableau.Rewards // nil: none are handed over
	first    *answers         // those of the first run
}

// program is the replay of a log by the program that the protocol declares: mode exec.
func (j *job) program() (schemas.Conformance, error) {
	out := schemas.Conformance{Mode: schemas.ModeExec, Rounds: j.s.Rows()}
	e := &execution{job: j, declared: j.Protocol.Program}
	e.record = &schemas.ProgramReplay{Argv: slices.Clone(e.declared.Exec), Files: []schemas.ProgramFile{}, Gives: e.declared.Gives}
	out.Program = e.record
	if j.Programs == nil {
		e.record.Failure = &schemas.ProgramFailure{Cause: notAllowed, Words: "was not run: running a program that a protocol names takes --allow-exec"}
		return out, nil
	}
	held := &out
	err := e.run(held)
	failure, ok := errors.AsType[*program.Failure](err)
	switch {
	case j.ctx.Err() != nil:
		return out, j.ctx.Err()
	case ok:
		out = schemas.Conformance{Mode: out.Mode, Rounds: out.Rounds, Program: e.record}
		e.record.Failure, e.record.Again = failureOf(failure), nil
		return out, nil
	}
	return out, err
}

func failureOf(f *program.Failure) *schemas.ProgramFailure {
	out := &schemas.ProgramFailure{Cause: string(f.Cause), Words: f.Words()}
	if f.Round > 0 {
		out.Round = new(f.Round)
	}
	return out
}

// run does all runs and compares.
func (e *execution) run(out *schemas.Conformance) error {
	if err := e.prepare(); err != nil {
		return err
	}
	h, err := e.holding(out)
	if err != nil {
		return err
	}
	e.first = &answers{most: min(e.s.Rows(), mostAgain)}
	err = e.play(&showing{rows: e.s.Rows(), visit: func(l *logged, a answer) error {
		e.first.add(a)
		return h.round(l, a)
	}})
	if err != nil {
		return err
	}
	h.result()
	return e.again()
}

// prepare finds the program's files and opens the rewards.
func (e *execution) prepare() error {
	p := e.declared
	argv, files, err := program.Resolve(e.Programs.Dir, p.Exec, p.SHA256)
	if err != nil {
		return err
	}
	for _, f := range files {
		e.record.Files = append(e.record.Files, schemas.ProgramFile{Name: f.Name, SHA256: f.SHA256})
	}
	e.command = program.Command{
		Argv: argv, Env: program.Environment(e.Programs.Lookup, p.ExecEnv),
		Timeout: p.AnswerWithin(), First: max(p.AnswerWithin(), schemas.DefaultFirstTimeout), Memory: p.MemoryBytes(),
	}
	if !p.Reads() {
		return nil
	}
	columns := []string{tableau.Arm}
	if e.s.HasPropensity() {
		columns = append(columns, tableau.Propensity)
	}
	e.record.Purpose = purposeExec + " " + p.Exec[0]
	e.rewards, err = e.s.Disclose(e.book, e.record.Purpose, columns...)
	return err
}

// begin starts the program and tells it of the experiment.
func (e *execution) begin() (Running, *program.Session, error) {
	start := e.Programs.Start
	if start == nil {
		start = func(ctx context.Context, c program.Command) (Running, error) { return program.Start(ctx, c) }
	}
	run, err := start(e.ctx, e.command)
	if err != nil {
		return nil, nil, err
	}
	s, ready, err := program.Begin(run, e.opening())
	if err != nil {
		return run, nil, err
	}
	e.record.Program, e.record.Version, e.record.Forced = ready.Program, ready.Version, ready.Forced
	return run, s, nil
}

// opening is what the program is told before the first round.
func (e *execution) opening() program.Opening {
	p := e.declared
	schema := e.s.Schema()
	out := program.Opening{
		Experiment: e.s.ID(), Arms: e.Arms, Reward: program.Range{Range: e.Protocol.Reward.Range}, Rounds: e.s.Rows(),
		ByArm: schema.ContextByArm, Batches: schema.Batch, ReadsRewards: e.rewards != nil, Update: p.Update, Want: e.want(), Parameters: p.Parameters,
	}
	if out.Parameters == nil {
		out.Parameters = map[string]any{}
	}
	for _, c := range e.Protocol.Log.Context.Columns {
		out.Context = append(out.Context, c.Column)
	}
	if len(out.Context) == 0 {
		out.ContextWidth = schema.ContextDim
	}
	if p.Seed != nil {
		out.Seed = hex.EncodeToString(p.Seed.Bytes)
	}
	return out
}

// want is what the program is asked for.
func (e *execution) want() []string {
	switch e.declared.Gives {
	case schemas.GivesPropensities:
		return []string{program.WantPropensities}
	case schemas.GivesBoth:
		return []string{program.WantArm, program.WantPropensities}
	}
	return []string{program.WantArm}
}
