package dialects

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// thompson plays the largest of a draw from each arm's posterior, or one of the two
// largest.
type thompson struct {
	arms

	a, b        float64 // Beta prior; 0: a normal one
	mean0, var0 float64
	noise       float64 // variance of a reward; 0: each arm's own
	two         bool
	least       float64 // rewards that every arm has before any is learned from
	most        float64 // that a + b never exceeds; 0: none
	betas       *betas
	kept        []float64 // chances, until something is learned
}

func newBeta(k int) *thompson { return &thompson{arms: newArms(k), a: 1, b: 1} }

func newNormal(k int, mean, variance, noise float64) *thompson {
	return &thompson{arms: newArms(k), mean0: mean, var0: variance, noise: noise}
}

func (p *thompson) learn(e earned) {
	if p.kept = nil; p.most > 0 && p.a+p.b+p.n[e.arm]+1 > p.most {
		return
	}
	p.arms.learn(e)
}

// beta is an arm's posterior of a Beta prior.
func (p *thompson) beta(i int) (a, b float64) {
	if slices.Min(p.n) < p.least {
		return p.a, p.b
	}
	return p.a + p.sum[i], p.b + (p.n[i] - p.sum[i])
}

// gauss is an arm's posterior of a normal prior.
func (p *thompson) gauss(i int) (mean, sd float64) {
	n, noise := p.n[i], p.noise
	if noise == 0 && n > 1 {
		noise = p.m2[i] / (n - 1)
	}
	if noise == 0 || slices.Min(p.n) < p.least {
		return p.mean0, math.Sqrt(p.var0)
	}
	precision := 1/p.var0 + n/noise
	return (p.mean0/p.var0 + p.sum[i]/noise) / precision, 1 / math.Sqrt(precision)
}

func (p *thompson) chances(int) []float64 {
	if p.kept != nil {
		return p.kept
	}
	k := len(p.n)
	if p.a > 0 {
		if p.betas == nil {
			p.betas = newBetas(k)
		}
		for i := range k {
			a, b := p.beta(i)
			p.betas.set(i, a, b)
		}
		p.kept = p.betas.best(p.two)
		return p.kept
	}
	mean, sd := make([]float64, k), make([]float64, k)
	for i := range k {
		mean[i], sd[i] = p.gauss(i)
	}
	p.kept = bestNormal(mean, sd, p.two)
	return p.kept
}

// values are a draw of each arm.
func (p *thompson) values(r *rand.Rand) []float64 {
	v := make([]float64, len(p.n))
	for i := range v {
		if p.a > 0 {
			a, b := p.beta(i)
			v[i] = distuv.Beta{Alpha: a, Beta: b, Src: r}.Rand()
			continue
		}
		mean, sd := p.gauss(i)
		v[i] = mean + sd*r.NormFloat64()
	}
	return v
}

func (p *thompson) choose(_ int, r *rand.Rand) int { return one(p.values(r), p.two, r) }

// one is the arm of the largest value, or one of the two.
func one(v []float64, two bool, r *rand.Rand) int {
	arm := slices.Index(v, slices.Max(v))
	if two && r.IntN(2) == 0 {
		v[arm] = math.Inf(-1)
		arm = slices.Index(v, slices.Max(v))
	}
	return arm
}

// sampling plays by shares of draws of another policy, or draws once more.
type sampling struct {
	*thompson

	draws  int
	more   bool
	shares []float64
	from   *rand.Rand
}

func (e *sampling) learn(x earned) {
	e.shares = nil
	e.thompson.learn(x)
}

func (e *sampling) chances(int) []float64 {
	if e.shares != nil {
		return e.shares
	}
	e.shares = make([]float64, len(e.n))
	for range e.draws {
		v := e.values(e.from)
		first := one(v, false, nil)
		e.shares[first]++
		if e.two {
			v[first] = math.Inf(-1)
			e.shares[one(v, false, nil)]++
		}
	}
	return whole(e.shares)
}

func (e *sampling) choose(t int, r *rand.Rand) int {
	if e.more {
		return e.thompson.choose(t, r)
	}
	return pick(r, e.chances(t))
}
