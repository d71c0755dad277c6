package allocation

import (
	"testing"

	"banditaudit/schemas"
)

// What a wager on recomputed propensities was on is named.
func TestWageredArm(t *testing.T) {
	t.Parallel()
	arm, unit := &schemas.AllocationTest{Arm: "a b"}, &schemas.AllocationTest{Before: true, Later: 12}
	if got := WageredArm(arm) + BeforeWords(arm) + KeepWords(arm); got != `arm "a b"` && got != "arm a b" {
		t.Error(got)
	}
	if got, want := WageredArm(unit)+BeforeWords(unit)+KeepWords(unit), "the arm of the unit's round before, or on that of the unit's round before (12 later rounds),. Every round is declared to be drawn anew (policy.draw: {by: round}): where one draw serves several rounds of a unit, declare policy.draw: {by: unit}"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}
