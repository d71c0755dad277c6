package check

import (
	"strings"
	"testing"

	"banditaudit/schemas"
)

func TestH02(t *testing.T) {
	expect(t, "no ties", orderTies().on(good()), schemas.Check{ID: "H02", Status: schemas.CheckPass, Observed: "0 ties"})
	f := good()
	f.TiesByFile = true
	expect(t, "file order", orderTies().on(f), schemas.Check{
		ID: "H02", Status: schemas.CheckNote, Observed: "ties settled by file order",
		Detail: "With ties: file-order a row written twice cannot be told from two rounds; add a column to order that makes rows distinct.",
	})
	f = good()
	f.Rounds, f.Repeats = 600, &Repeats{Copies: 2, InRow: 3, Round: 4}
	c := orderTies().on(f)
	if c.Status != schemas.CheckFail || c.Observed != "every row stands 3 times in a row; rows 301 to 600 are rows 1 to 300 again" || schemas.FailingIn(c.Failing) != "500 of 600 rows are earlier ones again (first: round 4)" ||
		!strings.Contains(c.Detail, "2.45 times too narrow") || !strings.Contains(c.Detail, "keep one of every 3 of the first 300 rows.") {
		t.Errorf("%+v", c)
	}
}
