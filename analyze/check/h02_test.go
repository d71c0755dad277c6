package check

import (
	"testing"

	"banditaudit/schemas"
)

func TestH02(t *testing.T) {
	expect(t, "no ties", h02().on(good()), schemas.Check{ID: "H02", Status: schemas.CheckPass, Observed: "0 ties"})
	f := good()
	f.TiesByFile = true
	expect(t, "file order", h02().on(f), schemas.Check{
		ID: "H02", Status: schemas.CheckNote, Observed: "ties settled by file order",
		Detail: "With ties: file-order a row written twice cannot be told from two rounds; add a column to order that makes rows distinct.",
	})
}
