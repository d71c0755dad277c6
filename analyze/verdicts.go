package analyze

import (
	"slices"

	"banditaudit/analyze/allocation"
	"banditaudit/analyze/facts"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// verdicts is all that was found in an experiment, on which claims and
// assumptions are judged.
type verdicts struct {
	*answers
	*checked
	allocation *allocation.Allocation
	arms       *armFindings
	resting    []string // cautions of required claims that rest on undeclared keys
}

// outcome puts the experiment together.
func (v *verdicts) outcome() *Outcome {
	claims := v.claims() // before the record, which has what they rest on
	out := &Outcome{Claims: claims, Status: v.status(), Experiment: v.record(), Family: v.family, Drawn: v.drawn(), Remarks: v.remarks(), Horizon: fixedHorizon(v.Protocol), Rows: v.rowsPrint()}
	if v.replay != nil {
		out.Evidence = v.replay.Conformance.Mode
	}
	return out
}

// remarks are what is beside the text of assumptions, by id; of what comparisons of
// arms rest on only where the log has one experiment.
func (v *verdicts) remarks() map[string]string {
	out := setByRemarks(v.Protocol)
	if len(v.Manifest.Experiments) > 1 {
		return out
	}
	var words []string
	for _, t := range v.tests {
		if c := t.record.Comparison; c != nil && !slices.Contains(words, c.Words) {
			words = append(words, c.Words)
			out["A3"] = facts.Joined(out["A3"], c.Words)
		}
	}
	return out
}

// record puts the experiment together.
func (v *verdicts) record() schemas.Experiment {
	estimates := append(v.estimates(v.contradicting()), v.values(v.contradicting())...)
	e := schemas.Experiment{
		ID: v.Experiment().ID, Rounds: v.Pub.Rounds, ContextDim: facts.ContextDim(v.Slice),
		Data: schemas.Data{
			RowsRead: v.Pub.Rounds, RowsAnalysed: v.Pub.Rounds - missingRows(v.sums), Excluded: v.excluded(), Checks: v.checks, Splits: v.allocation.Record(v.Manifest.Arms), Repeats: v.Kept.Record(), Hashed: v.allocation.Hashed, Odds: v.allocation.OddsRecord(v.Slice.Schema().PropensityByArm),
		},
		Replay:     schemas.Conformance{Mode: schemas.ModeNone, Rounds: v.Pub.Rounds},
		Allocation: v.explained, Privacy: v.account, Arms: v.arms.records, Regressions: v.fits.records, Tests: v.testRecords(), Estimates: estimates,
		Disclosures: disclosures(v.book), Series: append(v.AllocationSeries(), v.CadenceSeries()...),
		Cautions: v.cautions(estimates),
		Warnings: joinedWarnings(v.checked.warnings, warnCarried(v.Log), v.arms.warnings, v.fits.warnings, v.answers.warnings),
	}
	if v.replay != nil {
		e.Replay = v.replay.Conformance
	}
	return e
}

// excluded are the rows of this experiment that were left out or changed, by
// reason.
func (s *sample) excluded() []schemas.Exclusion {
	out := []schemas.Exclusion{}
	if n := missingRows(s.sums); n > 0 {
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
