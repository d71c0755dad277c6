package analyze

import (
	"context"
	"slices"

	"banditaudit/analyze/decide/validity"
	"banditaudit/analyze/log/allocation"
	"banditaudit/analyze/log/check"
	"banditaudit/analyze/log/corrections"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/rewards/ope"
	"banditaudit/analyze/rewards/regression"
	rewards "banditaudit/analyze/rewards/sums"
	"banditaudit/ingest/tableau"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// sample is what the known rewards say of every arm, under the evidence.
type sample struct {
	facts     *publiclog.Facts // those that questions, evidence and rewards share
	protocol  *schemas.Protocol
	questions *questions
	evidence  *validity.Evidence
	accounts  *corrections.Accounts
	rewards   *rewards.Sample
	validity  allocation.Validity

	byUnits *unitSums    // nil where a row is its own unit
	units   *check.Units // nil where no unit is declared
	weighed *ope.Estimates
	earlier earlier // what rewards have to do with the rounds before them
}

// readSample books every purpose that rewards are read for, and reads them, once more by
// unit where a unit owns several rows.
func readSample(ctx context.Context, q *questions, e *validity.Evidence) (*sample, error) {
	s, book := &sample{facts: q.facts, protocol: q.protocol, questions: q, evidence: e, accounts: e.Accounts, units: publiclog.NewUnits(e.Facts.Slice)}, &ledger.Disclosures{}
	err := e.HandedOver(book)
	if err != nil {
		return nil, err
	}
	asked := q.ofRewards()
	asked.Contexts = rewards.MeansDeclared(q.protocol) || !blind(e)
	if s.rewards, err = rewards.Read(ctx, q.facts, book, asked); err != nil {
		return nil, err
	}
	if err = s.readNeighbours(ctx); err != nil {
		return nil, err
	}
	s.earlier.Copied = s.units == nil && s.rewards.Repeats.Times() > 1 // rows of a unit may be equal
	if s.earlier.Depend {
		s.rewards.Running = nil // what is expected of a reward given those before it is then no constant
	}
	s.byUnits, err = s.readByUnit(ctx)
	return s, err
}

// ofRewards is what is asked of the rewards.
func (q *questions) ofRewards() *rewards.Asked {
	out := &rewards.Asked{Columns: regression.Columns(q.facts.Log), Running: q.protocol.Analysis.Sequence == schemas.SequenceBets, Constant: rewards.MeansDeclared(q.protocol)}
	for i := range q.declared {
		d := &q.declared[i]
		t := q.base(d.spec.Test, d.kind)
		out.Normal = out.Normal || t != nil && t.Approximate
		out.Running = out.Running || d.kind == schemas.TestMean
		askConstant(out, d)
	}
	for i := range q.protocol.Analysis.Tests {
		spec := &q.protocol.Analysis.Tests[i]
		columns := []string{tableau.Arm}
		if spec.Regression != "" {
			columns = regression.Disclosed(q.facts.Log, regressionSpec(q.protocol, spec.Regression))
		}
		out.Tests = append(out.Tests, rewards.Purpose{Name: "test:" + spec.ID, Columns: columns})
	}
	for i := range q.protocol.Analysis.Regressions {
		spec := &q.protocol.Analysis.Regressions[i]
		out.Regressions = append(out.Regressions, rewards.Purpose{Name: "regression:" + spec.Name, Columns: regression.Disclosed(q.facts.Log, spec)})
	}
	return out
}

// conforms is policy.conformance as it stands before the allocation is looked at.
func (s *sample) conforms() allocation.Conforms {
	return allocation.Conforms{Verdict: s.evidence.Conformance.Verdict, Why: s.evidence.Conformance.Why}
}

// askConstant says which arms a test is about, and whether its answer may rest on each
// arm's mean being constant. The answer to a test of a difference may.
func askConstant(out *rewards.Asked, d *declaredTest) {
	switch d.kind {
	case schemas.TestDifference:
		out.Constant = true
		out.Compared = append(out.Compared, d.arm, d.against)
	case schemas.TestMean:
		out.Compared = append(out.Compared, d.arm)
	}
}

// blind reports whether the arms were played by a declared policy that sees no context of a
// round: rewards that follow one then make no difference to it.
func blind(e *validity.Evidence) bool {
	m := e.Facts.Mechanism
	held := e.Conformance.Verdict == schemas.Verified || e.Conformance.Verdict == schemas.Consistent
	return held && m != nil && !m.Linear() && !m.Scored() && !m.Stratified()
}

// toWeigh is the log whose rewards are weighed by propensities.
func (s *sample) toWeigh(al *allocation.Allocation) *ope.Subject {
	out := &ope.Subject{Sample: s.rewards, Facts: s.facts, Protocol: s.protocol, Validity: s.validity, Verdict: s.evidence.Conformance.Verdict, Why: s.evidence.Conformance.Why, Replay: s.evidence.Replayed}
	out.Faulty = al.Propensities != nil && al.Propensities.ByArm != nil && al.Propensities.ByArm.Faulty()
	for i := range s.questions.declared {
		switch d := &s.questions.declared[i]; {
		case d.kind == schemas.TestEqual && d.arm < 0:
			out.Asked.Every = true
			out.Asked.AnyTime = out.Asked.AnyTime || d.spec.Decide == schemas.MethodAnyTime
		case d.kind == schemas.TestEqual, d.kind == schemas.TestDifference:
			if p := (ope.Pair{d.arm, d.against}); !slices.Contains(out.Asked.Pairs, p) {
				out.Asked.Pairs = append(out.Asked.Pairs, p)
			}
		}
	}
	return out
}
