package programreplay

import (
	"errors"
	"math"

	"banditaudit/ingest/tableau"
	"banditaudit/replay"
	"banditaudit/replay/program"
)

// mostAsked is how many rounds stand in a line at most.
const mostAsked = 4096

// Answer is what a program says of one round.
type Answer struct {
	Arm int       // −1: it was not asked for
	P   []float64 // propensities of all arms; nil likewise

	changed bool // a reward that is not the log's was shown before
}

// showing is one run of a program over the first rounds of a log.
type showing struct {
	run    int // number of the run
	rows   int64
	reward func(row int64, y float64) float64 // what is shown in place of a reward; nil: the reward
	visit  func(p *played, a Answer) error    // told of every round, in order; ErrEnough ends the run
}

// Numbers of the runs of a program.
const (
	firstRun = iota
	secondRun
	thirdRun
)

// ErrEnough ends a run of which no more is wanted; it is no error of that run.
var ErrEnough = errors.New("programreplay: enough was asked")

// played is a run of a program under way. What it is shown before it answers for a round is
// what was known when the policy last learned before that round: no action and no reward of
// that round, or of one that was decided together with it.
type played struct {
	*showing

	e       *execution
	session *program.Session
	index   int // of the chunk
	chunk   tableau.Chunk
	row     int                // of the chunk: what visit is told of
	batch   int32              // of the round before
	ask     []program.Decision // not yet sent, all of this chunk
	news    []program.Reward   // for the next line
	late    []program.Play
	wait    []replay.Arrival // rounds that were decided since the policy last learned
	out     replay.Arrivals  // rewards that are not known yet
	pulled  map[int64]pulled // of these, by row
	changed bool
}

// pulled is what is known of a round whose reward is out.
type pulled struct {
	round int64
	p     float64
}

// play runs the program once.
func (e *execution) play(p *showing) (err error) {
	run, session, err := e.begin(p.run)
	defer func() {
		if errors.Is(err, ErrEnough) {
			err = nil
		}
		err = e.leave(run, session, err)
	}()
	if err != nil {
		return err
	}
	r := &played{showing: p, e: e, session: session, pulled: map[int64]pulled{}}
	for i := range e.Slice.Chunks() {
		if err := r.over(i); err != nil {
			return err
		}
	}
	return nil
}

// leave ends what a run has used: the experiment in a program that is shared, or the
// program. err is what ended the run.
func (e *execution) leave(run program.Running, session *program.Session, err error) error {
	switch {
	case run == nil && session != nil && err == nil:
		return session.Leave()
	case run == nil:
		return err
	}
	last := program.End()
	if err != nil {
		last = nil
	}
	closed := run.Close(last)
	if failure, ok := errors.AsType[*program.Failure](err); ok && e.Programs.Said != nil && e.Context.Err() == nil {
		e.Programs.Said(e.Slice.ID(), failure.Error(), run.Stderr())
	}
	return errors.Join(err, closed)
}

// over goes over the rounds of a chunk.
func (r *played) over(i int) error {
	r.index, r.chunk = i, r.e.Slice.Chunk(i)
	c := &r.chunk
	rewards := []float64(nil)
	if r.e.rewards != nil {
		rewards = r.e.rewards.Chunk(i)
	}
	for row := range c.Arm {
		t := c.Start + int64(row)
		if t >= r.rows {
			break
		}
		if t > 0 && r.learns(t+1, c, row) {
			if err := r.flush(); err != nil {
				return err
			}
			r.learn()
		}
		if len(r.ask) == mostAsked {
			if err := r.flush(); err != nil {
				return err
			}
		}
		r.ask = append(r.ask, r.e.decision(c, row))
		r.wait = append(r.wait, r.arrival(c, row, rewards))
	}
	return r.flush() // answers are held against the rows of the chunk
}

// learns reports whether the policy learns before round t, from 1.
func (r *played) learns(t int64, c *tableau.Chunk, row int) bool {
	before := r.batch
	if row > 0 && len(c.Batch) > 0 {
		before = c.Batch[row-1]
	}
	return r.e.declared.Update.LearnsBefore(t, len(c.Batch) > 0 && c.Batch[row] != before)
}

// arrival is what there will be to show of a round.
func (r *played) arrival(c *tableau.Chunk, row int, rewards []float64) replay.Arrival {
	t := c.Start + int64(row)
	a := replay.Arrival{Known: c.WhenKnown()[row], Round: t, Arm: int(c.Arm[row]), Reward: math.NaN()}
	p := math.NaN()
	if c.Propensity != nil {
		p = c.Propensity[row]
	}
	r.pulled[t] = pulled{c.Round[row], p}
	if rewards != nil {
		a.Reward = rewards[row]
	}
	if c.Batch != nil {
		r.batch = c.Batch[row]
	}
	return a
}

// learn makes what is known by now the news of the next line.
func (r *played) learn() {
	now := r.pulled[r.wait[len(r.wait)-1].Round].round
	for _, a := range r.wait {
		of := r.pulled[a.Round]
		if a.Known <= now && !math.IsNaN(a.Reward) {
			r.out.Push(a)
			continue
		}
		r.late = append(r.late, program.Play{Round: of.round, Arm: a.Arm})
		if a.Known == tableau.NeverKnown || math.IsNaN(a.Reward) {
			delete(r.pulled, a.Round)
		} else {
			r.out.Push(a)
		}
	}
	r.wait = r.wait[:0]
	for a, ok := r.out.Pop(now); ok; a, ok = r.out.Pop(now) {
		of := r.pulled[a.Round]
		delete(r.pulled, a.Round)
		y := a.Reward
		if r.reward != nil {
			y = r.reward(a.Round, y)
		}
		r.changed = r.changed || y != a.Reward
		r.news = append(r.news, program.Reward{Round: of.round, Arm: a.Arm, Value: y, P: of.p})
	}
}

// flush sends the decisions that wait, and hands on what was answered.
func (r *played) flush() error {
	if len(r.ask) == 0 {
		return nil
	}
	if err := r.e.Context.Err(); err != nil {
		return err
	}
	got, err := r.session.Step(r.news, r.late, r.ask)
	if err != nil {
		return err
	}
	first := r.wait[len(r.wait)-len(r.ask)].Round - r.chunk.Start
	for i := range r.ask {
		r.row = int(first) + i
		a := Answer{Arm: -1, changed: r.changed}
		if len(got.Arms) > 0 {
			a.Arm = got.Arms[i]
		}
		if len(got.Propensities) > 0 {
			a.P = got.Propensities[i]
		}
		if err := r.visit(r, a); err != nil {
			return err
		}
	}
	r.ask, r.news, r.late = r.ask[:0], r.news[:0], r.late[:0]
	return nil
}

// round is the logged number of the round that visit is told of.
func (r *played) round() int64 { return r.chunk.Round[r.row] }
