package claims

import (
	"fmt"
	"math/big"
	"strconv"

	"banditaudit/analyze/decide/validity"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
	"banditaudit/schemas/param"
)

// privacyClaim is that the declared mechanism loses no more than is claimed.
func privacyClaim() Claim {
	return Claim{Claim: param.Claim{Kind: schemas.KindPrivacyTotal, Asks: "whether the declared mechanism keeps to the privacy that is claimed", Broken: "the declared mechanism does not keep to the privacy that is claimed", Needs: []param.Need{param.NeedPrivacy}, Unseen: unseenPrivacy()}, Implied: implied, Decide: (*Findings).decidePrivacy}
}

// unseenPrivacy is what would pass privacy.total, which is about the accounting of
// what is declared.
func unseenPrivacy() []param.Unseen {
	return []param.Unseen{{Words: []string{
		"another mechanism than the declared one, as far as policy.conformance does not find it",
		"noise that was known to others, or drawn twice, where no released values are logged",
		"rewards that contexts, batches, delays, eligible arms or the end of the log have read, where the protocol says that they have not",
		"what the log itself, and whatever is published beside the released values, tells of rewards",
	}}}
}

// decidePrivacy is the verdict on privacy.total.
func (v *Findings) decidePrivacy(f *schemas.Finding, _ *schemas.Claim) {
	p := v.Protocol.Privacy
	f.Evidence = []string{pointer(v.Facts.Log, "/privacy")}
	if p == nil {
		f.Statement = "The accounting of the declared mechanism gives at most the claimed ε."
		f.Verdict, f.Reason = schemas.NotApplicable, "no privacy is claimed"
		return
	}
	symbol, claimed := "ε", p.Epsilon
	f.Unit = "epsilon"
	if p.Definition == schemas.DefinitionZCDP {
		symbol, claimed, f.Unit = "ρ", p.Rho, "rho"
	}
	f.Statement = v.privacyStatement(p, symbol, claimed)
	f.Comparator, f.Threshold = "<=", claimed.String()
	f.ThresholdValue = schemas.Ext(claimed.Float())
	f.Procedure = v.privacyProcedure(p)
	switch {
	case v.Protocol.Program != nil:
		f.Verdict, f.Reason = schemas.NotApplicable, validity.NoLedger
	case v.Protocol.Log.MissingReward == schemas.MissingExclude:
		f.Verdict, f.Reason = schemas.NotApplicable, validity.Selected().String()
	case v.Ledger == nil:
		f.Verdict, f.Reason = schemas.NotEstablished, "no policy with a counter is declared, so there is nothing to account for"
	case v.Protocol.Experiment.Stopping == schemas.StoppingReleased && v.Protocol.Counter == nil:
		f.Verdict, f.Reason = schemas.NotEstablished, "the experiment was stopped by a rule on released values, and the counter that released them is not declared"
	case v.Protocol.Counter == nil && publiclog.SetByReleased(v.Protocol) != "":
		f.Verdict, f.Reason = schemas.NotEstablished, "released values decided a column of the log ("+publiclog.SetByReleased(v.Protocol)+"), and the counter that released them is not declared"
	case v.Evidence.Accounts.Against != nil: // what its rows cost is not bounded
	case p.Unit == schemas.UnitUser && v.Accounting.LargestUnit == nil:
		f.Verdict, f.Reason = schemas.NotEstablished, "the log does not say which rounds are whose; name the column of the users in log.unit"
	case p.Unit == schemas.UnitUser && v.Facts.Sampled.Dropped():
		f.Verdict, f.Reason = schemas.NotEstablished, "how many rounds a user had is not known: "+v.Facts.Sampled.Gone()
	case p.Definition == schemas.DefinitionZCDP:
		v.compareRounded(f, "ρ", v.rho(), claimed)
	case v.userLoss() != nil:
		v.compareUser(f, p)
	default:
		v.comparePrivacy(f, p)
	}
	v.alone(f)
	if why := v.Evidence.Another(); why != "" && f.Verdict != schemas.NotApplicable {
		ofAnother(f, why)
	}
}

// alone says so where the log may give away more than the declared mechanism does.
func (v *Findings) alone(f *schemas.Finding) {
	beyond := v.Evidence.BeyondLedger()
	if beyond == "" || f.Observed == "" {
		return
	}
	if v.Evidence.Qualify() == "" {
		f.Observed += " of the declared mechanism"
	}
	f.Observed += " alone: " + beyond
}

// ofAnother takes back what was found of the declared mechanism where the log
// contradicts that it made it: no number of it is one of the mechanism that ran.
func ofAnother(f *schemas.Finding, another string) {
	why := "the accounting is of what the declared mechanism releases, and it did not write this log (" + another + ")"
	if f.Verdict != schemas.Verified && f.Reason != "" {
		why += "; of that mechanism: " + f.Reason
	}
	f.Verdict, f.Reason, f.Observed, f.ObservedValue = schemas.NotEstablished, why, "", nil
}

// privacyStatement is what the claim states, of what and of whom.
func (v *Findings) privacyStatement(p *schemas.Privacy, symbol string, claimed schemas.Rational) string {
	of, at, end := "the released values of the declared mechanism", "", "."
	if p.Definition == schemas.DefinitionApproximate && p.Delta != nil {
		at = fmt.Sprintf(" at δ = %g", *p.Delta)
	}
	unit := p.Unit
	if unit == schemas.UnitUser {
		unit += " in this experiment"
	}
	if v.Evidence.Accounts.ByDraws() {
		of, end = "the declared mechanism", ", of the actions alone: released values or propensities that others see void it."
	}
	return fmt.Sprintf("The accounting of %s gives at most %s = %s per %s%s%s", of, symbol, claimed, unit, at, end)
}

// unaccounted says why the accounting is not of all that this log shows others,
// or not of all rounds of a unit; "" where it is.
func (v *Findings) unaccounted() string {
	switch p := v.Protocol; {
	case p.Privacy.Unit == schemas.UnitUser && v.Facts.Whole().Experiments > 1:
		return fmt.Sprintf("the log has %s experiments, and the rounds of a user in the others are not counted here; users are numbered within each experiment", schemas.Grouped(int64(v.Facts.Whole().Experiments)))
	case v.Facts.Slice.Schema().ReleasedByArm == 0:
	case p.Counter == nil:
		return "the log shows released values (log.released_by_arm) of a counter that is not declared"
	case p.Counter.Name == schemas.CounterExact:
		return "the log shows the sums of the exact counter (log.released_by_arm), which have no noise: ε of actions and sums together is infinite"
	case v.Ledger.Epsilon().IsZero():
		return "the log shows released values (log.released_by_arm), and what the policy does not read is not accounted for"
	}
	return ""
}

// privacyProcedure says how the total is made of the costs of rows.
func (v *Findings) privacyProcedure(p *schemas.Privacy) string {
	how := "exact rational accounting"
	switch p.Definition {
	case schemas.DefinitionZCDP:
		how = "accounting of ρ, rounded up, largest over all action sequences"
	case schemas.DefinitionApproximate:
		how = "the smaller of the exact pure ε and of what ρ converts to at δ"
	}
	switch {
	case p.Unit == schemas.UnitUser:
		return how + ", summed over the rounds of a user in this experiment"
	case v.Evidence.Accounts.ByDraws():
		return how + ", summed over the decisions of " + schemas.Counted(v.Facts.Slice.Rows(), "round")
	}
	return how + ", parallel over arms"
}

// unitRounds is the number of rounds that one unit of privacy has at most.
func (v *Findings) unitRounds() int64 {
	if v.Protocol.Privacy.Unit == schemas.UnitUser {
		return *v.Accounting.LargestUnit
	}
	return 1
}

// comparePrivacy compares exact rationals; a float would convict ε/2 + k·ε/(2k)
// of exceeding ε. What ρ converts to is a float that was rounded up.
func (v *Findings) comparePrivacy(f *schemas.Finding, p *schemas.Privacy) {
	total := v.Ledger.Epsilon().Times(v.unitRounds())
	f.Observed = v.amount("ε", written(total, p.Epsilon), !total.IsInf()) + v.Evidence.Qualify()
	f.ObservedValue = schemas.Ext(total.Float())
	if p.Epsilon.Inf() || !total.IsInf() && total.Rat().Cmp(p.Epsilon.Rat()) <= 0 {
		v.privacyHolds(f, v.tooStrict(total, p.Epsilon))
		return
	}
	delta := p.Definition == schemas.DefinitionApproximate && p.Delta != nil
	if delta {
		if converted := ledger.Approximate(v.rho(), *p.Delta); converted < total.Up() {
			v.compareRounded(f, "ε", converted, p.Epsilon)
			return
		}
	}
	v.exceeds(f, v.amount("ε", written(total, p.Epsilon), !total.IsInf()), p.Epsilon, delta && !total.IsInf())
	if v.Evidence.Accounts.ByDraws() && !total.IsInf() && within(total.Up(), p.Epsilon) { // logarithms are rounded up
		f.Reason = fmt.Sprintf("ε = %s is the claim within the rounding of the accounting", written(total, p.Epsilon))
	}
}

// amount says what the accounting gives: that no finite number is known is not that
// there is none.
func (v *Findings) amount(symbol, text string, finite bool) string {
	switch {
	case finite:
		return symbol + " = " + text
	case ledger.Slack(v.Ledger) != "":
		return "no finite " + symbol
	}
	return symbol + " = ∞"
}

// exceeds is the verdict on a total above the claim. It contradicts the claim
// only if the total is what the mechanism's released values lose, not a bound
// from above.
func (v *Findings) exceeds(f *schemas.Finding, total string, claimed schemas.Rational, bound bool) {
	f.Verdict = schemas.NotEstablished
	switch slack := ledger.Slack(v.Ledger); {
	case slack != "":
		f.Reason = fmt.Sprintf("the accounting gives %s, not %s: %s", total, claimed, slack)
	case bound:
		f.Reason = fmt.Sprintf("the accounting gives %s, not %s: it is an upper bound, and does not show that the mechanism loses as much", total, claimed)
	default:
		f.Verdict = schemas.Violated
		f.Reason = fmt.Sprintf("the accounting of the declared mechanism gives %s, not %s", total, claimed)
	}
}

// rounding bounds by how much a ρ, or what it converts to, was rounded up.
const rounding = 1e-9

// within reports whether a number is at most the claim but for rounding.
func within(got float64, claimed schemas.Rational) bool {
	return float64(got*(1-rounding)) <= claimed.Float()
}

// compareRounded compares a ρ, or what it converts to, with a claim. Both bound
// from above what the mechanism loses and were rounded up, so that nothing
// finite contradicts a claim.
func (v *Findings) compareRounded(f *schemas.Finding, symbol string, got float64, claimed schemas.Rational) {
	text := strconv.FormatFloat(got, 'g', 10, 64)
	f.Observed = v.amount(symbol, text, schemas.Finite(got) != nil) + v.Evidence.Qualify()
	f.ObservedValue = schemas.Ext(got)
	switch {
	case claimed.Inf() || schemas.Finite(got) != nil && new(big.Rat).SetFloat64(got).Cmp(claimed.Rat()) <= 0:
		v.privacyHolds(f, "")
	case schemas.Finite(got) != nil && within(got, claimed):
		f.Verdict, f.Reason = schemas.NotEstablished, fmt.Sprintf("%s = %s is the claim within the rounding of the accounting", symbol, text)
	default:
		v.exceeds(f, v.amount(symbol, text, schemas.Finite(got) != nil), claimed, schemas.Finite(got) != nil)
	}
}

// privacyHolds verifies the claim, with what is to be said beside it, if the
// accounting is of all that it speaks of.
func (v *Findings) privacyHolds(f *schemas.Finding, remark string) {
	if why := v.unaccounted(); why != "" {
		f.Verdict, f.Reason = schemas.NotEstablished, why
		return
	}
	if v.Evidence.Noise.Verdict == schemas.Violated {
		f.Verdict, f.Reason = schemas.NotEstablished, "the released values do not have the noise that is accounted for (privacy.noise)"+validity.SpentWords(v.Replayed.Released.Noise)
		return
	}
	f.Verdict, f.Reason = schemas.Verified, remark
	if v.Evidence.Qualify() == "" {
		return
	}
	if remark != "" {
		f.Reason += "; "
	}
	f.Reason += v.doubt()
}

// tooStrict says so where the claim is the number of arms times what the
// accounting gives: whoever split the budget over the arms, as Neel and Roth
// (2018) do, used that many times too much noise.
func (v *Findings) tooStrict(total ledger.Loss, claimed schemas.Rational) string {
	if v.Evidence.Accounts.ByDraws() || claimed.Inf() || v.Facts.K() < 2 || total.IsZero() || v.unitRounds() > 1 || total.Times(int64(v.Facts.K())).Rat().Cmp(claimed.Rat()) != 0 {
		return ""
	}
	return fmt.Sprintf("the claim is %d times what the accounting gives: the losses of %d arms are not added, since each row enters the counter of one", v.Facts.K(), v.Facts.K())
}

// doubt says how far the log supports that the declared mechanism made it.
func (v *Findings) doubt() string {
	if v.Evidence.Conformance.Verdict == schemas.Verified { // given the released values
		return fmt.Sprintf("the actions are those of the released values, and that these have the noise of this mechanism is %s (privacy.noise)", v.Evidence.Noise.Verdict)
	}
	return "whether the log came from it is not verified"
}

// lowerBoundClaim builds the claim that the mechanism loses at least a stated amount of
// privacy.
func lowerBoundClaim() Claim {
	return Claim{Claim: param.Claim{
		Kind: schemas.KindPrivacyLower, Needs: []param.Need{param.NeedPrivacy}, Unsupported: true,
		Asks: "whether runs on neighbouring logs show that more is given away than was claimed",
	}}
}
