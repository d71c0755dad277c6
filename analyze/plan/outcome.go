package plan

import (
	"math"

	"banditaudit/analyze/hypothesis"
	"banditaudit/schemas"
)

// outcome folds the runs of a setting, in order.
func (q *Question) outcome(s *setting, runs []run) schemas.PlanOutcome {
	out := schemas.PlanOutcome{
		Policy: s.policy, Counter: s.counter, Set: settings(s.set),
		Regret:   mean(runs, func(r *run) float64 { return float64(q.width() * r.regret) }),
		Found:    share(runs, func(r *run) bool { return r.found }),
		Sequence: share(runs, func(r *run) bool { return r.sequence }),
	}
	if s.counter != exactCounter {
		power := share(runs, func(r *run) bool { return r.corrected })
		sigma := mean(runs, func(r *run) float64 { return r.sigma }).Value
		out.Power, out.Sigma = &power, &sigma
	}
	return out
}

// share is that of runs for which something holds, with Clopper and Pearson's
// interval.
func share(runs []run, of func(*run) bool) schemas.PlanEstimate {
	n := int64(0)
	for i := range runs {
		if of(&runs[i]) {
			n++
		}
	}
	r := hypothesis.Binomial(n, int64(len(runs)), .5, hypothesis.TwoSided, math.Log(.05))
	return schemas.PlanEstimate{Value: r.Estimate, Lo: r.Lo, Hi: r.Hi}
}

// z95 is the two-sided normal quantile of 95 %.
const z95 = 1.959963984540054

// mean is that over runs, with its normal interval, cut off at 0, as nothing
// that is averaged here is negative.
func mean(runs []run, of func(*run) float64) schemas.PlanEstimate {
	average, m2 := 0.0, 0.0
	for i := range runs {
		x := of(&runs[i])
		d := x - average
		average += d / float64(i+1)
		m2 += float64(d * (x - average))
	}
	n := float64(len(runs))
	half := z95 * math.Sqrt(m2/(n-1)/n)
	return schemas.PlanEstimate{Value: average, Lo: max(0, average-half), Hi: average + half}
}

// world says what was simulated.
func (q *Question) world(runs int64) *schemas.PlanWorld {
	w := &schemas.PlanWorld{Name: "bernoulli", Means: q.means(), Tested: q.tested(), Test: q.test(), Runs: runs, Seed: q.Seed}
	if q.SD > 0 {
		c := q.concentration()
		w.Name, w.Concentration = "beta", &c
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
