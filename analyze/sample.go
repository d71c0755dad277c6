package analyze

import (
	"context"
	"slices"

	"banditaudit/analyze/decide/validity"
	"banditaudit/analyze/log/allocation"
	"banditaudit/analyze/log/check"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/rewards/ope"
	"banditaudit/analyze/rewards/regression"
	"banditaudit/analyze/rewards/sums"
	"banditaudit/ingest/tableau"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// sample is what the known rewards say of every arm, under the evidence.
type sample struct {
	*publiclog.Facts // those that questions, evidence and rewards share
	Protocol         *schemas.Protocol
	Slice            *tableau.Slice
	*questions
	*validity.Evidence
	*rewards.Sample
	allocation.Validity

	byUnits *unitSums    // nil where a row is its own unit
	units   *check.Units // nil where no unit is declared
	weighed *ope.Estimates
	earlier earlier // what rewards have to do with the rounds before them
}

// readSample books every purpose that rewards are read for, and reads them, once more by
// unit where a unit owns several rows.
func readSample(ctx context.Context, q *questions, e *validity.Evidence) (*sample, error) {
	s, book := &sample{Facts: q.Facts, Protocol: q.Protocol, Slice: q.Slice, questions: q, Evidence: e, units: publiclog.NewUnits(e.Slice)}, &ledger.Disclosures{}
	err := e.HandedOver(book)
	if err != nil {
		return nil, err
	}
	asked := q.ofRewards()
	asked.Contexts = rewards.MeansDeclared(q.Protocol) || !blind(e)
	if s.Sample, err = rewards.Read(ctx, q.Facts, book, asked); err != nil {
		return nil, err
	}
	if err = s.readNeighbours(ctx); err != nil {
		return nil, err
	}
	s.lookForCopies()
	s.stopRunning()
	s.byUnits, err = s.readByUnit(ctx)
	return s, err
}

// ofRewards is what is asked of the rewards.
func (q *questions) ofRewards() *rewards.Asked {
	out := &rewards.Asked{Columns: regression.Columns(q.Log), Running: q.Protocol.Analysis.Sequence == schemas.SequenceBets, Constant: rewards.MeansDeclared(q.Protocol)}
	for i := range q.declared {
		d := &q.declared[i]
		t := q.base(d.spec.Test, d.kind)
		out.Normal = out.Normal || t != nil && t.Approximate
		out.Running = out.Running || d.kind == schemas.TestMean
		askConstant(out, d)
	}
	for i := range q.Protocol.Analysis.Tests {
		spec := &q.Protocol.Analysis.Tests[i]
		columns := []string{tableau.Arm}
		if spec.Regression != "" {
			columns = regression.Disclosed(q.Log, regressionSpec(q.Protocol, spec.Regression))
		}
		out.Tests = append(out.Tests, rewards.Purpose{Name: "test:" + spec.ID, Columns: columns})
	}
	for i := range q.Protocol.Analysis.Regressions {
		spec := &q.Protocol.Analysis.Regressions[i]
		out.Regressions = append(out.Regressions, rewards.Purpose{Name: "regression:" + spec.Name, Columns: regression.Disclosed(q.Log, spec)})
	}
	return out
}

// conforms is policy.conformance as it stands before the allocation is looked at.
func (s *sample) conforms() allocation.Conforms {
	return allocation.Conforms{Verdict: s.Conformance.Verdict, Why: s.Conformance.Why}
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
	out := &ope.Subject{Sample: s.Sample, Facts: s.Facts, Protocol: s.Protocol, Slice: s.Slice, Validity: s.Validity, Verdict: s.Conformance.Verdict, Why: s.Conformance.Why, Replay: s.Replayed}
	out.Faulty = al.Propensities != nil && al.Propensities.ByArm != nil && al.Propensities.ByArm.Faulty()
	for i := range s.declared {
		switch d := &s.declared[i]; {
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
