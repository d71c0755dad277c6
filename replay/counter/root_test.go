package counter

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// r^n ≤ x < (r+1)^n, at powers, beside them, and anywhere.
func TestIntegerRoot(t *testing.T) {
	if got := integerRoot(new(big.Int), 3); got != 0 {
		t.Errorf("root of 0: %d", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(1, 200).Draw(t, "n")
		base := rapid.Int64Range(1, 1<<56).Draw(t, "base")
		x := new(big.Int).Exp(big.NewInt(base), big.NewInt(n), nil)
		switch rapid.IntRange(0, 2).Draw(t, "where") {
		case 1:
			x.Sub(x, big.NewInt(1))
		case 2:
			x.Add(x, new(big.Int).Rsh(x, uint(rapid.IntRange(1, 80).Draw(t, "shift"))))
		}
		r := integerRoot(x, n)
		power := func(r int64) *big.Int { return new(big.Int).Exp(big.NewInt(r), big.NewInt(n), nil) }
		if power(r).Cmp(x) > 0 || power(r+1).Cmp(x) <= 0 {
			t.Fatalf("root %d of %s is not %d", n, x, r)
		}
	})
}
