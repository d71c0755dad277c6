package conformance

import (
	"banditaudit/ingest/tableau"
	"banditaudit/replay"
)

// logged is a logged tableau as the dataset of a teacher-forced InteractQuery.
// Rounds are asked for in order.
type logged struct {
	s     *tableau.Slice
	run   *replay.Runner
	feed  *tableau.Feed // nil when the policy reads no rewards
	chunk tableau.Chunk
	index int // of the chunk
	row   int // of the round within the chunk
	x     []float64
}

var _ replay.Dataset = (*logged)(nil)

// open starts a run on the logged tableau. The feed is booked here, before
// the first reward is read.
func (j *job) open(master [32]byte) (*logged, error) {
	l := &logged{s: j.s, run: j.m.NewRunner(master, j.s.ID()), chunk: j.s.Chunk(0), row: -1}
	if d := j.s.ContextDim(); d > 0 {
		l.x = make([]float64, d)
	}
	if !j.m.ReadsRewards() {
		return l, nil
	}
	var err error
	l.feed, err = j.s.Feed(j.book, j.m.Law().Name(), l.run)
	return l, err
}

// Rounds returns T.
func (l *logged) Rounds() int64 { return l.s.Rows() }

// Context moves to round t and returns its context.
func (l *logged) Context(int64) []float64 {
	if l.row++; l.row == len(l.chunk.Arm) {
		l.index++
		l.chunk, l.row = l.s.Chunk(l.index), 0
	}
	for i, column := range l.chunk.X {
		l.x[i] = column[l.row]
	}
	return l.x
}

// Reveal hands the reward of round t to the run through the gate.
func (l *logged) Reveal(t int64, arm int) error {
	if l.feed == nil {
		l.run.Add(arm, 0) // the policy does not look at it
	} else {
		l.feed.Row(t - 1)
	}
	return l.run.Err()
}

// arm returns the logged action of the round that Context moved to.
func (l *logged) arm() int { return int(l.chunk.Arm[l.row]) }

// round returns the logged number of that round.
func (l *logged) round() int64 { return l.chunk.Round[l.row] }

// propensity returns the logged propensity of that round; there must be one.
func (l *logged) propensity() float64 { return l.chunk.Propensity[l.row] }

// propensities returns the logged propensities of all arms in that round; nil
// where only that of the logged action is known.
func (l *logged) propensities() []float64 {
	k := l.s.Arms()
	if l.chunk.PropensityByArm == nil {
		return nil
	}
	return l.chunk.PropensityByArm[l.row*k : l.row*k+k]
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
