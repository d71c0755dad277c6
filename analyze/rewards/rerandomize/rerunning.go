// Package rerandomize tests by running the declared policy again: whether it can be run, on
// which records that change places, and what the runs of package rerun say.
package rerandomize

import (
	"context"
	"errors"
	"fmt"
	"math"

	"banditaudit/analyze/log/allocation"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/hypothesis"
	"banditaudit/analyze/stat/randomization"
	"banditaudit/ingest/tableau"
	"banditaudit/replay"
	"banditaudit/replay/ledger"
	"banditaudit/replay/program"
	"banditaudit/schemas"
)

// Subject is a log whose declared policy may be run again, with what is known of that
// policy.
type Subject struct {
	Facts    *publiclog.Facts
	Validity allocation.Validity
	Protocol *schemas.Protocol
	Book     *ledger.Disclosures
	Verdict  schemas.Verdict      // of policy.conformance
	Why      string               // it is that
	Replay   *schemas.Conformance // nil where none was run
}

// Question is a test that may be decided by running the policy again.
type Question struct {
	ID         string
	Arms       []int                  // that are held alike; nil: all
	Difference bool                   // it asks about two means, and not whether arms pay alike in every round
	Value      float64                // of the difference
	Alt        hypothesis.Alternative // the first of two arms pays more, or less
	Tests      int                    // of the protocol, each as many as it stands for
	Sides      int                    // 2 where the side of Alt may have been chosen by looking, else 0
	Missing    string                 // why whether a reward is missing may depend on the arm; "" where nothing says so
}

// sides is the factor of p, and the divisor of the level.
func (q *Question) sides() float64 { return float64(max(1, q.Sides)) }

// Answer is what runs of the policy say of a test.
type Answer struct {
	Result   schemas.TestResult
	LogP     float64 // ln p; NaN where there is none
	Final    bool    // why there is none ends the choice between methods: running again cannot tell
	Permuted string  // which records changed places, and on which condition the test is exact
	Draws    int     // the most runs that could be made
	Floored  bool    // no run reached the statistic, so that more runs could make p smaller
	Runs     randomization.Result
	ValidIf  string // what it rests on that is neither declared nor recomputed
	Before   Earlier
}

// Earlier is what was found of the rewards and the rounds before them.
type Earlier struct {
	Looked    bool    // it was looked whether rewards follow those just before them
	Serial    float64 // by how much they do ([randomization.Dependence])
	Dependent bool    // it was found that they do
	Carried   string  // that rewards follow the arm before although that is declared not to happen; "" elsewhere
}

// notRerun is the answer where the method does not apply, or, finally, cannot tell.
func notRerun(why string) Answer {
	return Answer{Result: schemas.TestResult{Method: schemas.MethodRerun, ValidFor: FixedArmValid, Reason: why}, LogP: math.NaN()}
}

// FixedArmValid is for what such a result is valid.
const FixedArmValid = "fixed-arm"

// Rerun tests that arms pay alike in every round by running the declared policy again,
// on records that change places (package rerun). It reads the rewards once more, for a
// purpose of its own. It returns errors of the book, of the tableau, ErrMemory and the
// error of ctx. The outcome does not depend on Jobs.
func (s *Subject) Rerun(ctx context.Context, q Question) (Answer, error) {
	if why := s.againstRerun(q); why != "" {
		return notRerun(why), nil
	}
	draws, why := s.rerunDraws(q)
	if why != "" {
		return notRerun(why), nil
	}
	jobs, err := s.affordRerun(q)
	if err != nil {
		return Answer{}, err
	}
	records, err := s.readRerunRecords(ctx)
	if err != nil {
		return Answer{}, err
	}
	declared := &s.Protocol.Analysis.Rerun
	records.lagStays = declared.Lag == schemas.LagPosition || s.clocked()
	r := &rerunning{subject: s, Question: q, facts: s.Facts, protocol: s.Protocol, records: records}
	if s.Protocol.Program != nil {
		r.policy = newRerunProgram(ctx, s.Protocol.Program, records)
	} else {
		r.policy = newRerunPolicy(ctx, s.rerunMechanism(q), s.Facts.Slice.ID(), records)
	}
	if why, err = r.prepare(ctx); err != nil || why != "" {
		return notRerun(why), err
	}
	out, err := r.run(ctx, randomization.Options{Draws: draws, More: s.moreRuns(q, draws), Exceedances: int(declared.Exceedances), Seed: replay.Seed(s.Facts.Seed), Jobs: jobs})
	if out.Result.Applicable {
		out.ValidIf = publiclog.Joined(publiclog.Joined(s.carryIf(), publiclog.Joined(s.drawnIf(), r.exchangeIf())), out.ValidIf)
	}
	return out, err
}

// clocked reports whether the clock of the policy alone says when a round is learned: it is
// public, and belongs to the place of the round.
func (s *Subject) clocked() bool {
	return s.Protocol.Clock() != nil && s.Protocol.Log.RewardOrder == ""
}

// drawnIf is what every run takes for granted: that the arms of the log were chosen by the
// declared policy and by nothing else.
func (s *Subject) drawnIf() string {
	switch {
	case s.Verdict == schemas.Verified:
		return schemas.ValidIfOrdered
	case s.Facts.DeclaredLaw():
		return schemas.ValidIfDrawn
	}
	return schemas.ValidIfRecomputed
}

// rerunMechanism is the declared one; where runs meet rewards that a shift makes up, as it
// is for rewards outside the range.
func (s *Subject) rerunMechanism(q Question) *replay.Mechanism {
	if q.shifts(s.Facts.Log) {
		return s.Facts.Mechanism.Unbounded()
	}
	return s.Facts.Mechanism
}

// rerunning is one test.
type rerunning struct {
	subject *Subject
	Question
	facts    *publiclog.Facts
	protocol *schemas.Protocol

	records *rerunRecords
	policy  *rerunPolicy
	permutation
	before    earlier
	log       *randomization.Log
	statistic string
}

// prepare decides what changes places, then reads the rewards. why is what stands against
// the test.
func (r *rerunning) prepare(ctx context.Context) (why string, err error) {
	if why = r.subject.againstEligible(r.records); why != "" {
		return why, nil
	}
	if r.permutation, why = r.subject.permutation(r.policy); why != "" {
		return why, nil
	}
	declared := &r.protocol.Analysis.Rerun
	var columns []int
	if declared.Strata != "" {
		if columns, why = r.subject.rerunColumns([]string{declared.Strata}, "strata"); why != "" {
			return why, nil
		}
	}
	strata, why := r.records.strata(columns)
	if why != "" {
		return why, nil
	}
	if r.statistic, why = r.statisticOf(declared.Statistic); why != "" {
		return why, nil
	}
	read := []string{tableau.Arm}
	if r.records.w > 0 {
		read = append(read, tableau.ContextByArm)
	} else {
		read = append(read, r.facts.ContextNames()...)
	}
	if r.records.scores != nil {
		read = append(read, tableau.ScoreByArm)
	}
	if err = r.subject.readRewards(ctx, r.records, r.purpose(), read...); err != nil {
		return "", err
	}
	r.log = &randomization.Log{
		Arms: r.facts.K(), Arm: r.records.arm, Reward: rescaled(r.protocol, r.records), Strata: strata, Side: r.side(),
		Groups: r.groups(r.records, declared.Lag == schemas.LagEqual), Width: r.width,
	}
	if r.statistic == schemas.StatisticInBlocks {
		r.log.Centred = randomization.Centred(r.log.Reward, r.blocks)
	}
	return "", nil
}

// statisticOf is the declared statistic, or the one that goes with what changes places.
func (r *rerunning) statisticOf(declared string) (name, why string) {
	switch {
	case declared == "" && r.none:
		return schemas.StatisticInBlocks, ""
	case declared == "":
		return schemas.StatisticSpread, ""
	case declared == schemas.StatisticInBlocks && (r.whole || r.width > 1):
		return "", "A1: records change places across blocks, and what is left of them in a block is no record's own (analysis.rerun.statistic)"
	}
	return declared, ""
}

// side returns the side of the statistic. First and Second go by the indices of two arms, and
// not by their order in the question; Both is for two-sided tests, and tests not of two arms.
func (r *rerunning) side() randomization.Side {
	if r.Alt == hypothesis.TwoSided || len(r.Arms) != 2 {
		return randomization.Both
	}
	if (r.Alt == hypothesis.Greater) == (r.Arms[0] < r.Arms[1]) {
		return randomization.First
	}
	return randomization.Second
}

// run looks at what rewards have to do with the rounds before them, makes the runs and says
// what came of them.
func (r *rerunning) run(ctx context.Context, o randomization.Options) (Answer, error) {
	r.before = r.readEarlier()
	var out Answer
	if why := r.before.against(); why != "" {
		out = notRerun(why)
		out.Permuted = r.words
	} else {
		var err error
		if out, err = r.runs(ctx, o); err != nil {
			return out, err
		}
	}
	out.Before = r.found()
	return out, nil
}

// runs makes the runs.
func (r *rerunning) runs(ctx context.Context, o randomization.Options) (Answer, error) {
	o.Name = r.facts.Slice.ID() + "\x00" + r.ID
	if r.shifts(r.facts.Log) {
		return newShift(r, o).run(ctx)
	}
	runs, err := r.test(ctx, o)
	if out, ended := r.without(ctx, runs, err); ended {
		return out, ctx.Err()
	}
	return r.answer(runs, runs.Most), nil
}

// without is the answer where runs gave none, and whether they did not; why is what ended
// them.
func (r *rerunning) without(ctx context.Context, runs randomization.Result, why error) (out Answer, ended bool) {
	failure, failed := errors.AsType[*program.Failure](why)
	switch {
	case ctx.Err() != nil:
		return Answer{}, true
	case failed:
		words, _ := failure.Lasting()
		out = notRerun("NOT RUN: the program (policy.exec) " + words)
		out.Final, out.Permuted = true, r.words
		return out, true
	case why != nil:
		return notRerun("A1: the declared policy cannot be run again on these records: " + why.Error()), true
	case runs.Values < randomization.Few && !r.alike():
		return r.cannotTell(fmt.Sprintf("the statistic took %s in %s, fewer than %d: running the policy again cannot tell", schemas.Counted(int64(runs.Values), "value"), schemas.Counted(int64(runs.Looked), "run"), randomization.Few)), true
	}
	return Answer{}, false
}

// alike reports whether all rewards that are known are equal, and no shift makes up others: the
// statistic is then the same in every run, and p is 1.
func (r *rerunning) alike() bool {
	first := math.NaN()
	for _, y := range r.records.reward {
		switch {
		case math.IsNaN(y):
		case math.IsNaN(first):
			first = y
		case y != first:
			return false
		}
	}
	return r.Value == 0 && !math.IsNaN(first)
}

// cannotTell is the answer that ends the choice between methods.
func (r *rerunning) cannotTell(why string) Answer {
	out := notRerun("NOT ESTABLISHED: " + why + "; " + r.words)
	out.Final, out.Permuted = true, r.words
	return out
}

// answer builds the answer from runs that can tell; without these cannotTell does.
func (r *rerunning) answer(runs randomization.Result, draws int) Answer {
	p := min(1, runs.P*r.sides())
	out := Answer{LogP: math.Log(p), Permuted: r.words, Draws: draws, Runs: runs, Floored: runs.Exceedances == 0 && !runs.Vain}
	out.Result = schemas.TestResult{
		Method: schemas.MethodRerun, Correction: "the policy run again; " + r.words, ValidFor: FixedArmValid, Applicable: true,
		Statistic: schemas.Finite(runs.Statistic), Vacuous: out.LogP >= 0, Reason: r.said(runs, draws),
	}
	out.Result.P, out.Result.Log2P = &p, schemas.Ext(float64(out.LogP/math.Ln2)) // and not e to ln p
	return out
}

// said is what a reader must know of the runs.
func (r *rerunning) said(runs randomization.Result, draws int) string {
	out := fmt.Sprintf("the statistic (%s) is as large in %s of %s, of at most %s; in %s of %s the policy played other arms than the log, and the statistic took %s",
		r.statistic, schemas.Grouped(int64(runs.Exceedances)), schemas.Counted(int64(runs.Runs), "run"), schemas.Grouped(int64(draws)),
		schemas.Grouped(int64(runs.Moved)), schemas.Counted(int64(runs.Looked), "run"), schemas.Counted(int64(runs.Values), "value"))
	out = publiclog.Joined(out, r.words)
	if r.alike() {
		out = "all rewards are equal, so that no run tells arms apart; " + out
	}
	switch declared := &r.protocol.Analysis.Rerun; {
	case r.records.lag == nil || r.none:
	case r.subject.clocked():
		out = publiclog.Joined(out, "when a round is learned is the clock's to say (policy.update), and stays with the round")
	case declared.Lag == schemas.LagEqual:
		out = publiclog.Joined(out, "records change places with others of equal delay only, and those whose reward no round came after stay")
	case declared.Lag == schemas.LagRecord:
		out = publiclog.Joined(out, "a delay goes with its record (analysis.rerun.lag), and is declared to belong to it; not exact where rewards were still unknown when the log ended")
	default:
		out = publiclog.Joined(out, "delays stay with the round (analysis.rerun.lag), and are declared to belong to it")
	}
	if r.log.Side != randomization.Both {
		out = publiclog.Joined(out, "a small p says that the arms do not pay alike; the direction is descriptive")
	}
	return publiclog.Joined(out, r.policyWords())
}

// policyWords say how far the declared policy is known to have run, and what is taken as
// declared.
func (r *rerunning) policyWords() string {
	out := "of the declared policy: policy.conformance is " + string(r.subject.Verdict)
	if r.subject.Replay != nil {
		c := r.subject.Replay
		out += ", mode " + c.Mode
		if c.NearTies.Rests() {
			out += "; runs break near ties as declared"
		}
	}
	if r.protocol.Program != nil {
		out += r.programWords()
	}
	return publiclog.Joined(out+"; taken for granted: that the policy began without anything learned before the log, and that no other experiment feeds it", r.before.words())
}
