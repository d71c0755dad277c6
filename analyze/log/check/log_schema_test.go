package check

import (
	"testing"

	"banditaudit/schemas"
)

func TestH01(t *testing.T) {
	expect(t, "any tableau", logSchema().on(good()), schemas.Check{
		ID: "H01", Status: schemas.CheckPass, Observed: "5 columns in 3 files",
		Detail: "A log in which this fails is refused before any number is computed.",
	})
}
