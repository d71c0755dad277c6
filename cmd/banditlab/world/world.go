package world

import (
	"math"
	"slices"

	"banditaudit/replay"
	"banditaudit/replay/policy/bitexact"
)

// World describes a kind of world: all that the program knows of it beside the
// arithmetic of its law. No world's name stands outside its file.
type World struct {
	Name     string
	Doc      string              // what an arm pays, in one line
	Takes    []string            // its parameters, by the names of their flags
	Binary   bool                // rewards are 0 or 1
	Outside  bool                // rewards may lie outside every range; else they are from 0 to 1
	Contexts bool                // what an arm pays depends on contexts, by a number for each coordinate
	Open     string              // why no mean is 0 or 1; "": a mean may be
	Check    func(*Spec) []error // judges its parameters beside --means; nil: there is nothing to judge
	Law      func(*Spec) Law     // of a specification that passed Check
}

// Worlds lists the worlds in the order in which they are shown. A new one is a
// file and a line of this list.
func Worlds() []World {
	return []World{
		describeBernoulli(),
		describeBeta(),
		describeGaussian(),
		describeLinear(),
		describeDrift(),
	}
}

// Arms returns the number of arms that s has parameters for, 0 where it has none,
// and the name of the parameter that each arm has one of.
func (w World) Arms(s *Spec) (k int, what string) {
	if slices.Contains(w.Takes, "theta") {
		return len(s.Theta), "rows of --theta"
	}
	return len(s.Means), "means"
}

// Law is the law of the rewards of a world. It holds no state: a reward is a
// function of the round, the arm, the round's contexts and one 64-bit word that
// the arm's stream gave for the round, whatever was played before. A Law is
// safe for concurrent use.
type Law interface {
	// Arms returns K.
	Arms() int
	// Means returns the mean reward of each arm, after clipping, where it is the
	// same in every round; nil where it is not.
	Means() []float64
	// Mean returns the mean reward of arm in round t, after clipping to the
	// declared range, given what is public in the round.
	Mean(t int64, arm int, in *replay.Round) float64
	// Reward returns what arm pays in round t, before clipping, where its stream
	// gave word.
	Reward(t int64, arm int, word uint64, in *replay.Round) float64
	// Document adds to the truth what it has to say beside the declared means.
	Document(t *Truth)
}

// means are the mean rewards of arms, after clipping, where they are the same in
// every round.
type means []float64

// Arms returns K.
func (m means) Arms() int { return len(m) }

// Means returns m.
func (m means) Means() []float64 { return m }

// Document adds nothing.
func (means) Document(*Truth) {}

// Mean returns m[arm].
func (m means) Mean(_ int64, arm int, _ *replay.Round) float64 { return m[arm] }

// uniform returns ⌊u/2¹¹⌋·2⁻⁵³, which lies in [0,1).
func uniform(u uint64) float64 { return float64(float64(u>>11) * 0x1p-53) }

// normal returns the standard normal quantile Φ⁻¹((⌊u/2¹¹⌋+½)·2⁻⁵³), which is
// finite for every word and lies within ±8.3.
func normal(u uint64) float64 {
	// 2p−1 is an odd multiple of 2⁻⁵³ in (−1,1), and so a float64.
	centred := int64(u>>11) - 1<<52
	return math.Sqrt2 * math.Erfinv(float64(2*centred+1)*0x1p-53)
}

// interval is the declared range of rewards, to which they are clipped.
type interval struct{ lo, hi float64 }

// clippedMean returns the mean of a N(mean, sd²) variable clipped to r:
//
//	lo·Φ(a) + hi·(1−Φ(b)) + mean·(Φ(b)−Φ(a)) + sd·(φ(a)−φ(b)),
//	a = (lo−mean)/sd, b = (hi−mean)/sd
func (r interval) clippedMean(mean, sd float64) float64 {
	a, b := (r.lo-mean)/sd, (r.hi-mean)/sd
	below, above := normalCDF(a), normalCDF(-b)
	m := float64(r.lo*below) + float64(r.hi*above) + float64(mean*(1-below-above)) + float64(sd*(normalPDF(a)-normalPDF(b)))
	return max(r.lo, min(r.hi, m)) // the sum rounds
}

func normalCDF(z float64) float64 { return float64(bitexact.Erfc(-z/math.Sqrt2) / 2) }

func normalPDF(z float64) float64 { return bitexact.Exp(-z*z/2) / math.Sqrt(2*math.Pi) }
