package world

import (
	"math"
	"math/rand/v2"

	"banditaudit/replay"
)

// beta is a world in which arm a pays a Beta(m·κ, (1−m)·κ) variable, m =
// Means[a] in (0,1) and κ the concentration: mean m and variance
// m·(1−m)/(κ+1), independently over rounds and arms.
type beta struct {
	means         []float64
	concentration float64
}

var _ Law = beta{}

// Arms returns K.
func (w beta) Arms() int { return len(w.means) }

// Binary returns false.
func (w beta) Binary() bool { return false }

// Means returns the declared means.
func (w beta) Means() []float64 { return w.means }

// Mean returns the declared mean of arm.
func (w beta) Mean(_ int64, arm int, _ *replay.Round) float64 { return w.means[arm] }

// Reward draws from the generator PCG whose seed is the word, so that however
// many numbers a draw takes, the arm's stream gives one word for it.
func (w beta) Reward(_ int64, arm int, word uint64, _ *replay.Round) float64 {
	m := w.means[arm]
	return drawBeta(rand.New(rand.NewPCG(word, 0)), m*w.concentration, (1-m)*w.concentration)
}

// drawBeta draws X/(X+Y) for independent X ~ Gamma(a), Y ~ Gamma(b), by their
// logarithms, because for small a and b both may be smaller than any float64.
func drawBeta(r *rand.Rand, a, b float64) float64 {
	x, y := drawLogGamma(r, a), drawLogGamma(r, b)
	return 1 / (1 + math.Exp(y-x))
}

// drawLogGamma draws the logarithm of a Gamma(a) variable, a > 0: of G·U^(1/a)
// with G ~ Gamma(a+1) by the rejection of Marsaglia and Tsang (2000, ACM TOMS
// 26(3), doi:10.1145/358407.358414):
//
//	d = a + 1 − 1/3, c = 1/√(9d), V = (1 + c·Z)³;
//	accept dV when ln U < Z²/2 + d − dV + d·ln V
func drawLogGamma(r *rand.Rand, a float64) float64 {
	d := a + 1 - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		z := r.NormFloat64()
		v := 1 + c*z
		if v <= 0 {
			continue
		}
		v = v * v * v
		if math.Log(positive(r)) < z*z/2+d-d*v+d*math.Log(v) {
			return math.Log(d*v) + math.Log(positive(r))/a
		}
	}
}

// positive draws a number in (0,1).
func positive(r *rand.Rand) float64 { return (float64(r.Uint64()>>11) + 0.5) * 0x1p-53 }
