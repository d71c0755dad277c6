package answers

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"banditaudit/replay/policy/bitexact"
	"banditaudit/report/digest"
	"banditaudit/report/page"
	"banditaudit/schemas"
)

// StreamsSentence says what looks like another policy in a replay from a seed.
const StreamsSentence = "The random streams of a seed are derived from the experiment's id and the index of the arm: an honest log gives the same picture where another seed is declared than the one that was drawn from, or where experiment.id, or the order of arms, is declared otherwise than at run time."

// ReleasedSentence is fixed: what verified actions given released values do not
// say.
const ReleasedSentence = "Released values verify what was chosen by them, not that they are what the policy saw, nor that the noise in them was secret and fresh."

// Choice says how actions were chosen: by the declared policy or not, by what is nearest to
// it, and with which noise.
func Choice(x *schemas.Experiment, p *digest.Protocol) string {
	said := []string{conformanceClause(&x.Replay, p), hintClause(x.Replay.Hints), noiseClause(x.Replay.Released)}
	said = slices.DeleteFunc(said, func(one string) bool { return one == "" })
	return page.Capital(strings.Join(said, ". ")) + "."
}

// Spent says what the accounting gives, without a full stop.
func Spent(r *digest.Digest, x *schemas.Experiment, p *digest.Protocol) string {
	doubt := ""
	for _, i := range r.ClaimsOf[x.ID] {
		if c := &r.Claims[i]; c.Verdict == schemas.Violated && (c.Kind == schemas.KindConformance || c.Kind == schemas.KindPrivacyNoise) {
			doubt = ", which this log contradicts"
		}
	}
	if p := x.Replay.Propensities; !x.Replay.PlaysInTurn() && (x.Replay.FirstMismatch != nil || p != nil && p.FirstMismatch != nil) {
		doubt = ", which this log contradicts"
	}
	return privacyClause(&x.Privacy, p, doubt)
}

func conformanceClause(c *schemas.Conformance, p *digest.Protocol) string {
	switch {
	case c.Program != nil && c.Program.Failure != nil:
		return "The policy is a program, and nothing can be said of how actions were chosen: it " + c.Program.Failure.Words
	case c.Mode == schemas.ModeExec:
		return fmt.Sprintf("The program that is declared as the policy agrees with the log in %s of %s that could be checked",
			page.Group(c.Matched), schemas.Counted(c.Replayable, "round"))
	case p.Policy == nil:
		return "No policy was declared, so the report does not say how actions were chosen"
	case c.Mode == schemas.ModeSeed && c.FirstMismatch != nil:
		return fmt.Sprintf("Recomputing the declared policy gives the logged action in only %s; the first that differs is round %s", matchedOf(c), page.Group(c.FirstMismatch.Round))
	case c.Mode == schemas.ModeSeed && c.Replayable == 0 && c.Rounds > 0:
		return fmt.Sprintf("A policy was declared, and none of the %s rounds could be recomputed by it", page.Group(c.Rounds))
	case c.Mode == schemas.ModeSeed:
		return "Recomputing the declared policy gives the logged action in " + matchedOf(c) + propensityClause(c.Propensities)
	case c.Mode == schemas.ModeNone || c.Mode == "":
		return "A policy was declared, but nothing was logged that lets anyone recompute its choices"
	}
	if c.Mode == schemas.ModePropensity && c.Propensities != nil && c.Propensities.Draws != nil {
		return "The logged propensities " + sharesClause(c.Propensities.Draws)
	}
	if c.Mode == schemas.ModeLaw {
		return fmt.Sprintf("The declared policy can have drawn the logged action in %s of %s that could be checked, by its probabilities on %s",
			page.Group(c.Matched), schemas.Counted(c.Replayable, "round"), c.Law.By())
	}
	if c.Mode == schemas.ModePropensity {
		return fmt.Sprintf("The declared policy gives the logged propensities in %s of %s that could be checked", page.Group(c.Matched),
			schemas.Counted(c.Replayable, "round"))
	}
	return fmt.Sprintf("By its logged released values, the declared policy agrees with the log in %s of %s that could be checked",
		page.Group(c.Matched), schemas.Counted(c.Replayable, "round"))
}

// hintClause is the neighbour of the declaration that matches most rounds.
func hintClause(h *schemas.Hints) string {
	if h == nil || len(h.Named) == 0 {
		return ""
	}
	return "A hint, and no verdict: " + page.OrDash(h.Named[0].Words())
}

// matchedOf counts the rounds that match among those that could be replayed.
func matchedOf(c *schemas.Conformance) string {
	out := page.Group(c.Matched) + " of " + schemas.Counted(c.Replayable, "round")
	if c.Replayable < c.Rounds {
		out += fmt.Sprintf(" that could be replayed, of %s in all", page.Group(c.Rounds))
	}
	return out
}

// noiseClause says whose noise is in the released values.
func noiseClause(x *schemas.ReleasedReplay) string {
	switch {
	case x == nil:
		return ""
	case x.Changed > 0:
		return "Released values changed although nothing was released, which the declared noise cannot do"
	case x.Shared != nil:
		return "The noise in what it saw is in experiment " + page.Label(x.Shared.Experiment) + " too"
	case x.Noise == nil || x.Noise.Epsilon == nil:
		return ""
	case !x.Noise.Scaled():
		return "The noise in what it saw is not the declared one"
	}
	return "The noise in what it saw is that of ε = " + page.Ext(x.Noise.Epsilon, page.Sig) +
		page.Between(x.Noise.EpsilonLo, x.Noise.EpsilonHi)
}

// sharesClause says whether logged propensities are shares of draws of the policy.
func sharesClause(d *schemas.PropensityDraws) string {
	switch {
	case d.Verdict == schemas.Violated:
		return "are not what draws from the declared policy give"
	case d.Verdict == schemas.Consistent && d.Least != nil:
		return "are what " + NumbersOf(d) + " from the declared policy give, as far as they can show"
	case d.Verdict == schemas.Consistent && d.N != nil:
		return "are what " + page.Group(*d.N) + " draws from the declared policy give, as far as they can show"
	case d.Verdict == schemas.Consistent:
		return "are what draws from the declared policy give, as far as they can show"
	}
	return "differ from those of the declared policy, and whether they are shares of draws from it is not settled"
}

// propensityClause says whether the logged propensities are the policy's.
func propensityClause(p *schemas.PropensityReplay) string {
	switch {
	case p == nil:
		return ""
	case p.Draws != nil:
		return ", and the logged propensities " + sharesClause(p.Draws)
	case p.FirstMismatch != nil:
		return fmt.Sprintf(", but the logged propensities in only %s of %s; the first that differs is in round %s", page.Group(p.Matched), page.Group(p.Rounds), page.Group(p.FirstMismatch.Round))
	}
	return fmt.Sprintf(", and the logged propensities in %s of %s", page.Group(p.Matched), page.Group(p.Rounds))
}

// privacyClause says what the accounting gives. Where the log contradicts the
// declared mechanism, which doubt says, it names no number of that mechanism.
// Behind a finite number it says by what else the log may tell of rewards.
func privacyClause(a *schemas.Accounting, p *digest.Protocol, doubt string) string {
	out := accountedClause(a, p)
	if doubt != "" && a.EpsilonMechanism != nil && p.Privacy != nil {
		return "what the mechanism that ran gives away of rewards is not known: the accounting is that of the declared one" + doubt + claimedWords(a)
	}
	if e := a.EpsilonMechanism; e == nil || math.IsInf(float64(*e), 1) || len(p.SetBy()) == 0 || p.Privacy == nil && drawn(a, p) {
		return out
	}
	return out + "; what the log gives away by " + strings.Join(p.SetBy(), ", ") + " is not in it"
}

// accountedClause says what the accounting gives.
func accountedClause(a *schemas.Accounting, p *digest.Protocol) string {
	claimed := claimedWords(a)
	switch {
	case p.Privacy == nil && (a.EpsilonMechanism == nil || drawn(a, p)):
		return "no privacy of the rewards was claimed"
	case a.EpsilonMechanism == nil:
		return "the privacy that was claimed could not be accounted for"
	case math.IsInf(float64(*a.EpsilonMechanism), 1):
		return "the declared mechanism reads rewards without noise, so that no finite privacy parameter is known for it" + claimed
	case a.Definition == schemas.DefinitionZCDP:
		return "the accounting of the declared mechanism gives ρ = " + page.Ext(a.RhoMechanism, page.Up) + claimed
	case a.Definition == schemas.DefinitionApproximate:
		return "the accounting of the declared mechanism gives ε = " + page.Ext(a.EpsilonMechanism, page.Up) + atDelta(a) + claimed
	}
	changed := "one reward"
	if a.Unit == schemas.UnitUser {
		changed = "the rewards of one user in this experiment"
	}
	return "changing " + changed + " changes the chance of anything that the declared mechanism gave out by a factor of " + factor(float64(*a.EpsilonMechanism)) +
		" at most: " + lossWords(a) + claimed
}

// lossWords say the ε of one unit: at least and at most, where it is of a user and not
// known exactly.
func lossWords(a *schemas.Accounting) string {
	u, most := a.UserLoss, page.Ext(a.EpsilonMechanism, page.Up)
	if a.Unit != schemas.UnitUser || u == nil || u.Shown != nil && u.Shown.AtLeastExact == u.AtMostExact {
		return "ε = " + most
	}
	if u.Shown == nil {
		return "ε is at most " + most
	}
	return "ε is at least " + page.Ext(&u.Shown.AtLeast, page.Down) + " and at most " + most
}

// claimedWords say what was claimed; "" where nothing was.
func claimedWords(a *schemas.Accounting) string {
	switch {
	case a.Definition == schemas.DefinitionZCDP && a.RhoClaimed != nil:
		return " (claimed: ρ = " + page.Ext(a.RhoClaimed, page.Up) + ")"
	case a.EpsilonClaimed != nil:
		return " (claimed: " + page.Ext(a.EpsilonClaimed, page.Up) + ")"
	}
	return ""
}

// drawn reports whether the policy reads sums without noise and its draws alone
// bound ε. That grows with the rounds, and is no finding where nobody claims it.
func drawn(a *schemas.Accounting, p *digest.Protocol) bool {
	e := float64(*a.EpsilonMechanism)
	return p.Counter != nil && p.Counter.Name == schemas.CounterExact && e > 0 && !math.IsInf(e, 1)
}

func atDelta(a *schemas.Accounting) string {
	if a.DeltaClaimed == nil {
		return ""
	}
	return " at δ = " + page.Short(*a.DeltaClaimed)
}

// testSentence counts the decisions of the declared tests.
func testSentence(r *digest.Digest, p *digest.Protocol) string {
	rejected, kept, none := r.Rejected, r.Kept, r.Undecided
	all := rejected + kept + none
	if all == 0 {
		return "No hypothesis was declared, so none was tested. Averages and regressions describe this log and decide nothing."
	}
	if rejected+kept == 0 {
		return "Of " + schemas.Counted(all, "declared test") + " none is decided; the section of tests says why."
	}
	text := fmt.Sprintf("%s. They were decided %s, at level %s.", page.Capital(decisions(rejected, kept, none)), p.AfterWhat(), p.Alpha())
	text += ifDeclared(r, p)
	if f := r.Family; f != nil && f.Decided > 0 {
		text += fmt.Sprintf(" %s %s of them %s.", p.Together(), page.Group(f.Rejected),
			schemas.Agree(int(f.Rejected), "rejects its hypothesis", "reject their hypotheses"))
	}
	return text
}

// ifDeclared says so where what tests decide rests on a mechanism that may not
// have made the log.
func ifDeclared(r *digest.Digest, p *digest.Protocol) string {
	k := r.Kind(schemas.KindConformance)
	open, all := k.Count[schemas.NotEstablished]+k.Count[schemas.NotRun], k.All
	switch {
	case open == 0 || p.Policy == nil:
		return ""
	case all == 1:
		return " That holds if the declared mechanism made the log, which is not established."
	}
	return fmt.Sprintf(" That holds where the declared mechanism made the log, which is not established of %s.",
		schemas.Counted(open, "experiment"))
}

// Told is what was observed of a claim in plain words, where the results hold it as numbers;
// "" where the finding's own words have to do.
func Told(r *digest.Digest, c *schemas.Finding) string {
	x := digest.ExperimentOf(r, c)
	switch {
	case c.Kind == schemas.KindConformance && c.Verdict == schemas.Violated && schemas.Contradicted(c) != "":
		return schemas.Contradicted(c)
	case x == nil:
		return ""
	case c.Kind == schemas.KindConformance:
		return toldChoices(&x.Replay, c.Verdict)
	case c.Kind == schemas.KindPrivacyNoise && c.Verdict == schemas.Violated && x.Replay.Released != nil:
		return toldNoise(x.Replay.Released, &x.Privacy)
	case c.Kind == schemas.KindAllocation && c.Verdict == schemas.Consistent:
		return toldAllocation(&x.Data)
	}
	return ""
}

// broken says what is so where a claim is VIOLATED, without a full stop.
func broken(r *digest.Digest, c *schemas.Finding) string {
	is := "the claim " + page.Label(c.ID) + " is contradicted"
	if kind := digest.KindOf(r, c.Kind); kind != nil && kind.Broken != "" {
		is = kind.Broken
	}
	if x := digest.ExperimentOf(r, c); x == nil || c.Kind != schemas.KindConformance || !x.Replay.PropensitiesAlone() {
		return is
	}
	return "the logged propensities are not those of the declared policy"
}

// toldChoices counts the choices that a seed shows to be the policy's, or not to be.
func toldChoices(c *schemas.Conformance, verdict schemas.Verdict) string {
	m := c.FirstMismatch
	switch {
	case c.Mode != schemas.ModeSeed:
		return ""
	case verdict == schemas.Verified && c.Matched == c.Replayable && c.Propensities == nil:
		return "all of " + schemas.Plural(c.Replayable, "choice was", "choices were") + " recomputed"
	case verdict == schemas.Violated && m != nil && c.Matched < c.Replayable:
		of := schemas.Failing{Kind: schemas.FailingAction, Count: c.Replayable - c.Matched, Of: c.Replayable, First: &schemas.FirstFailing{Round: m.Round, Logged: m.Logged, Expected: m.Replayed}}
		return of.Words()
	}
	return ""
}

// toldNoise says how wide the noise is beside the declared one, where that is what it is
// contradicted by.
func toldNoise(x *schemas.ReleasedReplay, a *schemas.Accounting) string {
	n := x.Noise
	if n == nil || !n.Rejected || n.Level == 0 || x.Changed > 0 || x.Shared != nil {
		return ""
	}
	if h := schemas.Fitting(n.Hypotheses); h == nil || h.Name != schemas.HypothesisScale {
		return ""
	}
	return noiseFound(n) + claimedWords(a) + ". An honest log fails this check at most once in " + page.Group(int64(math.Round(1/n.Level))) + " logs"
}

// toldAllocation says how the arms were played beside their propensities.
func toldAllocation(d *schemas.Data) string {
	i := slices.IndexFunc(d.Checks, func(c schemas.Check) bool { return c.ID == "H05" })
	if i < 0 || d.Checks[i].P == nil || d.Checks[i].Status != schemas.CheckPass {
		return ""
	}
	whose := "logged"
	if s := d.Splits; s != nil && s.By == schemas.ByRecomputed {
		whose = s.By
	}
	out := "arms were played as often as the " + whose + " propensities say. Over all rounds p is " + page.PValue(d.Checks[i].P, nil)
	if s := d.Splits; s != nil && s.Level > 0 && s.Round == nil {
		out += fmt.Sprintf("; in parts the evidence against it is %s, and %s would contradict it", page.Short(bitexact.Exp(s.LogE)),
			page.Short(1/s.Level))
	}
	return out
}
