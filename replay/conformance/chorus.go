package conformance

import (
	"slices"

	"banditaudit/ingest/tableau"
	"banditaudit/replay"
)

// voice is one teacher-forced run of a mechanism that may be the declared one
// but for something that a hypothesis changes.
type voice struct {
	run    *replay.Runner
	learns func(t int64) bool // when it learns; nil: as its mechanism does by itself
	late   bool               // it is shown what the update before had shown
	take   func(o *tried, want []float64)
	tally  tally
	over   bool // it cannot fit any more, or its run has ended

	in        replay.Round
	batch     int32
	now, next []owed // of a late voice: rewards that it is shown when it learns, and those that it is shown then
	released  []float64
	coming    []float64
}

// owed is a reward that a late voice has not been shown.
type owed struct {
	due    int64 // round that was held; 0: the reward was known at once
	arm    int
	reward float64
}

// enter moves to round t.
func (v *voice) enter(t int64, in *replay.Round) {
	v.in = *in
	if v.learns != nil {
		if v.learns(t) {
			v.batch++
			v.flush(in)
		}
		v.in.Batch = v.batch
	}
	if v.late && in.Released != nil {
		v.in.Released = v.released
	}
	v.run.Next(&v.in)
}

// flush shows a late voice what it was to see at the update before.
func (v *voice) flush(in *replay.Round) {
	if !v.late {
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

func (v *voice) show(o owed) {
	if o.due > 0 {
		v.run.Due(o.due)
	}
	v.run.Add(o.arm, o.reward)
}

// hear shows the voice a reward, or keeps it.
func (v *voice) hear(o owed) {
	if v.late {
		v.next = append(v.next, o)
		return
	}
	v.show(o)
}

// chorus runs several voices over one log at a time, which is read once for all
// of them. The first is the declared mechanism.
type chorus struct {
	*job
	c      *comparison
	feed   *tableau.Feed // nil when the policy reads no rewards
	voices []*voice
	due    int64 // round that the reward which is fed now belongs to, where it was held

	shares  bool              // propensities may be shares of draws: how they lean to every voice is kept
	starts  []int64           // rows in which such shares are new
	lows    map[int64]float64 // and the least number of draws that they can be of
	planned int               // rows of the pass
	rows    []*tried          // of the last pass, as the first voice sees them
	before  []float64         // what the first voice says of the row before one of the sample
	waiting []*tried          // rows for after
	after   tally             // propensities of the update after
	earlier tally             // propensities of the round before
	instant bool              // rewards that became known at the very time of a choice are learned before it
	changes bool              // something public changes from round to round
}

// Add shows all voices a reward.
func (e *chorus) Add(arm int, reward float64) {
	for _, v := range e.voices {
		if !v.over {
			v.hear(owed{e.due, arm, reward})
		}
	}
}

// pass runs the voices over the log up to the last of some rows, which are in
// order, and lets each speak about them.
func (e *chorus) pass(rows []int64, voices ...*voice) error {
	l := e.shell()
	e.voices, e.rows, e.waiting, e.due = voices, nil, nil, 0
	e.after, e.earlier = tally{}, tally{}
	e.before, e.planned = e.before[:0], len(rows)
	last := int32(0) // batch of the round before
	e.changes = l.in.X != nil || l.in.Eligible != nil || l.s.Schema().ContextByArm != 0
	for t := int64(1); len(rows) > 0 && t <= l.Rounds(); t++ {
		if err := e.interrupted(t); err != nil {
			return err
		}
		in := l.Round(t)
		for _, v := range voices {
			if !v.over {
				v.enter(t, in)
				v.over = v.run.Err() != nil
			}
		}
		if err := voices[0].run.Err(); err != nil {
			return err
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
			e.before = append(e.before[:0], voices[0].run.Propensities()...)
		}
		e.reveal(l, t)
	}
	return nil
}

// speak compares the round that was entered with what every voice says.
func (e *chorus) speak(l *logged) {
	o := &tried{
		row: l.chunk.Start + int64(l.row), arm: l.arm(), p: l.propensity(), byArm: l.propensities(),
		want: slices.Clone(e.voices[0].run.Propensities()), eligible: slices.Clone(l.in.Eligible),
		draws: l.estimatedBy(),
	}
	if _, found := slices.BinarySearch(e.starts, o.row); found {
		o.shares, o.low = o.byArm != nil, e.lows[o.row]
	}
	if f := e.Protocol.Policy.Floor; f != nil {
		o.floor = *f
	}
	var alone tally
	alone.add(e.c, o, o.want)
	o.beyond = alone.explained == 0
	e.rows = append(e.rows, o)
	for _, v := range e.voices {
		if v.over {
			continue
		}
		want := v.run.Propensities()
		if v.take != nil {
			v.take(o, want)
			continue
		}
		v.tally.add(e.c, o, want)
		v.over = !e.shares && v.tally.hopeless(e.planned)
	}
	if e.changes {
		if len(e.before) > 0 { // there is none before the first
			e.earlier.add(e.c, o, e.before)
		}
	} else {
		e.waiting = append(e.waiting, o)
	}
}

// settle compares rows that wait for the update after them, where the declared
// policy has just learned.
func (e *chorus) settle(t int64, another bool) {
	if len(e.waiting) == 0 || !e.Mechanism.Learns(t, another) {
		return
	}
	want := e.voices[0].run.Propensities()
	for _, o := range e.waiting {
		e.after.add(e.c, o, want)
	}
	e.waiting = e.waiting[:0]
}

// reveal hands the rewards that became known after round t to all voices, as
// logged.Reveal does to one.
func (e *chorus) reveal(l *logged, t int64) {
	arm := l.arm()
	e.due = 0
	if e.feed == nil {
		e.Add(arm, 0) // the policy does not look at it
		return
	}
	if l.chunk.RewardRound == nil && l.round() < l.until && !e.Mechanism.Linear() {
		e.feed.Row(t - 1)
		return
	}
	e.each(func(r *replay.Runner) { r.Hold(arm) })
	now := l.round()
	known := whenKnown(&l.chunk)[l.row]
	if e.instant {
		known = max(now, l.chunk.RewardBefore[l.row])
	}
	if known == tableau.NeverKnown || known >= l.until {
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

func (e *chorus) each(do func(r *replay.Runner)) {
	for _, v := range e.voices {
		if !v.over {
			do(v.run)
		}
	}
}
