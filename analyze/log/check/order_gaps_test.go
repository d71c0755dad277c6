package check

import (
	"strings"
	"testing"

	"banditaudit/schemas"
)

func TestH09(t *testing.T) {
	f := good()
	f.Order = []string{"ts", "position"}
	expect(t, "no gaps", orderGaps().on(f), schemas.Check{ID: "H09", Status: schemas.CheckPass, Observed: "total order by ts, position"})
	f.Order, f.Gaps = []string{"round"}, 3
	expect(t, "gaps", orderGaps().on(f), schemas.Check{
		ID: "H09", Status: schemas.CheckNote, Observed: "total order by round; 3 gaps",
		Detail: "round is not the row before plus 1 in 3 rows; if it counts rounds, rows are missing.",
	})
	f.Gaps = 1
	expect(t, "a gap", orderGaps().on(f), schemas.Check{
		ID: "H09", Status: schemas.CheckNote, Observed: "total order by round; 1 gap",
		Detail: "round is not the row before plus 1 in 1 row; if it counts rounds, rows are missing.",
	})
	f.Gaps, f.Unpadded = 0, []string{"round"}
	if got := orderGaps().on(f); got.Status != schemas.CheckNote || !strings.Contains(got.Detail, "compared byte by byte") {
		t.Errorf("text that looks like numbers: %+v", got)
	}
	f.Unpadded = nil
	f.Gaps, f.Horizon = 0, f.Rounds
	expect(t, "at the horizon", orderGaps().on(f), schemas.Check{ID: "H09", Status: schemas.CheckPass, Observed: "total order by round"})
	f.Horizon = f.Rounds + 1
	expect(t, "short of the horizon", orderGaps().on(f), schemas.Check{
		ID: "H09", Status: schemas.CheckNote, Observed: "total order by round; 1,000 rounds of a declared horizon of 1,001",
		Detail: "The log is shorter or longer than the mechanism was declared for; a fixed stopping rule must account for that.",
	})
}
