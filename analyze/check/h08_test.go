package check

import (
	"strconv"
	"testing"

	"banditaudit/schemas"
)

func TestH08(t *testing.T) {
	f := good()
	expect(t, "all played", H08(f), schemas.Check{ID: "H08", Status: schemas.CheckPass, Observed: "0 of 2 arms"})

	f.Declared = false
	expect(t, "found in the log", H08(f), schemas.Check{
		ID: "H08", Status: schemas.CheckNote, Observed: "0 of 2 arms",
		Detail: "Arms were found in the log, so the number of arms is a lower bound; declare arms to check it.",
	})

	f.Pulls = []int64{0, 1000}
	expect(t, "one that other experiments of the log played", H08(f), schemas.Check{
		ID: "H08", Status: schemas.CheckNote, Observed: "1 of 2 arms",
		Detail: "Not played here, but in other experiments of this log: a. Arms were found in the log, so the number of arms is a lower bound; declare arms to check it.",
	})

	f.Declared = true
	expect(t, "a declared one never played", H08(f), schemas.Check{
		ID: "H08", Status: schemas.CheckFail, Observed: "1 of 2 arms",
		Detail: "Never played: a. Take an arm that was not offered out of arms; otherwise rows are missing.",
	})

	f.Labels, f.Pulls = nil, nil
	for i := range 12 {
		f.Labels, f.Pulls = append(f.Labels, strconv.Itoa(i)), append(f.Pulls, 0)
		if i == 9 {
			expect(t, "as many as are named", H08(f), schemas.Check{
				ID: "H08", Status: schemas.CheckFail, Observed: "10 of 10 arms",
				Detail: "Never played: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9. Take an arm that was not offered out of arms; otherwise rows are missing.",
			})
		}
	}
	expect(t, "many never played", H08(f), schemas.Check{
		ID: "H08", Status: schemas.CheckFail, Observed: "12 of 12 arms",
		Detail: "Never played: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more. Take an arm that was not offered out of arms; otherwise rows are missing.",
	})
}
