package ope

import (
	"context"
	"fmt"

	"banditaudit/analyze/log/allocation"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/eprocess"
	"banditaudit/ingest/tableau"
	"banditaudit/replay/conformance"
	"banditaudit/schemas"
)

// propensitySource says where answers take the probabilities from with which arms were played,
// given everything before a round. It goes by the protocol, the columns of the log and the
// verdict on policy.conformance, and never by what comes out.
type propensitySource int

const (
	fromNowhere propensitySource = iota
	fromLog                      // log.propensity, log.propensity_by_arm
	fromPolicy                   // a declared policy that reads no rewards
	fromReplay                   // a declared policy, replayed on the logged history
)

// source returns where the log's propensities come from; why says of nowhere what would change
// it. Formula sheet, second part, 23.0 (d): recomputed propensities count as logged where
// policy.conformance is VERIFIED or CONSISTENT. Logged propensities are taken instead, unless
// they are shares of draws and the action was a fresh draw (27.1).
func (s *Subject) source() (from propensitySource, why string) {
	has := s.Facts.Slice.HasPropensity()
	switch {
	case has && !publiclog.OneMore(s.Protocol):
		return fromLog, ""
	case !has && s.Facts.DeclaredLaw():
		return fromPolicy, ""
	}
	if why = s.againstRecomputed(); why != "" {
		return fromNowhere, why
	}
	return fromReplay, ""
}

// againstRecomputed is why the declared policy's propensities cannot be recomputed, or do
// not count; "" where they do.
func (s *Subject) againstRecomputed() string {
	if s.Protocol.Program != nil {
		return "no propensity is logged (log.propensity, log.propensity_by_arm): what a program answers is held against the arms, and stands in for no logged one"
	}
	if why := allocation.AgainstRecomputed(s.Facts, allocation.Conforms{Verdict: s.Verdict, Why: s.Why}); why != "" {
		return why
	}
	p := s.Replay.Propensities
	if publiclog.OneMore(s.Protocol) && (s.Validity.Misplayed || p != nil && p.Draws != nil && p.Draws.Allocation != nil && p.Draws.Allocation.Rejected) {
		return "the logged propensities are shares of draws (log.drawn: one-more), and the arms were not played with the recomputed propensities (allocation.matches_propensity)"
	}
	return ""
}

// recompute starts a walk over the recomputed propensities, which reads rewards for a
// purpose of its own where the policy does. It is only for a log whose source they are.
func (s *Subject) recompute(ctx context.Context, purpose string) (*conformance.Recomputed, error) {
	return s.Facts.Declared.Recompute(ctx, s.Facts.Slice, s.Sample.Book, s.Replay.Mode, "recomputed propensities of "+purpose)
}

// recomputedWords say what recomputed propensities rest on: formula sheet, second part,
// 21.4, C1.
func (s *Subject) recomputedWords() string {
	mode := s.Replay.Mode
	out := fmt.Sprintf("propensities are recomputed, of the declared policy: policy.conformance is %s, mode %s", s.Verdict, mode)
	if mode == schemas.ModeReleased && s.Facts.Mechanism.Noisy() {
		out += ", by the released values as logged, whose noise is declared"
	}
	if c := s.Replay; s.tiesOpen() {
		open, key := "indices tie nearly", "policy.near_ties"
		if s.Facts.Mechanism.Free() {
			open, key = "several arms are right", "policy.start, policy.ties, policy.near_ties"
		}
		out += fmt.Sprintf("; in %s in which %s wagers take what either choice gives, and estimates what the declared rule gives (%s)", schemas.Counted(c.Open(), "round"), open, key)
	}
	if s.Verdict == schemas.Verified {
		return out
	}
	return out + fmt.Sprintf("; where that policy ran, the verdict adds at most %.3g to the level of a method that auto chose, and nothing to that of one that was named; of another policy that it does not contradict nothing is known", s.Facts.Whole().CommonLevel())
}

// tiesOpen reports whether it was not recomputed which of several arms was the largest in
// rounds in which indices tie nearly: no seed gave every action by the declared rule.
func (s *Subject) tiesOpen() bool {
	c := s.Replay
	return c.Open() > 0 && (c.Mode != schemas.ModeSeed || c.Rests())
}

// spans writes the recomputed propensities of a row into dst, each between its two ends:
// 10⁻⁹ + 10⁻⁷·p on either side of it, or of what either choice gives where ties are open
// (see tiesOpen). An arm of probability 0 that was not played has the zero Span.
func spans(r *conformance.Recomputed, c *tableau.Chunk, row int, ties bool, dst []eprocess.Span) {
	lo := r.At(c.Start + int64(row))
	hi := lo
	if ties {
		lo, hi = r.Ends()
	}
	for arm := range dst {
		if dst[arm] = (eprocess.Span{}); hi[arm] > 0 || arm == int(c.Arm[row]) {
			dst[arm].Lo, dst[arm].Hi = conformance.Between(lo[arm], hi[arm])
		}
	}
}
