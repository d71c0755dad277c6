package analyze

import (
	"fmt"
	"strings"

	"banditaudit/analyze/check"
	"banditaudit/schemas"
	"banditaudit/schemas/param"
)

// allocationClaim is that the logged propensities are those that arms were played with.
func allocationClaim() Claim {
	return Claim{Claim: param.Claim{Kind: schemas.KindAllocation, Needs: []param.Need{param.NeedPropensity}, Unseen: unseenAllocation()}, Implied: implied, Decide: (*verdicts).decideAllocation}
}

// unseenAllocation is what would pass allocation.matches_propensity.
func unseenAllocation() []param.Unseen {
	return []param.Unseen{{Words: []string{
		"labels of arms that were exchanged, from some round on, together with their propensities: where that of the action alone is logged, no wager at these odds can tell",
		"rounds that were dropped by their reward, in about equal shares of every arm",
		"a dependence on what is not declared, or on none of the splits that the checks name, or smaller than the smallest deviation beside them",
		"propensities written after the fact from the shares in which arms were played",
		"rewards that were flipped: no propensity is held against them",
	}}}
}

func (v *verdicts) decideAllocation(f *schemas.Finding, _ *schemas.Claim) {
	f.Statement = "Arms were played with the logged propensities."
	f.Procedure = "H05 at level 0.0005, and H14"
	if n := len(v.Manifest.Experiments); n > 1 {
		f.Procedure = fmt.Sprintf("H05 at level 0.0005 over all %s experiments of the log (Bonferroni), and H14", schemas.Grouped(int64(n)))
	}
	f.Evidence = []string{v.checkPointer("H05"), v.checkPointer("H14")}
	h05 := check.Find(v.checks, "H05")
	switch h05.Status {
	case schemas.CheckNotRun:
		f.Verdict, f.Reason = schemas.NotApplicable, "no propensity is logged"
		if v.Slice.HasPropensity() {
			f.Verdict, f.Reason = schemas.NotEstablished, h05.Detail
		}
	case schemas.CheckFail:
		f.Verdict, f.Observed, f.Reason = schemas.Violated, h05.Observed, h05.Detail
		if words := explained(v.explained); words != "" {
			f.Reason = strings.TrimRight(f.Reason, ".") + words + "."
			f.Evidence = append(f.Evidence, v.pointer("/allocation"))
		}
		if v.weightable() {
			f.Reason += " The IPW means rest on these propensities and are not to be relied on."
		}
	default:
		f.Verdict, f.Observed, f.Reason = schemas.Consistent, h05.Observed, h05.Detail
	}
}
