package ope

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/hypothesis"
	"banditaudit/analyze/stat/moments"
	"banditaudit/ingest/tableau"
	"banditaudit/replay"
	"banditaudit/replay/conformance"
	"banditaudit/schemas"
)

// Purposes of the streams of a replay: which rounds are kept, and what the policy draws.
const (
	streamKept   = "evaluate.kept"
	streamPolicy = "evaluate.policy"
)

// replayLog runs an evaluated policy alone, on the rounds in which the log played what it
// chose (Li, Chu, Langford & Wang 2011, doi 10.1145/1935826.1935878). With f the declared
// floor of the logging propensities, round t is kept with probability
//
//	f/p_t(A_t) where the policy's choice, drawn anew in every round, is A_t, else never
//
// and the policy learns from kept rounds only. Every round is kept with probability f,
// whatever is public in it and whatever the policy chooses, so that kept rounds are the
// first rounds of the policy's own, if what rounds hold follows one law. Formula sheet,
// second part, 25 (iii).
func (v *policyVisit) replayLog(ctx context.Context) error {
	if v.walk.against = v.againstReplay(); v.walk.against != "" {
		return nil
	}
	r := &logReplay{visit: v, floor: *v.policy.Floor, pairs: newPairReader(v.subject, v.wagers, nil, 0, nil)}
	err := r.pairs.replay(ctx, "value "+v.id+", floor")
	if err == nil {
		err = r.checkFloor(ctx)
	}
	if err != nil || v.walk.against != "" {
		return err
	}
	if err = r.pairs.replay(ctx, "value "+v.id); err != nil {
		return err
	}
	if err = v.disclosePolicy(); err != nil {
		return err
	}
	name := v.facts.Slice.ID() + "\x00" + v.id
	v.wagers.ValidIf = v.subject.WeighableIf()
	r.kept = rand.New(replay.Stream(replay.Seed(v.facts.Seed), streamKept, name, replay.NoArm))
	run := v.mechanism.NewRunner(replay.Key(replay.Seed(v.facts.Seed), streamPolicy, name, replay.NoArm), v.facts.Slice.ID())
	r.state = publicRun(run, v.facts.Log, v.mechanism.ReadsRewards(), false)
	if err = r.read(ctx); v.cannot(run) {
		return nil
	}
	return err
}

// againstReplay is why the rounds that are kept would not be the policy's own; "" where
// nothing is known that says so. It reads no reward.
func (v *policyVisit) againstReplay() string {
	moving := v.subject.Sample.Moving(publiclog.EachArm(v.facts.K()))
	switch {
	case v.policy.Floor == nil:
		return "no floor is declared below which the log's propensities never were (floor, beside mode: replay)"
	case v.wagers.Against != "" || v.wagers.Effects != "":
		return cmp.Or(v.wagers.Against, v.wagers.Effects)
	case v.facts.Drawn == conformance.DrawsByUnit:
		return "a unit keeps the arm of one draw (" + v.facts.Protocol.DrawWords() + "), and a replay needs a draw in every round"
	case v.subject.Sample.MissingRows() > 0:
		return "the rewards of " + schemas.Counted(v.subject.Sample.MissingRows(), "row") + " are missing, and the policy would learn from every round that is kept"
	case moving != nil:
		return "kept rounds are the policy's own first rounds only where what rounds hold follows one law, and a mean moves (check H13: " +
			schemas.AndList(moving) + ")"
	}
	return ""
}

// logReplay goes over the rounds in their order with a policy that plays alone.
type logReplay struct {
	visit *policyVisit

	floor float64
	pairs *pairReader
	state *policyReplay
	kept  *rand.Rand
}

// belowFloor is how much of the floor rounding may take away.
const belowFloor = 1e-9

// checkFloor looks for an arm that could be played with less than the floor, among those
// whose propensities are known.
func (r *logReplay) checkFloor(ctx context.Context) error {
	return r.pairs.eachChunk(ctx, func(_ int, c *tableau.Chunk) error {
		if r.visit.walk.against != "" {
			return nil
		}
		for t := range c.Arm {
			r.pairs.propensities(c, t)
			for arm, p := range r.pairs.p {
				known := r.pairs.known || arm == int(c.Arm[t])
				if known && c.Eligible(t, arm) && p.Hi < r.floor*(1-belowFloor) {
					r.visit.walk.against = fmt.Sprintf("in round %d arm %s could be played and has a propensity of at most %.4g, below the declared floor %g", c.Round[t], r.visit.facts.Name(arm), p.Hi, r.floor)
					return nil
				}
			}
		}
		return nil
	})
}

// read plays every round, and keeps those that the log played alike.
func (r *logReplay) read(ctx context.Context) error {
	protocol, kept := r.visit.facts.Protocol, &r.visit.walk.kept
	bets := moments.NewBetting(protocol.Reward.Range[0], protocol.Reward.Range[1])
	return r.pairs.eachChunk(ctx, func(i int, c *tableau.Chunk) error {
		y := r.visit.disclosed.Chunk(i)
		for t, arm := range c.Arm {
			r.state.show(c, t)
			choice, u := r.state.run.Next(&r.state.in), r.kept.Float64()
			if r.state.run.Err() != nil {
				return r.state.run.Err()
			}
			p := r.written(c, t)
			if choice != int(arm) || !(float64(u*p) < r.floor) {
				r.state.run.Stay()
				continue
			}
			reward := y[t]
			if r.state.reads {
				r.state.run.Add(choice, reward)
			} else {
				r.state.run.Add(choice, 0)
			}
			bets.Add(&kept.bets, reward)
			kept.sum += reward
		}
		return nil
	})
}

// written is the propensity of the arm that was played, as it is logged, declared or
// recomputed.
func (r *logReplay) written(c *tableau.Chunk, t int) float64 {
	switch {
	case r.pairs.law != nil:
		r.pairs.propensities(c, t)
		return r.pairs.exact[c.Arm[t]]
	case r.pairs.replayed != nil:
		return r.pairs.replayed.At(c.Start + int64(t))[c.Arm[t]]
	}
	return c.Propensity[t]
}

// replayRecord is what the policy earned in the rounds that were kept.
func (s *Estimates) replayRecord(e *targetPolicy, walk *policyWalk) schemas.Estimate {
	out := schemas.Estimate{Target: "mean " + s.Facts.RewardWord() + " of " + e.words, Estimator: schemas.EstimatorReplay, EvaluationPolicy: e.id, Anytime: true}
	if e.against != "" {
		out.Reason = e.against
		return out
	}
	kept := walk.kept.bets.N
	none := int64(0)
	out.Rounds = &kept
	out.Target += ", along the path that it took over the " + schemas.Grouped(kept) + " of " + schemas.Counted(s.Facts.Slice.Rows(), "round") + " that were kept"
	if kept == 0 {
		out.Reason = fmt.Sprintf("no round was kept: each is with probability %g, the declared floor", *e.policy.Floor)
		return out
	}
	mean := walk.kept.sum / float64(kept)
	out.Estimate, out.LeftOut = schemas.Finite(mean), &none
	out.ValidUnder = s.replayValid(e)
	if out.Reason = lookedAt(s.Protocol); out.Reason != "" {
		return out
	}
	r := hypothesis.Bets(&hypothesis.Betted{Bets: walk.kept.bets, Mean: mean, Lo: s.Protocol.Reward.Range[0], Hi: s.Protocol.Reward.Range[1]}, mean, hypothesis.TwoSided, publiclog.LogAlpha(s.Protocol))
	out.CI = schemas.NewInterval(r.Lo, r.Hi)
	return out
}

// replayValid says what a replay rests on.
func (s *Estimates) replayValid(e *targetPolicy) string {
	out := fmt.Sprintf("at any time, whatever ended the log, for a policy that was named before the rewards were seen: contexts, arms that can be played and rewards are drawn anew in every round from one law (assumed; check H13 does not contradict it); the propensity as written is the probability, given the past, with which the action was played, and that of every arm that could be played is at least the declared floor %g", *e.policy.Floor)
	if !s.Subject.sharesKnown() {
		out += " (seen of the played arms alone)"
	}
	out += "; each round is kept with that probability where the policy chose what the log played, and the policy learns from kept rounds only, their rewards at once; it is the average of what was to be expected of each kept round given the policy's own past, along the path that it took, and not its expected return over restarts; the log's own mean is over other rounds, so that no difference to it is given"
	return s.Wagers.With(out)
}
