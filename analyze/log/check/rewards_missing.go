package check

import (
	"fmt"
	"math"

	"banditaudit/analyze/stat/allocationtest"
	"banditaudit/schemas"
)

// rewardsMissing tests that rewards are missing at the same rate in every arm, at level
// 0.001 over all experiments of the log: half of it over all rounds, half within
// each quarter of them. A difference is noted and contradicts
// nothing: rates may differ for reasons that have nothing to do with rewards,
// but then each arm's mean is about another selection of its rounds. The
// statistic is the share of rows whose reward is missing.
//
// Special cases are:
//
//	missing_reward: error refuses a log with a missing reward, so none is
//	units own several rows: no test, for rows of one unit may be missing together
func rewardsMissing() Check {
	return Check{ID: "H11", Title: "missing rewards by arm", Doc: "are rewards missing as often in every arm", Expected: "0 rows, or the same share in every arm", Run: runRewardsMissing, Note: true}
}

func runRewardsMissing(f *Inputs, c *schemas.Check) {
	c.Status, c.Observed = schemas.CheckPass, "0 rows"
	if f.Missing == nil {
		c.Measure("rewards_missing", "rows", 0, 0)
		c.Detail = "missing_reward: error refuses a log with one."
		return
	}
	total := int64(0)
	var arms []string
	for a, n := range f.Missing {
		total += n
		if f.Pulls[a] > 0 {
			arms = append(arms, fmt.Sprintf("%s %.3g %% of %s", f.Labels[a], 100*float64(n)/float64(f.Pulls[a]), schemas.Grouped(f.Pulls[a])))
		}
	}
	c.Measure("rewards_missing", "rows", float64(total), math.NaN())
	if total == 0 {
		return
	}
	for a, n := range f.Missing {
		c.Measure("share_missing", "share of pulls", float64(n)/float64(f.Pulls[a]), math.NaN())
		c.OfArm(a, f.Labels[a])
	}
	c.Statistic = schemas.Finite(float64(total) / float64(f.Rounds))
	c.Observed = fmt.Sprintf("%s of %s: %s", rows(total), schemas.Grouped(f.Rounds), list(arms))
	if f.Units != nil && f.Units.Largest > 1 {
		c.Status, c.Detail = schemas.CheckNote, "Units own several rows, which may be missing together, so that no test of equal shares is made of them."
		return
	}
	logP, exact := allocationtest.MissingLogP(f.Missing, f.Pulls)
	c.P = schemas.Finite(probability(logP))
	law := "chi-square"
	if exact {
		law = "hypergeometric, times the arms"
	}
	c.Detail = fmt.Sprintf("Equal shares: p %s (%s, rows taken as independent).", pWords(logP), law)
	inTime, quarter := f.missingInTime()
	if quarter >= 0 {
		c.Detail += fmt.Sprintf(" Within each quarter of the log: p %s, times the quarters.", pWords(inTime))
	}
	const half = math.Ln2 // of the level for either
	differ := logP <= math.Log(f.level())-half
	if differ || inTime <= math.Log(f.level())-half {
		c.Status = schemas.CheckNote
		if c.Detail += " The shares differ"; !differ {
			c.Detail += fmt.Sprintf(" in quarter %d of the log", quarter+1)
		}
		c.Detail += ": the mean of an arm is about another selection of its rounds than that of the others."
		if f.Rule == schemas.MissingIndependent {
			c.Detail += " That is a reason to ask about the declaration exclude-independent: that a reward is not missing because of its value."
		}
	}
}

// missingInTime is ln of the smallest p of equal shares within a quarter of the log, times
// the quarters, and that quarter from 0; 0 and -1 where there are none. Rewards that are
// missing in one arm early and in the other late have equal shares over all rounds.
func (f *Inputs) missingInTime() (logP float64, quarter int) {
	quarter = -1
	for i, q := range f.Quarters {
		if p, _ := allocationtest.MissingLogP(q.Missing, q.Pulls); quarter < 0 || p < logP {
			logP, quarter = p, i
		}
	}
	return min(0, logP+math.Log(float64(max(1, len(f.Quarters))))), quarter
}
