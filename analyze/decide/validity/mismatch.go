package validity

import (
	"fmt"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/schemas"
	"banditaudit/schemas/param"
)

// mismatchWords say where actions that are not the policy's begin, how many
// there are from there on, and where they end.
func mismatchWords(in *publiclog.Log, r *schemas.Conformance) string {
	m := r.FirstMismatch
	out := fmt.Sprintf("round %s: logged %s, the policy plays %s", schemas.Grouped(m.Round), schemas.Named(m.Logged), schemas.Named(m.Replayed))
	out += gapWords(m)
	wrong, begins := r.Replayable-r.Matched, ""
	if started(r.Starting, wrong) {
		begins = startWords(wrong, updates(in.Protocol))
	}
	if r.LastMismatch == nil || wrong <= 1 || *r.LastMismatch < m.Round {
		return out + begins
	}
	return out + fmt.Sprintf("; %s differ from there on, the last in round %s", schemas.Counted(wrong, "round"), schemas.Grouped(*r.LastMismatch)) + begins
}

// gapWords say that rounding may have decided a round that does not match.
func gapWords(m *schemas.Mismatch) string {
	if m.Gap == nil || *m.Gap > param.MustRational(param.MostNearTies).Float() {
		return ""
	}
	by := "as large as the largest"
	if *m.Gap > 0 {
		by = fmt.Sprintf("smaller than the largest by %.2g of it", *m.Gap)
	}
	return fmt.Sprintf(" (the index of %s is %s: rounding can decide between such; policy.near_ties says how near indices count as equal, %s where it is absent)", schemas.Named(m.Logged), by, param.NearTies)
}

// started reports whether all rounds that differ lie before every arm had a known
// reward.
func started(starting, differ int64) bool { return differ > 0 && starting == differ }

// startWords say by what rule the declared policy begins, where a log differs in
// nothing else.
func startWords(rounds int64, updates bool) string {
	all := "all " + schemas.Counted(rounds, "round") + " that differ lie"
	if rounds == 1 {
		all = "the round that differs lies"
	}
	out := "; " + all + " before every arm that could be played had a known reward, and nothing else differs: of the arms without one the declared policy takes the one that was played least, then the first; "
	if updates {
		return out + "it counts plays as of its last update (policy.update), so that it goes on with one arm until the next; a program that begins otherwise differs there alone, and the protocol has no key for that"
	}
	return out + "a program that goes on with the first until its reward is known, or begins otherwise, differs there alone, and the protocol has no key for that"
}

// updates reports whether the declared policy learns at updates, and not after every round.
func updates(protocol *schemas.Protocol) bool {
	u := protocol.Policy.Update
	return u != nil && (u.Batch || u.Every > 1)
}

// inTurnWords say that the log matches the declared policy except for when the policy
// counts its own plays.
func inTurnWords(r *schemas.Conformance) string {
	wrong := max(r.Replayable-r.Matched, 0)
	if p := r.Propensities; p != nil {
		wrong = max(wrong, p.Rounds-p.Matched)
	}
	out := fmt.Sprintf("all of %s match the declared policy if it counts its plays as they come; as of its last update (policy.update), which is how it counts them, %s %s", schemas.Counted(r.Replayable, "round"), schemas.Counted(wrong, "round"), schemas.Agree(wrong, "differs", "differ"))
	if m := r.FirstMismatch; m != nil {
		out += ", the first in round " + schemas.Grouped(m.Round)
	}
	return out + ", before every arm that could be played had a known reward: of the arms without one the declared policy takes the one that was played least, then the first, and so goes on with one arm until the next update; the log goes through these arms in turn, and the protocol has no key for that"
}
