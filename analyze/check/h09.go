package check

import (
	"fmt"
	"strings"

	"banditaudit/schemas"
)

// h09 says that the declared columns put the rows into one order. Gaps in a
// single whole-number order column are noted: a round counter with a gap has
// lost rows, an event number may have gaps by nature.
func h09() Check {
	return Check{ID: "H09", Title: "order, gaps, ties", Expected: "a total order", Run: runH09, Quality: true}
}

func runH09(f *Facts, c *schemas.Check) {
	c.Status, c.Observed = schemas.CheckPass, "total order by "+strings.Join(f.Order, ", ")
	if f.Gaps > 0 {
		c.Status = schemas.CheckNote
		c.Observed += "; " + schemas.Counted(f.Gaps, "gap")
		c.Detail = fmt.Sprintf("%s is not the row before plus 1 in %s; if it counts rounds, rows are missing.", f.Order[0], rows(f.Gaps))
	}
	if f.Horizon > 0 && f.Horizon != f.Rounds {
		c.Status = schemas.CheckNote
		c.Observed += fmt.Sprintf("; %s of a declared horizon of %s", schemas.Counted(f.Rounds, "round"), schemas.Grouped(f.Horizon))
		c.Detail = strings.TrimSpace(c.Detail + " The log is shorter or longer than the mechanism was declared for; a fixed stopping rule must account for that.")
	}
}
