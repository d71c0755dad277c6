package policy

import (
	"errors"
	"math"
	"math/rand/v2"
	"strconv"
)

var _ Linear = (*LinUCB)(nil)

// LinUCBSpec are the parameters of LinUCB, for rewards rescaled to [0,1].
type LinUCBSpec struct {
	Lambda     float64 // Required: λ > 0, the ridge.
	NoiseSD    float64 // Required: R > 0; rewards are R-sub-Gaussian about ⟨θ_i,x⟩. R = ½ always holds.
	ThetaBound float64 // Required: S > 0, at least ‖θ_i‖₂.
	Delta      float64 // Required: δ in (0,1), the probability that any bound of the run fails.
}

// Validate returns all faults of s, joined; each is a *ParamError.
func (s LinUCBSpec) Validate() error {
	faults := []error{positive("lambda", s.Lambda), positive("noise_sd", s.NoiseSD), positive("theta_bound", s.ThetaBound)}
	if !(s.Delta > 0 && s.Delta < 1) {
		faults = append(faults, &ParamError{"width.delta", strconv.FormatFloat(s.Delta, 'g', -1, 64), "it must lie strictly between 0 and 1", "write 0.05"})
	}
	return errors.Join(faults...)
}

// extreme bounds parameters of linear policies from above and, inverted, from
// below, so that their products stay finite.
const extreme = 1e60

func positive(param string, v float64) error {
	if v >= 1/extreme && v <= extreme {
		return nil
	}
	return &ParamError{param, strconv.FormatFloat(v, 'g', -1, 64), "it must lie between 1e-60 and 1e60", "write 1 if nothing better is known"}
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
// An arm without rows has a finite index, that of θ̃ = 0 and V = λI, with the
// allowance of one row although there is no noise yet: without it an arm that
// has been played would keep the larger index by its allowance alone, and the
// first arm would be played for ever. Of equal indices the first wins, or a seeded
// one (see ties). With the factors V = LDL' of cholesky.go, z = L⁻¹x and
// g = ln(det V/λ^d) as it computes them, the index in floating point is
//
//	index = Σ_j θ̃_j ⊗ x_j ⊕ w ⊗ √(Σ_j (z_j ⊗ z_j) ⊗ (1 ⊘ D_jj))
//	w     = (R ⊗ √(g ⊕ 2 ⊗ ln(2K ⊘ δ)) ⊕ √λ ⊗ S) ⊕ (√d ⊗ Γ) ⊘ √λ
//
// products rounded before they are added, sums from left to right, and without
// the last term of w where there is no noise.
type LinUCB struct {
	ridge
	ties
	r, level, prior float64           // R, 2·ln(2K/δ) and √λ·S
	noise           func(d int) Bonus // nil: none
	bonus           Bonus             // noise(d); nil: none
	width           []float64         // β_i + s_i/√λ
	index           []float64
}

// NewLinUCB returns the policy over k ≥ 1 arms. noise gives Γ, once the length
// d of contexts is known, and is nil where there is no noise; it may return a
// Bonus that is shared with other runs. Ties are broken by the words of seeded,
// or in favour of the first arm when that is nil. The spec must have passed
// Validate.
func NewLinUCB(k int, spec LinUCBSpec, noise func(d int) Bonus, seeded rand.Source) *LinUCB {
	return &LinUCB{
		ridge: ridge{lambda: spec.Lambda, arms: make([]ridgeArm, k)}, ties: ties{seeded},
		r: spec.NoiseSD, level: 2 * ln(float64(2*k)/spec.Delta), prior: math.Sqrt(spec.Lambda) * spec.ThetaBound,
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

// radius returns β + s/√λ of an arm with so many rows.
func (l *LinUCB) radius(arm int, rows int64) float64 {
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
	for i := range l.index {
		if s.CanPlay(i) {
			mean, norm := l.predict(i, l.context(s, i))
			l.index[i] = mean + float64(l.width[i]*math.Sqrt(norm))
		}
	}
}

// Observe computes what an index needs of arm beside the context.
func (l *LinUCB) Observe(s *State, arm int) {
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
