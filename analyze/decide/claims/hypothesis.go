package claims

import (
	"fmt"
	"slices"
	"strings"

	"banditaudit/analyze/log/check"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/schemas"
	"banditaudit/schemas/param"
)

// hypothesisClaim is that a declared test is rejected.
func hypothesisClaim() Claim {
	return Claim{Claim: param.Claim{Kind: schemas.KindHypothesis, Asks: "whether a declared test rejects", Keys: []string{"test", "finding"}, Many: true, Unseen: unseenHypothesis()}, Decide: (*Findings).decideHypothesis, Rests: (*Findings).hypothesisRests}
}

// unseenHypothesis is what would pass a claim on a test.
func unseenHypothesis() []param.Unseen {
	return []param.Unseen{{Words: []string{
		"means that moved with time by less than the checks would have found: arms that were played at different times then differ, and none is the better one",
		"arms that met other rounds than the declared policy gives them, by anything that H17 does not list as looked at (data.splits), or by less than it finds: they then differ, and pay alike in every round; for example by " + check.ElseExamples,
		"a drift that goes back and forth, where a schedule of eligible arms goes with it: H13 looks for lasting steps, and H17 has nothing against arms that were played as declared among those that could be",
		"an arm that changes later rewards (carry-over), what was learned before the log, and other experiments that feed the policy, where the policy was run again (rerun): " + schemas.ValidIfNoCarryover + "; the check of the arm of the round before misses most of it under a policy that draws nothing, such as UCB1",
		"rows that depend on each other at longer distances than neighbouring rounds, or where no mean is tested and no policy is run again (A2), and hypotheses that were chosen after rewards were seen (A5): no check looks for them",
		"rewards that were flipped, and rounds that were dropped by their reward, before they were logged",
	}}}
}

func (v *Findings) decideHypothesis(f *schemas.Finding, c *schemas.Claim) {
	by := v.decidedBy(c.Test)
	f.Statement = fmt.Sprintf("%s, %s is %s.", by, c.Test, c.Finding)
	f.Procedure = "multiplicity-adjusted test at the declared level, by the method that decides (tests[].decided_by)"
	f.Verdict = schemas.Consistent
	var open []string
	undecided := map[string]string{} // tests by the reason for which none decides
	var reasons []string
	for i, t := range v.Tests {
		if t.Declared != c.Test {
			continue
		}
		f.Evidence = append(f.Evidence, pointer(v.Facts.Log, "/tests/%d", i))
		switch t.Decision {
		case schemas.DecisionRejected:
		case schemas.DecisionNone:
			why := t.Choice
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
		f.Statement = fmt.Sprintf("%s, %s is %s for each of its %d arms.", by, c.Test, c.Finding, n)
	}
	f.Statement += v.everyRound(c.Test)
	v.compareP(f, c.Test)
	for _, why := range reasons {
		open = append(open, undecided[why]+": "+why)
	}
	switch {
	case len(f.Evidence) == 0:
		f.Verdict, f.Reason = schemas.NotEstablished, "no such test"
	case len(open) > 0:
		f.Verdict, f.Reason = schemas.NotEstablished, strings.Join(open, "; ")
	default:
		f.Reason = ""
		if slices.ContainsFunc(v.Tests, func(t Test) bool { return t.Declared == c.Test && t.ByCorrection() }) {
			f.Reason = v.Evidence.Corrections.Note
		}
		if i := slices.IndexFunc(v.Tests, func(t Test) bool { return t.Declared == c.Test && t.ValidIf() != "" }); i >= 0 {
			f.Reason = publiclog.Joined(f.Reason, v.Tests[i].ValidIf())
		}
	}
}

// compareP writes the largest adjusted p of the tests of a claim beside the level, where
// every one of them has a p.
func (v *Findings) compareP(f *schemas.Finding, id string) {
	largest, all := 0.0, false
	for _, t := range v.Tests {
		if t.Declared != id {
			continue
		}
		r := t.Result(t.DecidedBy)
		if r == nil || r.PAdjusted == nil {
			return
		}
		largest, all = max(largest, *r.PAdjusted), true
	}
	if all {
		f.ObservedValue, f.ThresholdValue, f.Unit = schemas.Ext(largest), schemas.Ext(v.Protocol.Analysis.Alpha), "p"
	}
}

// everyRound says what is rejected where that is not what means are; "" elsewhere.
func (v *Findings) everyRound(id string) string {
	i := slices.IndexFunc(v.Tests, func(t Test) bool { return t.Declared == id && t.EveryRound() })
	switch {
	case i < 0:
		return ""
	case v.Facts.Binary():
		return " That is that the two arms pay alike in every round, and no difference of their means."
	}
	return " That is that the one arm pays, in every round, what the other would have paid and the declared value more, and no difference of their means."
}

// decidedBy says by which methods the tests of a claim are decided, as the beginning of
// a sentence.
func (v *Findings) decidedBy(id string) string {
	var by []string
	for _, t := range v.Tests {
		if name := t.DecidedBy; t.Declared == id && !t.ByCorrection() && name != "" && !slices.Contains(by, name) {
			by = append(by, name)
		}
	}
	if by == nil {
		return fmt.Sprintf("After correction for adaptivity%s and multiplicity", v.Evidence.QualifyBound())
	}
	return "By " + schemas.AndList(by) + ", adjusted for multiplicity"
}
