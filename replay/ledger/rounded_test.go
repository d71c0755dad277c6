package ledger

import (
	"math"
	"testing"
)

func TestRoundedUp(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 0.1: "0.1", 1.0 / 3: "0.333334", 8.337891560964636: "8.3379", 123456.25: "123457", math.Inf(1): "inf"} {
		if got := RoundedUp(x); got != want {
			t.Errorf("%v is %s, want %s", x, got, want)
		}
	}
}
