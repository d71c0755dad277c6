package check

import (
	"fmt"
	"math"

	"banditaudit/analyze/stat/drift"
	"banditaudit/schemas"
)

// Drift are the facts about whether means move.
type Drift struct {
	Arms        []drift.Result // of rewards rescaled to [0, 1]
	Lo, Hi      float64        // declared range of the reward
	FirstOfUnit bool           // of the first row of each unit alone
	Binary      bool           // rewards are 0 or 1 by type
	Contexts    bool           // there are contexts
}

// driftMeans looks whether the mean of an arm moves, by [allocationtest.Drift]: the known
// rewards of each arm in the order of plays, whenever they became known, rescaled
// to [0, 1] by the declared range, at level .05 over all arms of the experiment
// (Holm). The level is not shared among experiments: what is found is a note, and
// can only take a decision away, from tests that compare arms. Honest logs are
// noted in fewer than one of a thousand. P is the smallest adjusted p; the
// statistic is the number of arms that move.
//
// Special cases are:
//
//	units own several rows: the first row of each unit counts alone
//	a reward is missing: the row does not count
func driftMeans() Check {
	return Check{ID: "H13", Title: "reward drift by arm", Doc: "does the mean reward of an arm move over time", Expected: "no mean is found to move", Run: runDriftMeans, Note: true}
}

func runDriftMeans(f *Inputs, c *schemas.Check) {
	var moving []string
	least := 0.0
	for a := range f.Drift.Arms {
		if f.Drift.Arms[a].Drifts {
			moving = append(moving, f.Labels[a]+" "+f.Drift.P(a))
		}
		least = min(least, f.Drift.Arms[a].LogP)
	}
	k := len(f.Drift.Arms)
	c.Status, c.Observed = schemas.CheckPass, fmt.Sprintf("the mean moves in %d of %s", len(moving), schemas.Counted(k, "arm"))
	c.Statistic, c.P = schemas.Finite(float64(len(moving))), schemas.Finite(min(1, float64(k)*probability(least)))
	c.Measure("arms_whose_mean_moves", "arms", float64(len(moving)), 0)
	c.Detail = f.driftMethod()
	if len(moving) > 0 {
		c.Status = schemas.CheckNote
		c.Observed += ": " + list(moving)
		c.Detail += f.driftMeans()
	}
	c.Detail += " " + f.Drift.steps(f.Labels)
}

// driftMethod says how it was looked.
func (f *Inputs) driftMethod() string {
	words := fmt.Sprintf("Rewards in the order of plays, at level %g over all arms (Holm)", drift.DriftLevel)
	if f.Drift.FirstOfUnit {
		words += ", the first row of each unit alone"
	}
	if !f.Drift.Binary {
		words += "; rewards weigh as if they were 0 or 1, so that less is found of rewards that spread less"
	}
	return words + "."
}

// driftMeans says what a moving mean means.
func (f *Inputs) driftMeans() string {
	words := " Arms that were played at different times differ by that alone."
	if f.Drift.Contexts {
		words += " The mean is that over contexts as they came: another mix of them moves it too."
	}
	if f.Units == nil {
		words += " Rows that depend on each other, such as several of one unit that is not declared (log.unit), look like it."
	}
	return words
}

// steps says what would have been found.
func (d *Drift) steps(labels []string) string {
	words := make([]string, len(d.Arms))
	for a := range d.Arms {
		words[a] = labels[a] + " " + d.Step(a)
	}
	return "A step of the mean at half of an arm's plays is found in four of five logs from this size on: " + list(words) +
		". Such a step in the first or last quarter of its plays is found in 10 to 99 % of logs, one in the first or last tenth in at most 30 %. A smaller drift is not seen, and arms may share it."
}

// P says the p of an arm, before it is adjusted over the arms.
func (d *Drift) P(arm int) string { return "(p " + pWords(d.Arms[arm].LogP) + ")" }

// Step says from which size on a step of an arm's mean is found.
func (d *Drift) Step(arm int) string {
	r := &d.Arms[arm]
	if math.IsNaN(r.Step) {
		return fmt.Sprintf("none (%s)", schemas.Counted(int(r.N), "play"))
	}
	return fmt.Sprintf("%.2g (%s, mean %.3g)", float64(r.Step*(d.Hi-d.Lo)), schemas.Counted(int(r.N), "play"), d.Lo+float64(r.Mean*(d.Hi-d.Lo)))
}
