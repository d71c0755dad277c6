package analyze

import (
	"strings"

	"banditaudit/schemas"
)

// stoppedByReleases stands against forms whose allowance grows with the number
// of rounds and must be a number fixed before the data.
const stoppedByReleases = "A8: this form's allowance, ρ of a round times the number of rounds, must be fixed before the data, and the experiment was stopped by released values (experiment.stopping)"

// warnSlopes says what stands against the F test of all slopes. Warnings of
// single coefficients stand beside those.
func (f *fits) warnSlopes(out *schemas.Regression, why string) {
	if !strings.HasPrefix(why, "Wald test: ") {
		return
	}
	f.warn(f.regressionWords(out.Name, out.Arm) + ", F of all slopes: " + why)
}
