package analyze_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"banditaudit/schemas"
)

// Shares of draws over a floor that is not mixed in are held against their law where no arm
// is at the floor; elsewhere nothing is said, neither of honest ones nor of others.
func TestDrawsOverAFloorOfAKind(t *testing.T) {
	t.Parallel()
	const all, one = "propensity: p, propensity_by_arm: all", "propensity: p"
	thousand := func(int, *rand.Rand) int64 { return 1000 }
	for _, c := range []struct {
		kind  string
		arms  int
		floor float64
		log   string
		eta   float64
		want  schemas.Verdict
		words string
	}{
		{"clip", 4, 0.01, all, 0.004, schemas.Consistent, "estimated by 1,000 draws"},
		{"water", 4, 0.01, all, 0.004, schemas.Consistent, "estimated by 1,000 draws"},
		{"rest", 4, 0.01, all, 0.004, schemas.Consistent, "estimated by 1,000 draws"},
		{"clip", 4, 0.01, all, 0.008, schemas.Violated, "no shares of 1,000 draws"},
		{"water", 4, 0.01, all, 0.008, schemas.Violated, "no shares of 1,000 draws"},
		{"clip", 4, 0.2, all, 0.004, schemas.NotEstablished, "policy.floor: {kind: clip, value: 0.2}"},
		{"water", 4, 0.2, all, 0.004, schemas.NotEstablished, "policy.floor: {kind: water, value: 0.2}"},
		{"rest", 4, 0.2, all, 0.008, schemas.NotEstablished, "policy.floor: {kind: rest, value: 0.2}"},
		{"clip", 4, 0.01, one, 0.004, schemas.NotEstablished, "log.propensity_by_arm"},
		{"clip", 2, 0.01, one, 0.004, schemas.Consistent, "estimated by 1,000 draws"},
	} {
		t.Run(fmt.Sprintf("%s %v %v %s", c.kind, c.floor, c.eta, c.want), func(t *testing.T) {
			t.Parallel()
			l, _ := numbered{arms: c.arms, updates: 60, number: thousand, floor: c.floor, kind: c.kind}.log(1)
			protocol := numberedProtocol(c.arms, c.log, "n", c.floor)
			protocol = strings.NewReplacer("propensity_draws: {column: n}", "propensity_draws: 1000", "eta: 0.004", fmt.Sprintf("eta: %g", c.eta),
				fmt.Sprintf("floor: %g", c.floor), fmt.Sprintf("floor: {kind: %s, value: %g}", c.kind, c.floor)).Replace(protocol)
			found := audited(t, l, protocol)
			d := found.First().Replay.Propensities.Draws
			if v := found.Verdict(schemas.KindConformance); v != c.want || d == nil || !strings.Contains(d.Words, c.words) {
				t.Errorf("%s, want %s: %+v", v, c.want, d)
			}
		})
	}
}
