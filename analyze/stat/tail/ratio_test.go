package tail

import (
	"math"
	"testing"
)

// A guess next to 0 beside many successes: 1 + s/a is beyond the numbers. By mpmath of 60
// digits, loggamma(a+s) + loggamma(b) − loggamma(a+b+s) − ln B(a, b) − s·ln(a/(a+b)).
func TestLogBetaRatioNextToZero(t *testing.T) {
	t.Parallel()
	const want = 90232590.6077159961
	if got := LogBetaRatio(7e-307, 1, 128000, 0); math.Abs(got/want-1) > 1e-14 {
		t.Errorf("%v, want %v", got, want)
	}
}
