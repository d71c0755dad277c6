package ope

import (
	"math"
	"strings"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/hypothesis"
	"banditaudit/schemas"
)

// Question is asked of the mean of an arm, or of the difference of two.
type Question struct {
	Arms     []int // one, or the two
	Value    float64
	Alt      hypothesis.Alternative
	LogAlpha float64 // of the interval
}

// Answer is the answer to a Question by a weighted estimate and its normal error.
type Answer struct {
	hypothesis.Result
	NeedsConstantMean bool   // it takes means to stand still
	Over              string // the rounds that it is about
	Rounds            int64  // their number
	All               bool   // they are all rounds of the log
	Words             string // what is estimated, and on what it rests
}

// Deciding is the estimator by which a question can be decided, and why none can.
func (s *Estimates) Deciding() (name, why string) {
	e, why := s.deciding()
	return e.name, why
}

func (s *Estimates) deciding() (*estimator, string) {
	var out *estimator
	for _, e := range estimators() {
		if e.name != schemas.EstimatorAIPW && e.name != schemas.EstimatorSqrt {
			continue
		}
		if out == nil || s.weighted != nil && e.against(s.weighted) == "" {
			out = &e
		}
	}
	if s.weighted == nil {
		return out, "no propensity is logged (log.propensity, log.propensity_by_arm), and no policy is declared that gives them without rewards"
	}
	why := out.against(s.weighted)
	return out, why
}

// Test holds the estimate against the value of a question. Of the estimates by all
// propensities with the decimals of the logged ones it takes the nearest to the value. The
// interval holds each of these estimates. why is what stands against it; contradicting
// names the checks that contradict the propensities.
func (s *Estimates) Test(q *Question, contradicting string) (out Answer, why string) {
	w := s.weighingOf(q)
	if never := neverPlayed(s.Facts.Log, &w); never != "" {
		return out, never
	}
	_, _, against, steady := s.interval(&w)
	if against = append(against, s.alwaysAgainst(contradicting)...); len(against) > 0 {
		return out, strings.Join(against, "; ")
	}
	return Answer{Result: s.test(&w, q), NeedsConstantMean: steady, Over: s.overOf(&w), Rounds: w.rounds, All: w.rounds == s.Facts.Slice.Rows(), Words: s.words(&w, steady)}, ""
}

// weighingOf is the estimate that a question is about. The contrast of two arms stands
// in one order, and is turned for the other.
func (s *Estimates) weighingOf(q *Question) weighing {
	if len(q.Arms) == 1 {
		e, _ := s.deciding()
		return s.armWeighing(e, q.Arms[0])
	}
	at, turned := s.pairOf(q.Arms[0], q.Arms[1])
	w := s.pairWeighing(at)
	if turned {
		w = w.turned()
	}
	return w
}

func (s *Estimates) test(w *weighing, q *Question) hypothesis.Result {
	moved := float64(publiclog.RangeWidth(s.Protocol) * w.moved.Value)
	law := hypothesis.Location{Estimate: inRewards(s.Protocol, w, w.value), StdErr: float64(publiclog.RangeWidth(s.Protocol) * (w.stdErr + w.moved.StdErr)), DF: math.Inf(1)}
	lo, hi := law.Interval(q.Alt, q.LogAlpha)
	gap := law.Estimate - q.Value
	switch q.Alt {
	case hypothesis.Greater:
		law.Estimate -= moved
	case hypothesis.Less:
		law.Estimate += moved
	default:
		law.Estimate = q.Value + math.Copysign(max(0, math.Abs(gap)-moved), gap)
	}
	r := law.Test(q.Value, q.Alt, q.LogAlpha)
	r.Lo, r.Hi = lo-moved, hi+moved
	return r
}

// words say what is estimated, and on what it rests; steady says that means have to
// stand still, which [Estimates.unsteady] lets pass only where it is declared.
func (s *Estimates) words(w *weighing, steady bool) string {
	out := "of the " + s.targetOf(w) + "; approximately (up to .09 for a nominal .05), where " + s.weightedValid(w, "", false, false)
	if steady {
		out += ", and each arm's mean, which is declared to be constant (analysis.means), is so"
	}
	return out + rareWords(s.Facts.Log)
}
