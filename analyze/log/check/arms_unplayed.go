package check

import (
	"fmt"
	"math"
	"strings"

	"banditaudit/schemas"
)

// named is how many arms a detail names before it counts the rest.
const named = 10

// Unplayed is how likely it was that arms were never played.
type Unplayed struct {
	Source string    // what the probabilities are known from
	LogP   []float64 // by arm: ln of the probability that it is never played; 0 where it was
	Level  float64   // for one arm
}

// armsUnplayed counts the declared arms that were never played. Such an arm has no
// estimate, which is noted; of itself it contradicts nothing, since a policy may
// give an arm up or not come to it. Where the probability of every arm is known
// in every round, the probability of never playing an arm,
//
//	Π_t (1 − p_t(a)),
//
// is a p-value, and the check fails where it is at most 0.001, shared by the
// arms and by the experiments of the log (Bonferroni). Where no arm is declared,
// the arms of the log are all arms that some experiment of it played. An arm that is
// missing here is noted then too.
func armsUnplayed() Check {
	return Check{ID: "H08", Title: "arms never played", Doc: "was an arm never played", Expected: "0", Run: runArmsUnplayed, Quality: true}
}

func runArmsUnplayed(f *Inputs, c *schemas.Check) {
	var never []string
	for a, n := range f.Pulls {
		if n == 0 {
			never = append(never, f.Labels[a])
		}
	}
	c.Status, c.Observed = schemas.CheckPass, fmt.Sprintf("%d of %s", len(never), schemas.Counted(len(f.Pulls), "arm"))
	expected := 0.0
	if !f.Declared {
		expected = math.NaN()
	}
	c.Measure("arms_never_played", "arms", float64(len(never)), expected)
	switch {
	case !f.Declared:
		c.Status = schemas.CheckNote
		c.Detail = "Arms were found in the log, so the number of arms is a lower bound; declare arms to check it."
		if len(never) > 0 {
			c.Expected = "not known"
			c.Detail = "Not played here, but in other experiments of this log: " + list(never) + ". " + c.Detail
		}
	case len(never) > 0:
		f.unplayed(c, never)
	}
}

// unplayed says what it means that declared arms were never played.
func (f *Inputs) unplayed(c *schemas.Check, never []string) {
	c.Status = schemas.CheckNote
	c.Detail = "Never played, and without an estimate: " + list(never) + ". "
	if f.Unplayed == nil {
		c.Expected = "not known"
		c.Detail += "Whether that contradicts anything cannot be said: it takes log.propensity_by_arm, or a policy uniform or fixed."
		return
	}
	u := f.Unplayed
	var missing []string
	worst := 0.0
	for a, logP := range u.LogP {
		worst = min(worst, logP)
		if f.Pulls[a] == 0 && logP <= math.Log(u.Level) {
			missing = append(missing, f.Labels[a])
		}
	}
	level := fmt.Sprintf("%.4g, which is 0.001 shared by %s", u.Level, schemas.Counted(len(f.Pulls), "arm"))
	if f.Experiments > 1 {
		level += " and " + schemas.Counted(f.Experiments, "experiment")
	}
	c.P = schemas.Finite(min(1, float64(len(f.Pulls))*probability(worst)))
	if len(missing) == 0 {
		c.Expected = "an arm may be, by chance"
		c.Detail += fmt.Sprintf("By %s the smallest probability of never playing such an arm is %s; the level is %s.", u.Source, pWords(worst), level)
		return
	}
	c.Status = schemas.CheckFail
	c.Failing = []schemas.Failing{{Kind: schemas.FailingArmUnplayed, Count: int64(len(missing)), Of: int64(len(f.Pulls))}}
	c.Detail += fmt.Sprintf("By %s the probability of never playing an arm is %s (%s), not above the level %s. Take an arm that was not offered out of arms; otherwise rows are missing, or the probabilities are not those that were used.",
		u.Source, pWords(worst), list(missing), level)
}

// elsewhere counts arms that were not played here, and are not declared: other
// experiments of the log played them.
func (f *Inputs) elsewhere() int {
	n := 0
	for _, pulls := range f.Pulls {
		if !f.Declared && pulls == 0 {
			n++
		}
	}
	return n
}

func list(words []string) string {
	if len(words) <= named {
		return strings.Join(words, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(words[:named], ", "), len(words)-named)
}
