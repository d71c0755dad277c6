package programreplay

import (
	"math"
	"math/rand/v2"

	"banditaudit/replay"
	"banditaudit/replay/program"
)

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
