package answers

import (
	"math"
	"math/rand/v2"
	"slices"

	"banditaudit/analyze"
	"banditaudit/cmd/banditlab/truth"
	"banditaudit/replay"
)

// played is a log and what is true of it.
type played struct {
	log   *truth.Log
	over  []float64 // mean of each arm over all rounds
	own   []float64 // mean of each arm over the rounds in which it was played and its reward is known
	still bool      // own is that of the law whatever the rounds
}

// play is a log of a setting. apart: the last arm pays more than the others.
func (s *Setting) play(run int64, apart bool) (*played, error) {
	m, err := s.mechanism()
	if err != nil {
		return nil, err
	}
	master := replay.Seed(run)
	g := game{
		Setting: s, apart: apart, runner: m.NewRunner(master, experiment),
		rewards: rand.New(replay.Stream(master, replay.PurposeReward, experiment, replay.NoArm)),
		over:    make([]float64, s.Arms), own: make([]float64, s.Arms), times: make([]float64, s.Arms),
	}
	for t := range s.Rounds {
		g.round(t)
	}
	if err := g.runner.Err(); err != nil {
		return nil, err
	}
	out := &played{log: g.log(), over: g.over, own: g.own, still: !s.Twist.Drift && !s.Policy.Contexts && s.Twist.Unit == 0}
	for a := range s.Arms {
		out.over[a] /= float64(s.Rounds)
		out.own[a] /= g.times[a]
	}
	return out, nil
}

// mechanism is the policy that chooses.
func (s *Setting) mechanism() (*replay.Mechanism, error) {
	context := ""
	if s.Policy.Contexts {
		context = ", context: [x]"
	}
	doc, err := analyze.Standard().Format().ParseProtocol("answer", []byte("version: 1\nlog: {order: [round], action: action, reward: reward"+context+"}\nexperiment: {id: "+experiment+", stopping: fixed}\n"+s.declared()+s.policy("")))
	if err != nil {
		return nil, err
	}
	return analyze.Standard().New(&doc.Protocol, s.labels())
}

// game is a log that is being played.
type game struct {
	*Setting
	apart            bool
	runner           *replay.Runner
	rewards          *rand.Rand
	over, own, times []float64 // sums over rounds, and own rounds of known rewards, by arm

	factor float64   // of the means, of this unit
	arm    int       // of this unit
	p      []float64 // of the draw of this unit
	sum    float64   // of the known rewards of this unit
	known  int

	number, user []int64
	batch        []int64
	action       []string
	paid         []*float64
	x, chance    []float64
	all          [][]float64
}

// round plays one round.
func (g *game) round(t int) {
	unit := max(g.Twist.Unit, 1)
	if t%unit == 0 {
		g.draw()
	}
	labels := g.labels()
	g.number, g.user = append(g.number, int64(t+1)), append(g.user, int64(t/unit))
	g.action = append(g.action, labels[g.arm])
	g.batch = append(g.batch, int64(t/max(g.Policy.Every, 1)))
	if g.Policy.Logged {
		g.all, g.chance = append(g.all, g.p), append(g.chance, g.p[g.arm])
	}
	for a := range g.Arms {
		g.over[a] += g.mean(t, a)
	}
	var y *float64
	if g.Twist.Missing == 0 || g.rewards.Float64() >= g.Twist.Missing {
		y = new(float64)
		*y = g.reward(g.mean(t, g.arm))
		g.own[g.arm] += g.mean(t, g.arm)
		g.times[g.arm]++
		g.sum += *y
		g.known++
	}
	g.paid = append(g.paid, y)
	if t%unit == unit-1 && g.known > 0 { // the policy learns the mean of a unit
		g.runner.Add(g.arm, g.sum/float64(g.known))
	}
}

// draw begins a unit.
func (g *game) draw() {
	in := &replay.Round{}
	g.factor, g.sum, g.known = 1, 0, 0
	if g.Policy.Contexts {
		side := float64(1 - 2*g.rewards.IntN(2))
		in.X = []float64{side}
		g.factor = 1 + side/2
		g.x = append(g.x, slices.Repeat(in.X, max(g.Twist.Unit, 1))...)
	}
	if g.Twist.Unit > 0 {
		g.factor *= .7 + .6*float64(g.rewards.IntN(2))
	}
	g.arm = g.runner.Next(in)
	if g.Policy.Logged {
		g.p = slices.Clone(g.runner.Propensities())
	}
}

// mean is what an arm pays in a round, in expectation given the unit and the context.
func (g *game) mean(t, arm int) float64 {
	m := g.base()
	if g.apart && arm == g.Arms-1 {
		m += g.Law.More
	}
	if g.Twist.Drift {
		m *= .5 + float64(t)/float64(g.Rounds)
	}
	return min(m*g.factor, 1)
}

// reward draws one of a mean.
func (g *game) reward(mean float64) float64 {
	u := g.rewards.Float64()
	switch {
	case g.Twist.Shift: // the skewed law on a part of [0,1], and what the arm pays more
		return math.Pow(u, 1/g.Law.Mean-1)*(1-g.Law.More) + (mean - g.base())
	case !g.Law.Skewed && u < mean:
		return 1
	case !g.Law.Skewed:
		return 0
	}
	// u^(1/mean − 1) has that mean: its integral over [0,1] is mean.
	return math.Pow(u, 1/mean-1)
}

// log is what was played, in columns.
func (g *game) log() *truth.Log {
	out := (&truth.Log{}).Put("round", g.number).Put("action", g.action)
	if g.Law.Skewed {
		out.Put("reward", g.paid)
	} else {
		out.Put("reward", whole(g.paid))
	}
	if g.Twist.Unit > 0 {
		out.Put("user", g.user)
	}
	if g.Policy.Contexts {
		out.Put("x", g.x)
	}
	if g.Twist.Batches {
		out.Put("batch", g.batch)
	}
	if g.Policy.Logged {
		out.Put("p", g.chance).Put("all", g.all)
	}
	return out
}

// whole are rewards of 0 and 1 by the type of their column.
func whole(paid []*float64) []*int64 {
	out := make([]*int64, len(paid))
	for t, y := range paid {
		if y != nil {
			out[t] = new(int64)
			*out[t] = int64(*y)
		}
	}
	return out
}
