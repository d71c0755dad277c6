package calibration

import (
	"math/rand/v2"

	"banditaudit/replay"
	"banditaudit/replay/ledger"
)

const experiment = "calibration"

// history is one run: what was played, and what it earned.
type history struct {
	arms    []int32
	rewards []float64
	x       [][]float64 // Dim columns; nil without contexts
	pulls   [Arms]int64
	ones    [Arms]int64 // rewards of 1
}

// player plays bandits of one mechanism, again and again in the same memory.
type player struct {
	m        *replay.Mechanism
	rounds   int64
	means    [Arms]float64
	contexts bool
	h        history
}

// play makes one run with the master seed of a number. An arm pays 1 with its
// mean, whatever the context, which is uniform on a simplex: u/Σu with u uniform
// on (0,1)^d.
func (p *player) play(run int) (*history, error) {
	master := replay.Seed(int64(run))
	coins := replay.Stream(master, replay.PurposeReward, experiment, replay.NoArm)
	public := replay.Stream(master, replay.PurposeContext, experiment, replay.NoArm)
	r := p.m.NewRunner(master, experiment)
	in := &replay.Round{}
	h := p.reset()
	for range p.rounds {
		if p.contexts {
			in.X = simplex(public, in.X)
			for j, v := range in.X {
				h.x[j] = append(h.x[j], v)
			}
		}
		arm := r.Next(in)
		y := 0.0
		if unit(coins.Uint64()) < p.means[arm] {
			y = 1
			h.ones[arm]++
		}
		r.Add(arm, y)
		if err := r.Err(); err != nil {
			return nil, err
		}
		h.pulls[arm]++
		h.arms, h.rewards = append(h.arms, int32(arm)), append(h.rewards, y) //nolint:gosec // an arm is below Arms
	}
	return h, nil
}

func (p *player) reset() *history {
	h := &p.h
	*h = history{arms: h.arms[:0], rewards: h.rewards[:0], x: h.x}
	if p.contexts && h.x == nil {
		h.x = make([][]float64, Dim)
	}
	for j := range h.x {
		h.x[j] = h.x[j][:0]
	}
	return h
}

// simplex draws a context.
func simplex(src rand.Source, x []float64) []float64 {
	if x == nil {
		x = make([]float64, Dim)
	}
	sum := 0.0
	for j := range x {
		x[j] = unit(src.Uint64()) + 0x1p-54
		sum += x[j]
	}
	for j := range x {
		x[j] /= sum
	}
	return x
}

// unit makes a number in [0,1) of a word.
func unit(word uint64) float64 { return float64(word>>11) * 0x1p-53 }

// selections lists the arms that are tested; of equal pulls the first arm.
func (h *history) selections() [Selections]int {
	most, least := 0, -1
	for arm, n := range h.pulls {
		if n > h.pulls[most] {
			most = arm
		}
		if n > 0 && (least < 0 || n < h.pulls[least]) {
			least = arm
		}
	}
	return [Selections]int{most, least, 0}
}

// pricer says what the rows of a run cost.
type pricer struct {
	law   ledger.Law
	path  *ledger.PathLaw // nil: costs follow from places in streams
	byLen map[int64][]float64
}

func newPricer(law ledger.Law) *pricer {
	p := &pricer{law: law, byLen: map[int64][]float64{}}
	p.path, _ = law.(*ledger.PathLaw)
	return p
}

// costs returns what each row of arm costs, in row order. The reward of the last
// round is used by no decision and costs 0.
func (p *pricer) costs(h *history, arm int) []float64 {
	if p.path != nil {
		return p.drawn(h, arm)
	}
	last := int(h.arms[len(h.arms)-1]) == arm
	read := h.pulls[arm]
	if last {
		read--
	}
	costs, ok := p.byLen[read]
	if !ok {
		of := ledger.Costs(p.law, read)
		for n := int64(1); n <= read; n++ {
			costs = append(costs, of(n))
		}
		costs = append(costs, 0)
		p.byLen[read] = costs
	}
	if last {
		return costs
	}
	return costs[:read]
}

// drawn is costs where decisions cost something by being drawn.
func (p *pricer) drawn(h *history, arm int) []float64 {
	path := ledger.NewPath(p.path, Arms)
	var costs []float64
	same := h.pulls[arm]
	for t, a := range h.arms {
		if int(a) != arm {
			continue
		}
		same--
		costs = append(costs, path.Row(arm, int64(len(h.arms)-1-t), same))
	}
	return costs
}
