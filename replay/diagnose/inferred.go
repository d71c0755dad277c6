package diagnose

import (
	"fmt"
	"slices"

	"banditaudit/replay/changeschedule"
	"banditaudit/schemas"
)

const (
	// inferredLevel is the level of a period that is tried: whether it explains anything is
	// decided by what it explains.
	inferredLevel = 0.05
	// inferredWork is about 50 ms.
	inferredWork = 1 << 24
)

// moves are the logged propensities' own schedule.
type moves struct {
	changes changeschedule.Changes
	rounds  []int64 // before which the propensities of all arms change, where these are logged
	over    bool    // there are more of them than are kept
}

// mostMoves bounds the rounds that are kept, 512 KiB.
const mostMoves = 1 << 16

// moves reads when the logged propensities change, up to the last row of the
// sample.
func (r *Replay) moves() *moves {
	m := &moves{}
	t, end, k := int64(0), r.end(), r.Slice.Arms()
	var before []float64
	for i := 0; i < r.Slice.Chunks() && t < end && r.Context.Err() == nil; i++ { // the pass sees the error
		c := r.Slice.Chunk(i)
		for row := 0; row < len(c.Arm) && t < end; row++ {
			t++
			if c.PropensityByArm == nil {
				m.changes.Add(int64(c.Arm[row]), float64(t), c.Propensity[row:row+1])
				continue
			}
			all := c.PropensityByArm[row*k : row*k+k]
			m.changes.Add(-1, float64(t), all)
			if before != nil && !slices.Equal(before, all) {
				m.add(t)
			}
			before = all
		}
	}
	return m
}

func (m *moves) add(t int64) {
	if len(m.rounds) == mostMoves {
		m.over = true
		return
	}
	m.rounds = append(m.rounds, t)
}

// inferred are the schedules to which the logged propensities themselves keep:
// the schedule in whole rounds; where there is none, and the propensities of all arms are
// logged, the rounds in which they change, if they are fewer than half. What was read off
// the log counts as fitted: a period is one number, and of rounds each is one.
func (r *Replay) inferred(known func(n, first int64) bool, add func(free int, learns func(t int64) bool, words, settles string)) {
	m := r.moves()
	found := m.changes.Whole(inferredLevel, inferredWork)
	switch n, first := found.Rounds, found.First; {
	case n > 0 && known(n, first):
	case n > 0 && first == n+1:
		add(1, r.everyRounds(n).begins, everyWords(n), every(n))
	case n > 0:
		add(1, r.everyRounds(n).shifted((first-1)%n), everyWords(n)+", first before round "+schemas.Grouped(first), byBatch)
	case len(m.rounds) > 0 && !m.over && int64(2*len(m.rounds)) < r.end():
		own := &periods{starts: append([]int64{1}, m.rounds...), end: r.end() + 1}
		n, first := m.changes.Every()
		if n > 0 && first == n+1 && !known(n, first) {
			add(1, r.everyRounds(n).begins, everyWords(n), every(n))
		}
		told := " and at no whole period"
		if m.changes.Few() {
			told = ", which is too few to tell a period from chance"
		}
		add(len(m.rounds), own.begins, fmt.Sprintf("the policy learns when the logged propensities change, %s in %s rounds%s",
			schemas.Counted(len(m.rounds), "time"), schemas.Grouped(r.end()), told), byBatch)
	}
}
