package allocation

import (
	"testing"
)

// TestExplainable: rounds times arms are bounded over all experiments, but for
// what each may take.
func TestExplainable(t *testing.T) {
	for _, c := range []struct {
		rounds            int64
		arms, experiments int
		want              int64
	}{
		{100, 3, 1, 100},
		{1 << 20, 2, 1, explainRows},
		{1 << 17, 32, 1, 1 << 17},
		{1 << 17, 1000, 1, 4194},
		{1 << 17, 1000, 1000, 262},
		{1 << 17, 8, 1 << 20, 1 << 15},
		{1 << 17, 1 << 30, 1, 1},
		{5, 2, 0, 5},
	} {
		if got := explainable(c.rounds, c.arms, c.experiments); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}
