package adaptive

import "fmt"

// badLength is the message of the panic for a caller's slices of unequal
// length, or for a merge of accumulators of different shape.
const badLength = "adaptive: slice length mismatch"

// checkRows refuses a chunk with an arm that does not exist or a propensity
// outside (0, 1]; rows with a negative arm are not looked at.
func checkRows(arms int, arm []int32, p []float64) error {
	if len(arm) != len(p) {
		panic(badLength)
	}
	for t, a := range arm {
		switch {
		case a < 0:
		case int(a) >= arms:
			return fmt.Errorf("adaptive: row %d of the chunk has arm %d, but there are %d arms; declare the missing arms", t, a, arms)
		case !(p[t] > 0 && p[t] <= 1):
			return fmt.Errorf("adaptive: row %d of the chunk has propensity %g, which is not in (0, 1]; correct the log", t, p[t])
		}
	}
	return nil
}
