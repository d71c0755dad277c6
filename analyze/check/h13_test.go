package check

import (
	"testing"

	"banditaudit/schemas"
)

func TestH13(t *testing.T) {
	expect(t, "not there", h13().on(good()), schemas.Check{ID: "H13", Status: schemas.CheckNotRun, Detail: "This version does not have it."})
}
