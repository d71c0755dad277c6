package weighed

import (
	"context"
	"fmt"

	"banditaudit/analyze/anytime"
	"banditaudit/analyze/facts"
	"banditaudit/ingest/tableau"
	"banditaudit/replay/conformance"
	"banditaudit/schemas"
)

// source says where answers take the probabilities from with which arms were played,
// given everything before a round. It goes by the protocol, the columns of the log and the
// verdict on policy.conformance, and never by what comes out.
type source int

const (
	fromNowhere source = iota
	fromLog            // log.propensity, log.propensity_by_arm
	fromPolicy         // a declared policy that reads no rewards
	fromReplay         // a declared policy, replayed on the logged history
)

// noPropensities is why there are none where no policy is declared either.
const noPropensities = "no propensity is logged (log.propensity, log.propensity_by_arm), and no policy is declared that gives them (policy)"

// source is that of the log; why says of nowhere what would change it. Formula sheet,
// second part, 23.0 (d): recomputed propensities count as logged where policy.conformance
// is VERIFIED or CONSISTENT. Where they are logged these are taken, but for shares of
// draws where the action was drawn by one more draw (27.1).
func (s *Subject) source() (from source, why string) {
	has := s.Slice.HasPropensity()
	switch {
	case has && !facts.OneMore(s.Protocol):
		return fromLog, ""
	case !has && s.DeclaredLaw():
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
	m := s.Mechanism
	none := "no propensity is logged"
	if facts.OneMore(s.Protocol) {
		none = "the logged propensities are shares of draws, and actions were drawn by one more (log.drawn: one-more): 1/p is then too large on average"
	}
	switch verdict := s.Verdict; {
	case m == nil && facts.OneMore(s.Protocol):
		return none
	case m == nil:
		return noPropensities
	case !s.Manifest.Declared:
		return none + ", and of a declared policy they are recomputed only where its arms are declared (arms)"
	case verdict == schemas.Violated:
		return none + ", and the arms were not played as the declared policy plays them (policy.conformance is VIOLATED)"
	case !m.Random():
		return none + ", and the declared policy draws no arm: every recomputed probability is 0 or 1, and what another arm would have earned in a round was left to no chance (positivity)"
	case m.Given() > 0:
		return fmt.Sprintf("%s, and the policy did not choose the first %s (policy.start: {given: %d}), of which nothing gives the probabilities", none, schemas.Counted(m.Given(), "round"), m.Given())
	case s.Drawn.Open() != "":
		return none + ", and " + s.Drawn.Open()
	case verdict == schemas.NotRun:
		return fmt.Sprintf("%s, and those of the declared policy are recomputed only where policy.conformance is VERIFIED or CONSISTENT: it is %s (%s)", none, verdict, s.Why)
	case verdict != schemas.Verified && verdict != schemas.Consistent:
		return fmt.Sprintf("%s, and those of the declared policy are recomputed only where policy.conformance is VERIFIED or CONSISTENT: it is %s, and its reason says what would settle it (policy.seed, log.released_by_arm)", none, verdict)
	}
	return s.againstMode(none)
}

// againstMode is against what a replay that conforms was made from.
func (s *Subject) againstMode(none string) string {
	if s.Replay == nil { // without one nothing conforms
		return none
	}
	switch c := &s.Replay.Conformance; {
	case c.Mode == schemas.ModeSeed && !s.Mechanism.PropensitiesKnown() && !s.SeedKnown():
		return none + ", and the seed is not at hand, from which the noise is recomputed that the policy read (policy.seed)"
	case c.Mode == schemas.ModeReleased && s.Mechanism.Noisy() && c.Released != nil && c.Released.Rounding != nil:
		return none + ", and those recomputed from released values that are logged with less than full precision are not known: log them in full (log.released_by_arm)"
	case c.Mode == schemas.ModeNone:
		return none + ", and nothing was replayed"
	}
	if p := s.Replay.Conformance.Propensities; facts.OneMore(s.Protocol) && p != nil && p.Draws != nil && p.Draws.Allocation != nil && p.Draws.Allocation.Rejected {
		return none + ", and the arms were not played with the recomputed propensities (allocation.matches_propensity)"
	}
	return ""
}

// recompute starts a walk over the recomputed propensities, which reads rewards for a
// purpose of its own where the policy does. It is only for a log whose source they are.
func (s *Subject) recompute(ctx context.Context, purpose string) (*conformance.Recomputed, error) {
	return s.Recompute(ctx, s.Slice, s.Book, s.Replay.Conformance.Mode, "recomputed propensities of "+purpose)
}

// recomputedWords say what recomputed propensities rest on: formula sheet, second part,
// 21.4, C1.
func (s *Subject) recomputedWords() string {
	mode := s.Replay.Conformance.Mode
	out := fmt.Sprintf("propensities are recomputed, of the declared policy: policy.conformance is %s, mode %s", s.Verdict, mode)
	if mode == schemas.ModeReleased && s.Mechanism.Noisy() {
		out += ", by the released values as logged, whose noise is declared"
	}
	if c := &s.Replay.Conformance; s.tiesOpen() {
		open, key := "indices tie nearly", "policy.near_ties"
		if s.Mechanism.Free() {
			open, key = "several arms are right", "policy.start, policy.ties, policy.near_ties"
		}
		out += fmt.Sprintf("; in %s in which %s wagers take what either choice gives, and estimates what the declared rule gives (%s)", schemas.Counted(c.Open(), "round"), open, key)
	}
	if s.Verdict == schemas.Verified {
		return out
	}
	return out + fmt.Sprintf("; where that policy ran, the verdict adds at most %.3g to the level of a method that auto chose, and nothing to that of one that was named; of another policy that it does not contradict nothing is known", s.Whole().CommonLevel())
}

// tiesOpen reports whether it was not recomputed which of several arms was the largest in
// rounds in which indices tie nearly: no seed gave every action by the declared rule.
func (s *Subject) tiesOpen() bool {
	c := &s.Replay.Conformance
	return c.Open() > 0 && (c.Mode != schemas.ModeSeed || c.Rests())
}

// spans writes the recomputed propensities of a row into dst, each between its two ends:
// 10⁻⁹ + 10⁻⁷·p on either side of it, or of what either choice gives where ties are open
// (see tiesOpen). An arm of probability 0 that was not played has the zero Span.
func spans(r *conformance.Recomputed, c *tableau.Chunk, row int, ties bool, dst []anytime.Span) {
	lo := r.At(c.Start + int64(row))
	hi := lo
	if ties {
		lo, hi = r.Ends()
	}
	for arm := range dst {
		if dst[arm] = (anytime.Span{}); hi[arm] > 0 || arm == int(c.Arm[row]) {
			dst[arm].Lo, dst[arm].Hi = conformance.Between(lo[arm], hi[arm])
		}
	}
}
