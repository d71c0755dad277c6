package allocation

import (
	"banditaudit/schemas"
)

// WageredArm names what the largest wager against recomputed propensities was on.
func WageredArm(t *schemas.AllocationTest) string {
	if t.Before {
		return "the arm of the unit's round before"
	}
	return "arm " + schemas.Named(t.Arm)
}

// BeforeWords say that the arm of the unit's round before was wagered on too; ""
// where it was not.
func BeforeWords(t *schemas.AllocationTest) string {
	if t.Later == 0 {
		return ""
	}
	return ", or on that of the unit's round before (" + schemas.Counted(t.Later, "later round") + "),"
}

// KeepWords say what a contradiction by the arm of the unit's round before looks
// like; "" for another.
func KeepWords(t *schemas.AllocationTest) string {
	if !t.Before {
		return ""
	}
	return ". Every round is declared to be drawn anew (policy.draw: {by: round}): where one draw serves several rounds of a unit, declare policy.draw: {by: unit}"
}
