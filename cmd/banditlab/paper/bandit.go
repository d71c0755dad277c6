package paper

import (
	"math"
	"math/rand/v2"
	"slices"

	"banditaudit/replay"
	"banditaudit/replay/policy/bitexact"
	"banditaudit/schemas"
)

// arena is a bandit with Bernoulli arms, played many times by one policy.
type arena struct {
	id     string // of the setting, also in its streams
	words  string
	means  []float64
	rounds int64
	runs   int64
	player func() (player, error) // makes a player for one goroutine's replications
}

// player plays replications one after the other.
type player interface {
	// begin starts a replication.
	begin(r *runner, setting string, replication int64)
	// next returns the arm of the next round.
	next() (int, error)
	// add tells the reward of that round.
	add(arm int, reward float64) error
}

// declared is a player that a protocol declares.
type declared struct {
	m   *replay.Mechanism
	run *replay.Runner
	in  replay.Round
}

// declare builds the mechanism once; it is shared by all players.
func declare(p *schemas.Protocol) func() (player, error) {
	m, err := replay.Standard().New(p, p.Arms)
	return func() (player, error) {
		if err != nil {
			return nil, err
		}
		return &declared{m: m}, nil
	}
}

func (d *declared) begin(r *runner, setting string, replication int64) {
	d.run = d.m.NewRunner(r.master, r.name(setting, replication))
}

func (d *declared) next() (int, error) { return d.run.Next(&d.in), d.run.Err() }

func (d *declared) add(arm int, reward float64) error {
	d.run.Add(arm, reward)
	return d.run.Err()
}

// outcome is what replications of an arena add up to.
type outcome struct {
	bias   []average // of the mean of each arm, over replications that played it
	pulls  []average
	regret []average // at each of the checkpoints
}

func (a *arena) fresh(points int) *outcome {
	k := len(a.means)
	return &outcome{make([]average, k), make([]average, k), make([]average, points)}
}

func (o *outcome) fold(from *outcome) {
	for _, pair := range [][2][]average{{o.bias, from.bias}, {o.pulls, from.pulls}, {o.regret, from.regret}} {
		for i := range pair[0] {
			pair[0][i].merge(&pair[1][i])
		}
	}
}

// checkpoints are at most 256 rounds of 1 … T, the last of them T, at which
// regret is looked at: all of them, or equally spaced on a logarithmic scale.
func checkpoints(rounds int64) []int64 {
	const most = 256
	var out []int64
	if rounds <= most {
		for t := int64(1); t <= rounds; t++ {
			out = append(out, t)
		}
		return out
	}
	for i := range most {
		t := int64(math.Round(bitexact.Pow(float64(rounds), float64(i)/(most-1))))
		if len(out) == 0 || t > out[len(out)-1] {
			out = append(out, t)
		}
	}
	out[len(out)-1] = rounds
	return out
}

// play runs all replications.
func (a *arena) play(r *runner) (*outcome, error) {
	points := checkpoints(a.rounds)
	best := slices.Max(a.means)
	r.rounds = a.rounds
	return replicate(r, a.runs, func() *outcome { return a.fresh(len(points)) }, func(o *outcome, replication int64) error {
		p, err := a.player()
		if err != nil {
			return err
		}
		return a.once(r, p, o, replication, points, best)
	}, (*outcome).fold)
}

// once is one replication.
func (a *arena) once(r *runner, p player, o *outcome, replication int64, points []int64, best float64) error {
	at := 0
	end, err := a.walk(r, p, replication, func(t int64, pulls []float64) {
		if t == points[at] {
			o.regret[at].add(a.lost(pulls, best))
			at = min(at+1, len(points)-1)
		}
	})
	if err != nil {
		return err
	}
	for arm, n := range end.pulls {
		o.pulls[arm].add(n)
		if n > 0 {
			o.bias[arm].add(end.sums[arm]/n - a.means[arm])
		}
	}
	return nil
}

// walked is the end of one replication.
type walked struct {
	pulls, sums []float64
	last        int // the arm of the last round
}

// walk plays one replication and calls visit after each round.
func (a *arena) walk(r *runner, p player, replication int64, visit func(t int64, pulls []float64)) (walked, error) {
	world := rand.New(r.source("world.reward", a.id, replication))
	p.begin(r, a.id, replication)
	w := walked{pulls: make([]float64, len(a.means)), sums: make([]float64, len(a.means))}
	for t := int64(1); t <= a.rounds; t++ {
		arm, err := p.next()
		if err != nil {
			return w, err
		}
		reward := 0.0
		if world.Float64() < a.means[arm] {
			reward = 1
		}
		w.sums[arm] += reward
		w.pulls[arm]++
		w.last = arm
		if err = p.add(arm, reward); err != nil {
			return w, err
		}
		visit(t, w.pulls)
	}
	return w, nil
}

// lost is the regret of these pulls: Σ_i N_i·(μ* − μ_i).
func (a *arena) lost(pulls []float64, best float64) float64 {
	sum := 0.0
	for i, n := range pulls {
		sum += float64(n * (best - a.means[i]))
	}
	return sum
}
