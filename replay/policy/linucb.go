package policy

import (
	"math"
	"math/rand/v2"
	"sync"

	"banditaudit/replay/policy/bitexact"
	"banditaudit/schemas/param"
)

var (
	_ Linear  = (*LinUCB)(nil)
	_ Indexed = (*LinUCB)(nil)
)

// LinUCBSpec are the parameters of LinUCB, for rewards rescaled to [0,1].
type LinUCBSpec struct {
	Lambda     float64 // Required: λ > 0, the ridge.
	NoiseSD    float64 // Required: R > 0; rewards are R-sub-Gaussian about ⟨θ_i,x⟩. R = ½ always holds.
	ThetaBound float64 // Required: S > 0, at least ‖θ_i‖₂.
	Delta      float64 // Required: δ in (0,1), the probability that any bound of the run fails.
	Alpha      float64 // > 0: the width itself, in place of all but Lambda; 0: none.
	Identity   bool    // an arm without rows has the inverse λI, and not I/λ
}

// LinUCB is the optimistic linear bandit OFUL of Abbasi-Yadkori, Pál and
// Szepesvári (Improved algorithms for linear stochastic bandits, NeurIPS 2011)
// with disjoint arms: reward y of arm i in context x has mean ⟨θ_i,x⟩. It plays
// the arm with the largest
//
//	⟨θ̃_i,x⟩ + (β_i + s_i/√λ)·‖x‖_{V_i⁻¹}
//	β_i = R·√(ln(det V_i/λ^d) + 2·ln(2K/δ)) + √λ·S
//
// where V_i = λI + Σ xx' and θ̃_i = V_i⁻¹·S_i, S_i the released vector Σ x·y of
// N_i rows, noise included. With probability at least 1 − δ/2 no exact
// estimate θ̂_i is ever off by more than β_i in the norm of V_i: theorem 2 there
// at δ/(2K) for each arm. (Where the counter forgets, so that S_i and V_i begin
// anew, that holds for each beginning apart.)
//
// With the exact counter s_i = 0. With a counter with noise η this is LinPriv
// of Neel and Roth (2018), corrected (own derivation, internally reviewed):
//
//	|⟨θ̃_i−θ̂_i,x⟩| ≤ ‖η‖_{V_i⁻¹}·‖x‖_{V_i⁻¹} ≤ (‖η‖₂/√λ)·‖x‖_{V_i⁻¹}
//	s_i = √d·Γ_{max(N_i,1)} ≥ ‖η‖₂
//
// where Γ_N is Chernoff of the noise of one coordinate at level
// δ/(2·K·horizon·d), so that all s_i of a run hold with probability at least
// 1 − δ/2. Rounding to the counter's grid, by less than N_i steps of it in each
// coordinate, is not allowed for. (LinPriv as printed adds s/λ, which does not
// shrink as rows come in.)
//
// An arm without rows has a finite index, computed with θ̃ = 0 and V = λI, with the
// allowance of one row although there is no noise yet: without it an arm that has been
// played would keep the larger index by its allowance alone, and the first arm would be
// played for ever. Of equal indices the first wins, or a seeded one (see ties). With the
// factors V = LDL' of cholesky.go, z = L⁻¹x and g = ln(det V/λ^d) as it computes them, the
// index in floating point is
//
//	index = Σ_j θ̃_j ⊗ x_j ⊕ w ⊗ √(Σ_j (z_j ⊗ z_j) ⊗ (1 ⊘ D_jj))
//	w     = (R ⊗ √(g ⊕ 2 ⊗ ln(2K ⊘ δ)) ⊕ √λ ⊗ S) ⊕ (√d ⊗ Γ) ⊘ √λ
//
// products rounded before they are added, sums from left to right, and without
// the last term of w where there is no noise.
//
// With a width α the index is ⟨θ̃_i,x⟩ + α·‖x‖_{V_i⁻¹} and w is α, whatever the noise:
// LinUCB of Li, Chu, Langford and Schapire (WWW 2010) with disjoint arms, as libraries
// have it. Where Identity is asked for, ‖x‖² of an arm without rows is λ ⊗ Σ x_j ⊗ x_j,
// as of a program that starts from λI for the inverse too (MABWiser 2.7.4).
type LinUCB struct {
	ridge
	ties
	r, level, prior float64           // R, 2·ln(2K/δ) and √λ·S
	alpha           float64           // w itself; 0: none
	identity        bool              // see LinUCBSpec
	noise           func(d int) Bonus // nil: none
	bonus           Bonus             // noise(d); nil: none
	width           []float64         // β_i + s_i/√λ
	index           []float64
	scored          int64 // round of index; 0: something was learned since
}

// NewLinUCB returns the policy over k ≥ 1 arms. noise gives Γ, once the length
// d of contexts is known, and is nil where there is no noise; it may return a
// Bonus that is shared with other runs. Ties are broken by the words of seeded,
// or in favour of the first arm when that is nil. The spec must have passed
// Check of param.Policy.
func NewLinUCB(k int, spec LinUCBSpec, noise func(d int) Bonus, seeded rand.Source) *LinUCB {
	return &LinUCB{
		ridge: ridge{lambda: spec.Lambda, arms: make([]ridgeArm, k)}, ties: ties{src: seeded},
		r: spec.NoiseSD, level: 2 * bitexact.Ln(float64(2*k)/spec.Delta), prior: math.Sqrt(spec.Lambda) * spec.ThetaBound,
		alpha: spec.Alpha, identity: spec.Identity,
		noise: noise, width: make([]float64, k), index: make([]float64, k),
	}
}

// Size makes room for contexts of length d.
func (l *LinUCB) Size(d int) {
	l.size(d)
	if l.noise != nil {
		l.bonus = l.noise(d)
	}
	for i := range l.width {
		l.width[i] = l.radius(i, 0)
	}
}

// radius returns β + s/√λ of an arm with the given number of rows.
func (l *LinUCB) radius(arm int, rows int64) float64 {
	if l.alpha > 0 {
		return l.alpha
	}
	beta := float64(l.r*math.Sqrt(l.arms[arm].growth+l.level)) + l.prior
	if l.bonus == nil {
		return beta
	}
	return beta + float64(math.Sqrt(float64(l.d))*l.bonus.Gamma(max(rows, 1)))/math.Sqrt(l.lambda)
}

// Select returns the arm with the largest index.
func (l *LinUCB) Select(s *State) int {
	l.score(s)
	return l.argmax(s, l.index)
}

// score computes the indices of eligible arms.
func (l *LinUCB) score(s *State) {
	l.scored = s.Round
	for i := range l.index {
		if s.CanPlay(i) {
			x := l.context(s, i)
			mean, norm := l.predict(i, x)
			if l.identity && l.arms[i].seen == 0 {
				norm = l.unfit(x)
			}
			l.index[i] = mean + float64(l.width[i]*math.Sqrt(norm))
		}
	}
}

// unfit returns ‖x‖² in the metric of λI.
func (l *LinUCB) unfit(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += float64(v * v)
	}
	return float64(l.lambda * sum)
}

// Indices returns the indices of all arms.
func (l *LinUCB) Indices(s *State) []float64 {
	if l.scored != s.Round {
		l.score(s)
	}
	return l.index
}

// Explored returns false.
func (*LinUCB) Explored() bool { return false }

// Shares writes 1/m for the m winners.
func (*LinUCB) Shares(_ *State, winners []int, dst []float64) { split(winners, dst) }

// Observe computes what an index needs of arm beside the context.
func (l *LinUCB) Observe(s *State, arm int) {
	l.scored = 0
	if l.observe(s, arm) {
		l.width[arm] = l.radius(arm, s.Pulls[arm])
	}
}

// Feature returns the context of arm.
func (l *LinUCB) Feature(s *State, arm int) []float64 { return l.context(s, arm) }

// Learn adds a row to V of arm.
func (l *LinUCB) Learn(arm int, phi []float64, rows int64) { l.learn(arm, phi, rows) }

// Propensities writes the probability with which Select returns each arm: 1 for
// one of them, unless ties are seeded.
func (l *LinUCB) Propensities(s *State, dst []float64) {
	l.score(s)
	l.shares(s, l.index, dst)
}

// Random reports whether ties are seeded: given the released vectors nothing
// else is drawn.
func (l *LinUCB) Random() bool { return l.src != nil }

// ReadsRewards returns true.
func (*LinUCB) ReadsRewards() bool { return true }

func describeLinUCB() Descriptor {
	return Descriptor{
		Policy: param.Policy{
			Name: "linucb", Doc: "the arm with the largest upper confidence bound of a ridge regression on the context", Reads: param.Vectors, Compares: true, Indexed: true,
			BuiltInBonus: true, Bare: byFactor,
			Keys:     linucbKeys(),
			Defaults: withLevel,
		},
		Randomized: never, Start: startRidge,
		New: newDeclaredLinUCB,
		Variants: []Variant{{
			Keys: "lambda: 1, theta_bound: 1, noise_sd: 0.5, context_l1: 1",
			Text: "OFUL for each arm: largest x'θ̂ + β·‖x‖ in the metric of V⁻¹; beside noise LinPriv, which adds (s/√λ)·‖x‖",
		}},
	}
}

// unfitKey is the key of the inverse before an arm's first row, with its words.
const (
	unfitKey      = "unfit"
	unfitRidge    = "ridge"
	unfitIdentity = "identity"
)

// linucbKeys are the keys of linucb. A width by its factor needs no bound on
// coefficients and no noise.
func linucbKeys() []param.Key {
	keys := ridgeKeys("lambda", "theta_bound", "noise_sd")
	for _, name := range []string{"theta_bound", "noise_sd"} {
		param.Find(keys, name).Unless = byFactor
	}
	unfit := param.Key{Name: unfitKey, Doc: "inverse of an arm's matrix before its first row: ridge is I/λ, identity is λI, as MABWiser starts", Form: param.Word{Words: []string{unfitRidge, unfitIdentity}}, Near: nearUnfit}
	level := levelKey()
	level.Near = nearFactors
	return append(keys, level, unfit, openingKey(), contextKey())
}

// nearUnfit is the other inverse of an arm without rows.
func nearUnfit(v param.Values) []param.Values {
	now := v.Word(unfitKey)
	if now == "" {
		now = unfitRidge
	}
	return words(v, unfitKey, now, unfitIdentity, unfitRidge)
}

// nearFactors are usual factors α in place of a width by its level, and twice and half of
// a declared one.
func nearFactors(v param.Values) []param.Values {
	factors := []float64{1, 0.5, 0.1, 0.25, 1.5, 2}
	if byFactor(v) {
		alpha := v.Group(widthKey).Float(alphaKey)
		factors = []float64{alpha / 2, 2 * alpha}
	}
	out := make([]param.Values, len(factors))
	for i, alpha := range factors {
		out[i] = v.With(widthKey, param.Values{alphaKey: alpha})
		delete(out[i], "theta_bound")
		delete(out[i], "noise_sd")
	}
	return out
}

// byFactor reports whether the width is declared by its factor.
func byFactor(v param.Values) bool { return v.Group(widthKey).Has(alphaKey) }

// withLevel declares the width, and the inverse of an arm without rows, where they are
// not declared.
func withLevel(v param.Values) param.Values {
	if !v.Has(widthKey) {
		v = v.With(widthKey, param.Values{"delta": DefaultDelta})
	}
	if !v.Has(unfitKey) {
		v = v.With(unfitKey, unfitRidge)
	}
	return v
}

// newDeclaredLinUCB returns what makes the policy for one run.
func newDeclaredLinUCB(v param.Values, b Bandit) func(Draws) Policy {
	spec := LinUCBSpec{Lambda: v.Float("lambda"), NoiseSD: v.Float("noise_sd"), ThetaBound: v.Float("theta_bound"), Delta: v.Group(widthKey).Float("delta"), Alpha: v.Group(widthKey).Float(alphaKey), Identity: v.Word(unfitKey) == unfitIdentity}
	if spec.Delta == 0 {
		spec.Delta = DefaultDelta
	}
	var allowance func(d int) Bonus
	if b.Noise && spec.Alpha == 0 {
		level := spec.Delta / float64(2*float64(float64(b.Arms)*float64(b.Horizon)))
		allowance = (&byLength{level: level, quantile: b.Quantile}).bonus
	}
	return func(d Draws) Policy {
		l := NewLinUCB(b.Arms, spec, allowance, d.Ties)
		l.place = b.Places
		return l
	}
}

// levelKey is the key of a width that has a level, or a factor.
func levelKey() param.Key {
	form := param.Group{Keys: widthForm().Keys[:3]}
	form.Whole = func(j param.Judge, path string, v param.Values) bool {
		const rule = "the width of linucb follows from lambda, theta_bound and noise_sd, at a level delta, or is the factor alpha"
		switch {
		case v.Has("c"):
			j.Fail(path+".c", "does not belong here", rule, "write width: {delta: 0.05}, or {alpha: 1}")
		case v.Has("delta") && v.Has(alphaKey):
			j.Fail(path+"."+alphaKey, "stands beside "+path+".delta", rule, "delete one of the two")
			return false
		case !v.Has("delta") && !v.Has(alphaKey) && j.Sound(path):
			j.Fail(path, "has neither delta nor alpha", rule, "write {delta: 0.05}, or {alpha: 1}")
		}
		return true
	}
	return param.Key{Name: widthKey, Doc: "confidence width of the index", Form: form}
}

// byLength makes the quantiles of a coordinate's noise once the length of
// contexts is known, and shares them among runs, which all have the same.
type byLength struct {
	level    float64 // for all coordinates
	quantile func(level float64) Bonus

	mu    sync.Mutex
	d     int
	table Bonus
}

func (b *byLength) bonus(d int) Bonus {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.d != d {
		b.d, b.table = d, b.quantile(b.level/float64(d))
	}
	return b.table
}
