package programreplay

import (
	"errors"
	"math/rand/v2"
	"slices"

	"banditaudit/replay/program"
	"banditaudit/schemas"
)

// MostTogether is how many runs of a program that keeps experiments apart are made at a time:
// no number of workers, so that by every one it is sent the same lines.
const MostTogether = 64

// checkedRun is the run that a process of its own makes again.
const checkedRun = 20

// Records are the rounds of a log that runs meet in another order. Rows are places in the
// order of rounds, from 0.
type Records interface {
	Rounds() int
	Public(row int, record int32) Public
	Reward(record int32) float64                           // NaN: it is missing
	Known(row int, record int32) (after int64, comes bool) // the row after which the reward is known, if one is
	Learns(row int) bool                                   // the policy learns before that row, which is not the first
}

// Public is what a program is shown of a round. Lists are nil where there are none.
type Public struct {
	Round    int64
	X        []float64
	XByArm   []float64
	Eligible []bool
	Batch    int32 // −1: none
}

// Free are runs of a program in which it learns from the arms that it plays itself, and not
// from logged ones. Arms of a program that gives propensities alone are drawn with them. One
// process makes all runs: many at a time where it keeps experiments apart, else one after the
// other from a state that it goes back to. Run checkedRun is made again by a process of its
// own, which must answer alike. One goroutine uses Free.
type Free struct {
	e    *execution
	log  Records
	many bool
	made int

	run     program.Running
	session *program.Session // the first
	hub     *program.Hub     // nil: runs are made one by one
}

// Free prepares runs of a program that was found to say many or snapshot, as found has it.
// Rewards come from log, booked by whoever read them. Errors are a *program.Failure.
func (e *Experiment) Free(log Records, found *schemas.ProgramReplay) (*Free, error) {
	record := &schemas.ProgramReplay{}
	f := &Free{e: &execution{Experiment: e, declared: e.Protocol.Program, record: record}, log: log, many: found.Many}
	if err := f.e.resolve(); err != nil {
		return nil, err
	}
	for _, file := range e.files {
		record.Files = append(record.Files, schemas.ProgramFile{Name: file.Name, SHA256: file.SHA256})
	}
	if !slices.Equal(record.Files, found.Files) {
		return nil, &program.Failure{Cause: program.CauseStart, What: "has other files than those that the log was held against"}
	}
	return f, nil
}

// Size is how many runs are made at a time, at most.
func (f *Free) Size() int {
	if f.many {
		return MostTogether
	}
	return 1
}

// PlayAll makes runs, each on records in an order of its own. played is told of every arm,
// by run and row. It returns a *program.Failure, or the error of Context.
func (f *Free) PlayAll(orders [][]int32, draws []rand.Source, played func(run, row, arm int)) error {
	if err := f.start(); err != nil {
		return err
	}
	runs := make([]*freeRun, len(orders))
	for i, order := range orders {
		session, err := f.enter()
		if err != nil {
			return f.said(f.run, err)
		}
		f.made++
		runs[i] = newFreeRun(f, session, order, rand.New(draws[i]), func(row, arm int) { played(i, row, arm) })
		runs[i].keep = f.made == checkedRun
	}
	if err := f.over(runs, f.hub); err != nil {
		return f.said(f.run, err)
	}
	for _, r := range runs {
		if err := f.leave(r); err != nil {
			return err
		}
	}
	return nil
}

// enter begins a run in the process.
func (f *Free) enter() (s *program.Session, err error) {
	if f.hub == nil {
		return f.session, f.session.Restore()
	}
	s, _, err = f.hub.Begin(f.e.opening())
	return s, err
}

// leave ends a run, and makes it again where it is the one that is checked.
func (f *Free) leave(r *freeRun) error {
	if f.hub != nil {
		if err := r.turn.Session.Leave(); err != nil {
			return f.said(f.run, err)
		}
	}
	if !r.keep {
		return nil
	}
	return f.check(r)
}

// start starts the process, once.
func (f *Free) start() (err error) {
	if f.run != nil {
		return nil
	}
	if f.run, f.session, err = f.own(); err != nil {
		return err
	}
	switch {
	case f.many != f.e.record.Many || !f.many && !f.e.record.Snapshot:
		return &program.Failure{Cause: program.CauseMalformed, What: "says otherwise than before whether it can be run again (many, snapshot)"}
	case f.many:
		f.hub = program.NewHub(f.run, f.session)
		return f.said(f.run, f.session.Leave())
	}
	return f.said(f.run, f.session.Keep())
}

// own is a process that has heard of the experiment.
func (f *Free) own() (program.Running, *program.Session, error) {
	run, err := f.e.start(f.e.Context)
	if err != nil {
		return nil, nil, err
	}
	s, ready, err := program.Begin(run, f.e.opening())
	f.e.record.Many, f.e.record.Snapshot = ready.Many, ready.Snapshot
	return run, s, f.said(run, err)
}

// said passes on what a program that failed wrote to its standard error.
func (f *Free) said(run program.Running, err error) error {
	if f.e.Context.Err() != nil {
		return f.e.Context.Err()
	}
	if _, failed := errors.AsType[*program.Failure](err); failed && f.e.Programs.Said != nil {
		f.e.Programs.Said(f.e.Slice.ID(), err.Error(), run.Stderr())
	}
	return err
}

// Close ends the process.
func (f *Free) Close() error {
	if f.run == nil {
		return nil
	}
	return f.run.Close(program.End())
}

// check makes a run again in a process of its own, which is told the arms that were played.
func (f *Free) check(first *freeRun) error {
	run, session, err := f.own()
	if run == nil {
		return err
	}
	again := newFreeRun(f, session, first.order, nil, func(_, _ int) {})
	again.keep, again.arms = true, first.arms
	if err == nil {
		err = f.said(run, f.over([]*freeRun{again}, nil))
	}
	for row := 0; err == nil && row < len(first.said); row++ {
		if first.said[row] != again.said[row] {
			err = &program.Failure{Cause: program.CauseMalformed, Round: f.log.Public(row, 0).Round, What: "answers otherwise in a process of its own, and does not keep runs apart (many, snapshot)"}
		}
	}
	return errors.Join(err, run.Close(program.End()))
}

// over goes over the rows, all runs at the same one: those between which nothing is learned
// are asked for in one line.
func (f *Free) over(runs []*freeRun, hub *program.Hub) error {
	turns := make([]program.Turn, len(runs))
	for from := 0; from < f.log.Rounds(); {
		to := f.until(from, max(1, mostAsked/len(runs)))
		for i, r := range runs {
			r.ask(from, to)
			turns[i] = r.turn
		}
		if err := f.step(turns, hub); err != nil {
			return err
		}
		for i, r := range runs {
			r.answered(from, &turns[i].Answer)
			if to < f.log.Rounds() && f.log.Learns(to) {
				r.learn(int64(to - 1))
			}
		}
		from = to
	}
	return nil
}

// until returns the row before which the policy learns next, most rows after from at most.
func (f *Free) until(from, most int) int {
	to := from + 1
	for to < f.log.Rounds() && to-from < most && !f.log.Learns(to) {
		to++
	}
	return to
}

// step sends a line and fills in the answers.
func (f *Free) step(turns []program.Turn, hub *program.Hub) (err error) {
	if err = f.e.Context.Err(); err != nil {
		return err
	}
	if hub != nil {
		return hub.StepAll(turns)
	}
	t := &turns[0]
	t.Answer, err = t.Session.Step(t.Known, t.Late, t.Ask)
	return err
}
