package conformance

import (
	"math"

	"banditaudit/ingest/tableau"
	"banditaudit/replay"
	"banditaudit/replay/diagnose"
	"banditaudit/replay/evidence/wager"
)

// logged is a logged tableau as the dataset of a teacher-forced InteractQuery.
// Rounds are asked for in order.
type logged struct {
	s      *tableau.Slice
	run    *replay.Runner
	also   *replay.Runner // is told of the same history; nil: none
	shows  bool           // run chooses by the logged released values
	feed   *tableau.Feed  // nil when the policy reads no rewards
	chunk  tableau.Chunk
	index  int // of the chunk
	row    int // of the round within the chunk
	in     replay.Round
	out    replay.Arrivals // rewards not yet known; rounds are rows of the experiment, from 1
	rows   int64           // T, or those before one that contradicts the mechanism
	first  []bool          // of the rows of the chunk: the first of its unit; nil where every round is drawn
	firsts *tableau.Firsts // nil likewise
	always bool            // the policy's own answer is held against every round
	drawn  Draws
	units  *wager.UnitArms // nil where the arm of the unit's round before is not asked for
	before int             // the arm of the unit's round before; −1: none
	given  int64           // rounds at the beginning that the policy did not choose
	until  []int64         // by stratum: rewards known after rounds from this one on are used by no decision; nil: all may be
}

var _ replay.Dataset = (*logged)(nil)

// open starts a run on the logged tableau of which only the propensities are asked: no seed
// is known. The feed is booked here, before the first reward is read.
func (j *job) open() (*logged, error) {
	return j.openRuns(j.mechanism.NewForecaster([32]byte{}, j.s.ID()), nil)
}

// openRuns is open for a run that has not begun, and for another that is told of
// the same rewards from the same feed; its rounds are entered by whoever asks
// for it.
func (j *job) openRuns(run, also *replay.Runner) (*logged, error) {
	return j.openFor(j.mechanism.Law().Name(), run, also)
}

// openFor is openRuns where the rewards are booked for a purpose of its own.
func (j *job) openFor(purpose string, run, also *replay.Runner) (*logged, error) {
	l := j.shell()
	l.run, l.also = run, also
	if !j.mechanism.ReadsRewards() {
		return l, nil
	}
	var to tableau.Adder = l
	if also == nil {
		to = run // the same, sooner
	}
	var err error
	l.feed, err = j.s.Feed(j.book, purpose, to)
	return l, err
}

// shell is a logged tableau without a run.
func (j *job) shell() *logged {
	l := &logged{
		s: j.s, shows: j.shows, chunk: j.s.Chunk(0), row: -1, rows: j.s.Rows(), given: j.mechanism.Given(),
		drawn: j.declared.Draws(j.s), always: j.declared.asksAlways(j.s), before: -1,
	}
	if l.firsts = l.drawn.Firsts(j.s); l.firsts != nil {
		l.first = l.firsts.Next(&l.chunk)
	}
	if j.costs.Against != nil {
		l.rows = j.costs.Against.Row
	}
	if j.s.Rows() > j.mechanism.Capacity() {
		l.until = j.costs.LastUsed() // a stream that is then full is no fault
	}
	if d := j.s.ContextDim(); d > 0 {
		l.in.X = make([]float64, d)
	}
	if j.protocol.Log.Eligible != "" {
		l.in.Eligible = make([]bool, j.s.Arms())
	}
	return l
}

// Add tells the runs of a reward.
func (l *logged) Add(arm int, reward float64) {
	l.run.Add(arm, reward)
	if l.also != nil {
		l.also.Add(arm, reward)
	}
}

// hold, due and forget tell the runs of a reward that is known later.
func (l *logged) hold(arm int) {
	l.run.Hold(arm)
	if l.also != nil {
		l.also.Hold(arm)
	}
}

func (l *logged) due(t int64) {
	l.run.Due(t)
	if l.also != nil {
		l.also.Due(t)
	}
}

func (l *logged) forget(t int64) {
	l.run.Forget(t)
	if l.also != nil {
		l.also.Forget(t)
	}
}

func (l *logged) err() error {
	if err := l.run.Err(); err != nil || l.also == nil {
		return err
	}
	return l.also.Err()
}

// Rounds returns T, or the number of rounds that the mechanism can have had.
func (l *logged) Rounds() int64 { return l.rows }

// Round moves to round t and returns what was public before its choice.
func (l *logged) Round(int64) *replay.Round {
	if l.row++; l.row == len(l.chunk.Arm) {
		l.index++
		l.chunk, l.row = l.s.Chunk(l.index), 0
		if l.firsts != nil {
			l.first = l.firsts.Next(&l.chunk)
		}
	}
	if l.units != nil {
		l.before = l.units.Take(l.chunk.Unit[l.row], l.arm())
	}
	for i, column := range l.chunk.X {
		l.in.X[i] = column[l.row]
	}
	if v := l.chunk.ContextByArm; v != nil {
		w := len(v) / len(l.chunk.Arm)
		l.in.XByArm = v[l.row*w : (l.row+1)*w]
	}
	if v := l.chunk.ScoreByArm; v != nil {
		k := l.s.Arms()
		l.in.Scores = v[l.row*k : (l.row+1)*k]
	}
	for i := range l.in.Eligible {
		l.in.Eligible[i] = l.chunk.Eligible(l.row, i)
	}
	if l.chunk.Stratum != nil {
		l.in.Stratum = l.chunk.Stratum[l.row]
	}
	if l.chunk.Batch != nil {
		l.in.Batch = l.chunk.Batch[l.row]
	}
	if l.shows {
		l.in.Released = l.released()
	}
	return &l.in
}

// Reveal hands the rewards that became known after round t to the run through
// the gate.
func (l *logged) Reveal(t int64, arm int) error {
	switch {
	case l.feed == nil:
		l.Add(arm, 0) // the policy does not look at it
	case l.chunk.RewardRound == nil && l.round() < l.unused():
		l.feed.Row(t - 1)
	default:
		l.await(t, arm)
	}
	return l.err()
}

// await holds the reward of round t until it is known, and hands over those
// that are, in the order in which they became known and, among equals, of their
// rounds.
func (l *logged) await(t int64, arm int) {
	now := l.round()
	l.hold(arm)
	if known := l.chunk.WhenKnown()[l.row]; known == tableau.NeverKnown || known >= l.unused() {
		l.forget(t)
	} else {
		l.out.Push(replay.Arrival{Known: known, Round: t})
	}
	for a, ok := l.out.Pop(now); ok; a, ok = l.out.Pop(now) {
		l.due(a.Round)
		if !l.feed.Row(a.Round - 1) {
			l.forget(a.Round)
		}
	}
}

// unused is the round from which on rewards of the stratum of that round, known after it, are
// used by no decision.
func (l *logged) unused() int64 {
	if l.until == nil {
		return math.MaxInt64
	}
	return l.until[l.in.Stratum]
}

// draws reports whether the action of that round is known to be drawn by itself.
func (l *logged) draws() bool {
	return !l.notChosen() && !l.drawn.None() && (len(l.first) == 0 || l.first[l.row])
}

// asks reports whether the policy's own answer is held against that round.
func (l *logged) asks() bool { return !l.notChosen() && l.always || l.draws() }

// notChosen reports whether that round is one that the policy did not choose.
func (l *logged) notChosen() bool { return l.chunk.Start+int64(l.row) < l.given }

// arm returns the logged action of the round that Round moved to.
func (l *logged) arm() int { return int(l.chunk.Arm[l.row]) }

// round returns the logged number of that round.
func (l *logged) round() int64 { return l.chunk.Round[l.row] }

// propensity returns the logged propensity of that round; there must be one.
func (l *logged) propensity() float64 { return l.chunk.Propensity[l.row] }

// propensities returns the logged propensities of all arms in that round; nil
// where only the propensity of the logged action is known.
func (l *logged) propensities() []float64 {
	k := l.s.Arms()
	if l.chunk.PropensityByArm == nil {
		return nil
	}
	return l.chunk.PropensityByArm[l.row*k : l.row*k+k]
}

// estimatedBy returns by how many draws the propensities of that round were
// estimated; 0 where the log does not say it row by row.
func (l *logged) estimatedBy() float64 {
	if l.chunk.Draws == nil {
		return 0
	}
	return float64(l.chunk.Draws[l.row])
}

// uniform reports whether what is logged of that round is the same for every
// eligible arm: 1/m of m, to the tolerance of either column.
func (l *logged) uniform(t *diagnose.Tolerance) bool {
	m := 0
	for a := range l.s.Arms() {
		if l.chunk.Eligible(l.row, a) {
			m++
		}
	}
	each := 1 / float64(m)
	if !diagnose.Near(l.propensity(), each, t.Action) {
		return false
	}
	for a, p := range l.propensities() {
		if l.chunk.Eligible(l.row, a) && !diagnose.Near(p, each, t.ByArm) {
			return false
		}
	}
	return true
}

// released returns what the policy saw in that round, arm by arm; nil where it
// is not logged.
func (l *logged) released() []float64 {
	if l.chunk.ReleasedByArm == nil {
		return nil
	}
	w := len(l.chunk.ReleasedByArm) / len(l.chunk.Arm)
	return l.chunk.ReleasedByArm[l.row*w : (l.row+1)*w]
}

// follow asks the policy in every round what it plays, calls visit with the
// answer, and goes on with the logged action.
func (l *logged) follow(j *job, visit func(answer int) error) error {
	played := func(int64, int) int { return l.arm() }
	return l.run.InteractQuery(l, played, func(t int64, answer int) error {
		if err := j.interrupted(t); err != nil {
			return err
		}
		return visit(answer)
	})
}

// through goes along the log with a run that chooses nothing, which enters every round that
// is visited where that is asked for.
func (l *logged) through(j *job, entered bool, visit func() error) error {
	for t := int64(1); t <= l.rows; t++ {
		if t > 1 {
			if err := l.Reveal(t-1, l.arm()); err != nil {
				return err
			}
		}
		if in := l.Round(t); entered {
			l.run.Next(in)
		}
		if err := j.interrupted(t); err != nil {
			return err
		}
		if err := visit(); err != nil {
			return err
		}
	}
	return nil
}
