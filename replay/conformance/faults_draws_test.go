package conformance_test

import (
	"fmt"
	"slices"
	"testing"

	"banditaudit/cmd/banditlab/faults"
	"banditaudit/schemas"
)

// Every fault of the page that its propensities convict is convicted with
// log.propensity_draws too, whatever number is declared, and an honest log whose
// propensities are exact is not.
func TestFaultsOfSharesAreConvicted(t *testing.T) {
	t.Parallel()
	exact := faults.Mechanisms()[3]
	for _, fault := range []string{"extra-update", "propensity-uniform", "propensity-stale", "propensity-swapped", ""} {
		for _, keys := range []string{"", "propensity_draws: 100", "propensity_draws: 1000", "propensity_draws: 1000000", "propensity_draws: unknown"} {
			t.Run(fmt.Sprintf("%s %s", fault, keys), func(t *testing.T) {
				t.Parallel()
				found, err := faults.Case{Mechanism: exact, Faults: fault}.Keyed(2000, keys)
				if err != nil {
					t.Fatal(err)
				}
				if got := slices.Contains(found.Claims, schemas.KindConformance); got != (fault != "") {
					t.Errorf("%+v", found)
				}
				t.Log(found.Words)
			})
		}
	}
}
