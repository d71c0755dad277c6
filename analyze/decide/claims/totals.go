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

// Digits of what somebody loses in a sentence, at least.
const plainDigits = 4

// atMost says a bound from above as a decimal that is rounded up, and above a claim only
// where the bound is.
func atMost(bound ledger.Loss, claim schemas.Rational) string {
	digits := plainDigits
	for !claim.Inf() && digits < manyDigits && bound.Rat().Cmp(claim.Rat()) <= 0 && parse(bound.Decimal(digits)).Cmp(claim.Rat()) > 0 {
		digits++
	}
	return bound.Decimal(digits)
}

// atLeast says a bound from below as a decimal that is rounded down, and not above a claim
// only where the bound is not.
func atLeast(bound ledger.Loss, claim schemas.Rational) string {
	digits := plainDigits
	for !claim.Inf() && digits < manyDigits && bound.Rat().Cmp(claim.Rat()) > 0 && parse(bound.Below(digits)).Cmp(claim.Rat()) <= 0 {
		digits++
	}
	return bound.Below(digits)
}
