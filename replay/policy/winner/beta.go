package winner

import (
	"math"

	"banditaudit/replay/policy/scalar"
)

// Beta computes the probability that θ_i is the largest of independent
// θ_j ~ Beta(a_j, b_j), by the quadrature over the logit
// u = ln(θ/(1−θ)), whose density is log-concave and smooth whatever a and b:
//
//	f(u) = e^{a·u}/(1+e^u)^n / B(a,b),   n = a + b.
//
// Each probability is within 10⁻⁹ of the truth for a, b from 10⁻³ to 10⁹, with
// the same bits on every architecture.
type Beta struct {
	quadrature
	logits
	arms []int
}

// NewBeta returns what computes them for k ≥ 1 variables, whose laws are to be set.
func NewBeta(k int) *Beta {
	return &Beta{quadrature: *newQuadrature(k), logits: logits{laws: make([]logit, k)}}
}

// Set gives variable i the law Beta(alpha, beta), both above 0.
func (b *Beta) Set(i int, alpha, beta float64) { b.laws[i] = newLogit(alpha, beta) }

// Best writes the probability of every eligible variable, and 0 for the others; eligible
// nil: all are. The law of every eligible one has been set.
func (b *Beta) Best(eligible []bool, dst []float64) {
	clear(dst)
	b.arms = b.arms[:0]
	for i := range b.laws {
		if len(eligible) == 0 || eligible[i] {
			b.arms = append(b.arms, i)
		}
	}
	b.above(&b.logits, b.arms, math.Inf(-1), dst)
	scale(dst)
}

// logit is the law of the logit of a Beta(a, b) variable. Around its mode
// u₀ = ln(a/b), where θ = x = a/n and 1 − θ = y = b/n, the density is
//
//	f(u₀+δ) = f(u₀)·e^{h(δ)},  h(δ) = a·δ − n·ln(y + x·e^δ)
//	f(u₀) = √(ab/(2πn))·exp(Δ(n) − Δ(a) − Δ(b))
//
// with Stirling's remainder Δ: nothing large cancels.
type logit struct {
	a, b, n, x, y float64
	mode, peak    float64
	lo, hi        float64 // beyond them the density is below e^{−logitReach} of its peak
	edge          float64 // how far below hi a panel may reach that begins above it
}

const (
	logitReach = 29.0 // −ln of the relative density at lo and hi
	logitWidth = 1.5  // of a panel, in 1/√(curvature of ln f)
	logitStrip = 3    // of a panel: ln(1+e^u) has a singularity at distance π from every real u
	logitClimb = 7    // of ln Π f over a panel, upwards
	logitLine  = 5.0  // of ln f over a panel wider than logitStrip, downwards
	logitFall  = 8    // of ln f over a panel, downwards
	logitDrop  = 2.0  // of ln Π F over a panel wider than logitStrip
)

// newLogit returns the law for a, b > 0.
func newLogit(a, b float64) logit {
	n := a + b
	l := logit{a: a, b: b, n: n, x: a / n, y: b / n, mode: scalar.Ln(a / b)}
	spread := math.Sqrt(n / a / b)
	const root = 0.3989422804014327 // 1/√(2π), https://oeis.org/A231863
	l.peak = float64(root/spread) * scalar.Exp(scalar.Stirling(n)-scalar.Stirling(a)-scalar.Stirling(b))
	wide := float64(math.Sqrt(2*logitReach) * spread)
	l.lo, l.hi = l.mode+l.reach(-wide-logitReach/a), l.mode+l.reach(wide+logitReach/b)
	x, y := scalar.Logistic(l.hi)
	l.edge = 0.25 * min(logitStrip, logitWidth/math.Sqrt(float64(n*float64(x*y))))
	return l
}

// reach returns a δ on the side of d where h is −logitReach within a few
// hundredths, by Newton's method for ln(−h), which is nearly a straight line
// where h falls exponentially. No step changes δ more than fourfold.
func (l *logit) reach(d float64) float64 {
	for range 60 {
		depth := -l.height(d) / logitReach
		if depth > 0.98 && depth < 1.05 {
			break
		}
		next := d + float64(float64(scalar.Ln(depth)*depth)*logitReach)/l.slope(l.mode+d)
		d = float64(d * min(4, max(0.25, next/d)))
	}
	return d
}

// height returns h(δ), by the one of two equal forms that keeps its digits.
func (l *logit) height(d float64) float64 {
	const far = 600 // e^δ is finite
	if d < -far || (l.x <= 0.5 && d <= far) {
		return float64(l.a*d) - float64(l.n*scalar.Lift(l.x, l.y, d))
	}
	return -float64(l.b*d) - float64(l.n*scalar.Lift(l.y, l.x, -d))
}

// slope returns h' at the logit u.
func (l *logit) slope(u float64) float64 {
	x, y := scalar.Logistic(u)
	return float64(l.a*y) - float64(l.b*x)
}

// logits are Beta laws on the line of the logit.
type logits struct {
	laws   []logit
	centre float64
	half   float64
	mirror bool  // lift is of 1−θ
	d      panel // u − centre
	lift   panel // ln(y + x·e^d), or ln(x + y·e^{−d}), θ = x at the centre
}

var _ laws = (*logits)(nil)

func (l *logits) top(arm int) float64 { return l.laws[arm].hi }

func (l *logits) bottom(arm int) float64 { return l.laws[arm].lo }

// below goes down by a width.
func (l *logits) below(arms []int, u float64) float64 { return u - l.width(arms, u) }

// width allows logitWidth/√(n·θ(1−θ)), n the largest among the laws that have
// begun, logitStrip where the singularities of ln(1+e^u) matter, and as much as
// lets ln f and ln Π f change by logitFall and logitClimb.
func (l *logits) width(arms []int, u float64) float64 {
	x, y := scalar.Logistic(u)
	width, n, climb, fall := math.Inf(1), 0.0, 0.0, 0.0
	for _, i := range arms {
		law := &l.laws[i]
		slope := float64(law.a*y) - float64(law.b*x)
		climb += max(slope, 0)
		if u > law.hi {
			width = min(width, u-law.hi+law.edge)
			continue
		}
		n, fall = max(n, law.n), max(fall, -slope)
	}
	width = min(width, logitClimb/climb, logitFall/fall)
	// From here outwards n·e^{−|u|} is below 10⁻¹⁵, and ln f a straight line.
	straight := scalar.Ln(n) + 35
	if u >= -straight {
		width = min(width, max(logitStrip, u-straight))
	}
	if long := logitLine / fall; width > logitStrip {
		width = min(width, max(logitStrip, l.drop(arms, u, long, fall)))
	}
	bend := func(x, y float64) float64 { return logitWidth / math.Sqrt(float64(n*float64(x*y))) }
	here := bend(x, y)
	width = min(width, here)
	width = min(width, bend(scalar.Logistic(u-float64(0.5*width))))
	if u > 0 && u < width {
		return min(width, bend(0.5, 0.5))
	}
	return min(width, bend(scalar.Logistic(u-width)))
}

// drop returns at most long, so that a panel in the flat tails of many laws
// lets ln Π F fall by about logitDrop: there each density grows downwards, by
// e^{fall} per unit.
func (l *logits) drop(arms []int, u, long, fall float64) float64 {
	rate := 0.0
	for _, i := range arms {
		if law := &l.laws[i]; u <= law.hi {
			rate += float64(law.peak * scalar.Exp(law.height(u-law.mode)))
		}
	}
	for range 60 {
		if long <= logitStrip || float64(float64(rate*long)*scalar.Exp(min(700, float64(fall*long)))) <= logitDrop {
			break
		}
		long *= 0.75
	}
	return long
}

func (l *logits) enter(abscissa *panel, centre, half float64) {
	l.centre, l.half = centre, half
	x, y := scalar.Logistic(centre)
	l.mirror = centre > 0
	sign := 1.0
	if l.mirror {
		x, y, sign = y, x, -1
	}
	for k, v := range abscissa {
		l.d[k] = float64(half * v)
		l.lift[k] = scalar.Lift(x, y, min(float64(sign*l.d[k]), 700))
	}
}

func (l *logits) density(arm int, dst *panel) {
	law := &l.laws[arm]
	h := law.height(l.centre - law.mode)
	slope := law.a
	if l.mirror {
		slope = -law.b
	}
	peak := float64(l.half * law.peak)
	for k, d := range l.d {
		dst[k] = float64(peak * scalar.Exp(h+(float64(slope*d)-float64(law.n*l.lift[k]))))
	}
}
