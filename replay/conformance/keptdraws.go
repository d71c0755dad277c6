package conformance

import (
	"slices"

	"banditaudit/ingest/tableau"
)

// keptDraws finds later rounds of units whose logged propensities equal the propensities of
// the unit's first round. A unit that keeps its arm was drawn once, and a log may hold the
// propensities of that draw in all its rounds, whatever the policy has learned since. nil
// finds none.
type keptDraws struct {
	s     *tableau.Slice
	first []int64 // by unit: the row of its first round, and 1
}

// keptDraws goes over the units once. It is nil where each round is known to be drawn
// by itself, where no column says whose rounds are, and for more than 67,108,864 units.
func (j *job) keptDraws() (*keptDraws, error) {
	if d := j.declared.Draws(j.s); d != DrawsByUnit && d != DrawsOpen || j.s.UnitCount() > mostUnits {
		return nil, nil //nolint:nilnil // it finds nothing
	}
	k := &keptDraws{s: j.s, first: make([]int64, j.s.UnitCount())}
	for i := range j.s.Chunks() {
		if err := j.ctx.Err(); err != nil {
			return nil, err
		}
		c := j.s.Chunk(i)
		for row, unit := range c.Unit {
			if k.first[unit] == 0 {
				k.first[unit] = c.Start + int64(row) + 1
			}
		}
	}
	return k, nil
}

// keeps reports whether a row of a chunk is a later round of its unit, has the arm of
// the unit's first round, and has its logged propensities, to the last bit.
func (k *keptDraws) keeps(c *tableau.Chunk, row int) bool {
	return k.later(c, row) && k.same(c, row)
}

func (k *keptDraws) later(c *tableau.Chunk, row int) bool {
	return k != nil && k.first[c.Unit[row]] != c.Start+int64(row)+1
}

func (k *keptDraws) same(c *tableau.Chunk, row int) bool {
	i, at := k.s.Locate(k.first[c.Unit[row]] - 1)
	f, arms := k.s.Chunk(i), k.s.Arms()
	if f.Arm[at] != c.Arm[row] || f.Propensity[at] != c.Propensity[row] {
		return false
	}
	return f.PropensityByArm == nil || slices.Equal(f.PropensityByArm[at*arms:(at+1)*arms], c.PropensityByArm[row*arms:(row+1)*arms])
}

// throughout reports whether every later round has the arm and the propensities of its
// unit's first round.
func (k *keptDraws) throughout() bool {
	if k == nil {
		return false
	}
	for i := range k.s.Chunks() {
		c := k.s.Chunk(i)
		for row := range c.Unit {
			if k.later(&c, row) && !k.same(&c, row) {
				return false
			}
		}
	}
	return true
}
