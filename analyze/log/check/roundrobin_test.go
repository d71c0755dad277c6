package check

import (
	"strings"
	"testing"

	"banditaudit/schemas"
)

// Counts that are fixed are named where H17 contradicts the propensities, and nowhere
// else.
func TestDealt(t *testing.T) {
	t.Parallel()
	const words = "Counts are fixed: every run of 3 rounds, from the first round on, plays a 1 time, b 2 times. "
	for follows, status := range map[int]schemas.CheckStatus{0: schemas.CheckPass, 400: schemas.CheckFail} {
		f := split2(follows, true)
		f.Splits.Dealt = &RoundRobin{Length: 3, Counts: []int64{1, 2}}
		if got := allocationSubgroups().on(f); got.Status != status || strings.Contains(got.Detail, words) != (follows > 0) {
			t.Errorf("%d: %+v", follows, got)
		}
	}
	many := &RoundRobin{Length: 9, Counts: make([]int64, 9)}
	if got := many.Words(strings.Fields("a b c d e f g h i")); !strings.Contains(got, "plays each arm as often as the first of these runs does. ") {
		t.Error(got)
	}
}
