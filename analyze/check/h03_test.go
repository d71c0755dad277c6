package check

import (
	"testing"

	"banditaudit/schemas"
)

func TestH03(t *testing.T) {
	expect(t, "nothing clipped", H03(good()), schemas.Check{ID: "H03", Status: schemas.CheckPass, Observed: "0 rows"})
	f := good()
	f.Clipped = 1
	expect(t, "clipped", H03(f), schemas.Check{
		ID: "H03", Status: schemas.CheckPass, Observed: "1 row of the log clipped to the reward range",
		Detail: "The protocol declares out_of_range: clip; the mechanism must have clipped the same way before it saw the reward.",
	})
}
