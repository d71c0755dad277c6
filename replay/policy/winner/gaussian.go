package winner

import (
	"math"

	"banditaudit/replay/policy/scalar"
)

// Gaussian computes the probability that θ_i is the largest of independent
// θ_j ~ Normal(mean_j, sd_j²), by quadrature. Each probability is
// within 10⁻⁹ of the truth, with the same bits on every architecture.
type Gaussian struct {
	quadrature
	normals
	arms []int
}

// NewGaussian returns what computes them for k ≥ 1 variables.
func NewGaussian(k int) *Gaussian {
	return &Gaussian{quadrature: *newQuadrature(k), normals: normals{mean: make([]float64, k)}}
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
	clear(dst)
	origin, narrowest := 0.0, math.Inf(1) // mean and spread of the narrowest law
	for i, m := range mean {
		if s := sd[i]; s > 0 && s < narrowest && (len(eligible) == 0 || eligible[i]) {
			origin, narrowest = m, s
		}
	}
	g.arms, g.sd = g.arms[:0], sd
	point, end := -1, math.Inf(-1) // the largest point mass
	for i, m := range mean {
		m -= origin // so that the narrowest law keeps its digits
		g.mean[i] = m
		switch {
		case len(eligible) > 0 && !eligible[i]:
		case g.bottom(i) < g.top(i):
			g.arms = append(g.arms, i)
		case point < 0 || m > end:
			point, end = i, m
		}
	}
	left := g.above(&g.normals, g.arms, end, dst)
	if point >= 0 {
		dst[point] = left
	}
	scale(dst)
}

// scale divides p by its sum.
func scale(p []float64) {
	sum := 0.0
	for _, v := range p {
		sum += v
	}
	for i := range p {
		p[i] /= sum
	}
}

// normals are Gaussian laws.
type normals struct {
	mean, sd     []float64
	x            *panel
	centre, half float64
}

var _ laws = (*normals)(nil)

const (
	normalReach = 7.5  // standard deviations to the top of a normal law
	normalWidth = 1.75 // standard deviations of a panel
)

func (n *normals) top(arm int) float64 { return n.mean[arm] + float64(normalReach*n.sd[arm]) }

func (n *normals) bottom(arm int) float64 { return n.mean[arm] - float64(normalReach*n.sd[arm]) }

// below allows normalWidth standard deviations of every law whose top lies
// above, and lets a panel reach a quarter of that below the top of another: to
// a point by its own numbers, because seen from a law that is 10^16 times as
// wide, top and bottom are one.
//
// Panels end at the highest bottom of a law, so that a law has at most
// 2·normalReach/normalWidth of its own: there are fewer than 10 for each law,
// and one more that ends at its top.
func (n *normals) below(arms []int, u float64) float64 {
	low := math.Inf(-1)
	for _, i := range arms {
		w, top := float64(normalWidth*n.sd[i]), n.top(i)
		if u > top {
			low = max(low, top-float64(0.25*w))
		} else {
			low = max(low, u-w)
		}
	}
	return low
}

func (n *normals) enter(x *panel, centre, half float64) { n.x, n.centre, n.half = x, centre, half }

func (n *normals) density(arm int, dst *panel) {
	const peak = 0.3989422804014327 // 1/√(2π), https://oeis.org/A231863
	z, dz := (n.centre-n.mean[arm])/n.sd[arm], n.half/n.sd[arm]
	peakHalf := float64(peak * dz)
	for k, x := range n.x {
		v := z + float64(dz*x)
		dst[k] = float64(peakHalf * scalar.Exp(float64(-0.5*float64(v*v))))
	}
}
