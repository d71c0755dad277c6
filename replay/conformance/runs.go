package conformance

import (
	"slices"

	"banditaudit/ingest/tableau"
	"banditaudit/replay"
	"banditaudit/replay/diagnose"
)

// toldRun is a run that is told of the log, with what it is told and when.
type toldRun struct {
	run    *diagnose.Run
	runner *replay.Runner // its run

	in        replay.Round
	batch     int32
	now, next []owed // of a late run: rewards that it is told of when it learns, and those that it is told of then
	released  []float64
	coming    []float64
}

// owed is a reward that a late run has not been shown.
type owed struct {
	due    int64 // round that was held; 0: the reward was known at once
	arm    int
	reward float64
}

// enter moves to round t.
func (v *toldRun) enter(t int64, in *replay.Round) {
	v.in = *in
	if v.run.Learns != nil {
		if v.run.Learns(t) {
			v.batch++
			v.flush(in)
		}
		v.in.Batch = v.batch
	}
	if v.run.Late && in.Released != nil {
		v.in.Released = v.released
	}
	v.runner.Next(&v.in)
}

// flush tells a late run what it was to see at the update before.
func (v *toldRun) flush(in *replay.Round) {
	if !v.run.Late {
		return
	}
	if in.Released != nil {
		if v.coming == nil {
			v.coming = make([]float64, len(in.Released)) // nothing is released before the first update
		}
		v.released = append(v.released[:0], v.coming...)
		v.coming = append(v.coming[:0], in.Released...)
	}
	for _, o := range v.now {
		v.show(o)
	}
	v.now, v.next = v.next, v.now[:0]
}

func (v *toldRun) show(o owed) {
	if o.due > 0 {
		v.runner.Due(o.due)
	}
	v.runner.Add(o.arm, o.reward)
}

// hear tells the run of a reward, or keeps it.
func (v *toldRun) hear(o owed) {
	if v.run.Late {
		v.next = append(v.next, o)
		return
	}
	v.show(o)
}

// runs are several runs that are told of one log at a time, which is read once for all
// of them. The first is the declared mechanism.
type runs struct {
	job  *job
	c    *comparison
	feed *tableau.Feed // nil when the policy reads no rewards
	runs []*toldRun
	due  int64 // round that the reward which is fed now belongs to, where it was held

	starts  []int64           // rows in which shares of draws are new; nil where propensities are none
	lows    map[int64]float64 // and the least number of draws that they can be of
	pass    *diagnose.Pass    // under way
	rows    []*diagnose.Row   // of it, as the first run sees them
	before  []float64         // what the first run says of the row before one that is asked for
	waiting []*diagnose.Row   // for the update after
	changes bool              // something public changes from round to round
}

// Add tells all runs of a reward.
func (e *runs) Add(arm int, reward float64) {
	for _, v := range e.runs {
		if !v.run.Ended {
			v.hear(owed{e.due, arm, reward})
		}
	}
}

// over goes over the log up to the last of the rows that are asked for, and lets each
// run speak about them. It returns them as the first run sees them.
func (e *runs) over(pass *diagnose.Pass) ([]*diagnose.Row, error) {
	l, rows := e.job.shell(), pass.Rows
	e.pass, e.runs, e.rows, e.waiting, e.due, e.before = pass, nil, nil, nil, 0, e.before[:0]
	for _, run := range pass.Runs {
		v := &toldRun{run: run, runner: run.Runner}
		e.runs = append(e.runs, v)
		if v.run.Late {
			v.runner.WeighAs(e.runs[0].runner) // what was earned is as it was
		}
	}
	last := int32(0) // batch of the round before
	e.changes = l.in.X != nil || l.in.Eligible != nil || l.s.Schema().ContextByArm != 0 ||
		l.s.Schema().ScoreByArm || e.job.mechanism.Stratified()
	for t := int64(1); len(rows) > 0 && t <= l.Rounds(); t++ {
		if err := e.job.interrupted(t); err != nil {
			return nil, err
		}
		in := l.Round(t)
		for _, v := range e.runs {
			if !v.run.Ended {
				v.enter(t, in)
				v.run.Ended = v.runner.Err() != nil
			}
		}
		if err := e.runs[0].runner.Err(); err != nil {
			return nil, err
		}
		e.settle(t, in.Batch != last)
		last = in.Batch
		if rows[0] == t-1 {
			rows = rows[1:]
			if !e.c.kept.keeps(&l.chunk, l.row) { // such a row is compared with nothing
				e.speak(l)
			}
		}
		if len(rows) > 0 && rows[0] == t && e.changes {
			e.before = append(e.before[:0], e.runs[0].runner.Propensities()...)
		}
		e.reveal(l, t)
	}
	return e.rows, nil
}

// speak compares the round that was entered with what every run says.
func (e *runs) speak(l *logged) {
	policy := e.job.protocol.Policy
	o := &diagnose.Row{
		Row: l.chunk.Start + int64(l.row), Arms: e.job.mechanism.Arms(), Arm: l.arm(), P: l.propensity(), ByArm: l.propensities(),
		Want: slices.Clone(e.runs[0].runner.Propensities()), Eligible: slices.Clone(l.in.Eligible), Draws: l.estimatedBy(),
	}
	if _, found := slices.BinarySearch(e.starts, o.Row); found {
		o.Shares, o.Low = o.ByArm != nil, e.lows[o.Row]
	}
	if f := policy.Floor; f != nil && f.Mixed() {
		o.Floor = f.Value // of other kinds shares are compared as they are
	}
	o.Beyond = !e.c.tolerance.Explains(o, o.Want)
	e.rows = append(e.rows, o)
	for _, v := range e.runs {
		if !v.run.Ended {
			v.run.Take(o, v.runner.Propensities())
		}
	}
	switch {
	case !e.changes && e.pass.After != nil:
		e.waiting = append(e.waiting, o)
	case e.changes && e.pass.Before != nil && len(e.before) > 0: // there is none before the first
		e.pass.Before(o, e.before)
	}
}

// settle compares rows that wait for the update after them, where the declared
// policy has just learned.
func (e *runs) settle(t int64, another bool) {
	if len(e.waiting) == 0 || !e.job.mechanism.Learns(t, another) {
		return
	}
	want := e.runs[0].runner.Propensities()
	for _, o := range e.waiting {
		e.pass.After(o, want)
	}
	e.waiting = e.waiting[:0]
}

// reveal hands the rewards that became known after round t to all runs, as
// logged.Reveal does to one.
func (e *runs) reveal(l *logged, t int64) {
	arm := l.arm()
	e.due = 0
	if e.feed == nil {
		e.Add(arm, 0) // the policy does not look at it
		return
	}
	if l.chunk.RewardRound == nil && l.round() < l.unused() && !e.job.mechanism.Linear() && !e.job.mechanism.Weighs() {
		e.feed.Row(t - 1)
		return
	}
	e.each(func(r *replay.Runner) { r.Hold(arm) })
	now := l.round()
	known := l.chunk.WhenKnown()[l.row]
	if e.pass.Instant {
		known = max(now, l.chunk.RewardBefore[l.row])
	}
	if known == tableau.NeverKnown || known >= l.unused() {
		e.each(func(r *replay.Runner) { r.Forget(t) })
	} else {
		l.out.Push(replay.Arrival{Known: known, Round: t})
	}
	for a, ok := l.out.Pop(now); ok; a, ok = l.out.Pop(now) {
		if e.due = a.Round; !e.feed.Row(a.Round - 1) {
			e.each(func(r *replay.Runner) { r.Forget(a.Round) })
		}
	}
}

func (e *runs) each(do func(r *replay.Runner)) {
	for _, v := range e.runs {
		if !v.run.Ended {
			do(v.runner)
		}
	}
}
