package interview

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"banditaudit/replay"
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
// by run and row. Errors are a *program.Failure, and that of Context.
func (f *Free) PlayAll(orders [][]int32, draws []rand.Source, played func(run, row, arm int)) (err error) {
	if err = f.start(); err != nil {
		return err
	}
	runs := make([]*freeRun, len(orders))
	for i, order := range orders {
		session := f.session
		if f.hub != nil {
			if session, _, err = f.hub.Begin(f.e.opening()); err != nil {
				return f.said(f.run, err)
			}
		} else if err = session.Restore(); err != nil {
			return f.said(f.run, err)
		}
		runs[i] = newFreeRun(f, session, order, rand.New(draws[i]), func(row, arm int) { played(i, row, arm) })
	}
	var again *freeRun
	if at := checkedRun - 1 - f.made; at >= 0 && at < len(runs) {
		again = runs[at]
		again.keep = true
	}
	f.made += len(runs)
	if err = f.over(runs, f.hub); err != nil {
		return f.said(f.run, err)
	}
	for i := 0; i < len(runs) && f.hub != nil; i++ {
		if err = runs[i].turn.Session.Leave(); err != nil {
			return f.said(f.run, err)
		}
	}
	if again == nil {
		return nil
	}
	return f.check(again)
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
	n, most := f.log.Rounds(), max(1, mostAsked/len(runs))
	for from, to := 0, 0; from < n; from = to {
		if err := f.e.Context.Err(); err != nil {
			return err
		}
		for to = from + 1; to < n && to-from < most && !f.log.Learns(to); {
			to++
		}
		for i, r := range runs {
			r.ask(from, to)
			turns[i] = r.turn
		}
		var err error
		if hub != nil {
			err = hub.StepAll(turns)
		} else {
			t := &turns[0]
			t.Answer, err = t.Session.Step(t.Known, t.Late, t.Ask)
		}
		if err != nil {
			return err
		}
		for i, r := range runs {
			r.answered(from, &turns[i].Answer)
			if to < n && f.log.Learns(to) {
				r.learn(int64(to - 1))
			}
		}
	}
	return nil
}

// freeRun is one run.
type freeRun struct {
	*Free

	turn   program.Turn
	order  []int32
	draw   *rand.Rand
	played func(row, arm int)
	wait   []replay.Arrival  // rows that were decided since the policy last learned
	out    replay.Arrivals   // rewards that are not known yet
	p      map[int64]float64 // propensities with which these were played; nil: none are logged
	keep   bool              // what was answered
	said   []uint64          // by row, each as one number
	arms   []int             // that were played; that are to be played, where draw is nil
}

func newFreeRun(f *Free, s *program.Session, order []int32, draw *rand.Rand, played func(row, arm int)) *freeRun {
	r := &freeRun{Free: f, turn: program.Turn{Session: s}, order: order, draw: draw, played: played}
	if f.e.Slice.HasPropensity() {
		r.p = map[int64]float64{}
	}
	return r
}

// ask makes rows from one up to another the questions of the next line.
func (r *freeRun) ask(from, to int) {
	r.turn.Ask = r.turn.Ask[:0]
	for row := from; row < to; row++ {
		p := r.log.Public(row, r.order[row])
		r.turn.Ask = append(r.turn.Ask, program.Decision{Round: p.Round, X: r.e.context(p.X), XByArm: p.XByArm, Eligible: p.Eligible, Batch: int64(p.Batch)})
	}
}

// answered plays the rows that were asked for.
func (r *freeRun) answered(from int, a *program.Answer) {
	r.turn.Known, r.turn.Late = r.turn.Known[:0], r.turn.Late[:0]
	for i := range r.turn.Ask {
		row, said := from+i, Answer{Arm: -1}
		if len(a.Arms) > 0 {
			said.Arm = a.Arms[i]
		}
		if len(a.Propensities) > 0 {
			said.P = a.Propensities[i]
		}
		arm := r.choose(row, said)
		if r.keep {
			r.said = append(r.said, said.number())
		}
		if r.keep && r.draw != nil {
			r.arms = append(r.arms, arm)
		}
		if r.p != nil && said.P != nil {
			r.p[int64(row)] = said.P[arm]
		}
		r.played(row, arm)
		r.wait = append(r.wait, r.arrival(row, arm))
	}
}

// choose is the arm that the program plays, or one drawn with its propensities.
func (r *freeRun) choose(row int, a Answer) int {
	switch {
	case r.draw == nil:
		return r.arms[row]
	case a.Arm >= 0:
		return a.Arm
	}
	sum, last := 0.0, 0
	for _, p := range a.P {
		sum += p
	}
	u := r.draw.Float64() * sum
	for arm, p := range a.P {
		if p > 0 {
			if last = arm; u < p {
				break
			}
			u -= p
		}
	}
	return last
}

// arrival is what there will be to show of a row.
func (r *freeRun) arrival(row, arm int) replay.Arrival {
	out := replay.Arrival{Known: math.MaxInt64, Round: int64(row), Arm: arm, Reward: math.NaN()}
	if r.e.declared.Reads() {
		out.Reward = r.log.Reward(r.order[row])
	}
	if after, comes := r.log.Known(row, r.order[row]); comes {
		out.Known = after
	}
	return out
}

// learn makes what is known after a row the news of the next line, as [played.learn] does.
func (r *freeRun) learn(now int64) {
	for _, a := range r.wait {
		if math.IsNaN(a.Reward) || a.Known > now {
			r.turn.Late = append(r.turn.Late, program.Play{Round: r.round(a.Round), Arm: a.Arm})
		}
		if !math.IsNaN(a.Reward) {
			r.out.Push(a)
		}
	}
	r.wait = r.wait[:0]
	for a, ok := r.out.Pop(now); ok; a, ok = r.out.Pop(now) {
		p, given := r.p[a.Round]
		if delete(r.p, a.Round); !given {
			p = math.NaN()
		}
		r.turn.Known = append(r.turn.Known, program.Reward{Round: r.round(a.Round), Arm: a.Arm, Value: a.Reward, P: p})
	}
}

// round is the logged number of the round in a place.
func (r *freeRun) round(row int64) int64 { return r.log.Public(int(row), r.order[row]).Round }
