package validity

import (
	"fmt"
	"strings"

	"banditaudit/analyze/log/allocation"
	"banditaudit/replay/policy/bitexact"
	"banditaudit/schemas"
)

// unlike says how checks contradict probabilities that the declared policy has, where they
// go by these and no other claim is about them.
func (e *Evidence) unlike(al *allocation.Allocation) {
	var by []string
	switch {
	case e.Conformance.Verdict == schemas.Violated || e.Facts.Slice.HasPropensity():
		return
	case e.Facts.Recomputable():
		if by = e.unlikeRecomputed(al); by == nil {
			return
		}
		e.Unlike = "the arms were not played with the recomputed propensities in all rounds"
	case allocation.ByDeclared(e.Facts.Log) && al.Splits.Rejected():
		e.UnlikeIn = al.Splits.Contradiction(e.Facts.Names())
		by = []string{fmt.Sprintf("check H17, %s, level %.3g", schemas.PIs(bitexact.Exp(-al.Splits.Result.LogE)), allocation.SplitsLevel(e.Facts.Log))}
		e.Unlike = "the arms were not played with their declared probabilities in all rounds"
	default:
		return
	}
	e.Unlike += " (" + strings.Join(by, " and ") + "); " + e.UnlikeIn + ": " + e.Facts.FalseDraws(e.Facts.Whole().CommonLevel())
	if allocation.BySeed(e.Facts.Log) {
		e.Unlike += ". The seed gives the actions: the rounds were then numbered, chosen or dropped by something that the arms follow, after the arms were known"
	}
	if al.Splits != nil && al.Splits.Dealt != nil {
		e.Unlike += ". " + strings.TrimSuffix(al.Splits.Dealt.Words(e.Facts.Names()), ".")
	}
}

// unlikeRecomputed finds how H05 and H17 contradict the recomputed propensities, with which
// the declared policy draws its arms whatever else was known before a round, and returns
// by what.
func (e *Evidence) unlikeRecomputed(al *allocation.Allocation) (by []string) {
	var in []string
	if s := al.Splits; s.Rejected() {
		in = append(in, s.Contradictions(e.Facts.Names()))
		by = append(by, fmt.Sprintf("check H17, %s, level %.3g", schemas.PIs(s.P()), e.Facts.Whole().SplitsLevel()))
	}
	if m := al.Margin; m != nil && m.Allocation.Rejected {
		words, _ := m.Deciding(e.Facts.Names())
		in = append(in, words)
		by = append(by, fmt.Sprintf("check H05, %s, level %.3g", schemas.PIs(bitexact.Exp(m.Allocation.LogP)), e.Facts.MarginLevel()))
	}
	e.UnlikeIn = strings.Join(in, "; ")
	return by
}
