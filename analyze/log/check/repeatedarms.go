package check

import (
	"fmt"
	"math"
	"strings"

	"banditaudit/analyze/stat/allocationtest"
	"banditaudit/schemas"
)

// RepeatedArms is what check H17 found of the arm of the unit's round before, where every
// round is declared to be drawn anew and units own several.
type RepeatedArms struct {
	Result   allocationtest.RepeatsResult
	Deficits bool // its propensity is known in every round, so that arms that are played again too seldom are told too
}

// OnUnits is the wager on the arms of units; nil where there is none.
func (s *Splits) OnUnits() *RepeatedArms {
	if s == nil {
		return nil
	}
	return s.Again
}

// Rejected reports whether a wager of check H17 reached its level.
func (s *Splits) Rejected() bool {
	return s != nil && (s.Result.Rejected || s.Again != nil && s.Again.Result.Rejected || s.Odds.Rejected())
}

// logE returns the largest ln e among the wagers of check H17, and ln p of the check: the
// smallest, at most 0, of ln(L/level) − ln e over the wagers, where L is the sum of their
// levels.
func (s *Splits) logE() (logE, logP float64) {
	levels, values := []float64{s.Result.Level}, []float64{s.Result.LogE}
	if s.Again != nil {
		levels, values = append(levels, s.Again.Result.Level), append(values, s.Again.Result.LogE)
	}
	if s.Odds != nil && s.Odds.Looked {
		levels, values = append(levels, s.Odds.Result.Level), append(values, s.Odds.Result.LogE)
	}
	total := 0.0
	for _, level := range levels {
		total += level
	}
	logE = values[0]
	for i, value := range values {
		logE, logP = max(logE, value), min(logP, math.Log(total/levels[i])-value)
	}
	return logE, logP
}

// P returns the p-value of the check as a whole, in [0, 1].
func (s *Splits) P() float64 {
	_, logP := s.logE()
	return probability(logP)
}

// Contradictions name all wagers that reject the logged propensities, or the declared
// probabilities; "" where none does.
func (s *Splits) Contradictions(labels []string) string {
	if s == nil {
		return ""
	}
	var out []string
	if words := s.Contradiction(labels); words != "" {
		out = append(out, words)
	}
	if s.Again != nil && s.Again.Result.Rejected {
		out = append(out, s.Again.deviates())
	}
	if words := s.Odds.deviates(); words != "" {
		out = append(out, words)
	}
	return strings.Join(out, "; ")
}

// deviates says by how much.
func (a *RepeatedArms) deviates() string {
	of := a.plays()
	return of.Words()
}

// observed says what the wager came to; "" where there is none.
func (a *RepeatedArms) observed() string {
	if a == nil || a.Result.Rounds == 0 {
		return ""
	}
	return fmt.Sprintf("; on the arm of the unit's round before %s, below %s", wagerWords(a.Result.LogE), wagerWords(-math.Log(a.Result.Level)))
}

// finds reports whether there is a deviation that would have been found.
func (a *RepeatedArms) finds() bool { return a != nil && !math.IsNaN(a.Result.Least) }

// convicting says from what a rejection comes, and what it looks like.
func (a *RepeatedArms) convicting() string {
	if a == nil || !a.Result.Rejected {
		return ""
	}
	r := &a.Result
	like := "draws that are kept for several rounds of a unit look like this: declare policy.draw: {by: unit} where a unit keeps its arm"
	switch {
	case r.ByPlays:
		return fmt.Sprintf("Rounds are declared to be drawn anew (policy.draw: {by: round}), and how often a unit played an arm in its earlier rounds tells of its next: the average of %s on that is %s, and %s rejects; arms that follow something lasting of a unit look like this, and so do %s. ",
			schemas.Counted(int64(r.Accounts), "wager"), wagerWords(r.LogE), wagerWords(-math.Log(r.Level)), like)
	case r.Underserved:
		like = "turns, and counts that are fixed for each unit, look like this"
	}
	return fmt.Sprintf("Rounds are declared to be drawn anew (policy.draw: {by: round}), and the arm of the unit's round before tells of its next: the average of %s on it is %s, and %s rejects; %s. ",
		schemas.Counted(int64(r.Accounts), "wager"), wagerWords(r.LogE), wagerWords(-math.Log(r.Level)), like)
}

// words say what was looked at, and which deviation would have been found.
func (a *RepeatedArms) words() string {
	if a == nil {
		return ""
	}
	r := &a.Result
	if r.Rounds == 0 {
		return " Half of the level is for the arm of the unit's round before (policy.draw: {by: round}), and there was nothing to look at: every unit has one round, or the tableau holds no order of units."
	}
	out := fmt.Sprintf(" Looked at too, at half of the level: the arm of the unit's round before. It was played again in %s of %s in which it could be.",
		schemas.Grouped(r.Repeated), schemas.Counted(r.Rounds, "later round"))
	if !a.finds() {
		return out + " No deviation of that would be found."
	}
	out += fmt.Sprintf(" Smallest deviation that is found in about three of four logs: %s of its propensity.", share(r.Least))
	if r.Favouring > 0 {
		out += fmt.Sprintf(" An arm that the unit had played more often than expected in all its earlier rounds was played in %s, %s expected.", schemas.Counted(r.Favoured, "round"), schemas.ExpectedCount(r.Favouring))
	}
	if !a.Deficits {
		out += " An arm that is played again too seldom is not looked for: it takes log.propensity_by_arm, or two declared arms."
	}
	return out
}

// AnewWords restrict, behind how often an honest log is accused of its draws, what
// that holds for where no unit is declared, and name the mend.
const AnewWords = "if every round was drawn anew, as it counts where log.unit is not declared: where a user, session or page keeps its arm for several rounds, an honest log is accused too; then name that in log.unit, and declare policy.draw: {by: unit}"

// AnewSentence is AnewWords behind a check that convicts.
const AnewSentence = schemas.LevelHolds + AnewWords + "."

// anewWords are AnewSentence where no unit is declared; else "".
func (f *Inputs) anewWords() string {
	if f.Units != nil {
		return ""
	}
	return AnewSentence
}
