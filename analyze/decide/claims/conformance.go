package claims

import (
	"fmt"
	"strings"

	"banditaudit/analyze/decide/validity"
	"banditaudit/analyze/log/allocation"
	"banditaudit/analyze/log/check"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/schemas"
	"banditaudit/schemas/param"
)

// matchWords count the rounds that match among those that could be replayed, as every
// page does.
func matchWords(r *schemas.Conformance, whole bool) string {
	switch {
	case r.Replayable == 0 && r.Rounds > 0:
		return "none of " + schemas.Counted(r.Rounds, "round") + " could be replayed"
	case r.Replayable == r.Rounds || whole:
		verb := "match"
		if r.Replayable == 1 {
			verb = "matches"
		}
		return fmt.Sprintf("%s of %s %s", schemas.Grouped(r.Matched), schemas.Counted(r.Replayable, "round"), verb)
	}
	return fmt.Sprintf("%s of %s that could be replayed match, of %s in all", schemas.Grouped(r.Matched), schemas.Counted(r.Replayable, "round"), schemas.Grouped(r.Rounds))
}

// conformanceClaim is that the declared policy wrote the log.
func conformanceClaim() Claim {
	return Claim{Claim: param.Claim{Kind: schemas.KindConformance, Asks: "whether the declared policy chose the logged actions", Broken: "the declared policy would not have chosen the logged actions", Explains: true, Needs: []param.Need{param.NeedPolicy}, Unseen: unseenConformance()}, Implied: implied, Decide: (*Findings).decideConformance}
}

// unseenConformance is what would pass policy.conformance, by the evidence for it.
func unseenConformance() []param.Unseen {
	const (
		short = "a log that was cut short at its end"
		ties  = "which of several arms was played whose indices lie within policy.near_ties of the largest"
	)
	return []param.Unseen{
		{Evidence: schemas.ModeSeed, By: "by a seed, or by a rule that draws nothing", Words: []string{
			"rewards that were changed where no action and no released value depends on them: those that no later decision could use, and under much noise many of the others; the replay counts how many of each arm at least",
			"of a policy that reads exact sums, a log.reward_order that was invented so that the rule gives the actions",
			ties, short,
		}, Drawn: []string{
			"a seed that was known to others, or chosen among several after its log was seen",
			"rounds that were numbered, chosen or dropped, or contexts that were set, after the arms of a seed were known, where what the arms follow is none of the splits of check H17, which holds them against declared or recomputed probabilities",
		}},
		{Evidence: schemas.ModeReleased, By: "by released values", Words: []string{
			"released values that are not what the policy saw, and rewards that were changed together with them",
			"single rewards that were changed by less than the noise in the values after them, and all that no later value contains, which the replay counts",
			"where the policy draws, actions that were exchanged between rounds in which it has the same propensities, and departures too rare for the wager",
			ties, short,
		}},
		{Evidence: schemas.ModePropensity, By: "by propensities", Words: []string{
			"shares of draws (log.propensity_draws) that were handed out in another order, so that they follow contexts or time",
			"actions that were not drawn with the propensities, as far as allocation.matches_propensity does not find it",
			"rewards that were changed where no propensity depends on them: all of them where the policy reads none, and else as many as the replay counts at least",
			ties, short,
		}},
		{Evidence: schemas.ModeLaw, By: "by the law of a policy that draws", Words: []string{
			"departures from the recomputed probabilities too rare, or too small on average, for the wager; the smallest that it finds stands beside the verdict",
			"arms that follow contexts, time, units or earlier rounds in a way that no split of check H17 shows (data.splits)",
			"actions that were exchanged between rounds in which the policy has the same propensities, where check H17 does not show it",
			"rewards that were changed by little, and all that no later decision could use; how many, is not counted",
			ties, short,
		}},
		{Evidence: schemas.ModeExec, By: "by a program of the user's own", Words: []string{
			"a program that is not the policy that was deployed, and was written to answer as the log has it: it is code of whoever declares it, and is not read; the run with other rewards finds one that answers from the log alone, and none that decides and knows the log too",
			"rewards that were changed where no answer of the program depends on them",
			short,
		}},
		{Evidence: schemas.ModeNone, By: "with none of these", Words: []string{
			"everything but pulls that declared probabilities, or a declared floor, do not allow, for nothing else is compared: rounds that were dropped by their reward, as the zeros of one arm before a Thompson log without a seed, rewards that were flipped, labels that were exchanged",
			"arms that follow contexts, time or earlier rounds, with pulls that are as declared: without propensities, logged or recomputed, check H17 holds against these only the arms of a policy that reads no rewards (uniform, fixed), and finds what its splits show: what follows anything else passes",
		}},
	}
}

func (v *Findings) decideConformance(f *schemas.Finding, _ *schemas.Claim) { //nolint:funlen // one case a mode of evidence
	f.Statement = "Every logged action is the one that the declared policy chooses."
	f.Verdict, f.Reason = v.Evidence.Conformance.Verdict, v.Evidence.Conformance.Why
	f.Evidence = []string{pointer(v.Facts.Log, "/replay")}
	if v.Protocol.Program != nil {
		v.programWords(f)
		return
	}
	if v.Replayed == nil || v.Protocol.Policy == nil {
		return
	}
	r := v.Replayed
	f.Procedure = v.conformanceProcedure(r)
	if r.Mode == schemas.ModePropensity {
		f.Statement = "Every logged propensity is the one that the declared policy gives."
	}
	v.contradicted(f, r)
	v.pointToChecks(f)
	if r.Mode != schemas.ModeNone {
		countMatched(f, r)
		f.Observed = matchWords(r, v.Evidence.Accounts.Against != nil) // rounds after a contradiction are not replayed
		if r.Mode == schemas.ModePropensity {
			f.Observed = "logged propensities: " + f.Observed
		}
		if r.Rests() {
			f.Observed += fmt.Sprintf(", %s of them within %s", schemas.Grouped(r.Chosen()), publiclog.ChoiceKeys(r))
		}
	}
	if r.Mode == schemas.ModeLaw {
		f.Statement = "Arms were played with the probabilities that the declared policy gives them by " + r.Law.By() + "."
		f.Observed = schemas.Counted(r.Matched, "round") + " in which the logged action can be drawn"
	}
	if v.Evidence.Accounts.Against == nil && r.Mode == schemas.ModePropensity && allocation.NotPulled(v.Facts, r) != "" {
		f.Observed += "; pulls: another number than the declared probabilities give"
	}
	if p := r.Propensities; p != nil && r.Mode == schemas.ModeSeed {
		f.Statement = "Every logged action is the one that the declared policy chooses, and every logged propensity the one that it gives."
		f.Observed = beside(f.Observed, r)
	}
	if x := r.Released; x != nil && r.Mode == schemas.ModeReleased {
		f.Statement = "Every logged action is the one that the declared policy chooses by the released values."
		if x.Allocation != nil {
			drawnByReleased(f, r)
		}
	}
	v.observeUnlike(f, r)
	f.Observed += bindingWords(r.Binding, v.Protocol.Reward.Range)
	v.observeContradiction(f, r)
	if f.Verdict == schemas.Verified && r.Mode == schemas.ModeSeed {
		f.Reason = schemas.SeedSentence
		if v.undrawnMode(r) {
			f.Reason = schemas.UndrawnSentence
		}
	}
	f.Reason += v.lookedRecomputed(f.Verdict)
}

// lookedRecomputed says that H05 and H17 do not contradict recomputed propensities, where
// these stand in for logged ones and nothing else contradicts them; "" elsewhere.
func (v *Findings) lookedRecomputed(verdict schemas.Verdict) string {
	if verdict != schemas.Verified && verdict != schemas.Consistent || v.Facts.Slice.HasPropensity() || v.Allocation.Margin == nil {
		return ""
	}
	h05, h17 := check.Find(v.Checks, "H05"), check.Find(v.Checks, "H17")
	var looked, not []string
	for _, c := range []*schemas.Check{h05, h17} {
		if c.Status == schemas.CheckPass {
			looked = append(looked, c.ID)
		} else {
			not = append(not, c.ID)
		}
	}
	out := ""
	if looked != nil {
		out = ". " + strings.Join(looked, " and ") + " do not contradict the recomputed propensities on what they look at"
	}
	if not != nil {
		out += ". " + strings.Join(not, " and ") + " found too little to test"
	}
	return out
}

// countMatched gives the claim its numbers: the rounds that match, and those that were
// compared, unless something beside these contradicts it.
func countMatched(f *schemas.Finding, r *schemas.Conformance) {
	matched, of := r.Fewest()
	f.ObservedValue, f.Unit = schemas.Ext(float64(matched)), "rounds"
	if matched < of || f.Verdict != schemas.Violated {
		f.ThresholdValue = schemas.Ext(float64(of))
	}
}

// beside counts the logged propensities that match behind the words on actions, or before
// them where the propensities alone do not match.
func beside(actions string, r *schemas.Conformance) string {
	p := r.Propensities
	if r.PropensitiesAlone() {
		return fmt.Sprintf("logged propensities: %s of %s match; the actions of %s do", schemas.Grouped(p.Matched), schemas.Counted(p.Rounds, "round"), schemas.Grouped(r.Matched))
	}
	return actions + fmt.Sprintf("; the propensities of %s do", schemas.Grouped(p.Matched))
}

// conformanceProcedure says how the log was held against the declared policy.
func (v *Findings) conformanceProcedure(r *schemas.Conformance) string {
	out := "teacher-forced replay, evidence: " + v.evidenceWord(r) + allocation.PullWords(v.Facts.Log, r) + v.Allocation.DeclaredSplitWords()
	if r.Released != nil {
		out += wagerWords(v.Facts.Log, r.Released.Allocation, "released values")
	}
	if r.Law != nil {
		out += wagerWords(v.Facts.Log, &r.Law.Allocation, r.Law.By())
	}
	if p := r.Propensities; p != nil {
		out += validity.ToleranceWords(p) + validity.DrawsWords(p.Draws)
	}
	return out
}

// undrawnMode reports whether the replay needed no seed, for nothing is drawn.
func (v *Findings) undrawnMode(r *schemas.Conformance) bool {
	return r.Mode == schemas.ModeSeed && v.Facts.Mechanism.Deterministic()
}

// evidenceWord names what a replay went by.
func (v *Findings) evidenceWord(r *schemas.Conformance) string {
	if v.undrawnMode(r) {
		return "the rule alone (nothing is drawn)"
	}
	return r.Mode
}

// bindingWords say how many rewards could be changed unseen, of the arm with most
// of them; rewards is their range.
func bindingWords(b *schemas.Binding, rewards []float64) string {
	switch {
	case b == nil:
		return ""
	case b.Any:
		return "; any number of rewards could be changed unseen, for the policy reads none"
	}
	if most := b.Most(); most != nil {
		return "; " + most.Words(schemas.Named(most.Arm), rewards[0], rewards[1]) + ", unseen"
	}
	return ""
}

// drawnByReleased says what was found of a policy that draws, and saw released
// values.
func drawnByReleased(f *schemas.Finding, r *schemas.Conformance) {
	f.Statement = "Arms were played with the probabilities that the declared policy gives them by the released values."
	f.Observed = schemas.Counted(r.Released.Matched, "round") + " in which the logged action can be drawn"
	if p := r.Propensities; p != nil {
		f.Observed += fmt.Sprintf("; the propensities of %s of %s match", schemas.Grouped(p.Matched), schemas.Counted(p.Rounds, "round"))
	}
}

// programWords fill in what a claim says beside its verdict.
func (v *Findings) programWords(f *schemas.Finding) {
	f.Statement = "Every logged action is the one that the program chooses."
	if v.Protocol.Program.AnswersPropensities() {
		f.Statement = "Actions and propensities are those that the program gives."
	}
	f.Procedure = "teacher-forced replay, evidence: " + schemas.ModeExec + ", the program in policy.exec, which is shown the rewards of earlier rounds as policy.update lets it see them, and answers before it is shown the round"
	if v.Replayed == nil || v.Replayed.Replayable == 0 {
		return
	}
	r := v.Replayed
	f.Observed = matchWords(r, false)
	v.contradicted(f, r)
	v.pointToChecks(f)
	v.observeUnlike(f, r)
	v.observeContradiction(f, r)
	f.Procedure += v.Allocation.DeclaredSplitWords()
	f.Reason += v.lookedRecomputed(f.Verdict)
}

// pointToChecks names checks H05 and H17 as evidence where they go by the probabilities of
// the declared policy.
func (v *Findings) pointToChecks(f *schemas.Finding) {
	if v.Allocation.DeclaredSplitWords() == "" {
		return
	}
	if v.Allocation.Margin != nil {
		f.Evidence = append(f.Evidence, v.CheckPointer("H05"))
	}
	f.Evidence = append(f.Evidence, v.CheckPointer("H17"))
}

// observeUnlike writes what H05 and H17 found against probabilities of the declared policy:
// what the replay found contradicts nothing then.
func (v *Findings) observeUnlike(f *schemas.Finding, r *schemas.Conformance) {
	if v.Evidence.UnlikeIn == "" || f.Verdict != schemas.Violated {
		return
	}
	matched := f.Observed
	if f.Observed = v.Evidence.UnlikeIn; r.Mode == schemas.ModeSeed {
		f.Observed += "; " + matched
	}
	f.ObservedValue, f.ThresholdValue, f.Unit = nil, nil, ""
}

// contradicted counts what contradicts the declared policy, and the plays that do.
func (v *Findings) contradicted(f *schemas.Finding, r *schemas.Conformance) {
	if f.Verdict != schemas.Violated || v.Evidence.Accounts.Against != nil {
		return
	}
	f.Failing = v.Evidence.Failing(r)
	switch plays := allocation.PulledOtherwise(v.Facts, r); {
	case plays != nil:
		f.Played = []schemas.Played{*plays}
	case v.Evidence.Unlike != "":
		f.Played = check.Find(v.Checks, "H17").Played
	}
}

// observeContradiction writes, of a claim that is VIOLATED, what contradicts it in the place of
// what matches.
func (v *Findings) observeContradiction(f *schemas.Finding, r *schemas.Conformance) {
	if f.Verdict != schemas.Violated {
		return
	}
	f.Observed = schemas.Contradicted(f)
	if t := r.Wagered(); f.Observed == "" && v.Evidence.Accounts.Against == nil && t != nil && t.Rejected {
		f.Observed = allocation.WageredArm(t) + ": " + schemas.PIs(t.P)
	}
}

// wagerWords say how actions that are drawn were held against probabilities; "" where they
// were not.
func wagerWords(in *publiclog.Log, t *schemas.AllocationTest, from string) string {
	if t == nil {
		return ""
	}
	return fmt.Sprintf("; a wager on every arm at the propensities recomputed from %s, level %.3g together, valid at every number of rounds (Ville)", from, t.Level) + in.Whole().Shared() + allocation.DrawnWords(in)
}
