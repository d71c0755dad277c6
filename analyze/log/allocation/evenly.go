package allocation

import (
	"context"
	"math"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/schemas"
)

// Evenly reports whether arms meet the same means whatever moves, as far as is declared:
// the policy reads no rewards, nothing that was released set a column, the test was
// chosen before anything was seen, and each arm has the same share of the rounds
// of all of them in every round.
func Evenly(ctx context.Context, in *publiclog.Log, arms []int) (bool, error) {
	m := in.Mechanism
	if m == nil || !m.Known() || in.Protocol.Analysis.Chosen != schemas.ChosenBefore || publiclog.SetByReleased(in.Protocol) != "" {
		return false, nil
	}
	if !in.Slice.Schema().Eligible {
		return true, nil // the probabilities are declared, and nothing else changes them
	}
	all := shares{even: true}
	err := publiclog.Fold(ctx, in.Slice, in.Jobs, func(i int) (*shares, error) {
		c, part, p, next := in.Slice.Chunk(i), &shares{even: true}, make([]float64, in.K()), Blind(m, in.K())
		for row := range c.Arm {
			next(&c, row, p)
			part.add(p, arms)
		}
		return part, nil
	}, all.merge)
	return all.even, err
}

// shares holds arms' shares of each other's rounds.
type shares struct {
	even  bool      // they are the same in all rounds
	share []float64 // nil: no round could have played any of them
}

// add takes up the probabilities of all arms in a round.
func (s *shares) add(p []float64, arms []int) {
	total, share := 0.0, make([]float64, len(arms))
	for i, arm := range arms {
		share[i] = p[arm]
		total += p[arm]
	}
	if total == 0 {
		return
	}
	for i := range share {
		share[i] /= total
	}
	s.merge(&shares{even: true, share: share})
}

func (s *shares) merge(o *shares) {
	const rounding = 1e-12
	s.even = s.even && o.even
	if s.share == nil {
		s.share = o.share
		return
	}
	for i, v := range o.share {
		s.even = s.even && math.Abs(v-s.share[i]) <= rounding
	}
}
