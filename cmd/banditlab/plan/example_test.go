package plan_test

import (
	"context"
	"fmt"

	"banditaudit/cmd/banditlab/plan"
	"banditaudit/schemas"
)

// Over 10,000 rounds ε = 0.02 pulls a mean in [0, 1] by at most tanh(0.005) = 0.0050,
// and σ = 0.02·√10000/2 = 1. From that p = 10⁻⁶ becomes exp(−½·(√(2·ln 10⁶) − 1)²):
//
//	python3 -c "from math import *; print(exp(-.5*(sqrt(2*log(1e6))-1)**2))"
//
// Nothing is simulated where no arms are given.
func ExampleRun() {
	p, err := plan.Run(context.Background(), plan.Question{
		Rounds: 10_000, Epsilons: []schemas.Rational{schemas.MustRational("0.02")}, P: 1e-6,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("bias at most %.4f\n", *p.BiasBound)
	fmt.Printf("σ = %g, p = %.2g becomes %.3g\n", *p.Sigma, p.P, *p.PCorrected)
	// Output:
	// bias at most 0.0050
	// σ = 1, p = 1e-06 becomes 0.000116
}
