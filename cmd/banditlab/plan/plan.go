package plan

import (
	"context"
	"math"

	"banditaudit/cmd/banditlab/documents"
	"banditaudit/schemas"
)

// Run answers a question. The result is a pure function of it, but for Jobs and
// Progress.
//
// It returns an error for a question that makes no sense, all faults joined, for
// a mechanism that cannot be built, for more rounds than can be simulated, and
// the error of ctx.
func Run(ctx context.Context, q Question) (*documents.Plan, error) {
	q.fill()
	if err := q.check(); err != nil {
		return nil, err
	}
	out := &documents.Plan{Schema: documents.PlanSchema, Rounds: q.Rounds, P: q.P, Alpha: q.Alpha, Range: q.Range, Wishes: q.wishes()}
	literals := q.epsilons(out.Wishes)
	for _, e := range literals {
		out.Frontier = append(out.Frontier, q.point(e.Float()))
	}
	if q.simulated() {
		if err := q.play(ctx, out, literals); err != nil {
			return nil, err
		}
	}
	by := make([]int, len(out.Frontier))
	for i := range out.Frontier {
		out.Frontier[i].Unmet, by[i] = unmet(&out.Frontier[i], out.Wishes)
	}
	chosen := choose(out.Frontier, len(out.Wishes) > 0)
	out.Advice, out.Notes = q.advice(out, chosen), q.notes()
	if chosen < 0 {
		return out, nil
	}
	take(out, chosen)
	if by[chosen] < 0 {
		return out, nil
	}
	m := &out.Frontier[chosen].Mechanisms[by[chosen]]
	var err error
	out.Protocol, err = q.stanza(pair{m.Policy, m.Counter}, literals[chosen])
	return out, err
}

// play simulates every mechanism at every ε, and beside them the same policies
// on exact sums, in the world and where all means are equal.
func (q *Question) play(ctx context.Context, out *documents.Plan, literals []schemas.Rational) error {
	pairs, err := q.pairs()
	if err != nil {
		return err
	}
	k := len(pairs)
	runs, err := q.runs((len(literals) + 2) * k)
	if err != nil {
		return err
	}
	all, err := q.declared(pairs, literals)
	if err != nil {
		return err
	}
	results, err := q.simulate(ctx, all, runs)
	if err != nil {
		return err
	}
	out.World = q.world(runs)
	for i := range literals {
		for j := i * k; j < (i+1)*k; j++ {
			out.Frontier[i].Mechanisms = append(out.Frontier[i].Mechanisms, q.outcome(all[j], results[j]))
		}
	}
	exact := len(literals) * k
	for j := exact; j < exact+k; j++ {
		o := q.outcome(all[j], results[j])
		falsely := share(results[j+k], func(r *run) bool { return r.falsely })
		o.FalseAlarms = &falsely
		out.Exact = append(out.Exact, o)
	}
	return nil
}

// declared builds the mechanisms that play takes, in this order.
func (q *Question) declared(pairs []pair, literals []schemas.Rational) ([]*setting, error) {
	var all []*setting
	add := func(p pair, e schemas.Rational, equal bool) error {
		s, err := q.newSetting(p, e, equal)
		all = append(all, s)
		return err
	}
	for _, e := range literals {
		for _, p := range pairs {
			if err := add(p, e, false); err != nil {
				return nil, err
			}
		}
	}
	for _, equal := range []bool{false, true} {
		for _, p := range pairs {
			if err := add(pair{p.policy, schemas.CounterExact}, schemas.MustRational("inf"), equal); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// runs is how often each of n settings is run.
func (q *Question) runs(n int) (int64, error) {
	runs := q.Runs
	each := float64(q.Rounds) * float64(n)
	if runs == 0 {
		runs = int64(math.Max(leastRuns, math.Min(1000, work/each)))
	}
	if each*float64(runs) > mostWork {
		return 0, faultf("rounds", "%d rounds, %d times for each of %d mechanisms, are more than the %g that a plan simulates; give fewer --epsilon, --policy and --counter, or fewer --runs", q.Rounds, runs, n, float64(mostWork))
	}
	return runs, nil
}

// notes say what the numbers rest on.
func (q *Question) notes() []string {
	out := []string{
		"σ = ε√T/2 takes every row to cost ε and the test to read all T rows; a test of fewer rows, or on a path that cost less, has a smaller σ, and a simulated test uses that of the rows it read.",
		"The corrected p holds given the actions, for an arm chosen by looking at them: own derivation, internally reviewed, unpublished. The published one is Theorem 20 of Dwork et al. 2015 at the best β, as used by Neel and Roth 2018; it holds on average over the actions.",
	}
	if !q.simulated() {
		return append(out, "Nothing was simulated: regret and power need a world; give --arms, or --means.")
	}
	return append(out,
		"Regret is what is lost in expectation: summed over the rounds, the largest mean less the mean of the arm that was played.",
		"Power is the share of runs in which an arm with the largest mean was pulled most and the corrected two-sided test of that arm's mean rejects the next best mean, on the right side. Confidence sequences hold for any policy and are judged in the same runs.",
		"Exact sums bound neither bias nor p: the share of false alarms is that of the uncorrected test of the least-pulled arm in a world with all means equal.")
}

// take makes a point the one that the plan comes to.
func take(p *documents.Plan, chosen int) {
	at := p.Frontier[chosen]
	p.Epsilon, p.BiasBound, p.BiasBoundPaper = &at.Epsilon, &at.BiasBound, &at.BiasBoundPaper
	p.Sigma, p.PCorrected, p.PCorrectedPaper = &at.Sigma, &at.PCorrected, &at.PCorrectedPaper
	if len(p.Wishes) > 0 {
		met := len(at.Unmet) == 0
		p.Met = &met
	}
}
