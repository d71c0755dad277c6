package analyze

import (
	"context"
	"slices"

	"banditaudit/analyze/log/corrections"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/bias"
	"banditaudit/analyze/stat/moments"
)

// unitSums are sums over units, on which the errors of means and of their
// differences rest where a unit owns several rows. Only rows whose reward is
// known count.
type unitSums struct {
	arms  []moments.Units
	tanh  []float64  // by arm: Σ over its rows of tanh(C/4), C the cost of all rows of the unit in nats; NaN where there is no ledger
	pairs []unitPair // of the declared differences, and of two arms that are asked to pay alike
	all   int64      // units with a reward that is known
}

// unitPair is a declared difference. Units may have rows of both arms, so that
// the two means are not independent.
type unitPair struct {
	arm, against int
	sums         moments.UnitPair
}

// readByUnit walks the rows by unit where a unit owns several; it returns nil
// elsewhere, or where the tableau's units are not at hand. The one walk gives the
// sums, the levels of costs that arms and tests will ask for, and what check H07
// counts. It needs the means, and reads the rewards under their purpose.
func (s *sample) readByUnit(ctx context.Context) (*unitSums, error) {
	if !publiclog.Repeated(s.facts.Slice) || !s.facts.Slice.HasUnits() {
		return nil, nil //nolint:nilnil // rows are their own units
	}
	out, pairs := s.newUnitSums(), &publiclog.UnitWalk{Units: s.units, Unit: -1}
	if err := s.accounts.CountBlocks(ctx, corrections.UnitBlocks, s.accounts.Expected(corrections.UnitBlocks), &corrections.BlockRewards{Rewards: s.rewards.Arms, Shift: out.shifts()}, pairs.See, out.add); err != nil {
		return nil, err
	}
	pairs.EndPair()
	return out, nil
}

func (s *sample) newUnitSums() *unitSums {
	out := &unitSums{arms: make([]moments.Units, s.facts.K()), tanh: make([]float64, s.facts.K())}
	for arm := range out.arms {
		out.arms[arm].Shift = s.rewards.Scalar[arm].Mean
	}
	h := s.questions.history()
	for _, spec := range s.protocol.Analysis.Tests {
		of := slices.Concat(spec.Difference, spec.Equal)
		if len(of) != 2 {
			continue
		}
		p := unitPair{arm: h.labelled(of[0]), against: h.labelled(of[1])}
		p.sums.A.Shift, p.sums.B.Shift = out.arms[p.arm].Shift, out.arms[p.against].Shift
		out.pairs = append(out.pairs, p)
	}
	return out
}

// pair is the sums of a declared difference.
func (s *unitSums) pair(arm, against int) moments.UnitPair {
	for i := range s.pairs {
		if p := &s.pairs[i]; p.arm == arm && p.against == against {
			return p.sums
		}
	}
	return moments.UnitPair{}
}

// shifts are what rewards are summed above, by arm.
func (s *unitSums) shifts() []float64 {
	out := make([]float64, len(s.arms))
	for arm := range out {
		out[arm] = s.arms[arm].Shift
	}
	return out
}

// add takes up a unit.
func (s *unitSums) add(b *corrections.Block) {
	for i := range s.pairs {
		p := &s.pairs[i]
		x, y := b.Of(p.arm), b.Of(p.against)
		p.sums.Add(x.N, x.Sum, y.N, y.Sum)
	}
	shift, known := bias.Row(b.Cost), false
	for _, part := range b.Arms {
		if part.N > 0 {
			known = true
			s.arms[part.Arm].Add(part.N, part.Sum)
			s.tanh[part.Arm] += float64(float64(part.N) * shift)
		}
	}
	if known {
		s.all++
	}
}
