package argmaxprob

import (
	"math"

	"banditaudit/replay/policy/bitexact"
)

// Gaussian computes the probability that θ_i is the largest of independent
// θ_j ~ Normal(mean_j, sd_j²), by quadrature. Each probability p is within 10⁻⁹ + 10⁻⁷·p
// of the truth, with the same bits on every architecture; it is a function of the laws alone.
type Gaussian struct {
	quadrature
	normals
	arms []int
}

// NewGaussian returns what computes them for k ≥ 1 variables.
func NewGaussian(k int) *Gaussian {
	return &Gaussian{quadrature: *newQuadrature(k), normals: normals{make([]float64, k), make([]float64, k), make([]float64, k), make([]float64, k)}}
}

// Best writes the probability of every eligible arm, and 0 for the others;
// eligible nil: all are. Means and standard deviations are finite, and sd_j ≥ 0.
//
// Special cases are:
//
//	sd_j = 0 is a point mass at mean_j, and so is what is as narrow as the
//	numbers at mean_j are dense, seen from the mean of the narrowest law
//	of equal largest point masses the first counts
//	one eligible arm has probability 1
func (g *Gaussian) Best(mean, sd []float64, eligible []bool, dst []float64) {
	origin, narrowest := 0.0, math.Inf(1) // mean and spread of the narrowest law
	for i, m := range mean {
		if s := sd[i]; s > 0 && (s < narrowest || s == narrowest && m < origin) && (len(eligible) == 0 || eligible[i]) {
			origin, narrowest = m, s
		}
	}
	origin = rounded(origin, narrowest)
	g.arms = g.arms[:0]
	for i, m := range mean {
		if len(eligible) == 0 || eligible[i] {
			g.arms = append(g.arms, i)
			g.set(i, m-origin, sd[i]) // so that the narrowest law keeps its digits
		}
	}
	g.best(&g.normals, g.arms, dst)
}

// scale divides p by its sum, and returns that.
func scale(p []float64) (sum float64) {
	for _, v := range p {
		sum += v
	}
	for i := range p {
		p[i] /= sum
	}
	return sum
}

// set gives variable i a law.
func (g *Gaussian) set(i int, mean, sd float64) {
	if mean == g.mean[i] && sd == g.sd[i] {
		return
	}
	g.mean[i], g.sd[i] = mean, sd
	g.version[i]++
	const fine = 1<<49 - 1 // of a float64's bits, all behind the first three of its fraction
	near, wide := rounded(mean, sd), math.Float64frombits((math.Float64bits(sd)+fine)&^fine)
	g.moved = g.moved || near != g.near[i] || wide != g.wide[i]
	g.near[i], g.wide[i] = near, wide
}

// rounded returns a multiple of a power of two that is at most half of sd, within a quarter of
// sd of the mean; the mean, where it has no digits below that.
func rounded(mean, sd float64) float64 {
	step := 0.5 * math.Float64frombits(math.Float64bits(sd)&^(1<<52-1))
	switch n := math.Round(mean / step); {
	case n == 0:
		return 0 // also of all laws, if none is narrow
	case math.Abs(n) < 1<<52:
		return float64(n * step)
	}
	return mean
}

// normals are Gaussian laws, and the rounded ones: those have no smaller spread.
type normals struct{ mean, sd, near, wide []float64 }

var _ laws = (*normals)(nil)

// normalReach is how many standard deviations of the rounded law lie between its mean and its top.
const normalReach = 7.0

func (n *normals) top(arm int) float64 { return n.near[arm] + float64(normalReach*n.wide[arm]) }

func (n *normals) bottom(arm int) float64 { return n.near[arm] - float64(normalReach*n.wide[arm]) }

// below allows what is narrow in standard deviations of every law, but for the way down to
// the top of a law: to a point by its own numbers, because seen from a law that is 10^16
// times as wide, top and bottom are one.
func (n *normals) below(arms []int, u float64) float64 {
	low, width := math.Inf(-1), narrow(len(arms))
	for _, i := range arms {
		low = max(low, min(n.top(i), u-float64(width*n.wide[i])))
	}
	return low
}

func (n *normals) enter(x *panel, p *place) {
	p.d = *x
}

func (n *normals) density(arm int, p *place, dst *panel) {
	const peak = 0.3989422804014327 // 1/√(2π), https://oeis.org/A231863
	z, dz := (p.centre-n.mean[arm])/n.sd[arm], p.half/n.sd[arm]
	for k, x := range &p.d {
		v := z + float64(dz*x)
		dst[k] = float64(-0.5 * float64(v*v))
	}
	bitexact.Exps(dst[:], float64(peak*dz))
}
