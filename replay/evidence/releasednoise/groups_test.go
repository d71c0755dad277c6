package releasednoise

import (
	"testing"

	"banditaudit/schemas"
)

// TestLargest: results hold at most so many groups, those of most draws, in their
// order.
func TestLargest(t *testing.T) {
	groups := make([]schemas.NoiseGroup, mostGroups+3)
	for i := range groups {
		groups[i] = schemas.NoiseGroup{Scale: float64(i), Draws: 10}
	}
	if got := largest(groups[:mostGroups]); len(got) != mostGroups {
		t.Errorf("%d groups are kept of %d", len(got), mostGroups)
	}
	groups[1].Draws, groups[5].Draws, groups[mostGroups+2].Draws = 9, 9, 11
	got := largest(groups)
	if len(got) != mostGroups || got[0].Scale != 0 || got[1].Scale != 2 || got[4].Scale != 6 || got[mostGroups-1].Scale != mostGroups+2 {
		t.Errorf("kept %d, which begin %v and end %v", len(got), got[:6], got[mostGroups-1])
	}
	for i := 1; i < len(got); i++ {
		if got[i].Scale <= got[i-1].Scale {
			t.Fatalf("group %d is out of order", i)
		}
	}
}
