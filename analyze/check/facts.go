// Package check holds the data checks H01…H15, one file each: facts gathered
// from the public columns of a tableau in, a [schemas.Check] out. No check
// reads a reward.
//
// A check that cannot be carried out is not left out: its status is "not run"
// and its detail names the column that would make it possible.
package check

import (
	"fmt"
	"math"

	"banditaudit/analyze/adaptive"
	"banditaudit/schemas"
)

// Facts is what the checks look at, for one experiment.
type Facts struct {
	Rounds      int64
	Labels      []string
	Declared    bool    // arms were declared, not found in the log
	Pulls       []int64 // per arm
	Order       []string
	TiesByFile  bool  // ties were settled by the order of rows in the files
	Gaps        int64 // steps of the single whole-number order column that are not 1
	Horizon     int64 // rounds the counter was declared for; 0 where none is
	Clipped     int64 // rewards of the whole log moved to the ends of the declared range
	Files       int
	Columns     int
	Regressions []schemas.Regression
	// Propensities is nil where none is logged.
	Propensities *Propensities
}

// Propensities are the facts about the logged action's propensity.
type Propensities struct {
	Allocation adaptive.AllocationResult
	Weights    adaptive.WeightsResult
}

// All carries out every check, in the order of the ids.
func All(f *Facts) []schemas.Check {
	return []schemas.Check{
		H01(f), H02(f), H03(f), H04(f), H05(f), H07(f), H08(f), H09(f), H10(f), H11(f), H13(f), H14(f), H15(f),
	}
}

// Quality returns the ids of the checks that data.quality stands on, by their
// outcome. It holds when none failed.
func Quality(checks []schemas.Check) map[schemas.CheckStatus][]string {
	by := map[schemas.CheckStatus][]string{}
	for _, c := range checks {
		switch c.ID {
		case "H01", "H02", "H03", "H04", "H08", "H09":
			by[c.Status] = append(by[c.Status], c.ID)
		}
	}
	return by
}

// Find returns the check with the given id.
func Find(checks []schemas.Check, id string) *schemas.Check {
	for i := range checks {
		if checks[i].ID == id {
			return &checks[i]
		}
	}
	return nil
}

// probability is e^logP. A p below the smallest float64 is rounded up to it:
// 0 would claim more than is known.
func probability(logP float64) float64 {
	p := math.Exp(logP)
	if p == 0 && !math.IsInf(logP, -1) {
		return math.SmallestNonzeroFloat64
	}
	return p
}

func rows(n int64) string { return count(int(n), "row") }

// count is a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
