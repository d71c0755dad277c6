package check

import (
	"fmt"

	"banditaudit/schemas"
)

// highCondition is the condition number above which a design is noted.
const highCondition = 1e3

// regressionRank looks at the designs of the regressions: rank and condition number. It
// notes, and contradicts nothing.
//
// Special cases are:
//
//	no regression is declared: not run
func regressionRank() Check {
	return Check{ID: "H15", Title: "design rank and condition", Doc: "can the declared regressions be computed, and how precisely", Expected: "full rank, condition number below 1,000", Needs: needsRegressions, Run: runRegressionRank}
}

func needsRegressions(f *Inputs) string {
	if len(f.Regressions) == 0 {
		return "log.context and analysis.regressions"
	}
	return ""
}

func runRegressionRank(f *Inputs, c *schemas.Check) {
	deficient, worst := 0, 0.0
	for i := range f.Regressions {
		r := &f.Regressions[i]
		if len(r.Dropped) > 0 {
			deficient++
		}
		if r.ConditionNumber != nil {
			worst = max(worst, *r.ConditionNumber)
		}
	}
	c.Status = schemas.CheckPass
	c.Observed = fmt.Sprintf("%d of %s rank deficient, largest condition number %s", deficient, schemas.Counted(len(f.Regressions), "design"), figure(worst))
	c.Measure("designs_rank_deficient", "designs", float64(deficient), 0)
	c.Measure("largest_condition_number", "ratio", worst, highCondition)
	if deficient > 0 || worst > highCondition {
		c.Status = schemas.CheckNote
		c.Detail = "Columns that depend linearly on earlier ones were dropped, by name; a large condition number makes coefficients unstable."
	}
}
