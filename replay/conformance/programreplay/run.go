package programreplay

import (
	"cmp"
	"context"
	"encoding/hex"

	"banditaudit/ingest/tableau"
	"banditaudit/replay/program"
	"banditaudit/schemas"
)

// Programs says how a policy that is a program is run. Whoever makes one has been allowed to.
type Programs struct {
	Dir    string                                 // of the protocol: files of the program are below it
	Lookup func(name string) (string, bool)       // of the environment
	Said   func(experiment, failure, last string) // told of a program that failed, and the end of what it wrote to its standard error; nil: nobody
	// Scratch is where programs have their directories; "" for the system's place.
	Scratch string
	// Start runs a program. nil: program.Start.
	Start func(ctx context.Context, c program.Command) (program.Running, error)

	shared *shared // nil: every run has a process of its own
}

// Experiment is a logged experiment of which a program is asked what it plays.
type Experiment struct {
	Context  context.Context //nolint:containedctx // an Experiment is one call of Run
	Slice    *tableau.Slice
	Book     tableau.Book
	Protocol *schemas.Protocol // Required: it declares a program.
	Arms     []string          // labels in index order
	Programs *Programs         // Required.
	Purpose  string            // what rewards are booked for; the program is named behind it. Defaults to the replay.

	alone   bool // no program is shared any more
	command program.Command
	files   []program.File
	rewards *tableau.Rewards // nil: none are handed over
}

// Alone has the next Run use processes of the experiment's own, and reports whether the one
// before may have shared them.
func (e *Experiment) Alone() bool {
	before := e.alone || e.Programs.shared == nil
	e.alone = true
	return !before
}

// purposeExec is what the rewards are booked for that a program is handed in a replay.
const purposeExec = "replay:exec"

// execution is the replay of one experiment by a program.
type execution struct {
	*Experiment

	declared *schemas.Policy
	record   *schemas.ProgramReplay
	first    *answers  // the answers of the first run
	x        []float64 // memory: the context of a round
}

// Run asks the program in every round of the log, and tells visit of what it answers: i is
// the chunk, and row a row of it. Then it runs the program again, with other rewards (see
// ProgramAgain). Record is filled in as far as the runs come; what a program does wrong is
// a *program.Failure. Rewards are booked before the first is read. Other errors are those
// of the book, of the tableau, of visit and of Context.
func (e *Experiment) Run(record *schemas.ProgramReplay, visit func(i, row int, a Answer) error) error {
	x := &execution{Experiment: e, declared: e.Protocol.Program, record: record}
	if err := x.prepare(); err != nil {
		return err
	}
	x.first = &answers{most: min(e.Slice.Rows(), mostAgain)}
	err := x.play(&showing{run: firstRun, rows: e.Slice.Rows(), visit: func(p *played, a Answer) error {
		x.first.add(a)
		return visit(p.index, p.row, a)
	}})
	if err != nil {
		return err
	}
	return x.again()
}

// Answers asks a process of the experiment's own in every round of the log, and tells visit
// of what it answers, as Run does, until visit returns ErrEnough; it is not run again with
// other rewards. It returns the same errors as Run.
func (e *Experiment) Answers(visit func(i, row int, a Answer) error) error {
	e.alone = true
	x := &execution{Experiment: e, declared: e.Protocol.Program, record: &schemas.ProgramReplay{}}
	if err := x.prepare(); err != nil {
		return err
	}
	return x.play(&showing{run: firstRun, rows: e.Slice.Rows(), visit: func(p *played, a Answer) error { return visit(p.index, p.row, a) }})
}

// purpose is what the rewards are booked for that the program is handed.
func (e *execution) purpose() string {
	return cmp.Or(e.Purpose, purposeExec) + " " + e.declared.Exec[0]
}

// prepare finds the program's files and opens the rewards.
func (e *execution) prepare() error {
	if e.files == nil {
		if err := e.open(); err != nil {
			return err
		}
	}
	for _, f := range e.files {
		e.record.Files = append(e.record.Files, schemas.ProgramFile{Name: f.Name, SHA256: f.SHA256})
	}
	if e.declared.Reads() {
		e.record.Purpose = e.purpose()
	}
	return nil
}

// resolve finds the files, and says what is run.
func (e *execution) resolve() error {
	p := e.declared
	argv, files, err := program.Resolve(e.Programs.Dir, p.Exec, p.SHA256)
	if err != nil {
		return err
	}
	e.files = append([]program.File{}, files...)
	e.command = program.Command{
		Argv: argv, Env: program.Environment(e.Programs.Lookup, p.ExecEnv),
		Scratch: e.Programs.Scratch, Timeout: p.AnswerWithin(), First: p.FirstWithin(), Memory: p.MemoryBytes(),
	}
	return nil
}

// open finds the files and opens the rewards, once for all runs.
func (e *execution) open() error {
	p := e.declared
	if err := e.resolve(); err != nil || !p.Reads() {
		return err
	}
	columns := []string{tableau.Arm}
	if e.Slice.HasPropensity() {
		columns = append(columns, tableau.Propensity)
	}
	var err error
	e.rewards, err = e.Slice.Disclose(e.Book, e.purpose(), columns...)
	return err
}

// start starts the program.
func (e *execution) start(ctx context.Context) (program.Running, error) {
	if e.Programs.Start != nil {
		return e.Programs.Start(ctx, e.command)
	}
	return program.Start(ctx, e.command)
}

// begin tells a program of the experiment: one that is shared, or one that it starts.
func (e *execution) begin(number int) (run program.Running, s *program.Session, err error) {
	var ready program.Ready
	if shared := e.Programs.shared; shared != nil && !e.alone {
		s, ready, err = shared.enter(number, e)
	}
	if s == nil && err == nil {
		if run, err = e.start(e.Context); err != nil {
			return nil, nil, err
		}
		s, ready, err = program.Begin(run, e.opening())
	}
	if err != nil {
		return run, nil, err
	}
	e.record.Program, e.record.Version, e.record.Forced, e.record.Many, e.record.Snapshot = ready.Program, ready.Version, ready.Forced, ready.Many, ready.Snapshot
	return run, s, nil
}

// opening is what the program is told before the first round.
func (e *execution) opening() program.Opening {
	p := e.declared
	schema := e.Slice.Schema()
	out := program.Opening{
		Experiment: e.Slice.ID(), Arms: e.Arms, Reward: program.Range{Range: e.Protocol.Reward.Range}, Rounds: e.Slice.Rows(),
		ByArm: schema.ContextByArm, Batches: schema.Batch, ReadsRewards: p.Reads(), Update: p.Update, Want: e.want(), Parameters: p.Parameters,
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
