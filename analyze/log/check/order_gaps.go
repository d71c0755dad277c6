package check

import (
	"fmt"
	"strings"

	"banditaudit/schemas"
)

// orderGaps says that the declared columns put the rows into one order. Gaps in a
// single whole-number order column are noted: a round counter with a gap has
// lost rows, an event number may have gaps by nature.
func orderGaps() Check {
	return Check{ID: "H09", Title: "order, gaps, ties", Doc: "can the rounds be put in one order", Expected: "a total order", Run: runOrderGaps, Quality: true}
}

func runOrderGaps(f *Inputs, c *schemas.Check) {
	c.Status, c.Observed = schemas.CheckPass, "total order by "+strings.Join(f.Order, ", ")
	c.Measure("gaps", "rows", float64(f.Gaps), 0)
	if f.Horizon > 0 {
		c.Measure("rounds", "rounds", float64(f.Rounds), float64(f.Horizon))
	}
	if f.Gaps > 0 {
		c.Status = schemas.CheckNote
		c.Observed += "; " + schemas.Counted(f.Gaps, "gap")
		c.Detail = fmt.Sprintf("%s is not the row before plus 1 in %s; if it counts rounds, rows are missing.", f.Order[0], rows(f.Gaps))
	}
	if words := Unpadded(f.Unpadded); words != "" {
		c.Status = schemas.CheckNote
		c.Observed += "; text that looks like numbers"
		c.Detail = strings.TrimSpace(c.Detail + " " + words + ".")
	}
	if f.Horizon > 0 && f.Horizon != f.Rounds {
		c.Status = schemas.CheckNote
		c.Observed += fmt.Sprintf("; %s of a declared horizon of %s", schemas.Counted(f.Rounds, "round"), schemas.Grouped(f.Horizon))
		c.Detail = strings.TrimSpace(c.Detail + " The log is shorter or longer than the mechanism was declared for; a fixed stopping rule must account for that.")
	}
}

// Unpadded says that rounds are ordered by texts that look like numbers, where the order of
// the numbers is another; "" where no column is so.
func Unpadded(columns []string) string {
	if len(columns) == 0 {
		return ""
	}
	return fmt.Sprintf("order key %s is text and compared byte by byte (10 comes before 9); its values look like numbers of unequal length: write them as numbers, or of equal length", schemas.Quoted(columns[0]))
}
