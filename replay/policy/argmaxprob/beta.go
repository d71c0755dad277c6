package argmaxprob

import (
	"math"
	"slices"

	"banditaudit/replay/policy/bitexact"
)

// Beta computes the probability that θ_i is the largest of independent
// θ_j ~ Beta(a_j, b_j), by the quadrature over the logit
// u = ln(θ/(1−θ)), whose density is log-concave and smooth whatever a and b:
//
//	f(u) = e^{a·u}/(1+e^u)^n / B(a,b),   n = a + b,
//
// and where all a and b are whole and Σ(n_j − 1) ≤ 71 over θ itself (see fewRows).
//
// Each probability p is within 10⁻⁹ + 10⁻⁷·p of the truth for a, b from 10⁻³ to 10⁹, with
// the same bits on every architecture; it is a function of the laws alone. What an arm is on
// the panels is kept until its law changes, so that one arm's change costs little.
type Beta struct {
	quadrature
	logits
	fewRows

	a, b []float64
	arms []int
}

// NewBeta returns what computes them for k ≥ 1 variables.
func NewBeta(k int) *Beta {
	return &Beta{
		quadrature: *newQuadrature(k), logits: logits{laws: make([]logit, k), rounded: make([]logit, k)},
		a: make([]float64, k), b: make([]float64, k),
	}
}

// Best writes the probability of every eligible variable, whose law is Beta(a, b) with both
// above 0, and 0 for the others; eligible nil: all are.
func (b *Beta) Best(alpha, beta []float64, eligible []bool, dst []float64) {
	b.arms = b.arms[:0]
	whole := 0.0
	for i := range alpha {
		if len(eligible) == 0 || eligible[i] {
			b.arms = append(b.arms, i)
			b.set(i, alpha[i], beta[i])
			if whole <= mostDegree {
				whole += degree(alpha[i], beta[i])
			}
		}
	}
	if whole <= mostDegree {
		b.exactly(dst)
		return
	}
	b.round()
	b.best(&b.logits, b.arms, dst)
}

// set gives variable i a law.
func (b *Beta) set(i int, alpha, beta float64) {
	if b.a[i] != alpha || b.b[i] != beta {
		b.a[i], b.b[i] = alpha, beta
		b.version[i]++
	}
}

// round takes the laws up on the line of the logit.
func (b *Beta) round() {
	for _, i := range b.arms {
		law := &b.laws[i]
		if law.a == b.a[i] && law.b == b.b[i] {
			continue
		}
		*law = newLogit(b.a[i], b.b[i])
		if r, x, y := &b.rounded[i], middle(law.a), middle(law.b); r.a != x || r.b != y {
			*r = newLogit(x, y)
			r.span()
			b.moved = true
		}
	}
}

// exactly writes the probabilities of laws of few rows.
func (b *Beta) exactly(dst []float64) {
	clear(dst)
	for part := range b.fewRows {
		p := &b.fewRows[part]
		if !slices.Equal(p.arms, b.arms) {
			p.arms = append(p.arms[:0], b.arms...)
			p.fresh()
		}
		for n, i := range p.arms {
			if s := &p.of[n]; s.version != b.version[i] {
				unit[part].shape(int(b.a[i]), int(b.b[i]), s)
				s.version = b.version[i]
			}
		}
		if b.Two {
			b.addTwo(nil, p, &unit[part].w, dst)
		} else {
			b.add(nil, p, &unit[part].w, dst)
		}
	}
	scale(dst)
}

// middle returns a where that is below 4, and otherwise the middle of the interval, 1 wide
// in 2√a, in which a is. The logit is ln G − ln H of Gamma variables G of a and H of b, whose
// standard deviations are about 1/√a and 1/√b: the logit of a law whose a and b are middles
// lies within 0.71 standard deviations of the logit of the law.
func middle(a float64) float64 {
	if a < 4 {
		return a
	}
	root := float64(0.5*math.Floor(float64(2*math.Sqrt(a)))) + 0.25
	return float64(root * root)
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
	win, lose     float64 // ln x and ln y
	lo, hi        float64 // see span
	edge          float64 // half the width of a panel at hi
}

const (
	logitReach = 29.0 // −ln of the density at lo and hi, relative to its peak
	logitStrip = 5    // of a panel: ln(1+e^u) has a singularity at distance π from every real u
	logitClimb = 9    // of ln Π f over a panel, upwards
	logitLine  = 7.0  // of ln f over a panel wider than logitStrip, downwards
	logitFall  = 11   // of ln f over a panel, downwards
	logitDrop  = 3.0  // of ln Π F over a panel wider than logitStrip
)

// newLogit returns the law for a, b > 0, but for its span.
func newLogit(a, b float64) logit {
	n := a + b
	l := logit{a: a, b: b, n: n, x: a / n, y: b / n, mode: bitexact.Ln(a / b)}
	l.win, l.lose = bitexact.Ln(l.x), bitexact.Ln(l.y)
	spread := math.Sqrt(n / a / b)
	const root = 0.3989422804014327 // 1/√(2π), https://oeis.org/A231863
	l.peak = float64(root/spread) * bitexact.Exp(bitexact.Stirling(n)-bitexact.Stirling(a)-bitexact.Stirling(b))
	return l
}

// span computes lo and hi, beyond which a law that this one is the middle of has less than
// 10⁻¹¹ of its mass.
func (l *logit) span() {
	wide := float64(math.Sqrt(2*logitReach) * math.Sqrt(l.n/l.a/l.b))
	l.lo, l.hi = l.mode+l.reach(-wide-logitReach/l.a), l.mode+l.reach(wide+logitReach/l.b)
	x, y := bitexact.Logistic(l.hi)
	l.edge = 0.5 * min(logitStrip, widest/math.Sqrt(float64(l.n*float64(x*y))))
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
		next := d + float64(float64(bitexact.Ln(depth)*depth)*logitReach)/l.slope(l.mode+d)
		d = float64(d * min(4, max(0.25, next/d)))
	}
	return d
}

// height returns h(δ), by the one of two equal forms that keeps its digits.
func (l *logit) height(d float64) float64 {
	const far = 600 // e^δ is finite
	if d < -far || (l.x <= 0.5 && d <= far) {
		return float64(l.a*d) - float64(l.n*bitexact.Lift(l.x, l.y, d))
	}
	return -float64(l.b*d) - float64(l.n*bitexact.Lift(l.y, l.x, -d))
}

// slope returns h' at the logit u.
func (l *logit) slope(u float64) float64 {
	x, y := bitexact.Logistic(u)
	return float64(l.a*y) - float64(l.b*x)
}

// logits are Beta laws on the line of the logit, and the laws of the middles.
type logits struct{ laws, rounded []logit }

var _ laws = (*logits)(nil)

func (l *logits) top(arm int) float64 { return l.rounded[arm].hi }

func (l *logits) bottom(arm int) float64 { return l.rounded[arm].lo }

// below goes down by a width.
func (l *logits) below(arms []int, u float64) float64 { return u - l.width(arms, u) }

// width allows what is narrow in 1/√(n·θ(1−θ)), n the largest among the laws that have
// begun, logitStrip where the singularities of ln(1+e^u) matter, as much as lets ln f and
// ln Π f change by logitFall and logitClimb, and the way to the top of a law that begins
// farther down than half of a panel of its own.
func (l *logits) width(arms []int, u float64) float64 {
	x, y := bitexact.Logistic(u)
	width, n, climb, fall := math.Inf(1), 0.0, 0.0, 0.0
	for _, i := range arms {
		law := &l.rounded[i]
		slope := float64(law.a*y) - float64(law.b*x)
		climb += max(slope, 0)
		if u > law.hi+law.edge {
			width = min(width, u-law.hi)
			continue
		}
		n, fall = max(n, law.n), max(fall, -slope)
	}
	width = min(width, logitClimb/climb, logitFall/fall)
	// From here outwards n·e^{−|u|} is below 10⁻¹⁵, and ln f a straight line.
	straight := bitexact.Ln(n) + 35
	if u >= -straight {
		width = min(width, max(logitStrip, u-straight))
	}
	if long := logitLine / fall; width > logitStrip {
		width = min(width, max(logitStrip, l.drop(arms, u, long, fall)))
	}
	bend := func(x, y float64) float64 { return narrow(len(arms)) / math.Sqrt(float64(n*float64(x*y))) }
	width = min(width, bend(x, y))
	width = min(width, bend(bitexact.Logistic(u-float64(0.5*width))))
	if u > 0 && u < width {
		return min(width, bend(0.5, 0.5))
	}
	return min(width, bend(bitexact.Logistic(u-width)))
}

// drop returns at most long, so that a panel in the flat tails of many laws
// lets ln Π F fall by about logitDrop: there each density grows downwards, by
// e^{fall} per unit.
func (l *logits) drop(arms []int, u, long, fall float64) float64 {
	rate := 0.0
	for _, i := range arms {
		if law := &l.rounded[i]; u <= law.hi {
			rate += float64(law.peak * bitexact.Exp(law.height(u-law.mode)))
		}
	}
	for range 60 {
		if long <= logitStrip || float64(float64(rate*long)*bitexact.Exp(min(700, float64(fall*long)))) <= logitDrop {
			break
		}
		long *= 0.75
	}
	return long
}

// few is an n up to which h at a point is the difference of two numbers, of which each is
// rounded by 10⁻¹⁶ of n·θ·ln(1/θ), which is at most n/e.
const few = 1 << 14

// enter notes ln θ and ln(1−θ) at the centre, and of every abscissa d = u − centre, and
// lift, ln(y + x·e^d) or, above 0, ln(x + y·e^{−d}), θ = x at the centre.
func (l *logits) enter(abscissa *panel, p *place) {
	far := math.Abs(p.centre)
	small := bitexact.Exp(-far)
	p.lose = -bitexact.Ln1p(small)
	p.win = p.lose - far
	if small /= 1 + small; p.centre > 0 {
		p.win, p.lose = p.lose, p.win
	}
	for k := range pairs {
		plus, minus := pairs+k, pairs-1-k
		d := float64(p.half * abscissa[plus])
		p.d[plus], p.d[minus] = d, -d
		e := bitexact.Expm1(min(d, 700))
		if p.centre > 0 {
			plus, minus = minus, plus
		}
		p.lift[plus], p.lift[minus] = bitexact.Ln1p(float64(small*e)), bitexact.Ln1p(-float64(small*(e/(1+e))))
	}
}

func (l *logits) density(arm int, p *place, dst *panel) {
	law := &l.laws[arm]
	h := float64(law.a*(p.win-law.win)) + float64(law.b*(p.lose-law.lose))
	if law.n > few {
		h = law.height(p.centre - law.mode)
	}
	slope := law.a
	if p.centre > 0 {
		slope = -law.b
	}
	for k, d := range &p.d {
		dst[k] = h + (float64(slope*d) - float64(law.n*p.lift[k]))
	}
	bitexact.Exps(dst[:], float64(p.half*law.peak))
}
