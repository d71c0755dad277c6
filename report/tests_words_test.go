package report

import (
	"testing"

	"banditaudit/schemas"
)

// TestSubjectOfAllArms: a test of all arms is about what it selected, and an arm whose
// label is empty is named.
func TestSubjectOfAllArms(t *testing.T) {
	for _, c := range []struct {
		test schemas.Test
		want string
	}{
		{schemas.Test{Kind: schemas.TestEqual, Arm: -1, Selector: "all arms"}, "all arms"},
		{schemas.Test{Kind: schemas.TestGiven, Arm: -1, Selector: "a, b"}, "a, b"},
		{schemas.Test{Kind: schemas.TestEqual, Arm: 0, Label: "a", Against: "b", Selector: "a, b"}, "a"},
		{schemas.Test{Kind: schemas.TestMean, Arm: 0, Selector: ""}, "⟨empty⟩"},
	} {
		if got := subject(&c.test); got[0].Text != c.want {
			t.Errorf("%+v: %q, want %q", c.test, got[0].Text, c.want)
		}
	}
}
