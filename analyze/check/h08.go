package check

import (
	"fmt"
	"strings"

	"banditaudit/schemas"
)

// named is how many arms a detail names before it counts the rest.
const named = 10

// H08 says that every declared arm was played. An arm that was never played
// has no mean, and a mechanism with fewer arms is another mechanism. Where no
// arm is declared, those of the log are what some experiment of it played, so
// that one which is missing here is noted, and contradicts nothing.
func H08(f *Facts) schemas.Check {
	var never []string
	for a, n := range f.Pulls {
		if n == 0 {
			never = append(never, f.Labels[a])
		}
	}
	c := schemas.Check{
		ID: "H08", Title: "arms never played", Status: schemas.CheckPass,
		Observed: fmt.Sprintf("%d of %s", len(never), count(len(f.Pulls), "arm")), Expected: "0",
	}
	switch {
	case !f.Declared:
		c.Status = schemas.CheckNote
		c.Detail = "Arms were found in the log, so the number of arms is a lower bound; declare arms to check it."
		if len(never) > 0 {
			c.Expected = "not known"
			c.Detail = "Not played here, but in other experiments of this log: " + list(never) + ". " + c.Detail
		}
	case len(never) > 0:
		c.Status = schemas.CheckFail
		c.Detail = "Never played: " + list(never) + ". Take an arm that was not offered out of arms; otherwise rows are missing."
	}
	return c
}

// elsewhere counts arms that were not played here, and are not declared: other
// experiments of the log played them.
func (f *Facts) elsewhere() int {
	n := 0
	for _, pulls := range f.Pulls {
		if !f.Declared && pulls == 0 {
			n++
		}
	}
	return n
}

func list(words []string) string {
	if len(words) <= named {
		return strings.Join(words, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(words[:named], ", "), len(words)-named)
}
