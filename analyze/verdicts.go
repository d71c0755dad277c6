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
	*answers
	*checked
	allocation *allocation.Allocation
	arms       *armFindings
}

// outcome puts the experiment together.
func (v *experimentResult) outcome() *aggregate.Outcome {
	seen := v.view()
	found := seen.Decide()
	out := &aggregate.Outcome{Claims: found, Status: seen.Status(), Experiment: v.record(seen.Resting), Family: v.family, Drawn: v.Accounts.ByDraws(), Remarks: seen.Remarks(), Horizon: fixedHorizon(v.Protocol), Rows: v.RowsPrint()}
	if v.Replayed != nil {
		out.Evidence = v.Replayed.Conformance.Mode
	}
	return out
}

// view is what claims see of the experiment.
func (v *experimentResult) view() *claims.Findings {
	out := &claims.Findings{
		Evidence: v.Evidence, Facts: v.Facts, Protocol: v.Protocol, Ledger: v.Accounts.Ledger, Accounting: v.Accounts.Accounting, Replayed: v.Replayed, Kinds: v.Catalogue.Claims, Quality: v.Catalogue.Checks, Checks: v.checks, Allocation: v.allocation, Explained: v.explained,
		Arms: v.arms.records, Twins: len(v.twins()) > 0, Fitted: len(v.fits.records) > 0, Neighbours: v.earlier.Neighbours, Weighted: v.weighed.ByLog(), Missing: v.MissingRows(),
	}
	for _, t := range v.tests {
		out.Tests = append(out.Tests, claims.Test{Test: &t.record, Declared: t.spec.ID, OneMean: v.oneMean(t.declaredTest)})
	}
	return out
}

// record is the experiment as it is reported, with what its claims rest on.
func (v *experimentResult) record(resting []string) schemas.Experiment {
	estimates := append(v.weighed.Estimates(v.contradicting()), v.weighed.Values(v.contradicting())...)
	first, last := v.Experiment().Span()
	e := schemas.Experiment{
		ID: v.Experiment().ID, Rounds: v.Pub.Rounds, ContextDim: publiclog.ContextDim(v.Slice),
		Data: schemas.Data{
			RowsRead: v.Pub.Rounds, RowsAnalysed: v.Pub.Rounds - v.MissingRows(), FirstTime: first, LastTime: last, Excluded: v.excluded(), Checks: v.checks, Splits: v.allocation.Record(v.Manifest.Arms), Repeats: v.Sticky.Record(v.allocation.Splits.OnUnits()), Hashed: v.allocation.Hashed, Odds: v.allocation.OddsRecord(v.Log),
		},
		Replay:     schemas.Conformance{Mode: schemas.ModeNone, Rounds: v.Pub.Rounds},
		Allocation: v.explained, Privacy: v.Accounts.Accounting, Arms: v.arms.records, Regressions: v.fits.records, Tests: v.testRecords(), Means: v.MeansRecord(), Steering: v.arms.steering, Estimates: estimates,
		Disclosures: disclosures(v.Book), Series: v.series(),
		Cautions: append(v.cautions(estimates), resting...),
		Warnings: joinedWarnings(v.checked.warnings, warnCarried(v.Log), v.arms.warnings, v.fits.warnings, v.answers.warnings),
	}
	if v.Replayed != nil {
		e.Replay = v.Replayed.Conformance
	}
	return e
}

// series are the lines of figures, which are kept of the first experiments of a log.
func (v *experimentResult) series() []schemas.Series {
	if !v.Figured() {
		return []schemas.Series{}
	}
	return slices.Concat(v.AllocationSeries(), v.UpdateSeries(), v.CadenceSeries(), v.WeightSeries(), v.MeanSeries(), v.Accounts.SpentSeries())
}

// excluded are the rows of this experiment that were left out or changed, by
// reason.
func (s *sample) excluded() []schemas.Exclusion {
	out := []schemas.Exclusion{}
	if n := s.MissingRows(); n > 0 {
		out = append(out, schemas.Exclusion{Reason: schemas.ReasonMissing, Rows: n})
	}
	if clipped := s.Clipped(); clipped > 0 {
		reason := schemas.ReasonClipped
		if s.Slice.Schema().RewardByArm {
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
