package claims

import (
	"math/big"

	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// Digits and characters of a total in a sentence.
const (
	shortQuotient = 9
	fewDigits     = 10
	manyDigits    = 40
)

// written says a total exactly where that is a short decimal or quotient, in the
// claim's words where the two are equal, and else as a decimal rounded up, with
// as many digits as keep it from above a claim that it does not exceed.
func written(total ledger.Loss, claim schemas.Rational) string {
	if total.IsInf() || claim.Inf() {
		return total.Decimal(fewDigits)
	}
	text, side := total.Decimal(fewDigits), total.Rat().Cmp(claim.Rat())
	switch quotient := total.String(); {
	case parse(text).Cmp(total.Rat()) == 0:
		return text
	case len(quotient) <= shortQuotient:
		return quotient
	case side == 0:
		return claim.String()
	}
	for digits := fewDigits; digits < manyDigits && side < 0 && parse(text).Cmp(claim.Rat()) > 0; digits++ {
		text = total.Decimal(digits + 1)
	}
	return text
}

// parse reads a decimal that this program wrote.
func parse(decimal string) *big.Rat {
	r, _ := new(big.Rat).SetString(decimal)
	return r
}
