package check

import "banditaudit/schemas"

// Check describes a data check: what it asks, what it needs, and how it is run.
type Check struct {
	ID, Title string
	Doc       string                 // what it asks, as a question without its mark
	Expected  string                 // what stands beside what is observed; Run may write another
	Quality   bool                   // data.quality stands on it
	Note      bool                   // where it notes something that bears on rewards, allocation or units, and on which no claim stands but by contradiction
	Needs     func(f *Inputs) string // what would have to be declared, "" for nothing; nil: nothing ever
	Run       func(f *Inputs, c *schemas.Check)
}

// Checks are all checks, in the order of the ids.
func Checks() []Check {
	return []Check{logSchema(), orderTies(), rewardsRange(), propensityValid(), allocationRatio(), unitsOneArm(), armsUnplayed(), orderGaps(), propensitySchedule(), rewardsMissing(), driftMeans(), weightsESS(), regressionRank(), allocationSubgroups()}
}

// on carries a check out.
func (d Check) on(f *Inputs) schemas.Check {
	c := schemas.Check{ID: d.ID, Title: d.Title, Expected: d.Expected}
	if d.Needs != nil && d.Needs(f) != "" {
		c.Status, c.Detail = schemas.CheckNotRun, "Declare "+d.Needs(f)+" to make this possible."
		return c
	}
	d.Run(f, &c)
	return c
}

func needsPropensity(f *Inputs) string {
	if f.Propensities == nil {
		return "log.propensity or log.propensity_by_arm"
	}
	return ""
}

// All carries out every check of a list, in its order.
func All(list []Check, f *Inputs) []schemas.Check {
	out := make([]schemas.Check, len(list))
	for i := range list {
		out[i] = list[i].on(f)
	}
	return out
}

// Quality returns the ids of the checks that data.quality stands on, by their
// outcome. It holds when none failed.
func Quality(list []Check, checks []schemas.Check) map[schemas.CheckStatus][]string {
	by := map[schemas.CheckStatus][]string{}
	for i := range list {
		if c := Find(checks, list[i].ID); list[i].Quality && c != nil {
			by[c.Status] = append(by[c.Status], c.ID)
		}
	}
	return by
}

// Notes returns the checks of status note that bear on what is said of rewards,
// allocation or units, and on which no claim stands but by contradiction.
func Notes(list []Check, checks []schemas.Check) []schemas.Check {
	var out []schemas.Check
	for i := range list {
		if c := Find(checks, list[i].ID); list[i].Note && c != nil && c.Status == schemas.CheckNote {
			out = append(out, *c)
		}
	}
	return out
}
