package policy

import (
	"math"
	"testing"
)

// Python 3.11, mpmath 1.3.0, 40 digits:
// K*log(T)**2*log(K*T*log(T)/d)/e with e and d as decimal literals; e is that of
// the printed algorithm, whose counters run at e/K.
func TestPaper(t *testing.T) {
	for _, tt := range []struct {
		k              int
		horizon        int64
		delta, epsilon float64
		want           float64
	}{
		{20, 500, 0.05, 0.05, 216789.00183842288},
		{10, 100000, 0.05, 400, 63.80407967226542},
		{5, 100000, 0.05, 400, 30.75360367147827},
		{1, 2, 0.5, 1, 0.48995706664443595},
	} {
		b := NewPaper(tt.k, tt.horizon, tt.delta, tt.epsilon/float64(tt.k))
		if ulps(b.Gamma(1), tt.want) > 16 || b.Gamma(1) != b.Gamma(1_000_000) {
			t.Errorf("K = %d, T = %d: γ = %v, want %v", tt.k, tt.horizon, b.Gamma(1), tt.want)
		}
	}
}

// ulps returns |a−b| in units in the last place of b.
func ulps(a, b float64) float64 {
	if a == b {
		return 0
	}
	return math.Abs(a-b) / (math.Nextafter(math.Abs(b), math.Inf(1)) - math.Abs(b))
}
