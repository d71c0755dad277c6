package regress_test

import (
	"fmt"
	"math"

	"banditaudit/analyze/stat/hypothesis"
	"banditaudit/analyze/stat/moments"
	"banditaudit/analyze/stat/regress"
)

// Six rows at x = 0 are 2 ± 1, six at x = 1 are 6 ± 2: the line is 2 + 4·x. Every
// row has leverage 1/6, so that HC3 counts a residual e as 1.2·e. The variance of
// the mean at 0 is 6·1.2²·1²/6² = 0.24, of that at 1 it is 0.96, and of the slope
// 1.20. The classical error takes one variance for all, 30/10: 3·(1/6 + 1/6) = 1.
// Student's law with 10 degrees of freedom gives p, here of t = 4:
//
//	python3 -c "t=4; c=10/(10+t*t)
//	print(1-t/(10+t*t)**.5*(1+c/2+3*c**2/8+5*c**3/16+35*c**4/128))"
func ExampleFit() {
	x := [][]float64{{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1}}
	y := []float64{1, 3, 1, 3, 1, 3, 4, 8, 4, 8, 4, 8}
	c := moments.NewCross(1)
	c.AddBlock(x, y, nil)
	m := regress.Fit(c, []string{"x"}, true)

	robust, err := regress.NewSandwich(m, regress.HC3)
	if err != nil {
		fmt.Println(err)
		return
	}
	robust.AddBlock(x, y, nil) // the second pass
	for _, table := range []regress.Table{m.Classical(), robust.Table()} {
		for _, b := range table.Coefficients {
			p := math.Exp(b.Test(0, hypothesis.TwoSided, math.Log(0.05)).LogP)
			fmt.Printf("%-9s %-11s %.3f, variance %.2f, p = %.4f\n", table.Kind, b.Name, b.Estimate, b.StdErr*b.StdErr, p)
		}
	}
	// Output:
	// classical (intercept) 2.000, variance 0.50, p = 0.0179
	// classical x           4.000, variance 1.00, p = 0.0025
	// HC3       (intercept) 2.000, variance 0.24, p = 0.0022
	// HC3       x           4.000, variance 1.20, p = 0.0045
}

// A column that others make up is left out, by name: minutes are 60·hours. The
// coefficient of hours is that of y = 1 + 2·hours.
func ExampleFit_dropped() {
	c := moments.NewCross(2)
	c.AddBlock([][]float64{{1, 2, 3, 4}, {60, 120, 180, 240}}, []float64{3, 5, 7, 9}, nil)
	m := regress.Fit(c, []string{"hours", "minutes"}, true)
	fmt.Println("kept", m.Kept, "dropped", m.Dropped)
	fmt.Printf("%.6f\n", m.Estimates)
	// Output:
	// kept [(intercept) hours] dropped [minutes]
	// [1.000000 2.000000]
}
