package world_test

import (
	"fmt"

	"banditaudit/cmd/banditlab/world"
	"banditaudit/replay"
)

// Worlds and faults are lists, which help and simulate read.
func ExampleFaults() {
	fmt.Println(world.Standard().Takers(""))
	for _, f := range world.Faults() {
		fmt.Println(f.Name)
	}
	// Output:
	// [bernoulli beta gaussian linear drift]
	// no-noise
	// redraw
	// half-scale
	// noise-on-mean
	// noise-over-n-twice
	// log2-levels
	// wrong-arm-stream
	// fresh-prefixes
	// extra-update
	// propensity-uniform
	// propensity-stale
	// propensity-swapped
	// propensity-loglik
}

// What an arm pays in a round was fixed before the first: it depends on the seed,
// the round and the arm, and not on what was played or asked before.
func ExampleNewBernoulli() {
	means := []float64{0.2, 0.7}
	one := world.NewBernoulli(means, 0, replay.Seed(1), "cta")
	other := world.NewBernoulli(means, 0, replay.Seed(1), "cta")
	same := true
	for t := int64(1); t <= 100; t++ {
		one.Context(t, nil)
		other.Context(t, nil)
		if t%2 == 0 {
			one.Reward(t, 0)
		}
		same = same && one.Reward(t, 1) == other.Reward(t, 1)
	}
	fmt.Println(same)
	fmt.Printf("playing arm 0 loses %.1f\n", one.Regret(100, 0))
	// Output:
	// true
	// playing arm 0 loses 0.5
}
