package world

import "banditaudit/replay"

func describeGaussian() World {
	return World{
		Name: "gaussian", Doc: "N(m, sd²), clipped to the range by declaration", Takes: []string{"means", "sd"},
		Outside: true, Law: func(s *Spec) Law { return newGaussian(s.Means, s.sd(), s.bounds()) },
	}
}

// gaussian is a world in which arm a pays a N(m[a], sd²) variable,
// independently over rounds and arms: m[a] + sd·Φ⁻¹(p) for p of the word.
// The log holds it as it is; the protocol clips it to the range of the reward,
// and its mean is that after clipping.
type gaussian struct {
	means // after clipping

	m  []float64
	sd float64
}

var _ Law = gaussian{}

func newGaussian(m []float64, sd float64, r interval) gaussian {
	w := gaussian{m: m, sd: sd}
	for _, mean := range m {
		w.means = append(w.means, r.clippedMean(mean, sd))
	}
	return w
}

// Document adds the standard deviation, and the means after clipping.
func (w gaussian) Document(t *Truth) { t.SD, t.MeansClipped = w.sd, w.means }

// Reward returns m[arm] + sd·Z.
func (w gaussian) Reward(_ int64, arm int, word uint64, _ *replay.Round) float64 {
	return w.m[arm] + float64(w.sd*normal(word))
}
