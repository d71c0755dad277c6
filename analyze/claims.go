package analyze

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"banditaudit/analyze/adaptive"
	"banditaudit/analyze/check"
	"banditaudit/replay"
	"banditaudit/schemas"
)

// implied are the kinds that always stand in the claims.
func implied() []string {
	return []string{schemas.KindDataQuality, schemas.KindAllocation, schemas.KindConformance, schemas.KindPrivacyTotal}
}

// claims comes to a verdict on every implied and declared claim.
func (a *analysis) claims() []schemas.Finding {
	var out []schemas.Finding
	for _, kind := range implied() {
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
		if a.weightable() {
			f.Reason += " The IPW means rest on these propensities and are not to be relied on."
		}
	default:
		f.Verdict, f.Observed, f.Reason = schemas.Consistent, h05.Observed, h05.Detail
	}
}

// conformance is the verdict on policy.conformance with its reason.
func (a *analysis) conformance() (schemas.Verdict, string) {
	if a.Protocol.Policy == nil {
		return schemas.NotApplicable, "no policy is declared"
	}
	if a.against != nil {
		return schemas.Violated, "the declared mechanism did not write this log: " + a.against.Words
	}
	if a.Replay == nil {
		return schemas.NotRun, "replay was not run; pass --replay"
	}
	r := &a.Replay.Conformance
	switch {
	case r.Mode != schemas.ModeSeed && a.notPulled():
		if a.Protocol.Policy.Name == policyUniform {
			return schemas.Violated, "the arms were not played with probability 1/K each (level 0.001)"
		}
		return schemas.Violated, "the arms were not played with their declared probabilities (level 0.001)"
	case r.FirstMismatch != nil:
		m := r.FirstMismatch
		return schemas.Violated, fmt.Sprintf("round %s: logged %s, the policy plays %s", schemas.Grouped(m.Round), schemas.Named(m.Logged), schemas.Named(m.Replayed))
	case r.Propensities != nil && r.Propensities.FirstMismatch != nil:
		return schemas.Violated, propensityWords(r.Propensities)
	case r.Mode == schemas.ModeNone || r.Replayable == 0:
		return schemas.NotEstablished, "the log holds no seed, no released values and no propensities to replay from"
	case r.Mode == schemas.ModeSeed && r.Matched == r.Rounds:
		return schemas.Verified, ""
	case r.Matched < r.Replayable:
		return schemas.Violated, fmt.Sprintf("%s of %s do not match", schemas.Grouped(r.Replayable-r.Matched), plural(r.Replayable, "round"))
	case r.Mode == schemas.ModePropensity:
		return schemas.Consistent, "recomputed propensities equal the logged ones"
	}
	return schemas.NotEstablished, fmt.Sprintf("%s of %s could be replayed", schemas.Grouped(r.Replayable), plural(r.Rounds, "round"))
}

// propensityWords say which logged propensities are not the policy's.
func propensityWords(p *schemas.PropensityReplay) string {
	m := p.FirstMismatch
	return fmt.Sprintf("round %s: logged propensity %.10g of arm %s, the policy plays it with %.10g; the propensities of %s of %s differ",
		schemas.Grouped(m.Round), m.Logged, schemas.Named(m.Arm), m.Replayed, schemas.Grouped(p.Rounds-p.Matched), plural(p.Rounds, "round"))
}

// toleranceWords say what difference a recomputed propensity may have.
func toleranceWords(p *schemas.PropensityReplay) string {
	out := "; logged propensities against recomputed ones, to 1e-6 of the larger and 1e-8"
	rounded := func(decimals *int64, what string) {
		if decimals != nil {
			out += fmt.Sprintf(", and half a unit of the last of %s, which is all that %s", plural(*decimals, "decimal"), what)
		}
	}
	rounded(p.Decimals, "the log gives")
	rounded(p.DecimalsByArm, "it gives by arm")
	return out
}

// Policies whose probabilities are declared, by their names in the protocol.
const (
	policyUniform = "uniform"
	policyFixed   = "fixed"
)

// notPulled reports whether a declared uniform or fixed policy is contradicted by
// how often each arm was played, at the level of H05. With a seed the actions
// themselves are compared. Where arms are not always eligible, how often they
// could be played is not in the pulls, and nothing is tested. Of the arms of a
// uniform policy that are not declared, those that only other experiments of the
// log played are none of this one's.
func (a *analysis) notPulled() bool {
	pulls, logP := a.pub.pulls, 0.0
	switch p := a.Protocol.Policy; {
	case a.Slice.Schema().Eligible:
	case p.Name == policyUniform:
		if !a.Manifest.Declared {
			pulls = slices.DeleteFunc(slices.Clone(pulls), func(n int64) bool { return n == 0 })
		}
		logP = adaptive.UniformLogP(pulls)
	case p.Name == policyFixed:
		logP = adaptive.FixedLogP(pulls, a.declaredProbabilities())
	}
	return logP <= math.Log(a.level())
}

// declaredProbabilities are those with which a fixed policy plays the arms in a
// round in which all are eligible, its floor mixed in.
func (a *analysis) declaredProbabilities() []float64 {
	run, eligible := a.Mechanism.NewRunner([32]byte{}, ""), make([]bool, a.k())
	for arm := range eligible {
		eligible[arm] = true
	}
	run.Next(&replay.Round{Eligible: eligible})
	return slices.Clone(run.Propensities())
}

// pullWords say how the pulls of a policy with declared probabilities are held
// against these.
func (a *analysis) pullWords() string {
	name := a.Protocol.Policy.Name
	switch {
	case name != policyUniform && name != policyFixed:
		return ""
	case a.Slice.Schema().Eligible:
		return "; pulls are not tested against the declared probabilities, since arms are not always eligible (log.eligible)"
	case name == policyFixed:
		return "; pulls of a fixed policy against its probabilities, exact binomial tests of each arm (Bonferroni), level 0.001"
	}
	return "; pulls of a uniform policy against T/K, level 0.001"
}

func (a *analysis) conformanceClaim(f *schemas.Finding) {
	f.Statement = "Every logged action is the one that the declared policy chooses."
	f.Verdict, f.Reason = a.conformance()
	f.Evidence = []string{a.pointer("/replay")}
	if a.Replay == nil || a.Protocol.Policy == nil {
		return
	}
	r := &a.Replay.Conformance
	f.Procedure = "teacher-forced replay, evidence: " + r.Mode
	f.Procedure += a.pullWords()
	if p := r.Propensities; p != nil {
		f.Procedure += toleranceWords(p)
	}
	if r.Mode != schemas.ModeNone {
		rounds := r.Rounds
		if a.against != nil {
			rounds = r.Replayable // those after it were not replayed
		}
		f.Observed = fmt.Sprintf("%s of %s match", schemas.Grouped(r.Matched), plural(rounds, "round"))
	}
	if p := r.Propensities; p != nil && r.Mode == schemas.ModeSeed {
		f.Statement = "Every logged action is the one that the declared policy chooses, and every logged propensity the one that it gives."
		f.Observed += fmt.Sprintf("; the propensities of %s do", schemas.Grouped(p.Matched))
	}
	if f.Verdict == schemas.Verified {
		f.Reason = "A seed verifies the arithmetic, not that the deployment's randomness was secret and fresh."
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
		if a.Protocol.Log.MissingReward == schemas.MissingExclude || a.openStop() != "" || a.repeated() && a.byUnits == nil {
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
func plural(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return schemas.Grouped(n) + " " + noun + "s"
}
