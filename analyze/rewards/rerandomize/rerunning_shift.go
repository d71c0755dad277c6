package rerandomize

import (
	"context"
	"fmt"
	"math"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/hypothesis"
	"banditaudit/analyze/stat/randomization"
	"banditaudit/schemas"
)

// shifts reports whether the question is of a constant shift: of two arms whose rewards
// are not 0 or 1, the one pays in every round what the other would have paid, and the
// value more.
func (q *Question) shifts(in *publiclog.Log) bool { return q.Difference && !in.Binary() }

// againstShift says why the policy cannot be run on rewards that a shift makes up.
func (s *Subject) againstShift(q Question) string {
	switch {
	case !q.shifts(s.Facts.Log):
		return ""
	case s.Facts.Clipped() > 0:
		return schemas.Plural(s.Facts.Clipped(), "reward was", "rewards were") + " outside reward.range and clipped: what one arm pays is then not the other's reward and a constant more (reward.out_of_range)"
	case s.Protocol.Program != nil:
		return "A1: a shift makes up rewards outside reward.range, and whether a program is defined for them is not known"
	case s.Facts.Mechanism.Unbounded() == nil:
		return "A1: a shift makes up rewards outside reward.range, and the declared policy or its counter is not defined for them (Thompson sampling with a Beta prior, a policy that reads vectors, a counter that adds noise)"
	}
	return ""
}

// shiftRuns run the policy again on rewards less a shift.
type shiftRuns struct {
	log       *randomization.Log // of the rewards that were seen, in the units of the protocol's range
	policy    *rerunPolicy
	arm       int // that pays the shift more
	lo, width float64
	blocks    []int32   // what is summed is centred in these; nil: it is not
	free      []float64 // rewards less the shift where the arm was played, in the units of the range
	unit      []float64 // the same as parts of the range; the same slice where they are
}

// newShiftRuns holds the rewards of a log that make no use of the arm.
func newShiftRuns(l *randomization.Log, p *rerunPolicy, arm int, within [2]float64) *shiftRuns {
	s := &shiftRuns{log: l, policy: p, arm: arm, lo: within[0], width: within[1] - within[0], free: make([]float64, len(l.Reward))}
	if s.unit = s.free; s.lo != 0 || s.width != 1 {
		s.unit = make([]float64, len(s.free))
	}
	return s
}

// test runs the policy on the rewards that do not depend on the arm if the arm pays delta
// more, and hands it these with delta where it plays that arm. Draws are the same for
// every delta.
func (s *shiftRuns) test(ctx context.Context, delta float64, o randomization.Options) (randomization.Result, error) {
	free := s.log.Shifted(s.arm, delta, s.free)
	rescale(s.unit, s.free, s.lo, s.width)
	if free.Reward = s.unit; s.blocks != nil {
		free.Centred = randomization.Centred(free.Reward, s.blocks)
	}
	records, policy := *s.policy.records, *s.policy
	records.reward = s.free
	policy.records, policy.shifted, policy.delta = &records, s.arm, delta
	return randomization.Test(ctx, free, &policy, o)
}

// rerunShift is a test of constant shifts, one after the other, on what is read once.
type rerunShift struct {
	test *rerunning

	runs    *shiftRuns
	options randomization.Options // of a test of one shift
	alpha   float64
	grid    randomization.Grid
}

// newShift prepares the test.
func newShift(r *rerunning, o randomization.Options) *rerunShift {
	seen, within := *r.log, [2]float64(r.protocol.Reward.Range)
	seen.Reward = r.records.reward
	s := &rerunShift{test: r, runs: newShiftRuns(&seen, r.policy, r.Arms[0], within), options: o, alpha: r.protocol.Analysis.Alpha / r.sides()}
	s.grid.Width = s.runs.width
	if r.statistic == schemas.StatisticInBlocks {
		s.runs.blocks = r.blocks
	}
	return s
}

// interval returns the hull of the shifts that are not rejected; p is the p-value of the
// tested value. It is nil, with the reason, where there is none.
func (s *rerunShift) interval(ctx context.Context, p float64) (ci *schemas.Interval, words string, err error) {
	o := s.options
	o.Draws, o.More = randomization.Decided(o.Draws, o.Exceedances, s.alpha), 0
	if why := s.affords(o.Draws); why != "" {
		return nil, why, nil
	}
	also := math.NaN()
	if p > s.alpha && math.Abs(s.test.Value) <= s.grid.Width {
		also = s.test.Value
	}
	hull, err := s.grid.Search(ctx, s.hullSide(), also, func(delta float64) (bool, error) {
		runs, failed := s.runs.test(ctx, delta, o)
		return runs.P > s.alpha || runs.Values < randomization.Few, failed
	})
	if err != nil {
		return nil, "", err
	}
	grid := fmt.Sprintf("the grid of %d shifts from %g to %g, in steps of %g", randomization.Steps+1, -s.grid.Width, s.grid.Width, s.grid.Step())
	if hull.Empty {
		return nil, "no interval: every shift of " + grid + ", is rejected; one arm does not pay the other's reward and a constant more, or the constant lies between two of the grid", nil
	}
	words = fmt.Sprintf("the interval is to the step, and exact for shifts of the grid: it holds every shift of %s, that is not rejected at alpha %g, and ends at rejected neighbours (%s tried from both ends)", grid, s.alpha, schemas.Grouped(int64(hull.Tried)))
	return schemas.NewInterval(hull.Lo, hull.Hi), words, nil
}

// hullSide is the side of the interval: where the first arm of the question is asked to
// pay more, no shift is too large.
func (s *rerunShift) hullSide() randomization.Side {
	switch s.test.Alt {
	case hypothesis.Greater:
		return randomization.First
	case hypothesis.Less:
		return randomization.Second
	case hypothesis.TwoSided:
	}
	return randomization.Both
}

// affords says why the budget of steps does not allow a test of every shift of the grid
// beside the test of the value; "" where it does.
func (s *rerunShift) affords(draws int) string {
	all := float64(s.options.Draws) + float64(float64(draws)*(randomization.Steps+1))
	if all*s.test.subject.rerunStep() <= rerunSteps {
		return ""
	}
	return fmt.Sprintf("no interval: %s of %d shifts, with up to %s each, would take more than %.0g steps, and fewer shifts would be another interval (analysis.rerun.exceedances: fewer runs reject a shift)",
		schemas.Counted(int64(s.test.records.rounds()), "round"), randomization.Steps+1, schemas.Counted(int64(draws), "run"), float64(rerunSteps))
}

// run makes the runs at the value, then the runs for the interval, and says what came of
// them.
func (s *rerunShift) run(ctx context.Context) (Answer, error) {
	runs, why := s.runs.test(ctx, s.test.Value, s.options)
	if out, ended := s.test.without(ctx, runs, why); ended {
		return out, ctx.Err()
	}
	out := s.test.answer(runs, runs.Most)
	ci, words, err := s.interval(ctx, runs.P)
	if err != nil {
		return Answer{}, err
	}
	a, b := s.test.facts.Name(s.test.Arms[0]), s.test.facts.Name(s.test.Arms[1])
	null := fmt.Sprintf("the hypothesis is that arm %s pays, in every round, what arm %s would have paid and %g more", a, b, s.test.Value)
	out.Result.CI, out.ValidIf = ci, schemas.ValidIfShift
	out.Result.Correction = "the policy run again, on rewards less a constant shift; " + s.test.words
	out.Result.Reason = publiclog.Joined(publiclog.Joined(null, words), out.Result.Reason)
	return out, nil
}
