package analyze_test

import (
	"fmt"

	"banditaudit/analyze"
)

// What an analysis can be asked, by the names that a protocol has for it.
func ExampleKnown() {
	asked := analyze.Known().Asked()
	fmt.Println("tests:", asked.TestNames())
	fmt.Println("corrections:", asked.HeadlineNames())
	fmt.Println("claims:", asked.ClaimKinds())
	// Output:
	// tests: [exact t z welch hoeffding bets bernstein]
	// corrections: [conditional recursion best theorem20]
	// claims: [data.quality allocation.matches_propensity policy.conformance privacy.total privacy.noise privacy.lower_bound bias.bound hypothesis protocol.committed]
}
