package analyze

import (
	"slices"

	"banditaudit/analyze/decide/aggregate"
	"banditaudit/analyze/decide/claims"
	"banditaudit/analyze/log/allocation"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// experimentResult holds everything that was found in an experiment, on which claims and
// assumptions are judged.
type experimentResult struct {
	answers    *answers
	checked    *checked
	sample     *sample
	facts      *publiclog.Facts
	protocol   *schemas.Protocol
	allocation *allocation.Allocation
	arms       *armFindings
}

// outcome puts the experiment together.
func (v *experimentResult) outcome(kinds *Catalogue) *aggregate.Outcome {
	seen := v.view(kinds)
	found := seen.Decide()
	out := &aggregate.Outcome{Claims: found, Status: seen.Status(), Experiment: v.record(seen.Resting), Family: v.answers.family, Drawn: v.sample.accounts.ByDraws(), Remarks: seen.Remarks(), Horizon: fixedHorizon(v.protocol), Rows: v.sample.rewards.RowsPrint()}
	if seen.Replayed != nil {
		out.Evidence = seen.Replayed.Mode
	}
	return out
}

// view is what claims see of the experiment.
func (v *experimentResult) view(kinds *Catalogue) *claims.Findings {
	out := &claims.Findings{
		Evidence: v.answers.evidence, Facts: v.facts, Protocol: v.protocol, Ledger: v.sample.accounts.Ledger, Accounting: v.sample.accounts.Accounting, Replayed: v.answers.evidence.Replayed, Kinds: kinds.Claims, Quality: kinds.Checks, Checks: v.checked.checks, Allocation: v.allocation, Explained: v.checked.explained,
		Arms: v.arms.records, Twins: len(v.answers.twins()) > 0, Fitted: len(v.answers.fits.records) > 0, Neighbours: v.sample.earlier.Neighbours, Weighted: v.sample.weighed.ByLog(), Missing: v.sample.rewards.MissingRows(),
	}
	for _, t := range v.answers.tests {
		out.Tests = append(out.Tests, claims.Test{Test: &t.record, Declared: t.spec.ID, OneMean: v.sample.questions.oneMean(t.declaredTest)})
	}
	return out
}

// record is the experiment as it is reported, with what its claims rest on.
func (v *experimentResult) record(resting []string) schemas.Experiment {
	estimates := append(v.sample.weighed.Estimates(v.checked.contradicting()), v.sample.weighed.Values(v.checked.contradicting())...)
	first, last := v.facts.Experiment().Span()
	e := schemas.Experiment{
		ID: v.facts.Experiment().ID, Rounds: v.facts.Pub.Rounds, ContextDim: publiclog.ContextDim(v.facts.Slice),
		Data: schemas.Data{
			RowsRead: v.facts.Pub.Rounds, RowsAnalysed: v.facts.Pub.Rounds - v.sample.rewards.MissingRows(), FirstTime: first, LastTime: last, Excluded: v.sample.excluded(), Checks: v.checked.checks, Splits: v.allocation.Record(v.facts.Manifest.Arms), Repeats: v.facts.Sticky.Record(v.allocation.Splits.OnUnits()), Hashed: v.allocation.Hashed, Odds: v.allocation.OddsRecord(v.facts.Log),
		},
		Replay:     schemas.Conformance{Mode: schemas.ModeNone, Rounds: v.facts.Pub.Rounds},
		Allocation: v.checked.explained, Privacy: v.sample.accounts.Accounting, Arms: v.arms.records, Regressions: v.answers.fits.records, Tests: v.answers.testRecords(), Means: v.sample.rewards.MeansRecord(), Steering: v.arms.steering, Estimates: estimates,
		Disclosures: disclosures(v.sample.rewards.Book), Series: v.series(),
		Cautions: append(v.cautions(estimates), resting...),
		Warnings: joinedWarnings(v.checked.warnings, warnCarried(v.facts.Log), v.arms.warnings, v.answers.fits.warnings, v.answers.warnings),
	}
	if r := v.answers.evidence.Replayed; r != nil {
		e.Replay = *r
	}
	return e
}

// series are the lines of figures, which are kept of the first experiments of a log.
func (v *experimentResult) series() []schemas.Series {
	if !v.facts.Figured() {
		return []schemas.Series{}
	}
	return slices.Concat(v.facts.AllocationSeries(), v.facts.UpdateSeries(), v.facts.CadenceSeries(), v.facts.WeightSeries(), v.sample.rewards.MeanSeries(), v.sample.accounts.SpentSeries())
}

// excluded are the rows of this experiment that were left out or changed, by
// reason.
func (s *sample) excluded() []schemas.Exclusion {
	out := []schemas.Exclusion{}
	if n := s.rewards.MissingRows(); n > 0 {
		out = append(out, schemas.Exclusion{Reason: schemas.ReasonMissing, Rows: n})
	}
	if clipped := s.facts.Clipped(); clipped > 0 {
		reason := schemas.ReasonClipped
		if s.facts.Slice.Schema().RewardByArm {
			reason += ", rewards of all arms"
		}
		out = append(out, schemas.Exclusion{Reason: reason, Rows: clipped})
	}
	return out
}

func disclosures(book *ledger.Disclosures) []schemas.Disclosure {
	out := []schemas.Disclosure{}
	for _, b := range book.List() {
		out = append(out, schemas.Disclosure{Purpose: b.Purpose, Rows: b.Rows, Columns: b.Columns})
	}
	return out
}

// fixedHorizon returns the horizon of the declared counter where the end of an experiment is
// declared to be fixed; 0 where it is not, or no horizon is declared.
func fixedHorizon(protocol *schemas.Protocol) int64 {
	if c := protocol.Counter; c != nil && protocol.Experiment.Stopping == schemas.StoppingFixed {
		return c.Horizon
	}
	return 0
}
