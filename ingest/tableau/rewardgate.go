package tableau

import (
	"fmt"
	"math"
	"sync"
)

// rewardGate is what is known of one experiment's rewards once they were
// checked, which is done once per open tableau.
type rewardGate struct {
	once   sync.Once
	err    error
	chunks []bool // by record batch, whether a reward is missing; nil when none is
	rows   int64  // that miss their reward
}

// missing reports whether a reward of record batch i is missing.
func (g *rewardGate) missing(i int) bool { return len(g.chunks) > 0 && g.chunks[i] }

func (s *Slice) gate() *rewardGate {
	at := &s.t.gates[s.index]
	if g := at.Load(); g != nil {
		return g
	}
	at.CompareAndSwap(nil, new(rewardGate))
	return at.Load()
}

// checkRewards reports the first reward of the slice that may not be there, by
// its row and never by its value.
func (s *Slice) checkRewards() error {
	g := s.gate()
	g.once.Do(func() {
		g.err = s.Guard(func() error { return s.t.Slice(s.index).readRewards(g) })
		if g.err == nil && g.chunks == nil {
			s.t.gates[s.index].Store(&s.t.whole)
		}
	})
	return g.err
}

func (s *Slice) readRewards(g *rewardGate) error {
	c := newRewardCheck(&s.t.schema)
	for i := range s.Chunks() {
		b, from, to, start := s.cut(i)
		rewards, arms := b.float64s(colReward, from, to), b.int32s(colArm, from, to)
		missing, bad := c.rewards(rewards)
		if bad >= 0 {
			return s.damagedReward(start+int64(bad), "the reward is not in the declared range")
		}
		if k := int64(s.t.schema.Arms); s.t.layout.at[colRewardByArm] >= 0 {
			if bad, says := c.byArm(b.float64s(s.t.layout.at[colRewardByArm], from*k, to*k), rewards, arms); bad >= 0 {
				return s.damagedReward(start+int64(bad), says)
			}
		}
		if missing > 0 && g.chunks == nil {
			g.chunks = make([]bool, s.Chunks())
		}
		if missing > 0 {
			g.chunks[i] = true
			g.rows += int64(missing)
		}
	}
	return nil
}

func (s *Slice) damagedReward(row int64, says string) error {
	return fmt.Errorf("tableau: %s: %w: experiment %q, row %d: %s", s.t.rounds.path, ErrDamaged, s.rng.ID, row, says)
}

// rewardCheck says which rewards may be there.
type rewardCheck struct {
	lo, hi  float64
	missing bool // a reward may be missing
}

func newRewardCheck(s *Schema) *rewardCheck {
	c := &rewardCheck{s.Reward[0], s.Reward[1], s.MissingReward}
	if c.lo == 0 && c.hi == 0 {
		c.lo, c.hi = -math.MaxFloat64, math.MaxFloat64
	}
	return c
}

// rewards returns the number of missing ones, and the first that may not be
// there, or -1.
func (c *rewardCheck) rewards(v []float64) (missing, bad int) {
	for i, y := range v {
		if y >= c.lo && y <= c.hi { // so that NaN goes on
			continue
		}
		if !c.missing || math.Float64bits(y) != missingBits {
			return missing, i
		}
		missing++
	}
	return missing, -1
}

// byArm returns the first row whose rewards by arm may not be there, and why;
// or -1.
func (c *rewardCheck) byArm(all, rewards []float64, arms []int32) (bad int, says string) {
	k := len(all) / len(arms)
	if _, at := c.rewards(all); at >= 0 {
		return at / k, "a reward of reward_by_arm is not in the declared range"
	}
	for i, y := range rewards {
		if !math.IsNaN(y) && all[i*k+int(arms[i])] != y {
			return i, "the reward is not that of the logged arm in reward_by_arm"
		}
	}
	return -1, ""
}
