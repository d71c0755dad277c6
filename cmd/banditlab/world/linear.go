package world

import (
	"math"

	"banditaudit/replay"
)

func describeLinear() World {
	return World{
		Name: "linear", Doc: "⟨θ of the arm, context⟩ + N(0, sd²), clipped by declaration", Takes: []string{"theta", "sd"},
		Outside: true, Contexts: true, Check: (*Spec).checkTheta,
		Law: func(s *Spec) Law { return linear{s.theta(), s.sd(), s.bounds()} },
	}
}

// checkTheta judges coefficients. Those that are not given are drawn from the
// seed.
func (s *Spec) checkTheta() []error {
	var faults []error
	for i, row := range s.Theta {
		if len(row) != s.dim() {
			faults = append(faults, faultf("theta", "arm %d has %d numbers, and contexts have %d; write one for each coordinate, and --context-dim %d", i+1, len(row), s.dim(), len(row)))
		}
		for _, v := range row {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				faults = append(faults, faultf("theta", "arm %d has %v; write finite numbers", i+1, v))
			}
		}
	}
	return faults
}

func (s *Spec) theta() [][]float64 {
	if s.Theta != nil {
		return s.Theta
	}
	return drawTheta(s.arms(), s.dim(), s.l1(), s.Master)
}

// linear is a world in which arm a pays ⟨θ_a, x⟩ + sd·Z with Z standard normal:
// x is the context of the round, or the context of the arm where arms have contexts of
// their own. The log holds it as it is; the protocol clips it to the range of the reward,
// and its mean is the mean after clipping.
type linear struct {
	theta  [][]float64 // K×d
	sd     float64
	bounds interval
}

var _ Law = linear{}

// Arms returns K.
func (w linear) Arms() int { return len(w.theta) }

// Document adds the coefficients and the standard deviation.
func (w linear) Document(t *Truth) { t.Theta, t.SD = w.theta, w.sd }

// Means returns nil: they depend on the context.
func (w linear) Means() []float64 { return nil }

// Mean returns the mean of arm after clipping, given its context.
func (w linear) Mean(_ int64, arm int, in *replay.Round) float64 {
	return w.bounds.clippedMean(w.mean(arm, in), w.sd)
}

// Reward returns ⟨θ_arm, x⟩ + sd·Z.
func (w linear) Reward(_ int64, arm int, word uint64, in *replay.Round) float64 {
	return w.mean(arm, in) + float64(w.sd*normal(word))
}

// mean is ⟨θ_arm, x⟩, before clipping.
func (w linear) mean(arm int, in *replay.Round) float64 {
	theta, x := w.theta[arm], in.X
	if in.XByArm != nil {
		x = in.XByArm[arm*len(theta) : (arm+1)*len(theta)]
	}
	total := 0.0
	for j, v := range theta {
		total += float64(v * x[j])
	}
	return total
}

// drawTheta draws θ_a of every arm from the master seed, each coordinate
// uniform on [0, 1/l1), so that ⟨θ_a, x⟩ lies in [0,1] for every x without
// negative coordinates and with ‖x‖₁ ≤ l1. All experiments have the same.
func drawTheta(arms, dim int, l1 float64, master [32]byte) [][]float64 {
	theta := make([][]float64, arms)
	for a := range theta {
		stream := replay.Stream(master, replay.PurposeTheta, "", a)
		theta[a] = make([]float64, dim)
		for j := range theta[a] {
			theta[a][j] = uniform(stream.Uint64()) / l1
		}
	}
	return theta
}
