package policy_test

import (
	"fmt"

	"banditaudit/replay/policy"
	"banditaudit/schemas/param"
)

// The list of all policies is what the protocol's rules, the help and the replay
// read. Each describes its own keys.
func ExampleAll() {
	for _, d := range policy.All() {
		fmt.Println(d.Name, param.Names(d.Keys))
	}
	// Output:
	// uniform []
	// fixed [probabilities]
	// epsilon-greedy [explore epsilon start unseen]
	// ucb [width bonus start unseen]
	// thompson [prior start top min_rows cap]
	// softmax [eta temperature tau of shrink start unseen]
	// inverse-gap [gamma minimise]
	// exp3 [gamma start]
	// successive-elimination [width bonus start]
	// linucb [lambda theta_bound noise_sd width unfit start context_l1]
	// lints [lambda noise_sd theta_bound start context_l1]
}

// With η = 1 the shares of arms with sums 0, ln 2 and ln 5 are 1, 2 and 5 of 8.
func ExampleSoftmax() {
	p := policy.NewSoftmax(3, 1, nil)
	s := policy.NewState(3)
	s.Round = 10
	copy(s.Pulls, []int64{3, 3, 3})
	copy(s.Sums, []float64{0, 0.6931471805599453, 1.6094379124341003})
	for arm := range 3 {
		p.Observe(s, arm)
	}
	shares := make([]float64, 3)
	p.Propensities(s, shares)
	fmt.Printf("%.4f\n", shares)
	// Output: [0.1250 0.2500 0.6250]
}

// An arm that may not be played leaves its probability to the others: 0.3 and 0.2
// of 0.5.
func ExampleFixed() {
	p := policy.NewFixed([]float64{0.5, 0.3, 0.2}, nil)
	s := policy.NewState(3)
	s.Round = 1
	s.Eligible = []bool{false, true, true}
	shares := make([]float64, 3)
	p.Propensities(s, shares)
	fmt.Printf("%.1f\n", shares)
	// Output: [0.0 0.6 0.4]
}

// A floor f over m arms makes f + (1 − m·f)·π of a probability π: with f = 0.1 and
// two arms 0.1 + 0.8·1 and 0.1 + 0.8·0.
func ExampleFloor() {
	s := policy.NewState(2)
	s.Round = 1
	shares := []float64{1, 0}
	policy.NewFloor(0.1, nil).Propensities(s, shares)
	fmt.Printf("%.1f\n", shares)
	// Output: [0.9 0.1]
}
