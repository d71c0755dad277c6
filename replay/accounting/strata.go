package accounting

import (
	"slices"

	"banditaudit/ingest/tableau"
	"banditaudit/replay/ledger"
)

// Rows of different strata are disjoint data: a reward enters the state of its own stratum
// alone, so that the likelihood ratio of two tableaus that differ in one row has the
// decisions and releases of that stratum in it, and no others. What the row loses is then
// what it loses in its stratum, and the total is the largest of these (parallel
// composition), where the stratum of a round depends on rewards through actions and
// released values at most, as every context does.

// stratumOf is the stratum of a row of a chunk; 0 where there are none.
func stratumOf(c *tableau.Chunk, row int) int {
	if c.Stratum == nil {
		return 0
	}
	return int(c.Stratum[row])
}

// stream is the number of the stream that the reward of a row enters.
func (d *Declared) stream(c *tableau.Chunk, row int) int {
	return stratumOf(c, row)*len(d.Arms) + int(c.Arm[row])
}

// stratumRows are the rounds of every stratum; one number where there are none.
func (e *Experiment) stratumRows() []int64 {
	if !e.Mechanism.Stratified() {
		return []int64{e.Slice.Rows()}
	}
	return strataOf(e.Slice, func(int64, int, bool) {})
}

// strataOf counts the rounds of every stratum, and visits every row: its round, its
// stratum, and whether its batch differs from the batch of the row before.
func strataOf(s *tableau.Slice, visit func(round int64, stratum int, another bool)) []int64 {
	var rows []int64
	last := int32(0)
	for i := range s.Chunks() {
		c := s.Chunk(i)
		for row, round := range c.Round {
			stratum, another := stratumOf(&c, row), false
			if stratum >= len(rows) {
				rows = append(rows, make([]int64, stratum+1-len(rows))...)
			}
			if c.Batch != nil {
				another, last = c.Batch[row] != last, c.Batch[row]
			}
			rows[stratum]++
			visit(round, stratum, another)
		}
	}
	return rows
}

// LastUsed returns, of every stratum, the last round of the log before which its state
// learned for a decision; 0, which no round is before, where it never did. Without strata
// it is LastLearned alone.
func (e *Experiment) LastUsed() []int64 {
	m := e.Mechanism
	if !m.Stratified() {
		return []int64{e.LastLearned()}
	}
	var limit, rows []int64
	batch := int64(0) // round in which it began; 0: the first
	strataOf(e.Slice, func(round int64, stratum int, another bool) {
		if stratum >= len(limit) {
			limit, rows = append(limit, make([]int64, stratum+1-len(limit))...), append(rows, make([]int64, stratum+1-len(rows))...)
		}
		if another {
			batch = round
		}
		switch rows[stratum]++; {
		case m.ByBatch():
			limit[stratum] = batch
		case m.Learns(rows[stratum], false):
			limit[stratum] = round
		}
	})
	return limit
}

// lawOfStrata is lawOf where strata are declared: the law over as many rounds as the
// largest stratum has, of which no more can use one reward than in any stratum.
func (d *Declared) lawOfStrata(s *tableau.Slice) ledger.Law {
	m := d.Mechanism
	if !m.ByBatch() {
		return m.LawOver(slices.Max(strataOf(s, func(int64, int, bool) {})))
	}
	var first, began []int64 // by stratum: rounds in the batch in which it begins, and number of that batch
	batch := int64(0)
	rows := strataOf(s, func(_ int64, stratum int, another bool) {
		if another {
			batch++
		}
		for stratum >= len(first) {
			first, began = append(first, 0), append(began, batch)
		}
		if began[stratum] == batch {
			first[stratum]++
		}
	})
	used := int64(0)
	for stratum, n := range rows {
		used = max(used, n-first[stratum])
	}
	most := slices.Max(rows)
	return m.LawBatched(most, most-used+1)
}

// byArm are the ledgers of arms, each of its streams together.
func byArm(streams []ledger.ArmLedger, arms int) []ledger.ArmLedger {
	if len(streams) == arms {
		return streams
	}
	out := make([]ledger.ArmLedger, arms)
	for i, of := range streams {
		to := &out[i%arms]
		to.Pulls += of.Pulls
		to.Levels = append(to.Levels, of.Levels...)
		for _, r := range of.Releases {
			k := slices.IndexFunc(to.Releases, func(o ledger.Release) bool {
				return o.Name == r.Name && o.Sensitivity == r.Sensitivity && o.Epsilon.Equal(r.Epsilon)
			})
			if k < 0 {
				to.Releases = append(to.Releases, r)
			} else {
				to.Releases[k].Count += r.Count
			}
		}
	}
	for i := range out {
		out[i].Levels = ledger.Merge(out[i].Levels)
	}
	return out
}
