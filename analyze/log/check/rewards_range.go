package check

import (
	"fmt"
	"math"
	"strings"

	"banditaudit/schemas"
)

// rewardsRange counts missing, NaN, infinite and out-of-range values, by reason and arm.
// Ingest refuses all but those that the protocol declares how to handle, rewards
// that are clipped and rewards that are missing, and the two nulls that have a
// meaning, of eligible and of reward_order.
func rewardsRange() Check {
	return Check{ID: "H03", Title: "missing, NaN, infinite, out of range", Doc: "are values missing, infinite, or outside what was declared", Expected: "0 rows, or handled as declared", Run: runRewardsRange, Quality: true}
}

func runRewardsRange(f *Inputs, c *schemas.Check) {
	c.Status, c.Observed = schemas.CheckPass, "0 rows"
	var found, detail []string
	for _, reason := range []string{schemas.ReasonMissing, schemas.ReasonClipped, schemas.ReasonAll, schemas.ReasonNever} {
		f.measureReason(c, reason)
		if text := byArm(f, reason); text != "" {
			found = append(found, text)
			detail = append(detail, handled(f, reason))
		}
	}
	if len(found) > 0 {
		c.Observed, c.Detail = strings.Join(found, "; "), strings.Join(detail, " ")
	}
}

// measureReason counts the rows of one reason.
func (f *Inputs) measureReason(c *schemas.Check, reason string) {
	names := map[string]string{
		schemas.ReasonMissing: "rewards_missing", schemas.ReasonClipped: "rewards_clipped",
		schemas.ReasonAll: "eligible_null", schemas.ReasonNever: "reward_order_null",
	}
	total := int64(0)
	for _, n := range f.Counts {
		if n.Reason == reason {
			total += n.Rows
		}
	}
	c.Measure(names[reason], "rows", float64(total), math.NaN())
}

// byArm says how many values one reason counts, in all and of each arm.
func byArm(f *Inputs, reason string) string {
	total := int64(0)
	var arms []string
	for _, n := range f.Counts {
		if n.Reason != reason {
			continue
		}
		total += n.Rows
		arms = append(arms, f.Labels[n.Arm]+" "+schemas.Grouped(n.Rows))
	}
	if total == 0 {
		return ""
	}
	noun := "row"
	if f.AllRewards && (reason == schemas.ReasonMissing || reason == schemas.ReasonClipped) {
		noun = "value"
	}
	return fmt.Sprintf("%s: %s (%s)", reason, schemas.Counted(total, noun), list(arms))
}

func handled(f *Inputs, reason string) string {
	switch {
	case reason == schemas.ReasonClipped:
		return "The protocol declares out_of_range: clip; the mechanism must have clipped the same way before it saw the reward."
	case reason == schemas.ReasonAll:
		return "A null in log.eligible is read as all arms: where fewer could be played, the list has to be written."
	case reason == schemas.ReasonNever:
		return "A null in log.reward_order is read as a reward that the policy never came to know: where it did, the time has to be written."
	case f.Rule == schemas.MissingIndependent:
		return "The protocol declares missing_reward: exclude-independent: rows without a reward stay in the action history and leave every estimate, and whether a reward is known is declared not to depend on it."
	}
	return "The protocol declares missing_reward: exclude: rows without a reward stay in the action history and leave every estimate, which is then about the rewards that are known."
}
