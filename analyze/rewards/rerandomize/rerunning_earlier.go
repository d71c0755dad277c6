package rerandomize

import (
	"fmt"
	"math"

	"banditaudit/analyze/stat/randomization"
	"banditaudit/schemas"
)

// earlier is what the rewards of a log have to do with the rounds before them.
type earlier struct {
	carry  float64 // [randomization.CarryOver]
	bound  float64 // above which carry contradicts that an arm changes no later reward
	looked bool    // records change places, and neighbours were looked at
	serial float64 // [randomization.Dependence]
}

// readEarlier looks at the rewards that were read. Of units that own several rows the first
// row of each counts for carry-over: rewards of one unit depend on each other, and tests are
// by units.
func (r *rerunning) readEarlier() earlier {
	out := earlier{bound: randomization.CarryOverBound(r.facts.K(), randomization.CarryOverTail)}
	if r.subject.carryoverDeclared() {
		out.bound = randomization.CarryOverBound(r.facts.K(), randomization.CarryOverDeclaredTail)
	}
	out.carry = randomization.CarryOver(r.log.Arm, r.records.firstRewards(r.log.Reward), r.facts.K())
	if r.none {
		return out
	}
	entries := r.log.Residuals()
	if r.width > 1 {
		entries = randomization.Means(entries, r.width)
	}
	out.looked, out.serial = true, randomization.Dependence(entries, r.blocks)
	return out
}

// carryoverDeclared reports whether it is declared that an arm changes no later reward.
func (s *Subject) carryoverDeclared() bool {
	return s.Protocol.Analysis.Carryover == schemas.CarryoverNone
}

// carryIf is what every run takes for granted of the arms played before a round.
func (s *Subject) carryIf() string {
	if s.carryoverDeclared() {
		return schemas.ValidIfNoneDeclared
	}
	return schemas.ValidIfNoCarryover
}

// carries reports whether rewards follow the arm of the round before.
func (e *earlier) carries() bool { return e.carry > e.bound }

// dependent reports whether rewards follow those just before them.
func (e *earlier) dependent() bool { return e.looked && e.serial > randomization.Dependent }

// against says why records cannot stay what they were, or change places; "" where nothing
// was found.
func (e *earlier) against() string {
	switch {
	case e.carries():
		return fmt.Sprintf("rewards follow the arm of the round before (z = %.3g in blocks of 50 rounds, above %.3g), and a run takes it that an arm changes no later reward (analysis.carryover)", e.carry, e.bound)
	case e.dependent():
		return fmt.Sprintf("A2: rewards are serially dependent within blocks (z = %.3g, above %g): records cannot change places; without that (analysis.rerun.permute: none, where the policy draws) the test holds whatever they follow", e.serial, randomization.Dependent)
	}
	return ""
}

// found is what is told of it beside the answer.
func (r *rerunning) found() Earlier {
	e := &r.before
	out := Earlier{Looked: e.looked, Serial: e.serial, Dependent: e.dependent()}
	if e.carries() && r.subject.carryoverDeclared() {
		out.Carried = fmt.Sprintf("analysis.carryover: none is declared, and rewards follow the arm of the round before (z = %.3g in blocks of 50 rounds, above %.3g)", e.carry, e.bound)
	}
	return out
}

// words say what was looked at and found nothing.
func (e *earlier) words() string {
	return fmt.Sprintf("rewards were not found to follow the arm of the round before (z = %.3g in blocks of 50 rounds, at most %.3g), which shows no other carry-over", e.carry, e.bound)
}

// firstRewards are the rewards of the first row of every unit, NaN elsewhere; all rewards
// where a unit owns one row.
func (r *rerunRecords) firstRewards(rewards []float64) []float64 {
	if r.first == nil {
		return rewards
	}
	out := make([]float64, len(rewards))
	for t, y := range rewards {
		if out[t] = math.NaN(); r.first[t] {
			out[t] = y
		}
	}
	return out
}
