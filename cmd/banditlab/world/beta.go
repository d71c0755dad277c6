package world

import (
	"cmp"
	"math"
	"math/rand/v2"

	"banditaudit/replay"
	"banditaudit/replay/policy/bitexact"
)

// Beta is the name of the world beta.
const Beta = "beta"

func describeBeta() World {
	return World{
		Name: Beta, Doc: "Beta(m·c, (1−m)·c), of mean m and variance m(1−m)/(c+1)", Takes: []string{"means", "concentration"},
		Open: "a Beta law has no other", Check: (*Spec).checkShapes,
		Law: func(s *Spec) Law { return beta{s.Means, s.concentration()} },
	}
}

// minShape bounds the parameters of a Beta law from below: where they are
// smaller nearly all of it is 0 and 1.
const minShape = 1e-3

func (s *Spec) checkShapes() []error {
	c := s.concentration()
	for i, m := range s.Means {
		if m > 0 && m < 1 && min(m, 1-m)*c < minShape && s.concentrated() {
			return []error{faultf("concentration", "%v times mean %d, or times 1 less that mean, is below %g; write a larger one, or --world bernoulli", c, i+1, minShape)}
		}
	}
	return nil
}

func (s *Spec) concentrated() bool { return s.Concentration >= 0 && s.Concentration <= 1e9 }

func (s *Spec) concentration() float64 { return cmp.Or(s.Concentration, 10) }

// beta is a world in which arm a pays a Beta(m·κ, (1−m)·κ) variable, m =
// means[a] in (0,1) and κ the concentration: mean m and variance
// m·(1−m)/(κ+1), independently over rounds and arms.
type beta struct {
	means

	concentration float64
}

var _ Law = beta{}

// Document adds the concentration.
func (w beta) Document(t *Truth) { t.Concentration = w.concentration }

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
	return 1 / (1 + bitexact.Exp(y-x))
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
		v := 1 + float64(c*z)
		if v <= 0 {
			continue
		}
		v = v * v * v
		if math.Log(positive(r)) < float64(z*z/2)+d-float64(d*v)+float64(d*math.Log(v)) {
			return math.Log(d*v) + math.Log(positive(r))/a
		}
	}
}

// positive draws a number in (0,1).
func positive(r *rand.Rand) float64 { return (float64(r.Uint64()>>11) + 0.5) * 0x1p-53 }
