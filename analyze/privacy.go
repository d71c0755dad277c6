package analyze

import (
	"fmt"
	"math/big"
	"strconv"

	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// Words of the protocol.
const (
	unitUser       = "user"
	definitionZCDP = "zcdp"
	definitionAppr = "approximate"
)

// privacyClaim is the verdict on privacy.total.
func (a *analysis) privacyClaim(f *schemas.Finding) {
	p := a.Protocol.Privacy
	f.Evidence = []string{a.pointer("/privacy")}
	if p == nil {
		f.Statement = "The accounting of the declared mechanism gives at most the claimed ε."
		f.Verdict, f.Reason = schemas.NotApplicable, "no privacy is claimed"
		return
	}
	symbol, claimed := "ε", p.Epsilon
	if p.Definition == definitionZCDP {
		symbol, claimed = "ρ", p.Rho
	}
	f.Statement = fmt.Sprintf("The accounting of the released values of the declared mechanism gives at most %s = %s per %s.", symbol, claimed, p.Unit)
	if p.Definition == definitionAppr && p.Delta != nil {
		f.Statement = fmt.Sprintf("The accounting of the released values of the declared mechanism gives at most ε = %s per %s at δ = %g.", claimed, p.Unit, *p.Delta)
	}
	f.Comparator, f.Threshold = "<=", claimed.String()
	f.ThresholdValue = schemas.Ext(claimed.Float())
	f.Procedure = a.privacyProcedure(p)
	switch {
	case a.Protocol.Log.MissingReward == schemas.MissingExclude:
		f.Verdict, f.Reason = schemas.NotApplicable, selected
	case a.law == nil:
		f.Verdict, f.Reason = schemas.NotEstablished, "no policy with a counter is declared, so there is nothing to account for"
	case p.Unit == unitUser && a.account.LargestUnit == nil:
		f.Verdict, f.Reason = schemas.NotEstablished, "the log does not say which rounds are whose; name the column of the users in log.unit"
	case p.Definition == definitionZCDP:
		a.compareRho(f, claimed)
	default:
		a.comparePrivacy(f, p)
	}
}

// privacyProcedure says how the total is made of the costs of rows.
func (a *analysis) privacyProcedure(p *schemas.Privacy) string {
	how := "exact rational accounting"
	switch p.Definition {
	case definitionZCDP:
		how = "accounting of ρ, rounded up, largest over all action sequences"
	case definitionAppr:
		how = "the smaller of the exact pure ε and of what ρ converts to at δ"
	}
	_, drawn := a.law.(*ledger.PathLaw)
	switch {
	case p.Unit == unitUser:
		return how + ", summed over the rounds of a user"
	case drawn:
		return how + ", summed over the decisions of " + plural(a.Slice.Rows(), "round")
	}
	return how + ", parallel over arms"
}

// share is the number of rounds that one unit of privacy has at most.
func (a *analysis) share() int64 {
	if a.Protocol.Privacy.Unit == unitUser {
		return *a.account.LargestUnit
	}
	return 1
}

// comparePrivacy compares exact rationals; a float would convict ε/2 + k·ε/(2k)
// of exceeding ε. What ρ converts to is a float that was rounded up.
func (a *analysis) comparePrivacy(f *schemas.Finding, p *schemas.Privacy) {
	total := a.law.Epsilon().Times(a.share())
	f.Observed = fmt.Sprintf("ε = %s%s", written(total, p.Epsilon), a.qualify())
	f.ObservedValue = schemas.Ext(total.Float())
	if p.Epsilon.Inf() || !total.IsInf() && total.Rat().Cmp(p.Epsilon.Rat()) <= 0 {
		a.privacyHolds(f, a.tooStrict(total, p.Epsilon))
		return
	}
	if p.Definition == definitionAppr && p.Delta != nil {
		rho := ledger.GroupRho(ledger.Concentrated(a.law), a.share())
		if converted := ledger.Approximate(rho, *p.Delta); converted < total.Up() {
			a.compareRounded(f, "ε", converted, p.Epsilon)
			return
		}
	}
	f.Verdict = schemas.Violated
	f.Reason = fmt.Sprintf("the accounting of the declared mechanism gives ε = %s, not %s", written(total, p.Epsilon), p.Epsilon)
}

// compareRho compares the ρ of the mechanism with the claimed one.
func (a *analysis) compareRho(f *schemas.Finding, claimed schemas.Rational) {
	a.compareRounded(f, "ρ", ledger.GroupRho(ledger.Concentrated(a.law), a.share()), claimed)
}

// rounding bounds by how much a ρ, or what it converts to, was rounded up.
const rounding = 1e-9

// compareRounded compares a number that was rounded up with a claim. It is
// contradicted only by more than the rounding.
func (a *analysis) compareRounded(f *schemas.Finding, symbol string, got float64, claimed schemas.Rational) {
	text := strconv.FormatFloat(got, 'g', 10, 64)
	f.Observed = fmt.Sprintf("%s = %s%s", symbol, text, a.qualify())
	f.ObservedValue = schemas.Ext(got)
	switch {
	case claimed.Inf() || finite(got) && new(big.Rat).SetFloat64(got).Cmp(claimed.Rat()) <= 0:
		a.privacyHolds(f, "")
	case finite(got) && float64(got*(1-rounding)) <= claimed.Float():
		f.Verdict, f.Reason = schemas.NotEstablished, fmt.Sprintf("%s = %s is the claim within the rounding of the accounting", symbol, text)
	default:
		f.Verdict, f.Reason = schemas.Violated, fmt.Sprintf("the accounting of the declared mechanism gives %s = %s, not %s", symbol, text, claimed)
	}
}

func finite(v float64) bool { return v-v == 0 }

// privacyHolds verifies the claim, with what is to be said beside it.
func (a *analysis) privacyHolds(f *schemas.Finding, remark string) {
	f.Verdict, f.Reason = schemas.Verified, remark
	if a.qualify() == "" {
		return
	}
	if remark != "" {
		f.Reason += "; "
	}
	f.Reason += a.doubt()
}

// tooStrict says so where the claim is the number of arms times what the
// accounting gives: whoever split the budget over the arms, as Neel and Roth
// (2018) do, used that many times too much noise.
func (a *analysis) tooStrict(total ledger.Loss, claimed schemas.Rational) string {
	if claimed.Inf() || a.k() < 2 || total.IsZero() || a.share() > 1 || total.Times(int64(a.k())).Rat().Cmp(claimed.Rat()) != 0 {
		return ""
	}
	return fmt.Sprintf("the claim is %d times what the accounting gives: the losses of %d arms are not added, since each row enters the counter of one", a.k(), a.k())
}

// doubt says how far the log supports that the declared mechanism made it.
func (a *analysis) doubt() string {
	if verdict, _ := a.conformance(); verdict == schemas.Violated {
		return "the log contradicts that this mechanism made it"
	}
	return "whether the log came from it is not verified"
}

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
