package report

import (
	"fmt"

	"banditaudit/schemas"
)

// released adds what logged released values say, where there are some: of the
// actions, and of the noise in them.
func (s *study) released(b *builder) {
	x := s.x.Replay.Released
	if x == nil {
		return
	}
	at := s.pointer("replay", "released")
	b.heading(s.level, "Released values, and the noise in them", at)
	s.verdict(b, schemas.KindPrivacyNoise)
	b.say(actionsSentence(x))
	if x.Noise != nil {
		addNoise(b, x.Noise, s.protocol.declaredEpsilon(), sub(at, "noise"))
	}
}

func actionsSentence(x *schemas.ReleasedReplay) string {
	switch x.Actions {
	case schemas.ActionsExact:
		return "The policy draws nothing, so that what it saw decides every action: each was recomputed from the logged values."
	case schemas.ActionsAllocation:
		return "The policy draws its action, with probabilities that were recomputed from the logged values. A wager on each arm at these odds grows only where they are wrong, and its largest value bounds p at every number of rounds."
	}
	return "The policy draws its action, and its draws are known by the seed, which decides whether the actions match."
}

// releasedFacts are the rows on released values.
func releasedFacts(x *schemas.ReleasedReplay, at string) []row {
	var rows []row
	if x.Actions != "seed" && x.Replayable > 0 {
		title := "Rounds with the action that the released values give"
		if x.Actions == schemas.ActionsAllocation {
			title = "Rounds with an action that can be drawn by the released values"
		}
		rows = append(rows, fact(title, group(x.Matched)+" of "+group(x.Replayable), sub(at, "matched")))
		if m := x.FirstMismatch; m != nil {
			rows = append(rows, fact("First that is another", "round "+group(m.Round)+": logged "+label(m.Logged)+", they give "+label(m.Replayed), sub(at, "first_mismatch")))
		}
	}
	if t := x.Allocation; t != nil {
		rows = append(rows, fact("Wager against the recomputed propensities", wager(t), sub(at, "allocation")))
	}
	if x.Compared > 0 {
		rows = append(rows, fact("Released values that are not those of the declared counter", group(x.Differ)+" of "+group(x.Compared), sub(at, "differ")))
		if m := x.FirstDiffer; m != nil {
			rows = append(rows, fact("First of these", fmt.Sprintf("round %s, arm %s: logged %.10g", group(m.Round), label(m.Arm), m.Logged), sub(at, "first_differ")))
		}
	}
	if m := x.Shared; m != nil {
		rows = append(rows, fact("Noise that another experiment has too", fmt.Sprintf("the first %s of arm %s: arm %s of experiment %s; other experiments: %s",
			plural(int(m.Draws), "draw", "draws"), label(m.Arm), label(m.OtherArm), label(m.Experiment), group(m.Experiments)), sub(at, "shared")))
	}
	rows = append(rows, fact("Released values that changed although nothing was released", group(x.Changed), sub(at, "changed")))
	if x.Changed > 0 {
		rows = append(rows, fact("Of these, with no reward that had arrived either", group(x.Redrawn), sub(at, "redrawn")))
	}
	if m := x.FirstChanged; m != nil {
		rows = append(rows, fact("First of these", fmt.Sprintf("round %s, arm %s: logged %.10g, before %.10g", group(m.Round), label(m.Arm), m.Logged, m.Expected), sub(at, "first_changed")))
	}
	return rows
}

// wager says how the largest wager came out.
func wager(t *schemas.AllocationTest) string {
	on := "arm " + label(t.Arm)
	if t.Before {
		on = "the arm of the unit's round before"
	}
	out := "p = " + pvalue(&t.P, nil) + ", " + on + ", level " + short(t.Level) + " over all arms"
	if t.Later > 0 {
		out += " and the arm of the unit's round before (in " + group(t.Later) + " later rounds)"
	}
	if t.Round != nil {
		return out + ": reached in round " + group(*t.Round)
	}
	return out + ": not reached"
}
