package rerandomize

import (
	"context"
	"errors"
	"math/rand/v2"

	"banditaudit/analyze/stat/randomization"
	"banditaudit/replay/conformance/programreplay"
	"banditaudit/schemas"
)

// drawsByAnswers reports whether the arms of a program's runs are drawn anew: with the
// propensities that it answers. One that answers arms plays by the randomness of the log
// itself, which gave every logged arm: records have to change places then.
func drawsByAnswers(p *schemas.Policy) bool { return p.Gives == schemas.GivesPropensities }

// undrawn says why a run draws nothing anew.
func (p *rerunPolicy) undrawn() string {
	if p.mechanism == nil {
		return "is a program that gives arms (policy.gives)"
	}
	return "draws nothing"
}

// againstProgram says why a program that was found to be the log's cannot be run again.
func (s *Subject) againstProgram() string {
	p, found := s.Protocol.Program, s.Replay.Program
	switch {
	case s.Facts.Declared.Programs == nil || found == nil:
		return "A1: running a program that a protocol names takes --allow-exec"
	case !found.Many && !found.Snapshot:
		return "A1: the policy is a program (policy.exec) that says neither many nor snapshot in its ready, and a process for each run would be a thousand; let it say one of these, or take any-time, or assignment by logged propensities (analysis.decide)"
	case !found.Forced && drawsByAnswers(p):
		return "A1: the program does not learn the arm that was drawn (forced: false)"
	case p.Gives == schemas.GivesArm && s.Facts.Slice.HasPropensity():
		return "A1: the program is shown the propensity of every arm that it played, and that of another arm is not logged (policy.gives: both has it say so)"
	}
	return ""
}

// newRerunProgram is a rerunPolicy of a program, for what changes places; rerunProgram runs it.
func newRerunProgram(ctx context.Context, p *schemas.Policy, r *rerunRecords) *rerunPolicy {
	out := &rerunPolicy{ctx: ctx, records: r, until: r.rounds(), reads: p.Reads(), draws: drawsByAnswers(p)}
	out.before = func(t int64, another bool) bool { return p.Update.LearnsBefore(t, another) }
	return out
}

// rerunProgram makes runs of a program. It is a randomization.Policy and a randomization.Fleet.
type rerunProgram struct{ *programreplay.Free }

// Play is never asked for: a fleet plays all.
func (rerunProgram) Play([]int32, rand.Source, func(t, arm int)) error { return errors.ErrUnsupported }

// Rounds is the number of rows: it and what follows make an programreplay.Records.
func (p *rerunPolicy) Rounds() int { return p.records.rounds() }

// Learns reports whether the policy learns before a row.
func (p *rerunPolicy) Learns(row int) bool { return p.learns(row + 1) }

// Reward returns the reward of a record.
func (p *rerunPolicy) Reward(record int32) float64 { return p.records.reward[record] }

// Known is the row after which the reward of a record is known.
func (p *rerunPolicy) Known(row int, record int32) (int64, bool) { return p.records.known(row, record) }

// Public is what is public of a row and of the record that is met there.
func (p *rerunPolicy) Public(row int, record int32) programreplay.Public {
	r, i := p.records, int(record)
	out := programreplay.Public{Round: r.number[row], Batch: -1}
	if r.d > 0 {
		out.X = r.x[i*r.d : (i+1)*r.d]
	}
	if r.w > 0 {
		out.XByArm = r.byArm[i*r.w : (i+1)*r.w]
	}
	if r.eligible != nil {
		out.Eligible = r.eligible[row*r.arms : (row+1)*r.arms]
	}
	if r.batch != nil {
		out.Batch = r.batch[row]
	}
	return out
}

// purpose names the purpose for which runs read rewards, and the program that is handed them.
func (r *rerunning) purpose() string {
	out := "test:" + r.ID + ":" + schemas.MethodRerun
	if p := r.protocol.Program; p != nil && p.Reads() {
		out += ":exec " + p.Exec[0]
	}
	return out
}

// test makes the runs.
func (r *rerunning) test(ctx context.Context, o randomization.Options) (out randomization.Result, err error) {
	if r.protocol.Program == nil {
		return randomization.Test(ctx, r.log, r.policy, o)
	}
	e := &programreplay.Experiment{Context: ctx, Slice: r.facts.Slice, Protocol: r.protocol, Arms: r.facts.Manifest.Arms, Programs: r.facts.Declared.Programs}
	free, err := e.Free(r.policy, r.subject.Replay.Program)
	if err != nil {
		return randomization.Result{}, err
	}
	defer func() { err = errors.Join(err, free.Close()) }()
	return randomization.Test(ctx, r.log, rerunProgram{free}, o)
}

// programWords say how a program was run again, and what its runs rest on.
func (r *rerunning) programWords() string {
	out := "; its runs share a process (many), and one of them was made again by a process of its own and answered alike"
	if found := r.subject.Replay.Program; !found.Many {
		out = "; its runs go back to one state (snapshot), and one of them was made again by a process of its own and answered alike"
	}
	if drawsByAnswers(r.protocol.Program) {
		return out + "; arms were drawn with the propensities that it answered"
	}
	return out + "; it plays by the randomness that gave every logged arm"
}
