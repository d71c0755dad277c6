package ledger

import (
	"math/big"
	"strconv"
)

// RoundedUp writes a loss with 6 digits, rounded up from the shortest decimal
// that reads as x: 0.1 stays 0.1.
func RoundedUp(x float64) string {
	r, ok := new(big.Rat).SetString(strconv.FormatFloat(x, 'g', -1, 64))
	if !ok {
		return "inf"
	}
	return NewLoss(r).Decimal(6)
}
