package world

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"

	"banditaudit/replay"
)

// maxRedraw bounds the rounds in which the noise of every arm is drawn anew, some
// microseconds for each.
const maxRedraw = 1_000_000_000

// faultsOfNoise lists the faults by which a policy sees something else than the
// declared counters release.
func faultsOfNoise() []Fault {
	return []Fault{
		{
			Name: "no-noise", Doc: "the policy sees exact sums", Noise: true, Alone: "without noise there is nothing that could be wrong with it",
			Deploy: func(d *Deployment) { d.Noise.None = true },
		},
		{
			Name: "redraw", Doc: "the noise of every sum is drawn anew in every round", Noise: true, Anew: true,
			Excludes: map[string]string{"fresh-prefixes": "noise that is new in every round is new for every prefix"},
			Size:     (*Spec).redrawsTooOften, Deploy: func(d *Deployment) { d.Noise.Draw = (*replay.Noises).Anew },
		},
		{Name: "half-scale", Doc: "noise of half the declared scale", Noise: true, Deploy: func(d *Deployment) { d.Noise.rescale(1, 2) }},
		{
			Name: "noise-on-mean", Doc: "the noise of the sum is added to the mean: n times too much", Noise: true,
			Excludes: map[string]string{"noise-over-n-twice": "one undoes the other"},
			Deploy: func(d *Deployment) {
				d.Noise.Weigh = func(v, rows float64) float64 { return float64(v * rows) } // not fused into the sum
			},
		},
		{
			Name: "noise-over-n-twice", Doc: "the noise of the sum is divided by n before the sum is: n times too little", Noise: true,
			Deploy: func(d *Deployment) { d.Noise.Weigh = func(v, rows float64) float64 { return v / rows } },
		},
		{
			Name: "log2-levels", Doc: "binary: noise for ⌊log2 T⌋ levels, one too few", Noise: true, Check: (*Spec).lacksLevels,
			Deploy: func(d *Deployment) { d.Noise.rescale(d.Spec.levels()-1, d.Spec.levels()) },
		},
		{
			Name: "wrong-arm-stream", Doc: "each arm's noise comes from the stream of the next arm", Noise: true,
			Check: func(s *Spec) (bool, string) {
				return s.arms() < 2, "there is one arm, and no stream of another; simulate at least two"
			},
			Deploy: func(d *Deployment) { d.Noise.Rotate = 1 },
		},
		{
			Name: "fresh-prefixes", Doc: "every released sum has fresh noise of all its nodes", Noise: true, Anew: true,
			Check: (*Spec).isFresh, Deploy: deployFresh,
		},
	}
}

func (s *Spec) redrawsTooOften() (wrong bool, why string) {
	return s.Rounds > maxRedraw, fmt.Sprintf("all noise of every arm is drawn anew in every round, which takes hours for %d rounds; simulate at most %d", s.Rounds, int64(maxRedraw))
}

func (s *Spec) isFresh() (wrong bool, why string) {
	kind := s.counterKind()
	return kind.Fresh, fmt.Sprintf("the counter %s draws fresh noise for every sum that it releases, so that the fault changes nothing; take another counter, such as hybrid", kind.Name)
}

// deployFresh draws the noise of an arm anew whenever another sum is released,
// all of its nodes: a tree whose nodes are not remembered. It stands until then.
func deployFresh(d *Deployment) {
	last, rows := make([][]float64, d.Mechanism.Arms()), make([]int64, d.Mechanism.Arms())
	d.Noise.Draw = func(of *replay.Noises, arm int, n int64) ([]float64, error) {
		if n != rows[arm] {
			noise, err := of.Anew(arm, n)
			if err != nil {
				return nil, err
			}
			last[arm], rows[arm] = slices.Clone(noise), n
		}
		return last[arm], nil
	}
}

// Noise makes what the policy of a faulty deployment sees of what it would see
// without noise. With the noise N that the deployment draws for a sum S of n
// rows it is S + N but for its faults. Where nothing has been released there is
// nothing to see, and no noise.
type Noise struct {
	None   bool     // S
	Scale  *big.Rat // of N, as a multiple of the declared scale. Defaults to 1.
	Rotate int      // arm i draws from the stream of arm i+Rotate, cyclically
	// Weigh returns what is added for N and n: n·N where N was meant for S and is
	// added to S/n, N/n where N is divided by n, added to S, and both by n. Defaults
	// to N.
	Weigh func(v, rows float64) float64
	// Draw returns the noise of an arm's sum of the given number of rows. Defaults to the
	// noise of the arm's stream.
	Draw func(of *replay.Noises, arm int, rows int64) ([]float64, error)

	noises *replay.Noises
	err    error // the first: the run is then over
}

// rescale multiplies the scale by a/b.
func (w *Noise) rescale(a, b int64) {
	w.Scale = new(big.Rat).Mul(cmp.Or(w.Scale, big.NewRat(1, 1)), big.NewRat(a, b))
}

// show adds noise to exact, the sums of all arms or their vectors, at whose
// streams arrived rows have arrived. It is called once in every round.
func (w *Noise) show(exact []float64, arrived []int64) []float64 {
	if w.None {
		return exact
	}
	per := len(exact) / len(arrived)
	for arm, n := range arrived {
		noise, rows, err := w.noises.After(arm, n)
		if err == nil && rows > 0 && w.Draw != nil {
			noise, err = w.Draw(w.noises, arm, rows)
		}
		if err != nil {
			w.err = err
			return exact
		}
		if rows == 0 {
			continue
		}
		for j := range per {
			v := noise[j]
			if w.Weigh != nil {
				v = w.Weigh(v, float64(rows))
			}
			exact[arm*per+j] += v
		}
	}
	return exact
}
