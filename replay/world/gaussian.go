package world

import "banditaudit/replay"

// gaussian is a world in which arm a pays a N(Means[a], sd²) variable,
// independently over rounds and arms: Means[a] + sd·Φ⁻¹(p) for p of the word.
// The log holds it as it is; the protocol clips it to the range of the reward,
// and its mean is that after clipping.
type gaussian struct {
	means, clipped []float64
	sd             float64
}

var _ Law = gaussian{}

func newGaussian(means []float64, sd float64, r interval) gaussian {
	w := gaussian{means: means, sd: sd}
	for _, m := range means {
		w.clipped = append(w.clipped, r.clippedMean(m, sd))
	}
	return w
}

// Arms returns K.
func (w gaussian) Arms() int { return len(w.means) }

// Binary returns false.
func (w gaussian) Binary() bool { return false }

// Means returns the means after clipping.
func (w gaussian) Means() []float64 { return w.clipped }

// Mean returns that of arm after clipping.
func (w gaussian) Mean(_ int64, arm int, _ *replay.Round) float64 { return w.clipped[arm] }

// Reward returns Means[arm] + sd·Z.
func (w gaussian) Reward(_ int64, arm int, word uint64, _ *replay.Round) float64 {
	return w.means[arm] + w.sd*normal(word)
}
