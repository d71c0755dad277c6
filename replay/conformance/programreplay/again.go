package programreplay

import (
	"math"

	"banditaudit/schemas"
)

// mostAgain is how many rounds are run again.
const mostAgain = 20_000

// answers holds the answers in the first rounds of a run, each as one number.
type answers struct {
	most int64
	of   []uint64
}

func (a *answers) add(x Answer) {
	if int64(len(a.of)) < a.most {
		a.of = append(a.of, x.number())
	}
}

// FNV-1a of 64 bits.
const (
	fnvStart = 14695981039346656037
	fnvPrime = 1099511628211
)

// number returns a hash of an answer: equal answers have equal numbers, and other answers
// have others but by a chance of 2^−64.
func (a *Answer) number() uint64 {
	h := uint64(fnvStart)
	mix := func(x uint64) {
		for range 8 {
			h = (h ^ x&0xff) * fnvPrime
			x >>= 8
		}
	}
	mix(uint64(a.Arm + 1)) //nolint:gosec // an arm is −1 or above
	for _, p := range a.P {
		mix(math.Float64bits(p))
	}
	return h
}

// again runs the program with other rewards: in a second run those from the middle of the
// rounds on are exchanged within each arm, so that means and counts stay. A program that
// decides answers the same before a changed reward can have decided, and something else
// after it; one that reads the log itself answers the same throughout. Where nothing differs
// later, which happens to honest programs too, a third run shows every reward y as
// lo + hi − y, from the first round on.
func (e *execution) again() error {
	again := &schemas.ProgramAgain{Rounds: e.first.most}
	e.record.Again = again
	p := &showing{run: secondRun, rows: e.first.most}
	if e.rewards != nil {
		exchanged := e.exchanged(e.first.most/2, e.first.most)
		p.reward = func(row int64, y float64) float64 {
			if other, ok := exchanged[row]; ok {
				return other
			}
			return y
		}
	}
	row := 0
	p.visit = func(r *played, a Answer) error {
		differs := a.number() != e.first.of[row]
		row++
		if a.changed && again.From == nil {
			again.From = new(r.round())
		}
		switch {
		case !differs:
		case a.changed:
			again.Later++
		default:
			again.Before = new(r.round())
			return ErrEnough
		}
		return nil
	}
	if err := e.play(p); err != nil || e.rewards == nil || again.Before != nil || again.Later > 0 {
		return err
	}
	return e.mirror(again)
}

// mirror is the third run.
func (e *execution) mirror(again *schemas.ProgramAgain) error {
	lo, hi := e.Protocol.Reward.Range[0], e.Protocol.Reward.Range[1]
	row, differ := 0, int64(0)
	err := e.play(&showing{
		run:    thirdRun,
		rows:   e.first.most,
		reward: func(_ int64, y float64) float64 { return lo + hi - y },
		visit: func(_ *played, a Answer) error {
			if a.number() != e.first.of[row] {
				differ++
			}
			row++
			return nil
		},
	})
	again.Mirrored = &differ
	return err
}

// exchanged are the rewards of rows in [from, to) in the opposite order, arm by arm, by row:
// means and counts are as they were. A missing reward stays where it is.
func (e *execution) exchanged(from, to int64) map[int64]float64 {
	type at struct {
		row int64
		y   float64
	}
	byArm := make([][]at, e.Slice.Arms())
	for i := range e.Slice.Chunks() {
		c, rewards := e.Slice.Chunk(i), e.rewards.Chunk(i)
		if c.Start >= to {
			break
		}
		for row, arm := range c.Arm {
			if t := c.Start + int64(row); t >= from && t < to && !math.IsNaN(rewards[row]) {
				byArm[arm] = append(byArm[arm], at{t, rewards[row]})
			}
		}
	}
	out := map[int64]float64{}
	for _, list := range byArm {
		for i := range list {
			out[list[i].row] = list[len(list)-1-i].y
		}
	}
	return out
}
