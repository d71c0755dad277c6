package claims

import (
	"banditaudit/analyze/decide/validity"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/schemas"
)

// Status of the assumptions in this experiment.
func (v *Findings) Status() map[string]string {
	out := map[string]string{}
	out["A1"] = v.setByStatus("A1", v.ledgerStatus())
	out["A2"] = v.Neighbours.rowsStatus()
	out["A3"] = v.meansStatus(v.rawStatus())
	out["A4"] = unitStatus(v.Facts.Log)
	out["A5"] = choiceStatus(v.Protocol.Analysis)
	out["A6"], out["A7"] = statusChecked, v.onceStatus()
	out["A8"] = v.setByStatus("A8", extentStatus(v.Protocol))
	return out
}

// extentStatus judges A8: neither the extent of the log nor the end of the experiment depends
// on raw rewards.
func extentStatus(p *schemas.Protocol) string {
	stopping := p.Experiment.Stopping
	switch {
	case p.Log.MissingReward == schemas.MissingExclude, p.Log.Sampled(), validity.OpenStop(p).Stands():
		return statusFailed
	case stopping == schemas.StoppingFixed, stopping == schemas.StoppingReleased:
		return statusDeclared
	}
	return statusUndeclared
}

// unitStatus judges A4, whole units: where a unit owns several rows, everything goes by unit.
// It fails where rows cannot be read by unit, and is not needed without log.unit.
func unitStatus(in *publiclog.Log) string {
	switch {
	case !in.Slice.Schema().Unit:
		return statusNotNeeded
	case !publiclog.UnitsAtHand(in.Slice):
		return statusFailed
	}
	return statusChecked
}

// rawStatus judges A3, a valid naive p, by the weakest of the tests that have a corrected p;
// where none has one, by the weakest of the tests that have a naive p. The intervals of arms
// hold at every number of rows.
func (v *Findings) rawStatus() string {
	switch {
	case len(v.Tests) > 0:
	case v.Fitted: // p-values of coefficients rest on a normal approximation
		return statusDeclared
	default:
		return statusNotNeeded
	}
	for _, method := range []string{schemas.MethodCorrected, schemas.MethodNaive} {
		status := ""
		for _, t := range v.Tests {
			switch {
			case !t.Result(method).Applicable:
			case t.Result(schemas.MethodNaive).Approximate:
				status = statusDeclared
			case status != statusDeclared && t.OneMean:
				status = statusPartly
			case status == "":
				status = statusChecked
			}
		}
		if status != "" {
			return status
		}
	}
	return statusFailed
}

// meansStatus weakens raw, the status of A3, by what comparisons of arms need of the arms' means.
func (v *Findings) meansStatus(raw string) string {
	for _, t := range v.Tests {
		switch c := t.Comparison; {
		case c == nil || raw == statusFailed:
		case c.Means == schemas.MeansContradicted:
			return statusMoving
		case c.Means == schemas.MeansNotContradicted, c.ValidIf != "" && v.Allocation.Splits.Finds():
			raw = weaker(raw, statusStill)
		case c.ValidIf != "": // that arms were drawn so is declared, and no check was run
			raw = weaker(raw, statusDeclared)
		}
	}
	return raw
}

// onceStatus judges A7, one naive p per test. Where two tests ask the same, it is declared alone.
func (v *Findings) onceStatus() string {
	if v.Twins {
		return statusDeclared
	}
	return statusChecked
}

func (v *Findings) ledgerStatus() string {
	switch {
	case v.Ledger == nil:
		return statusUndeclared
	case v.Ledger.Epsilon().IsInf() || v.Evidence.Another() != "" || v.Evidence.AgainstPlayed().Stands() || v.Evidence.Noise.Verdict == schemas.Violated:
		return statusFailed
	case v.Evidence.Conformance.Verdict == schemas.Verified && (v.Evidence.NoiseKnown || v.Evidence.Noise.Verdict == schemas.Consistent):
		return statusPartly
	}
	return statusDeclared
}

func choiceStatus(an schemas.Analysis) string {
	switch {
	case len(an.Tests) == 0 && len(an.Regressions) == 0:
		return statusNotNeeded
	case an.Chosen == "":
		return statusUndeclared
	case an.Chosen == schemas.ChosenAfterRewards:
		return statusFailed
	}
	return statusDeclared
}

// setByStatus weakens the status of an assumption by what whoever set a column
// may have read.
func (v *Findings) setByStatus(id, status string) string {
	for _, d := range publiclog.DecidedBy(v.Protocol) {
		switch {
		case d.Assumption != id || !v.Evidence.AgainstDecided(d).Stands():
		case d.Word == schemas.SetByUnknown && status != statusFailed:
			status = statusUndeclared
		default:
			status = statusFailed
		}
	}
	return status
}
