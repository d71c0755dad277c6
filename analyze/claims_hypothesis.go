package analyze

import (
	"fmt"
	"strings"

	"banditaudit/schemas"
)

// hypothesisClaim is that a declared test is rejected.
func hypothesisClaim() Claim {
	return Claim{Kind: schemas.KindHypothesis, Decide: (*verdicts).decideHypothesis}
}

func (v *verdicts) decideHypothesis(f *schemas.Finding, c *schemas.Claim) {
	f.Statement = fmt.Sprintf("After correction for adaptivity%s and multiplicity, %s is %s.", v.qualifyBound(), c.Test, c.Finding)
	f.Procedure = "corrected, multiplicity-adjusted test at the declared level"
	f.Verdict = schemas.Consistent
	var open []string
	undecided := map[string]string{} // tests by the reason for which they have no corrected p
	var reasons []string
	for i, t := range v.tests {
		if t.spec.ID != c.Test {
			continue
		}
		f.Evidence = append(f.Evidence, v.pointer("/tests/%d", i))
		switch t.record.Decision {
		case decisionRejected:
		case decisionNone:
			why := t.headline().Reason
			if undecided[why] == "" {
				undecided[why] = schemas.Named(t.id)
				reasons = append(reasons, why)
			} else {
				undecided[why] += ", " + schemas.Named(t.id)
			}
		default:
			open = append(open, schemas.Named(t.id)+": "+t.record.Decision)
		}
	}
	if n := len(f.Evidence); n > 1 {
		f.Statement = fmt.Sprintf("After correction for adaptivity%s and multiplicity, %s is %s for each of its %d arms.", v.qualifyBound(), c.Test, c.Finding, n)
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
		f.Reason = v.corrections.note
	}
}
