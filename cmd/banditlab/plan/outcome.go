package plan

import (
	"math"

	"banditaudit/analyze/stat/hypothesis"
	"banditaudit/analyze/stat/moments"
	"banditaudit/cmd/banditlab/documents"
	"banditaudit/cmd/banditlab/world"
	"banditaudit/schemas"
)

// outcome folds the runs of a setting, in order.
func (q *Question) outcome(s *setting, runs []run) documents.PlanOutcome {
	out := documents.PlanOutcome{
		Policy: s.policy, Counter: s.counter, Set: settings(s.set),
		Regret:   mean(runs, func(r *run) float64 { return float64(q.width() * r.regret) }),
		Found:    share(runs, func(r *run) bool { return r.found }),
		Sequence: share(runs, func(r *run) bool { return r.sequence }),
	}
	if s.counter != schemas.CounterExact {
		power := share(runs, func(r *run) bool { return r.corrected })
		sigma := mean(runs, func(r *run) float64 { return r.sigma }).Value
		out.Power, out.Sigma = &power, &sigma
	}
	return out
}

// share returns the share of runs for which something holds, with Clopper and Pearson's interval.
func share(runs []run, of func(*run) bool) documents.PlanEstimate {
	n := int64(0)
	for i := range runs {
		if of(&runs[i]) {
			n++
		}
	}
	value, lo, hi := hypothesis.Share(n, int64(len(runs)))
	return documents.PlanEstimate{Value: value, Lo: lo, Hi: hi}
}

// mean is that over runs, with Student's interval, cut off at 0, as nothing that
// is averaged here is negative.
func mean(runs []run, of func(*run) float64) documents.PlanEstimate {
	var s moments.Scalar
	for i := range runs {
		s.AddOne(of(&runs[i]))
	}
	if s.M2 == 0 {
		return documents.PlanEstimate{Value: s.Mean, Lo: s.Mean, Hi: s.Mean}
	}
	r := hypothesis.Student(s, 0, hypothesis.TwoSided, math.Log(.05))
	return documents.PlanEstimate{Value: s.Mean, Lo: max(0, r.Lo), Hi: r.Hi}
}

// world says what was simulated.
func (q *Question) world(runs int64) *documents.PlanWorld {
	w := &documents.PlanWorld{Name: "bernoulli", Means: q.means(), Tested: q.tested(), Test: q.test(), Runs: runs, Seed: q.Seed}
	if q.SD > 0 {
		c := q.concentration()
		w.Name, w.Concentration = world.Beta, &c
	}
	best := 0.0
	for i, m := range w.Means {
		if i == 0 || m > best {
			best = m
		}
	}
	for _, m := range w.Means {
		w.UniformRegret += float64((best - m) * float64(q.Rounds) / float64(len(w.Means)))
	}
	return w
}
