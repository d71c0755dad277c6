package dialects

import (
	"math/rand/v2"
	"slices"
)

// player is a policy as somebody runs it, at rewards in [0, 1].
type player interface {
	// chances are the probabilities of all arms in round t, from 1.
	chances(t int) []float64
	// choose is the arm that is played, as the program draws it.
	choose(t int, r *rand.Rand) int
	// learn takes up a reward.
	learn(e earned)
}

// earned is a reward, with the context and with what the policy's rule said of the arm in
// the round in which it was played.
type earned struct {
	arm  int
	y, p float64
	x    []float64

	known int // the round after which it is
}

// ruled is a policy that divides rewards by what its rule says.
type ruled interface{ rule() []float64 }

// arms is what is known of the rewards of each arm.
type arms struct {
	n, sum   []float64
	mean, m2 []float64 // kept as each reward comes; Σ(y − mean)²
}

func newArms(k int) arms {
	return arms{make([]float64, k), make([]float64, k), make([]float64, k), make([]float64, k)}
}

func (a *arms) learn(e earned) {
	i, d := e.arm, e.y-a.mean[e.arm]
	a.n[i]++
	a.sum[i] += e.y
	a.mean[i] += d / a.n[i]
	a.m2[i] += d * (e.y - a.mean[i])
}

// rows is the number of all rewards.
func (a *arms) rows() float64 {
	n := 0.0
	for _, v := range a.n {
		n += v
	}
	return n
}

// unseen are the arms without rewards.
func (a *arms) unseen() []int {
	var out []int
	for i, n := range a.n {
		if n == 0 {
			out = append(out, i)
		}
	}
	return out
}

// pick draws an arm with the given probabilities.
func pick(r *rand.Rand, p []float64) int {
	u, last := r.Float64(), 0
	for i, v := range p {
		if v > 0 {
			last = i
			if u -= v; u < 0 {
				break
			}
		}
	}
	return last
}

// evenly gives some of k arms the same probability.
func evenly(k int, some []int) []float64 {
	p := make([]float64, k)
	for _, i := range some {
		p[i] = 1 / float64(len(some))
	}
	return p
}

func all(k int) []int {
	out := make([]int, k)
	for i := range out {
		out[i] = i
	}
	return out
}

// explorer plays any of k arms with a probability, and else as another.
type explorer struct {
	player

	k       int
	explore func(t int) float64
	less    int // arms at the end that are never explored
}

func (e *explorer) chances(t int) []float64 {
	x, p := e.explore(t), slices.Clone(e.player.chances(t))
	for i := range p {
		p[i] = x/float64(e.k) + (1-x)*p[i]
	}
	return p
}

func (e *explorer) choose(t int, r *rand.Rand) int {
	if r.Float64() < e.explore(t) {
		return r.IntN(e.k - e.less)
	}
	return e.player.choose(t, r)
}

// opened draws any of k arms in its first rounds, or until each was played.
type opened struct {
	player

	first int
	until bool
	seen  arms
}

func (o *opened) learn(e earned) {
	o.seen.learn(e)
	o.player.learn(e)
}

func (o *opened) open(t int) bool { return t <= o.first || o.until && len(o.seen.unseen()) > 0 }

func (o *opened) chances(t int) []float64 {
	if o.open(t) {
		return evenly(len(o.seen.n), all(len(o.seen.n)))
	}
	return o.player.chances(t)
}

func (o *opened) choose(t int, r *rand.Rand) int {
	if o.open(t) {
		return r.IntN(len(o.seen.n))
	}
	return o.player.choose(t, r)
}
