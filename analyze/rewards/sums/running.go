package rewards

import (
	"context"
	"math"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/hypothesis"
	"banditaudit/analyze/stat/onesample"
	"banditaudit/ingest/tableau"
	"banditaudit/schemas"
)

// Where an arm's mean is declared to be one number in all rounds (analysis.means:
// constant), fixed bets on it may be looked at more than once: at times that were fixed
// beforehand, in the arm's own rounds, the largest counts ([hypothesis.RunningBets]).
// Without that declaration only what they hold at the end is about the mean over the
// rounds played.

// readRunning goes through the rewards in the order of rounds and keeps what bets on each
// arm held at those times, where that is asked and nothing contradicts the declaration. Given the past, rounds of a unit that came before have means of their own: where
// units own several rows nothing is kept. Workers share the arms, and each goes through
// all rows; memory is 264 bytes for each look at each arm.
func (s *Sample) readRunning(ctx context.Context) error {
	if !s.ConstantMeans() || publiclog.Repeated(s.Facts.Slice) {
		return nil
	}
	s.Running = make([]*hypothesis.BetLooks, s.Facts.K())
	jobs := max(1, min(s.Facts.Jobs, s.Facts.K()))
	return publiclog.EachPart(ctx, s.Facts.Slice, jobs, func(part int) error { return s.runningOf(ctx, part, jobs) })
}

// runningOf goes through the rows for every jobs-th arm from part on.
func (s *Sample) runningOf(ctx context.Context, part, jobs int) error {
	r := s.Protocol.Reward.Range
	mine := make([]*hypothesis.BetLooks, s.Facts.K())
	for arm := part; arm < len(mine); arm += jobs {
		mine[arm] = hypothesis.NewBetLooks(r[0], r[1])
		s.Running[arm] = mine[arm]
	}
	counts := s.Protocol.Log.MissingReward == schemas.MissingExclude
	return publiclog.EachChunk(ctx, s.Facts.Slice, func(i int, c *tableau.Chunk) error {
		y, known := s.Arms.Chunk(i), s.Arms.Arms(i)
		for t, arm := range c.Arm {
			switch looks := mine[arm]; {
			case looks == nil:
			case known[t] >= 0:
				looks.Add(y[t])
			case counts:
				looks.Miss()
			}
		}
		return nil
	})
}

// IsRunning reports whether bets on an arm are looked at more than once, which what was
// found since may have put an end to.
func (s *Sample) IsRunning(arm int) bool {
	return len(s.Running) > 0 && s.Running[arm] != nil && s.NotConstant() == ""
}

// Betted are what fixed bets won on the rewards of an arm. Where a missing reward may
// depend on its value (missing_reward: exclude), it counts as 0 for the bets in both
// directions: the interval is then for all rounds that played the arm, and wider.
func (s *Sample) Betted(arm int) *hypothesis.Betted {
	out := *s.Of(arm).Betted()
	if s.Protocol.Log.MissingReward == schemas.MissingExclude {
		out.N += s.Missing[arm]
	}
	return &out
}

// BetsOn are the fixed bets on an arm held against a value: at their best where they are
// looked at more than once, else at the end. logE is ln e at the end in either case.
func (s *Sample) BetsOn(arm int, h onesample.Null) (r hypothesis.Result, logE float64) {
	b := s.Betted(arm)
	r = hypothesis.Bets(b, h.Value, h.Alternative, h.LogAlpha)
	if logE = -r.LogP; s.IsRunning(arm) {
		r = hypothesis.RunningBets(b, s.Running[arm], h.Value, h.Alternative, h.LogAlpha)
	}
	return r, logE
}

// RunningWords say that bets on an arm are looked at more than once; "" where not.
func (s *Sample) RunningWords(arm int) string {
	if !s.IsRunning(arm) {
		return ""
	}
	return "; at its largest after the first, second, … ⌈1.1^k⌉-th of these rounds, which is valid only if the mean of the arm, which is declared to be constant (analysis.means), is so whatever its rounds were chosen by"
}

// NoMeanFits is why bets that are looked at more than once have no interval.
const NoMeanFits = "no value fits the rewards of the arm at all times: its mean, which is declared to be constant (analysis.means), is not, or the range of rewards (reward.range) is wrong"

// FitsNone reports whether no value is left by a result.
func FitsNone(r *hypothesis.Result) bool { return math.IsNaN(r.Lo) && !math.IsNaN(r.LogP) }
