package ope

import (
	"context"
	"slices"

	"banditaudit/analyze/log/publiclog"
	"banditaudit/analyze/stat/eprocess"
	"banditaudit/ingest/precision"
	"banditaudit/ingest/tableau"
)

// pairRows are the rounds of a chunk that wagers are over.
type pairRows struct {
	row   []int // of the chunk
	arm   []int
	known []bool
	y     []float64
	p     []eprocess.Span // of the needed arms, for every stretch of rounds that have the same
	at    []int           // of a round: where its own begin
}

// read makes the wagers on a chunk, each by itself, while the rows of the next one are
// prepared.
func (r *pairReader) read(ctx context.Context) error {
	err := publiclog.Ahead(ctx, r.facts.Slice, r.facts.Jobs, r.prepare, func(i int, rows *pairRows) error {
		return r.take(ctx, i, rows)
	})
	r.lookAt()
	return err
}

// prepare takes the rounds of a chunk, in their order.
func (r *pairReader) prepare(i int, to *pairRows) error {
	c, y, known := r.facts.Slice.Chunk(i), r.rewards.Chunk(i), r.rewards.Arms(i)
	protocol := r.subject.Protocol
	lo, width := protocol.Reward.Range[0], publiclog.RangeWidth(protocol)
	to.row, to.arm, to.known, to.y, to.p, to.at = to.row[:0], to.arm[:0], to.known[:0], to.y[:0], to.p[:0], to.at[:0]
	var draws []bool
	if r.firsts != nil {
		draws = r.firsts.Next(&c)
	}
	for t := range c.Arm {
		if t < len(draws) && !draws[t] {
			continue
		}
		if again := r.propensities(&c, t); !again || len(to.row) == 0 {
			for _, arm := range r.needed {
				to.p = append(to.p, r.p[arm])
			}
		}
		to.row, to.arm, to.at = append(to.row, t), append(to.arm, int(c.Arm[t])), append(to.at, len(to.p)-len(r.needed))
		to.known, to.y = append(to.known, known[t] >= 0), append(to.y, (y[t]-lo)/width)
	}
	if r.replayed != nil {
		return r.replayed.Err()
	}
	return nil
}

// take lets everything wager on the rounds of a chunk, up to each look at the average of
// all pairs.
func (r *pairReader) take(ctx context.Context, i int, rows *pairRows) error {
	c := r.facts.Slice.Chunk(i)
	for from := 0; from < len(rows.row); {
		to := len(rows.row)
		if r.w.All != nil {
			to = int(min(int64(to), int64(from)+r.look-r.rounds))
		}
		wagers := r.wagers(&c, rows, from, to)
		jobs := max(1, min(r.facts.Jobs, len(wagers)))
		err := publiclog.EachPart(ctx, r.facts.Slice, jobs, func(part int) error {
			for ; part < len(wagers); part += jobs {
				wagers[part]()
			}
			return nil
		})
		if err != nil {
			return err
		}
		r.rounds, from = r.rounds+int64(to-from), to
		if r.w.All != nil && r.rounds == r.look {
			r.lookAt()
			r.look = max(r.look+1, r.look+r.look/lookAfter)
		}
	}
	return nil
}

// wagers lists the bets on a stretch of rounds, as functions that share nothing and may run
// together.
func (r *pairReader) wagers(c *tableau.Chunk, rows *pairRows, from, to int) []func() {
	var out []func()
	for i := range r.pairs {
		if r.effects[i] != nil {
			out = append(out, func() { r.onReward(i, rows, from, to) })
		}
		if r.arms != nil {
			out = append(out, func() { r.onArm(i, rows, from, to) })
		}
	}
	if len(r.w.values) > 0 {
		out = append(out, func() { r.onValues(c, rows, from, to) })
	}
	return out
}

// spansOf are the propensities of a pair in a stretch that begins at a place.
func (r *pairReader) spansOf(pair int, rows *pairRows, at int) [2]eprocess.Span {
	of, p := r.pairs[pair], rows.p[at:]
	return [2]eprocess.Span{p[r.place[of[0]]], p[r.place[of[1]]]}
}

// onReward lets a pair wager on rewards. One that is missing counts as 0 in both directions.
func (r *pairReader) onReward(pair int, rows *pairRows, from, to int) {
	of, e, last := r.pairs[pair], r.effects[pair], -1
	var played eprocess.Played
	for t := from; t < to; t++ {
		if !rows.known[t] {
			e.Add(eprocess.Played{Arm: eprocess.Neither}) // and from here on nothing around a plug-in
			continue
		}
		if at := rows.at[t]; at != last {
			last, played.P = at, r.spansOf(pair, rows, at)
		}
		played.Arm, played.Reward = slices.Index(of[:], rows.arm[t]), rows.y[t] // −1 is neither
		e.Add(played)
	}
}

// onArm lets a pair wager on the arm, of which a reward that is missing says nothing.
func (r *pairReader) onArm(pair int, rows *pairRows, from, to int) {
	of, a, last := r.pairs[pair], r.arms[pair], -1
	kept := r.facts.Sampled.AgainstArms(of[:]...) == ""
	var first eprocess.Span
	for t := from; t < to; t++ {
		arm := rows.arm[t]
		if arm != of[0] && arm != of[1] || !rows.known[t] {
			continue
		}
		if at := rows.at[t]; at != last {
			last, first = at, share(r.spansOf(pair, rows, at))
			if first.Hi > 0 && kept {
				first.Lo, first.Hi = r.facts.Sampled.Pair(of[0], of[1], first.Lo), r.facts.Sampled.Pair(of[0], of[1], first.Hi)
			}
		}
		a.Add(arm == of[0], first, rows.y[t])
	}
}

// onValues lets all evaluated policies wager. The propensities of all arms are needed then.
func (r *pairReader) onValues(c *tableau.Chunk, rows *pairRows, from, to int) {
	for t := from; t < to; t++ {
		p := rows.p[rows.at[t] : rows.at[t]+len(r.needed)]
		of := wageredRound{arm: rows.arm[t], p: p, all: r.lower(p), known: rows.known[t], y: rows.y[t]}
		for _, v := range r.w.values {
			v.round(v.targets.of(c, rows.row[t]), &of)
		}
	}
}

// propensities fills in the propensities of a row, and reports whether they are known to
// equal the propensities of the row that was asked for before.
func (r *pairReader) propensities(c *tableau.Chunk, t int) (again bool) {
	k, played, row := r.facts.K(), int(c.Arm[t]), c.Start+int64(t)
	switch {
	case r.law != nil:
		if again = r.next > 0 && !r.facts.Slice.Schema().Eligible; again {
			return again // the probabilities are declared, and nothing else changes them
		}
		r.next = row + 1
		r.law(c, t, r.exact)
		for arm, p := range r.exact {
			r.p[arm] = eprocess.Exactly(p)
		}
	case r.replayed != nil:
		spans(r.replayed, c, t, r.ties, r.p)
	case c.PropensityByArm != nil:
		again = row == r.next && c.Again(t)
		if r.next = row + 1; again {
			return again
		}
		all := c.PropensityByArm[t*k : t*k+k]
		for _, arm := range r.needed {
			p := all[arm]
			if !c.Eligible(t, arm) {
				p = 0
			}
			if p != r.logged[arm] {
				r.logged[arm], r.p[arm] = p, spanOf(&r.ends.all, p)
			}
		}
	default:
		clear(r.p)
		r.p[played] = spanOf(&r.ends.action, c.Propensity[t])
		if other := 1 - played; r.known {
			r.p[other] = eprocess.Span{Lo: max(0, 1-r.p[played].Hi), Hi: 1 - r.p[played].Lo}
			if !c.Eligible(t, other) {
				r.p[other] = eprocess.Span{}
			}
		}
	}
	return false
}

// lower are the lower ends of the propensities of all arms, nil where not all are known.
func (r *pairReader) lower(p []eprocess.Span) []float64 {
	if !r.known {
		return nil
	}
	for arm, p := range p {
		r.least[arm] = p.Lo
	}
	return r.least
}

// drawnEnds are the ends of logged propensities, of the action and of all arms.
type drawnEnds struct{ action, all precision.Ends }

// spanOf is where a logged propensity lies by its decimals.
func spanOf(ends *precision.Ends, p float64) (out eprocess.Span) {
	if p != 0 {
		out.Lo, out.Hi = ends.Both(p)
	}
	return out
}

// share returns the share of the first of two arms among the rounds that play either; the zero
// Span where one of them could not be played.
func share(p [2]eprocess.Span) eprocess.Span {
	if p[0].Hi == 0 || p[1].Hi == 0 {
		return eprocess.Span{} // a round that could not play the other says nothing
	}
	return eprocess.Span{Lo: p[0].Lo / (p[0].Lo + p[1].Hi), Hi: p[0].Hi / (p[0].Hi + p[1].Lo)}
}

// lookAfter sets after which rounds the average of all pairs is looked at: after every
// round up to 2·lookAfter; then a look after n rounds is followed by one ⌊n/lookAfter⌋
// rounds later. Any looks that are fixed beforehand give a valid p.
const lookAfter = 100

// lookAt takes up the average of what all pairs have won.
func (r *pairReader) lookAt() {
	all := r.w.All
	if all == nil {
		return
	}
	pairs := everyPair(r.facts.K())
	won := make([]float64, 0, len(pairs))
	for _, of := range pairs {
		if a := r.w.Arm[of]; a != nil {
			won = append(won, a.Evidence().Both)
		}
	}
	if len(won) > 0 {
		all.ByArm.Look(won...)
	}
	if !all.Rewards {
		return
	}
	won = won[:0]
	for _, of := range pairs {
		won = append(won, r.w.Reward[of].NoDifference().Both)
	}
	all.ByReward.Look(won...)
}
