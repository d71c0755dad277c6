package ipw

import "math"

// HausmanPulls is how many pulls of an arm there must be before its two means are compared.
const HausmanPulls = 30

// Hausman compares an arm's weighted mean over all rounds with its plain mean over the
// rounds that played it: these are the same number only where rewards follow nothing that
// steers the policy. The zero value is ready to use.
type Hausman struct {
	n             float64
	reward, score float64 // means over the pulls
	square, both  float64 // Σ(y − ȳ)², Σ(y − ȳ)(Γ − Γ̄)
	weight, heavy float64 // mean of w = 1/p, Σ(w − w̄)²
}

// Add joins a pull with reward y in [0, 1], score Γ = m + w·(y − m) and weight w = 1/p.
func (h *Hausman) Add(y, score, weight float64) {
	h.Merge(&Hausman{n: 1, reward: y, score: score, weight: weight})
}

// Merge joins the pulls that follow; o stays as it is.
func (h *Hausman) Merge(o *Hausman) {
	if o.n == 0 {
		return
	}
	n := h.n + o.n
	part, cross := o.n/n, float64(h.n*(o.n/n))
	dy, dg, dw := o.reward-h.reward, o.score-h.score, o.weight-h.weight
	h.square += o.square + float64(float64(dy*dy)*cross)
	h.both += o.both + float64(float64(dy*dg)*cross)
	h.heavy += o.heavy + float64(float64(dw*dw)*cross)
	h.reward += float64(dy * part)
	h.score += float64(dg * part)
	h.weight += float64(dw * part)
	h.n = n
}

// Looked reports whether the arm has enough pulls. It asks no reward.
func (h *Hausman) Looked() bool { return h.n >= HausmanPulls }

// Z holds θ̂, the mean of the scores of all T rounds in which the arm could be played,
// against ȳ, the mean reward of its N pulls (A_t is the arm that was played):
//
//	Z = (θ̂ − ȳ)/√(Σψ²/T²),  ψ = Γ − θ̂ − 1{A = arm}·(y − ȳ)·T/N
//
// Least is the nearer to 0 of Z and of
//
//	(θ̂ − ȳ)/√(s²·Σ(w − T/N)²/T²),  s² = Σ(y − ȳ)²/(N − 1)
//
// whose error holds heavy rounds to vary as the others do: a few of them without a success
// are no proof.
//
// The gap θ̂ − ȳ is taken nearer to 0 by slack, by which decimals of the propensities can
// have moved θ̂.
//
// Special cases are:
//
//	all rewards are alike, or all weights are: 0
//
// Source: answers sheet, section 5 (iii), after Hausman 1978; the second form: own
// simulation.
func (h *Hausman) Z(scores *Mean, slack float64) (z, least float64) {
	t := float64(scores.N)
	if h.n < 2 || t == 0 || !(h.square > 0) {
		return 0, 0
	}
	gap, ratio, se := scores.Value()-h.reward, t/h.n, scores.StdErr()
	gap = math.Copysign(max(0, math.Abs(gap)-slack), gap)
	squares := float64(float64(t*se)*float64(t*se)) - float64(2*ratio*h.both) + float64(float64(ratio*ratio)*h.square)
	off := h.weight - ratio
	modelled := h.square / (h.n - 1) * (h.heavy + float64(h.n*float64(off*off)))
	if !(squares > 0) || !(modelled > 0) {
		return 0, 0
	}
	z = gap * t / math.Sqrt(squares)
	return z, math.Copysign(min(math.Abs(z), math.Abs(gap*t/math.Sqrt(modelled))), z)
}
