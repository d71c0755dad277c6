package answers

import (
	"fmt"
	"math"
)

// rate is k of n with twice its standard error, which for none or all is the error of the
// rate (k+1)/(n+2).
func rate(k, n int) string {
	if n == 0 {
		return "–"
	}
	p, q := float64(k)/float64(n), float64(k+1)/float64(n+2)
	if k > 0 && k < n {
		q = p
	}
	return fmt.Sprintf("%.3f ± %.3f", p, 2*math.Sqrt(q*(1-q)/float64(n)))
}
