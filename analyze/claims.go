package analyze

import (
	"fmt"
	"slices"
	"strings"

	"banditaudit/analyze/check"
	"banditaudit/schemas"
)

// implied are the kinds that stand in the claims without being asked for: four
// always, privacy.noise where released values are logged.
func (a *analysis) implied() []string {
	out := []string{schemas.KindDataQuality, schemas.KindAllocation, schemas.KindConformance, schemas.KindPrivacyTotal}
	if a.Slice.Schema().ReleasedByArm > 0 {
		out = append(out, schemas.KindPrivacyNoise)
	}
	return out
}

// claims comes to a verdict on every implied and declared claim.
func (a *analysis) claims() []schemas.Finding {
	var out []schemas.Finding
	for _, kind := range a.implied() {
		declared := a.declared(kind)
		if len(declared) == 0 {
			declared = []schemas.Claim{{ID: kind, Kind: kind, Severity: schemas.SeverityRequired}}
		}
		for _, c := range declared {
			out = append(out, a.verdict(c))
		}
	}
	for _, c := range a.Protocol.Claims {
		if c.Kind == schemas.KindBiasBound || c.Kind == schemas.KindHypothesis {
			out = append(out, a.verdict(c))
		}
	}
	return out
}

func (a *analysis) declared(kind string) []schemas.Claim {
	var out []schemas.Claim
	for _, c := range a.Protocol.Claims {
		if c.Kind == kind {
			out = append(out, c)
		}
	}
	return out
}

// verdict is the one switch over kinds of claim.
func (a *analysis) verdict(c schemas.Claim) schemas.Finding {
	f := schemas.Finding{ID: c.ID, Experiment: a.experiment().ID, Kind: c.Kind, Severity: c.Severity, Evidence: []string{}}
	if f.Severity == "" {
		f.Severity = schemas.SeverityRequired
	}
	switch c.Kind {
	case schemas.KindDataQuality:
		a.dataQuality(&f)
	case schemas.KindAllocation:
		a.allocationClaim(&f)
	case schemas.KindConformance:
		a.conformanceClaim(&f)
	case schemas.KindPrivacyTotal:
		a.privacyClaim(&f)
	case schemas.KindPrivacyNoise:
		a.noiseClaim(&f)
	case schemas.KindBiasBound:
		a.biasClaim(&f, &c)
	case schemas.KindHypothesis:
		a.hypothesisClaim(&f, &c)
	}
	return f
}

// pointer is a JSON pointer below this experiment.
func (a *analysis) pointer(format string, args ...any) string {
	return fmt.Sprintf("/experiments/%d", a.Index) + fmt.Sprintf(format, args...)
}

func (a *analysis) checkPointer(id string) string {
	for i := range a.checks {
		if a.checks[i].ID == id {
			return a.pointer("/data/checks/%d", i)
		}
	}
	return a.pointer("/data/checks")
}

func (a *analysis) dataQuality(f *schemas.Finding) {
	by := check.Quality(a.checks)
	f.Statement = "Every row has the declared types and ranges and its place in one order, and no declared arm was left unplayed against its known probability."
	if !a.Manifest.Declared {
		f.Statement = "Every row has the declared types and ranges and its place in one order. Arms were found in the log, none was declared."
	}
	f.Procedure = "checks " + strings.Join(slices.Sorted(slices.Values(slices.Concat(by[schemas.CheckPass], by[schemas.CheckNote], by[schemas.CheckFail]))), ", ") + " over every row"
	if a.unplayed != nil {
		f.Procedure += "; H08 at level 0.001"
	}
	f.Verdict = schemas.Verified
	f.Observed = rows(a.pub.rounds)
	if n := a.missing(); n > 0 {
		f.Observed += fmt.Sprintf(", %s of them without a reward", schemas.Grouped(n))
	}
	if n := a.clipped(); n > 0 {
		f.Observed += fmt.Sprintf(", %s clipped", plural(n, "reward"))
	}
	f.Evidence = []string{a.pointer("/data/checks")}
	for _, id := range by[schemas.CheckNote] {
		c := check.Find(a.checks, id)
		f.Observed += strings.TrimRight(fmt.Sprintf("; note %s, %s: %s. %s", id, c.Title, c.Observed, c.Detail), ". ")
	}
	if len(by[schemas.CheckFail]) == 0 {
		return
	}
	f.Verdict = schemas.Violated
	var why []string
	for _, id := range by[schemas.CheckFail] {
		c := check.Find(a.checks, id)
		f.Evidence = append(f.Evidence, a.checkPointer(id))
		why = append(why, fmt.Sprintf("%s %s: observed %s, expected %s. %s", id, c.Title, c.Observed, c.Expected, c.Detail))
	}
	f.Reason = strings.Join(why, " ")
}

func (a *analysis) allocationClaim(f *schemas.Finding) {
	f.Statement = "Arms were played with the logged propensities."
	f.Procedure = "H05 at level 0.001, and H14"
	if n := len(a.Manifest.Experiments); n > 1 {
		f.Procedure = fmt.Sprintf("H05 at level 0.001 over all %s experiments of the log (Bonferroni), and H14", schemas.Grouped(int64(n)))
	}
	f.Evidence = []string{a.checkPointer("H05"), a.checkPointer("H14")}
	h05 := check.Find(a.checks, "H05")
	switch h05.Status {
	case schemas.CheckNotRun:
		f.Verdict, f.Reason = schemas.NotApplicable, "no propensity is logged"
		if a.Slice.HasPropensity() {
			f.Verdict, f.Reason = schemas.NotEstablished, h05.Detail
		}
	case schemas.CheckFail:
		f.Verdict, f.Observed, f.Reason = schemas.Violated, h05.Observed, h05.Detail
		if words := explained(a.explained); words != "" {
			f.Reason = strings.TrimRight(f.Reason, ".") + words + "."
			f.Evidence = append(f.Evidence, a.pointer("/allocation"))
		}
		if a.weightable() {
			f.Reason += " The IPW means rest on these propensities and are not to be relied on."
		}
	default:
		f.Verdict, f.Observed, f.Reason = schemas.Consistent, h05.Observed, h05.Detail
	}
}

func (a *analysis) biasClaim(f *schemas.Finding, c *schemas.Claim) {
	f.Statement = fmt.Sprintf("The bias of the mean over the rounds played of %s is at most %s.", armWords(c.Arms), c.Threshold)
	f.Comparator, f.Threshold = "<=", c.Threshold.String()
	f.ThresholdValue = schemas.Ext(c.Threshold.Float())
	f.Procedure = "(hi−lo)·(1/N)·Σ tanh(c_t/4) over the rows of the arm"
	if a.repeated() {
		f.Procedure += ", c_t the cost of all rows of the row's unit"
	}
	f.Procedure += a.playedWords()
	f.Evidence = []string{a.pointer("/arms")}
	if app := a.ledgerApplicable(); !app.ok() {
		f.Verdict, f.Reason = schemas.NotEstablished, "no bound: "+app.reason()
		if noise, _ := a.noise(); noise == schemas.Violated || a.Protocol.Log.MissingReward == schemas.MissingExclude || a.openStop() != "" || a.repeated() && a.byUnits == nil {
			f.Verdict = schemas.NotApplicable
		}
		return
	}
	worst, label, missing := a.worstBias(c.Arms)
	if missing != "" {
		f.Verdict, f.Reason = schemas.NotEstablished, "arm "+schemas.Named(missing)+" has no mean"
		return
	}
	f.Observed = fmt.Sprintf("%.6g (arm %s)%s", worst, schemas.Named(label), a.qualify())
	f.ObservedValue = schemas.Ext(worst)
	f.Vacuous = worst >= a.width()
	f.Verdict = schemas.NotEstablished
	if worst <= c.Threshold.Float() {
		f.Verdict = schemas.Verified
		return
	}
	f.Reason = "the bound is above the threshold, which does not show that the bias is"
}

func armWords(arms []string) string {
	if len(arms) == 0 || arms[0] == allArms {
		return "every arm"
	}
	named := make([]string, len(arms))
	for i, label := range arms {
		named[i] = schemas.Named(label)
	}
	return "arm " + strings.Join(named, ", ")
}

func (a *analysis) worstBias(labels []string) (worst float64, label, missing string) {
	for i := range a.arms {
		arm := &a.arms[i]
		if len(labels) > 0 && labels[0] != allArms && !slices.Contains(labels, arm.Label) {
			continue
		}
		if arm.BiasBound == nil {
			return 0, "", arm.Label
		}
		if label == "" || *arm.BiasBound > worst {
			worst, label = *arm.BiasBound, arm.Label
		}
	}
	return worst, label, ""
}

func (a *analysis) hypothesisClaim(f *schemas.Finding, c *schemas.Claim) {
	f.Statement = fmt.Sprintf("After correction for adaptivity%s and multiplicity, %s is %s.", a.qualifyBound(), c.Test, c.Finding)
	f.Procedure = "corrected, multiplicity-adjusted test at the declared level"
	f.Verdict = schemas.Consistent
	var open []string
	undecided := map[string]string{} // tests by the reason for which they have no corrected p
	var reasons []string
	for i, d := range a.expand() { // the tests, in the order of a.tests
		if d.spec.ID != c.Test {
			continue
		}
		f.Evidence = append(f.Evidence, a.pointer("/tests/%d", i))
		switch t := &a.tests[i]; t.Decision {
		case decisionRejected:
		case decisionNone:
			why := t.Results[1].Reason
			if undecided[why] == "" {
				undecided[why] = schemas.Named(t.ID)
				reasons = append(reasons, why)
			} else {
				undecided[why] += ", " + schemas.Named(t.ID)
			}
		default:
			open = append(open, schemas.Named(t.ID)+": "+t.Decision)
		}
	}
	if n := len(f.Evidence); n > 1 {
		f.Statement = fmt.Sprintf("After correction for adaptivity%s and multiplicity, %s is %s for each of its %d arms.", a.qualifyBound(), c.Test, c.Finding, n)
	}
	for _, why := range reasons {
		open = append(open, undecided[why]+": no corrected p: "+why)
	}
	switch {
	case len(f.Evidence) == 0:
		f.Verdict, f.Reason = schemas.NotEstablished, "no such test"
	case len(open) > 0:
		f.Verdict, f.Reason = schemas.NotEstablished, strings.Join(open, "; ")
	default:
		f.Reason = a.testApplicable().note
	}
}

func rows(n int64) string { return plural(n, "row") }

// plural is a count with its noun.
func plural(n int64, noun string) string { return schemas.Counted(n, noun) }
