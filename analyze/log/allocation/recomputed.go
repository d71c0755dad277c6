package allocation

import (
	"context"
	"fmt"
	"slices"

	"banditaudit/analyze/log/check"
	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/allocationtest"
	"banditaudit/ingest/precision"
	"banditaudit/ingest/tableau"
	"banditaudit/replay/conformance"
	"banditaudit/replay/ledger"
	"banditaudit/schemas"
)

// Propensities that nobody logged are recomputed from the declared policy and the logged
// history. Methods take them for the probabilities with which arms were played, so that
// H05 and H17 hold the arms against them first, as against logged ones: an arm that
// follows a context, time or a unit has other probabilities given that than the policy
// says. What they find is of policy.conformance, for the declared policy draws its arms
// with these propensities whatever else is known; where the logged propensities are shares
// of draws it is of allocation.matches_propensity.

// Conforms is the verdict on policy.conformance before H05 and H17, with its reason.
type Conforms struct {
	Verdict schemas.Verdict
	Why     string
}

// AgainstRecomputed is why the declared policy's propensities cannot be recomputed, or do
// not count; "" where they do. Formula sheet, second part, 23.0 (d).
func AgainstRecomputed(f *publiclog.Facts, c Conforms) string {
	m := f.Mechanism
	none := "no propensity is logged"
	if publiclog.OneMore(f.Protocol) {
		none = "the logged propensities are shares of draws, and actions were drawn by one more (log.drawn: one-more): 1/p is then too large on average"
	}
	program := f.Protocol.Program.AnswersPropensities()
	switch verdict := c.Verdict; {
	case program && f.Declared.Programs == nil:
		return none + ", and the program that answers them is run only with --allow-exec"
	case m == nil && publiclog.OneMore(f.Protocol):
		return none
	case m == nil && !program:
		return "no propensity is logged (log.propensity, log.propensity_by_arm), and no policy is declared that gives them (policy)"
	case !f.Manifest.Declared:
		return none + ", and of a declared policy they are recomputed only where its arms are declared (arms)"
	case verdict == schemas.Violated:
		return none + ", and the arms were not played as the declared policy plays them (policy.conformance is VIOLATED)"
	case !program && !m.Random():
		return none + ", and the declared policy draws no arm: every recomputed probability is 0 or 1, and what another arm would have earned in a round was left to no chance (positivity)"
	case !program && m.Given() > 0:
		return fmt.Sprintf("%s, and the policy did not choose the first %s (policy.start: {given: %d}), of which nothing gives the probabilities", none, schemas.Counted(m.Given(), "round"), m.Given())
	case f.Drawn.Open() != "":
		return none + ", and " + f.Drawn.Open()
	case verdict == schemas.NotRun:
		return fmt.Sprintf("%s, and those of the declared policy are recomputed only where policy.conformance is VERIFIED or CONSISTENT: it is %s (%s)", none, verdict, c.Why)
	case verdict != schemas.Verified && verdict != schemas.Consistent:
		return fmt.Sprintf("%s, and those of the declared policy are recomputed only where policy.conformance is VERIFIED or CONSISTENT: it is %s, and its reason says what would settle it (policy.seed, log.released_by_arm)", none, verdict)
	}
	return againstMode(f, none)
}

// againstMode is against what a replay that conforms was made from.
func againstMode(f *publiclog.Facts, none string) string {
	if f.Replay == nil { // without one nothing conforms
		return none
	}
	switch c := &f.Replay.Conformance; {
	case c.Mode == schemas.ModeSeed && !f.Mechanism.PropensitiesKnown() && !f.Declared.SeedKnown():
		return none + ", and the seed is not at hand, from which the noise is recomputed that the policy read (policy.seed)"
	case c.Mode == schemas.ModeReleased && f.Mechanism.Noisy() && c.Released != nil && c.Released.Rounding != nil:
		return none + ", and those recomputed from released values that are logged with less than full precision are not known: log them in full (log.released_by_arm)"
	case c.Mode == schemas.ModeNone:
		return none + ", and nothing was replayed"
	}
	return ""
}

// recomputing makes rounds with the propensities that a replay of the declared policy has,
// and holds the pulls of all rounds and of batches against them. Chunks come in their order.
type recomputing struct {
	run     *conformance.Recomputed
	arms    int
	p       []float64 // by round and arm of the chunk
	between []bool    // by round: it is only known between what they are
	lo, hi  []float64 // of the round before
	upper   []float64 // by arm, of that
	lower   []float64 // likewise
	units   *unitWager
	held    []int32 // by round: the arm, −1 where no pull is held against p
	exact   *allocationtest.Exact
	batches *allocationtest.Batches // nil without batches
}

// recompute starts a walk, which reads rewards for a purpose of its own where the policy
// does.
func recompute(ctx context.Context, f *publiclog.Facts, slice *tableau.Slice, book *ledger.Disclosures, units *unitWager) (*recomputing, error) {
	run, err := f.Declared.Recompute(ctx, slice, book, f.Replay.Conformance.Mode, "recomputed propensities of "+purposeSplits)
	if err != nil {
		return nil, err
	}
	k := f.K()
	out := &recomputing{run: run, arms: k, units: units, lo: make([]float64, k), hi: make([]float64, k), upper: make([]float64, k), lower: make([]float64, k), exact: allocationtest.NewExact(k)}
	out.exact.Ends = recomputedEnds()
	if slice.Schema().Batch {
		out.batches = allocationtest.NewBatches(k)
		out.batches.Ends = recomputedEnds()
		out.batches.Together(allocationtest.TogetherDraws(slice.Rows(), f.Whole().Experiments))
	}
	return out, nil
}

// recomputedEnds are the ends of a recomputed propensity, see conformance.Between.
func recomputedEnds() precision.Ends {
	const absolute, relative = 1e-9, 1e-7
	return precision.Ends{Room: absolute, Relative: relative}
}

// take makes the rows of a chunk.
func (r *recomputing) take(c *tableau.Chunk, to *splitRows, odds bool) error {
	k := r.arms
	to.Again, r.between, r.p = resized(to.Again, len(c.Arm)), resized(r.between, len(c.Arm)), resized(r.p, len(c.Arm)*k)
	for t, played := range c.Arm {
		p := r.run.At(c.Start + int64(t))
		copy(r.p[t*k:], p)
		lo, hi := r.run.Held()
		r.between[t] = !slices.Equal(lo, hi)
		if to.Again[t] = t > 0 && slices.Equal(lo, r.lo) && slices.Equal(hi, r.hi); !to.Again[t] {
			copy(r.lo, lo)
			copy(r.hi, hi)
			r.takeRow(t, to)
		}
		r.units.see(c, t, r.lower, r.upper)
		switch {
		case !odds:
		case to.Again[t]:
			to.likelier = append(to.likelier, to.likelier[t-1])
		default:
			to.likelier = append(to.likelier, r.likelierOf(t, to))
		}
		if to.High[t] = r.upper[played]; !(r.hi[played] > 0) {
			to.High[t], to.Arm[t] = 1, -1 // which contradicts the policy by itself
		}
	}
	return r.run.Err()
}

// takeRow takes the ends of the propensities of a round, where they differ from the ends in
// the round before.
func (r *recomputing) takeRow(t int, to *splitRows) {
	for arm := range r.lo {
		at := t*r.arms + arm
		if to.could[at] = r.hi[arm] > 0; to.could[at] {
			r.lower[arm], r.upper[arm] = conformance.Between(r.lo[arm], r.hi[arm])
		} else {
			r.lower[arm], r.upper[arm] = 0, 0
		}
		to.low[at] = r.lower[arm]
	}
}

// likelierOf is the likelier arm of a round.
func (r *recomputing) likelierOf(t int, to *splitRows) likelier {
	at := t * r.arms
	of := mostLikely(r.p[at:at+r.arms], to.could[at:at+r.arms])
	if of.arm >= 0 {
		of.low, of.high = to.low[at+int(of.arm)], r.upper[of.arm]
	}
	return of
}

// hold holds the pulls of a chunk against the propensities that take found, in rounds that
// are drawn by themselves and whose propensities are known.
func (r *recomputing) hold(c *tableau.Chunk, rows *splitRows) error {
	r.held = append(r.held[:0], rows.Arm...)
	for t, between := range r.between {
		if between {
			r.held[t] = -1
		}
	}
	if r.batches != nil {
		r.batches.AddExact(c.Batch, r.held, r.p)
	}
	return r.exact.Add(r.held, r.p, func(row int) bool { return rows.Again[row] })
}

// found is what pulls said, as check H05 has it.
func (r *recomputing) found(f *publiclog.Facts) *check.Propensities {
	out := &check.Propensities{Recomputed: true, Drawn: f.Drawn.Words(f.Slice), Sticky: f.Sticky.Words(), Ends: r.exact.Ends}
	var batches *allocationtest.BatchResult
	if r.batches != nil {
		batches = r.batches.Result()
	}
	out.Allocation = r.exact.Test(f.MarginLevel(), batches)
	return out
}
