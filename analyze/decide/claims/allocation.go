package claims

import (
	"fmt"
	"strings"

	"banditaudit/analyze/decide/validity"
	"banditaudit/analyze/log/allocation"
	"banditaudit/analyze/log/check"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/allocationtest"
	"banditaudit/schemas"
	"banditaudit/schemas/param"
)

// allocationClaim is that the logged propensities are those that arms were played with.
func allocationClaim() Claim {
	return Claim{Claim: param.Claim{Kind: schemas.KindAllocation, Asks: "whether arms were played with the logged propensities", Broken: "arms were not played with the logged propensities", Needs: []param.Need{param.NeedPropensity}, Unseen: unseenAllocation()}, Implied: implied, Decide: (*Findings).decideAllocation, Rests: (*Findings).allocationRests}
}

// unseenAllocation is what would pass allocation.matches_propensity.
func unseenAllocation() []param.Unseen {
	return []param.Unseen{{Words: []string{
		"labels of arms that were exchanged, from some round on, together with their propensities: where that of the action alone is logged, no wager at these odds can tell",
		"rounds that were dropped by their reward, in about equal shares of every arm, or of one arm so few that its share deviates by less than the smallest deviations that are found",
		"an allocation that follows anything but what H17 lists as looked at (data.splits: looked, cells), however strongly, for no finite list of wagers sees everything: for example " + check.ElseExamples,
		"of what is looked at, all that is smaller than the smallest deviations beside the splits; two things together of which one is a context behind the first four, or the set of eligible arms; stripes narrower than an eighth of a context; tides of few rounds; actions and rewards three rounds back and more",
		"under policy.draw: {by: unit}, units that move where the logged propensities, the batch or the arms that could be played changed",
		"under policy.draw: {hash: …}, a seed, or keys of units, that were chosen after rewards were known",
		"weights sharper in some rounds and flatter in others than those that were logged, where no split shows it; and sharper or flatter ones throughout, where more than two arms have the propensity of the played one alone, or arms come and go",
		"shares of draws (log.propensity_draws) that follow contexts or time, with arms drawn from them: arms are held against their shares, and each share against its law, but not against what was known before it",
		"propensities written after the fact from the shares in which arms were played",
		"deviations that many short experiments have in common, each too small to be found in one: experiments share the level, and nothing looks at all of them together",
		"rewards that were flipped: no propensity is held against them",
	}}}
}

func (v *Findings) decideAllocation(f *schemas.Finding, _ *schemas.Claim) {
	h05, h17 := check.Find(v.Checks, "H05"), check.Find(v.Checks, "H17")
	f.Statement = "Arms were played with the logged propensities."
	if h05.Status != schemas.CheckNotRun && h17.Status == schemas.CheckNotRun {
		f.Statement = "Arms were played with the logged propensities, marginally: over all rounds, whatever was known before each."
	}
	f.Procedure = v.allocationProcedure()
	f.Evidence = []string{v.CheckPointer("H05"), v.CheckPointer("H14"), v.CheckPointer("H17")}
	switch short := tooShort(v.Allocation.Propensities, v.Facts.Whole().Experiments); {
	case v.Allocation.Hashed != nil:
		v.decideHashed(f, h05, h17)
		return
	case !v.Facts.Slice.HasPropensity():
		f.Verdict, f.Reason = schemas.NotApplicable, "no propensity is logged"
	case publiclog.OneMore(v.Protocol):
		v.allocationByRecomputed(f, h05, h17)
	case h05.Status == schemas.CheckFail || h17.Status == schemas.CheckFail:
		v.allocationViolated(f, h05, h17)
	case h05.Status == schemas.CheckNotRun:
		f.Verdict, f.Reason = schemas.NotEstablished, h05.Detail
	case h17.Status == schemas.CheckNotRun && short != "":
		f.Verdict, f.Observed, f.Reason = schemas.NotEstablished, h05.Observed, short+" "+h05.Detail+" H17 was not run: "+h17.Detail
	case h17.Status == schemas.CheckNotRun:
		f.Verdict, f.Observed, f.Reason = schemas.Consistent, h05.Observed, h05.Detail+" H17 was not run: "+h17.Detail
	default:
		f.Verdict, f.Observed, f.Reason = schemas.Consistent, h05.Observed+"; "+h17.Observed, v.details(h05, h17)
	}
	if moved := v.Facts.Moved(); moved != "" && f.Verdict == schemas.Consistent {
		f.Verdict = schemas.NotEstablished
		f.Reason = moved + ". " + v.Facts.Sticky.SameWords() + " The first rounds of units contradict nothing (H05, H17)."
	}
	if open := v.Facts.Drawn.Open(); open != "" && f.Verdict == schemas.Consistent {
		f.Verdict = schemas.NotEstablished
		f.Reason = strings.TrimSpace(open+". "+v.Facts.Sticky.Words()) + " The first rounds of units, which are drawn either way, contradict nothing (H05, H17)."
	}
}

// tooShort says that no pulls of an arm could contradict the logged propensities, and
// how many rounds it takes where that is known; "" where some could.
func tooShort(p *check.Propensities, experiments int) string {
	if p == nil || p.Allocation.Finds() {
		return ""
	}
	what, level := "This log", ""
	if n := experiments; n > 1 {
		what, level = "This experiment", fmt.Sprintf(", at the level that the %s experiments of the log share", schemas.Grouped(int64(n)))
	}
	out := what + " is too short to contradict its propensities" + level + ": no deviation of an arm would have been found, so that nothing can be said for them."
	if n := p.Allocation.Enough; n > 0 {
		out += fmt.Sprintf(" It takes about %s at these propensities.", schemas.Counted(n, "round"))
	}
	return out
}

// allocationByRecomputed is the verdict where actions were drawn by one more draw:
// they are held against the recomputed propensities, where the logged ones are
// shares of draws from them, over all rounds by a wager of the replay, and against
// splits of the rounds by check H17; and over all rounds and in batches by H05, where those
// probabilities are recomputed.
func (v *Findings) allocationByRecomputed(f *schemas.Finding, h05, h17 *schemas.Check) {
	f.Statement = "Arms were played with the propensities of which the logged ones are shares of draws."
	f.Verdict, f.Reason = schemas.NotEstablished, h05.Detail+" Those probabilities are known where a policy is declared and recomputed propensities are what its draws give (policy.conformance)."
	d := v.Evidence.Shares()
	if d == nil || d.Allocation == nil || d.Verdict != schemas.Consistent {
		return
	}
	t := d.Allocation
	f.Procedure = fmt.Sprintf("a wager on every arm at the recomputed propensities, level %.3g, valid at every number of rounds (Ville)", t.Level) + v.Facts.Whole().Shared()
	f.Evidence = append(f.Evidence, pointer(v.Facts.Log, "/replay/propensities/draws/allocation"))
	f.Observed = "largest wager on one arm: " + schemas.PIs(t.P)
	passed := "no wager against the recomputed propensities of any arm" + allocation.BeforeWords(t) + " reaches the level; H05 does not rest on the logged ones, and was not run. "
	switch {
	case allocation.Recomputed(v.Facts.Log):
		f.Procedure += fmt.Sprintf(", and H17 at level %g, at the probabilities that the policy declares", allocationtest.SplitsLevel)
	case v.Allocation.Margin != nil:
		f.Procedure += fmt.Sprintf(", H05 at level %g and H17 at level %g, at the recomputed propensities", allocationtest.AllocationLevel/2, allocationtest.SplitsLevel)
		passed = "no wager against the recomputed propensities of any arm" + allocation.BeforeWords(t) + " reaches the level. H05 goes by the recomputed propensities too: " + h05.Detail + " "
	}
	switch {
	case t.Rejected:
		f.Verdict, f.Reason = schemas.Violated, allocation.WageredArm(t)+" was not played with the probabilities of the declared policy: "+v.Facts.FalseDraws(v.Facts.Whole().CommonLevel())+allocation.KeepWords(t)
	case h05.Status == schemas.CheckFail || h17.Status == schemas.CheckFail:
		wagered := f.Observed
		v.allocationViolated(f, h05, h17)
		f.Observed = wagered + "; " + f.Observed
	case !allocation.Recomputed(v.Facts.Log) && v.Allocation.Margin == nil:
		f.Reason = passed + "That is over all rounds, whatever was known before each: arms that follow contexts or time pass. Check H17, which looks at those, was not run: it needs the probabilities of every round, and takes them from the declared policy where policy.conformance is CONSISTENT, the policy draws and chose every round, and its arms are declared."
	case h17.Status == schemas.CheckNotRun && h05.Status == schemas.CheckNotRun:
		f.Reason = passed + "That is over all rounds, whatever was known before each. H17 was not run: " + h17.Detail
	case h17.Status == schemas.CheckNotRun: // over all rounds, as with logged ones
		f.Verdict, f.Observed, f.Reason = schemas.Consistent, f.Observed+"; "+h05.Observed, passed+"H17 was not run: "+h17.Detail
	default:
		f.Verdict, f.Observed, f.Reason = schemas.Consistent, f.Observed+"; "+h17.Observed, passed+h17.Detail
	}
}

// allocationProcedure names the checks, and the level of each.
func (v *Findings) allocationProcedure() string {
	over := ""
	if n := v.Facts.Whole().Experiments; n > 1 {
		over = fmt.Sprintf(" over all %s experiments of the log (Bonferroni)", schemas.Grouped(int64(n)))
	}
	return fmt.Sprintf("H05 at level %g and H17 at level %g%s, and H14", allocationtest.AllocationLevel, allocationtest.SplitsLevel, over)
}

// details joins the details of checks in their order. The rounds by which all of them go, and
// the assumption of draws per round, are said once.
func (v *Findings) details(checks ...*schemas.Check) string {
	var out []string
	words := v.Facts.Declared.Draws(v.Facts.Slice).Words(v.Facts.Slice)
	each := check.GoesBy("The check goes", words)
	both := words != "" && len(checks) > 1
	for _, c := range checks {
		both = both && strings.Contains(c.Detail, each)
	}
	for _, c := range checks {
		text := c.Detail
		if both {
			text = strings.Replace(text, " "+each, "", 1)
		}
		out = append(out, text)
	}
	if both {
		out = append(out, check.GoesBy("Both checks go", words))
	}
	text := strings.Join(out, " ")
	if strings.Count(text, check.AnewSentence) > 1 { // once is enough
		text = strings.Replace(text, " "+check.AnewSentence, "", 1)
	}
	return text
}

// allocationViolated says what H05 or H17 contradicts.
func (v *Findings) allocationViolated(f *schemas.Finding, h05, h17 *schemas.Check) {
	f.Verdict = schemas.Violated
	var observed []string
	var failed []*schemas.Check
	for _, c := range []*schemas.Check{h05, h17} {
		if c.Status == schemas.CheckFail {
			observed, failed, f.Played = append(observed, c.Observed), append(failed, c), append(f.Played, c.Played...)
		}
	}
	f.Observed, f.Reason = strings.Join(observed, "; "), v.details(failed...)
	if words := validity.Explained(v.Explained); words != "" {
		f.Reason = strings.TrimRight(f.Reason, ".") + words + "."
		f.Evidence = append(f.Evidence, pointer(v.Facts.Log, "/allocation"))
	}
	if v.Weighted {
		f.Reason += " The IPW means rest on these propensities and are not to be relied on."
	}
}
