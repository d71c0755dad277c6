package drift

import (
	"math"
	"slices"

	"banditaudit/analyze/stat/hypothesis"
	"banditaudit/analyze/stat/moments/simd"
)

// DriftLevel is the level of the test whether means drift, over all arms of an experiment (Holm).
const DriftLevel = 0.05

const (
	// driftLooks is the number of rewards up to which the evidence is taken after
	// every one, and driftStep how many lie between two looks from there on.
	driftLooks, driftStep = 1000, 16
	// predictors is the number of predictors of a Drift.
	predictors = 12
	// half is what a predictor has seen of both rewards before the first one.
	half = 0.5
)

// predictorPowers are k of the predictors, which forget by 1 − 2⁻ᵏ.
func predictorPowers() [predictors]int {
	return [predictors]int{4, 5, 6, 7, 8, 9, 10, 11, 14, 17, 20, 23}
}

// Drift gathers evidence that the mean of an arm moves, from its rewards in
// [0, 1] in the order in which they were earned, which is the order of plays. Twelve
// predictors forget at different speeds, γ = 1 − 2⁻ᵏ with k = 4 … 11, 14, 17, 20, 23:
//
//	q = (d₁ + ½)/(d₁ + d₀ + 1); then d₁ ← γd₁ + y, d₀ ← γd₀ + 1 − y
//	ln E = ln[(1/12) Σ_k Π_j q^y (1−q)^(1−y)] − [S ln(S/n) + (n−S) ln(1 − S/n)], S = Σ y
//
// For every m in [0, 1], (q/m)^y ((1−q)/(1−m))^(1−y) is at most
// yq/m + (1−y)(1−q)/(1−m), whose mean is 1 where m is the mean of y given everything before
// it; and S/n is the m that makes the product over the rewards least. So max E ≥ 1/p has
// probability at most p where the arm has one mean whatever came before: any policy, any
// number of plays, and any rule that stops them. The evidence is looked at after each of
// the first 1,000 rewards, after every 16th from there on, and at the end.
//
// It weighs rewards as if they were 0 or 1. Where they spread less it finds less.
// Where contexts come in another mix, or units own several rewards in a row, the
// mean moves too.
//
// Source: the ratio of a prediction to the largest likelihood, by Ramdas, Ruf,
// Larsson and Koolen, "Testing exchangeability" (2022, arXiv:2102.00630), for rewards of 0 and 1;
// for bounded ones by the inequality above. The zero value is not ready; see
// NewDrift.
type Drift struct {
	of   [6][predictors]float64 // by kind
	wait [driftStep]float64     // rewards since the last look

	n, seen int64   // rewards, and those up to the last look
	sum     float64 // S
	most    float64 // ln E at its largest
	last    float64 // ln E at the last look
}

// The kinds of numbers of predictors, of those that [simd.Predict] has: γ, and the product
// as a part times a power of two.
const ofGamma, ofPart, ofPower = 0, 3, 5

// NewDrift returns a Drift without rewards.
func NewDrift() *Drift {
	d := &Drift{most: math.Inf(-1)}
	for i, k := range predictorPowers() {
		d.of[ofGamma][i], d.of[ofPart][i] = 1-math.Ldexp(1, -k), 1
	}
	return d
}

// Add takes up the next reward. One outside [0, 1] counts as the nearer end.
func (d *Drift) Add(y float64) {
	y = min(max(y, 0), 1)
	d.wait[d.n-d.seen] = y
	d.n++
	d.sum += y
	if d.n <= driftLooks || d.n%driftStep == 0 {
		d.look()
	}
}

// look takes the evidence of the rewards so far.
func (d *Drift) look() {
	if d.n == d.seen {
		return
	}
	simd.Predict(&d.of, d.wait[:d.n-d.seen])
	simd.Settle(&d.of)
	d.seen = d.n
	top, total := slices.Max(d.of[ofPower][:]), 0.0
	for i, part := range &d.of[ofPart] {
		const one, mantissa = 1023, 52      // of the bits of 1
		const nothing, least = -1100, -1000 // powers of two below the largest that add nothing, and that numbers have for sure
		switch by := int(d.of[ofPower][i] - top); {
		case by > least:
			total += float64(part * math.Float64frombits(uint64(by+one)<<mantissa))
		case by > nothing:
			total += math.Ldexp(part, by)
		}
	}
	d.last = math.Log(total/predictors) + float64(top*math.Ln2) - maxLikelihood(d.sum, float64(d.n))
	d.most = max(d.most, d.last)
}

// maxLikelihood is S ln(S/n) + (n−S) ln(1 − S/n).
func maxLikelihood(s, n float64) float64 {
	return -float64(n * entropy(s/n))
}

// entropy is −m ln m − (1−m) ln(1−m), 0 at both ends.
func entropy(m float64) float64 {
	if m <= 0 || m >= 1 {
		return 0
	}
	return -float64(m*math.Log(m)) - float64((1-m)*math.Log1p(-m))
}

// Result is what a Drift found.
type Result struct {
	N      int64   // rewards
	Mean   float64 // of the rewards as they were taken up; NaN without any
	LogE   float64 // ln of the evidence at the end
	LogP   float64 // ln p, p = 1 over the largest evidence; at most 0
	Drifts bool    // the mean moves, at DriftLevel over all arms of the experiment (Holm)
	// Step is the smallest step of the mean, at half of the arm's plays, that is
	// found in at least four of five logs; see SmallestStep. NaN where no step is.
	Step float64
}

// Result returns what was found of this arm alone, among a number of arms. See Drifts.
func (d *Drift) Result(arms int) Result {
	if d.n == 0 {
		return Result{Mean: math.NaN(), Step: math.NaN()}
	}
	d.look()
	mean := d.sum / float64(d.n)
	r := Result{N: d.n, Mean: mean, LogE: d.last, LogP: min(0, -d.most), Step: SmallestStep(d.n, mean, DriftLevel/float64(arms))}
	r.Drifts = r.LogP <= math.Log(DriftLevel/float64(arms))
	return r
}

// Drifts are the results of all arms of an experiment, nil standing for an arm
// whose rewards were not looked at. Which arms move is decided at DriftLevel by
// Holm's adjustment over all of them, those without rewards among them.
func Drifts(arms []*Drift) []Result {
	out, logP := make([]Result, len(arms)), make([]float64, len(arms))
	for i, d := range arms {
		if d == nil {
			d = &Drift{}
		}
		out[i] = d.Result(len(arms))
		logP[i] = out[i].LogP
	}
	for i, p := range hypothesis.Holm(logP) {
		out[i].Drifts = p <= math.Log(DriftLevel)
	}
	return out
}

// SmallestStep is the step δ of a mean m of n rewards, from m − δ/2 to m + δ/2 at
// half of them, that a Drift finds in at least four of five logs at the given
// level:
//
//	n·[h(m) − ½h(m − δ/2) − ½h(m + δ/2)] = 23 + 1.5·(ln(1/level) − 3), h(x) = −x ln x − (1−x) ln(1−x)
//
// Sources: the left side is the loss of a constant prediction, and the right
// side comes from simulations (m from .0003 to .98, n from 100 to 200,000, rewards
// of 0 and 1, beta and spiked; .80 to 1.00 found). A step of that size in the first
// or last quarter is found in .1 to .99, in the first or last tenth in 0 to .3.
// It is NaN where no step δ ≤ 2·min(m, 1−m) is.
func SmallestStep(n int64, m, level float64) float64 {
	const base, slope, usual = 23, 1.5, 3
	need := base + float64(slope*(-math.Log(level)-usual))
	loss := func(step float64) float64 {
		return float64(n) * (entropy(m) - float64(half*entropy(m-float64(step/2))) - float64(half*entropy(m+float64(step/2))))
	}
	lo, hi := 0.0, 2*min(m, 1-m)
	if !(loss(hi) >= need) { // so that NaN ends here
		return math.NaN()
	}
	for range 64 {
		if mid := (lo + hi) / 2; loss(mid) >= need {
			hi = mid
		} else {
			lo = mid
		}
	}
	return hi
}
