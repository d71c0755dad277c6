package schemas

import (
	"banditaudit/replay/counter"
	"banditaudit/replay/policy"
)

// standard is the catalogue of this program.
func standard() *Catalogue {
	return &Catalogue{Policies: policy.Formats(policy.All()), Counters: counter.Formats(counter.All())}
}
