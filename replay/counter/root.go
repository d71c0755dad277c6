package counter

import (
	"math"
	"math/big"
)

// integerRoot returns ⌊x^{1/n}⌋ for x ≥ 0 and n ≥ 1, when that is below 2^62. A
// float makes the first guess, and integers correct it, so that the result is
// exact and the same on every machine.
//
// Special cases are:
//
//	x = 0 gives 0
func integerRoot(x *big.Int, n int64) int64 {
	if x.Sign() == 0 {
		return 0
	}
	shift := max(0, x.BitLen()-64)
	lead, _ := new(big.Float).SetInt(new(big.Int).Rsh(x, uint(shift))).Float64()
	r := int64(math.Exp2((math.Log2(lead) + float64(shift)) / float64(n)))
	exceeds := func(r int64) bool {
		return new(big.Int).Exp(big.NewInt(r), big.NewInt(n), nil).Cmp(x) > 0
	}
	for exceeds(r) {
		r--
	}
	for !exceeds(r + 1) {
		r++
	}
	return r
}
