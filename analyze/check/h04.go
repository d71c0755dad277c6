package check

import (
	"fmt"
	"strings"

	"banditaudit/schemas"
)

// h04 says that logged propensities are probabilities. Values outside (0,1]
// are refused by ingest. Where those of all arms are logged they add up to 1
// within 10⁻⁶ in every row, agree with the propensity of the logged action to
// 10⁻⁶ relative, and are 0 for arms that were not eligible.
//
// Special cases are:
//
//	no propensity is logged: not run
func h04() Check {
	return Check{ID: "H04", Title: "propensities in (0,1], sum to 1", Expected: "all in (0,1]", Needs: needsPropensity, Run: runH04, Quality: true}
}

func runH04(f *Facts, c *schemas.Check) {
	c.Status, c.Observed = schemas.CheckPass, "all in (0,1]"
	b := f.Propensities.ByArm
	if b == nil {
		c.Detail = "Only the propensity of the logged action is declared; that they sum to 1 over arms could be checked with log.propensity_by_arm."
		return
	}
	c.Expected = "all in (0,1], sums 1 within 1e-6, both of the logged action alike within 1e-6 of their size, and 0 for an arm that was not eligible"
	c.Observed = fmt.Sprintf("sums differ from 1 by at most %.3g", b.Farthest)
	var faults []string
	say := func(n int64, what string) {
		if n > 0 {
			faults = append(faults, fmt.Sprintf("in %s %s", rows(n), what))
		}
	}
	say(b.OffSum, "the propensities of all arms do not add up to 1 within 1e-6")
	say(b.Disagree, "log.propensity is not what log.propensity_by_arm says of the logged action, to within 1e-6 of its size")
	say(b.Impossible, "an arm that was not eligible has a propensity above 0")
	if len(faults) > 0 {
		c.Status = schemas.CheckFail
		c.Observed += "; " + strings.Join(faults, "; ")
		c.Detail = fmt.Sprintf("The first is round %s. Numbers that are no probabilities say nothing about how arms were chosen; correct the log.", schemas.Grouped(b.First))
	}
}
