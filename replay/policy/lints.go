package policy

import (
	"math"
	"math/rand/v2"

	"banditaudit/replay/policy/bitexact"
	"banditaudit/schemas/param"
)

var _ Linear = (*LinTS)(nil)

// LinTSSpec are the parameters of LinTS, for rewards rescaled to [0,1].
type LinTSSpec struct {
	Lambda  float64 // Required: λ > 0, the ridge.
	NoiseSD float64 // Required: R > 0, the standard deviation of a reward about ⟨θ_i,x⟩.
}

// LinTS is Thompson sampling with linear payoffs (Agrawal and Goyal, ICML 2013)
// and disjoint arms: the reward of arm i in context x is Normal(⟨θ_i,x⟩, R²), and
// θ_i has the prior Normal(0, R²/λ·I). Of every eligible arm it draws
//
//	θ_i ~ Normal(θ̃_i, R²·V_i⁻¹)
//
// from the posterior, where V_i = λI + Σ xx' and θ̃_i = V_i⁻¹·S_i, S_i the released
// vector Σ x·y, noise included, and plays the arm with the largest ⟨θ_i,x⟩. An
// arm without rows is drawn from the prior.
//
// In every round the eligible arms, in index order, each take d standard normal
// numbers g_0, …, g_d−1 from the stream (see bitexact.Normal), also where only one is
// eligible; arms that are not eligible take nothing. With
// the factors V = LDL' of cholesky.go, Lz = x and θ = θ̃ + R·L'⁻¹D^−½g,
//
//	⟨θ,x⟩ = Σ_j θ̃_j ⊗ x_j ⊕ R ⊗ Σ_j (z_j ⊗ √(1/D_jj)) ⊗ g_j
//
// products rounded before they are added, sums from left to right. Another
// square root of V⁻¹ than Cholesky's would make another arm of the same numbers.
// Of equal values the first wins.
//
// Given what has been released and x, the ⟨θ_i,x⟩ are independent and
// Normal(⟨θ̃_i,x⟩, R²·‖x‖²_{V_i⁻¹}), so argmaxprob.Gaussian computes the propensities.
type LinTS struct {
	ridge
	tabled

	r        float64
	src      rand.Source
	root     [][]float64 // √(1/D_jj) of every arm
	mean, sd []float64   // of ⟨θ_i,x⟩
	value    []float64   // drawn in the round
}

// NewLinTS returns the policy over k ≥ 1 arms that draws from src. The spec must
// have passed Check of param.Policy.
func NewLinTS(k int, spec LinTSSpec, src rand.Source) *LinTS {
	return &LinTS{
		ridge: ridge{lambda: spec.Lambda, arms: make([]ridgeArm, k)}, r: spec.NoiseSD, src: src,
		mean: make([]float64, k), sd: make([]float64, k), value: make([]float64, k),
	}
}

// Size makes room for contexts of length d.
func (l *LinTS) Size(d int) {
	l.size(d)
	l.root = make([][]float64, len(l.arms))
	for i := range l.root {
		l.root[i] = make([]float64, d)
		l.roots(i)
	}
}

// roots computes √(1/D_jj) of an arm.
func (l *LinTS) roots(arm int) {
	for j := range l.root[arm] {
		l.root[arm][j] = math.Sqrt(inverse(l.arms[arm].factor, j))
	}
}

// Select draws ⟨θ_i,x⟩ of every eligible arm and returns the largest.
func (l *LinTS) Select(s *State) int {
	for i := range l.value {
		if !s.CanPlay(i) {
			continue
		}
		mean, _ := l.predict(i, l.context(s, i))
		var sum float64
		for j, z := range l.z {
			sum += float64(float64(z*l.root[i][j]) * bitexact.Normal(l.src))
		}
		l.value[i] = mean + float64(l.r*sum)
	}
	arm, _ := largest(s, l.value)
	return arm
}

// Observe computes what the law of arm needs beside the context.
func (l *LinTS) Observe(s *State, arm int) {
	if l.observe(s, arm) {
		l.roots(arm)
	}
}

// Feature returns the context of arm.
func (l *LinTS) Feature(s *State, arm int) []float64 { return l.context(s, arm) }

// Learn adds a row to V of arm.
func (l *LinTS) Learn(arm int, phi []float64, rows int64) { l.learn(arm, phi, rows) }

// Propensities writes the probability that ⟨θ_i,x⟩ is the largest.
func (l *LinTS) Propensities(s *State, dst []float64) {
	for i := range l.mean {
		l.mean[i], l.sd[i] = 0, 0
		if s.CanPlay(i) {
			mean, norm := l.predict(i, l.context(s, i))
			l.mean[i], l.sd[i] = mean, float64(l.r*math.Sqrt(norm))
		}
	}
	l.normals(len(dst), false).Best(l.mean, l.sd, s.Eligible, dst)
}

// Random returns true.
func (*LinTS) Random() bool { return true }

// ReadsRewards returns true.
func (*LinTS) ReadsRewards() bool { return true }

// describeLinTS has theta_bound among its keys although it says nothing of a
// policy that has a prior instead: whoever changes linucb to lints may leave it.
func describeLinTS() Descriptor {
	keys := append(ridgeKeys("lambda", "noise_sd", "theta_bound"), openingKey(), contextKey())
	param.Find(keys, "theta_bound").Needed = false
	return Descriptor{
		Policy: param.Policy{
			Name: "lints", Doc: "the arm with the largest draw from the posterior of a ridge regression on the context", Reads: param.Vectors, Keys: keys,
		},
		NoFloor: true, NeedsQuadrature: true, Start: startRidge,
		New: func(v param.Values, b Bandit) func(Draws) Policy {
			spec := LinTSSpec{Lambda: v.Float("lambda"), NoiseSD: v.Float("noise_sd")}
			return func(d Draws) Policy { return NewLinTS(b.Arms, spec, d.Choice) }
		},
		Variants: []Variant{{Keys: "lambda: 1, noise_sd: 0.5, context_l1: 1", Text: "a draw of each arm's coefficients from their normal posterior"}},
	}
}
