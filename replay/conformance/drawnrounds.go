package conformance

import (
	"math"
	"slices"

	"banditaudit/ingest/tableau"
	"banditaudit/replay/evidence/wager"
	"banditaudit/schemas"
)

// Draws says in which rounds of a log the action was drawn anew, with the round's
// propensities and independently of earlier draws. It is decided by policy.draw and
// by whether units (log.unit) own several rounds.
type Draws int

const (
	// DrawsByRound says in every round.
	DrawsByRound Draws = iota
	// DrawsByUnit says in the first round of each unit, as declared; later rounds of the
	// unit keep its arm while the weights stand still.
	DrawsByUnit
	// DrawsOpen says that units own several rounds, and nothing is declared. First rounds of
	// units are drawn either way; whether later ones are is not known.
	DrawsOpen
	// DrawsHidden says that one draw a unit is declared, and no column says whose rounds are.
	DrawsHidden
)

// Draws says in which rounds of an experiment actions were drawn.
func (d *Declared) Draws(s *tableau.Slice) Draws {
	units := s.Schema().Unit
	repeated := units && s.UnitCount() < s.Rows()
	switch by := d.Protocol.DrawnBy(); {
	case by == schemas.DrawByUnit && !units:
		return DrawsHidden
	case by == schemas.DrawByUnit && repeated:
		return DrawsByUnit
	case by == "" && repeated:
		return DrawsOpen
	}
	return DrawsByRound
}

// Firsts goes over the first rounds of units, where only they are known to be
// drawn; nil elsewhere.
func (d Draws) Firsts(s *tableau.Slice) *tableau.Firsts {
	if d == DrawsByUnit || d == DrawsOpen {
		return s.Firsts()
	}
	return nil
}

// None reports whether no round is known to be drawn by itself.
func (d Draws) None() bool { return d == DrawsHidden }

// Words say on which rounds that need a draw a test went; "" for all of them.
func (d Draws) Words(s *tableau.Slice) string {
	switch d {
	case DrawsByRound:
	case DrawsByUnit, DrawsOpen:
		return "by the first round of each unit (log.unit), " + schemas.Grouped(s.UnitCount()) + " of " + schemas.Counted(s.Rows(), "round")
	case DrawsHidden:
		return "by no round"
	}
	return ""
}

// Open is why a log cannot show that its actions were drawn, and the key that would
// settle it; "" where it can.
func (d Draws) Open() string {
	switch d {
	case DrawsByRound, DrawsByUnit:
	case DrawsOpen:
		return "a unit (log.unit) owns several rounds, and whether each was drawn by itself or they share one draw is not declared: write policy.draw: {by: round} where every round drew anew, or {by: unit} where a unit keeps its arm"
	case DrawsHidden:
		return "rounds of a unit share one draw (policy.draw: {by: unit}), and no column says whose they are: name it in log.unit"
	}
	return ""
}

// Without reports whether a seed says nothing of the actions of an experiment: it gives
// a draw for each round, and they were not drawn so.
func (d *Declared) Without(s *tableau.Slice) bool {
	by := d.Draws(s)
	if d.Protocol.Hashed() != nil {
		return d.Mechanism.Random() // the key of the unit gives the action
	}
	return d.Mechanism.Random() && (by == DrawsByUnit || by == DrawsHidden)
}

// asksAlways reports whether the policy's own answer is held against every round,
// and not only against the first of each unit: so it is where nothing says, or
// leaves open of a policy that draws, that one answer serves several rounds.
func (d *Declared) asksAlways(s *tableau.Slice) bool {
	switch d.Draws(s) {
	case DrawsByUnit, DrawsHidden:
		return false
	case DrawsOpen:
		return !d.Mechanism.Random()
	case DrawsByRound:
	}
	return true
}

// Asked is in how many rounds of an experiment the answer of the declared policy is
// held against what was logged, where it can be recomputed.
func (d *Declared) Asked(s *tableau.Slice) int64 {
	switch {
	case d.asksAlways(s):
		return s.Rows()
	case d.Draws(s).None():
		return 0
	}
	return s.UnitCount()
}

// Bounds of what is kept of units: two bytes for each, 128 MiB in all.
const (
	mostUnits = 1 << 26
	mostArms  = math.MaxUint16
)

// drawnAnew reports whether units own several rounds and each is declared to be
// drawn anew, and whether the last arm of every unit can be kept: not of more than
// 67,108,864 units or 65,534 arms.
func (j *job) drawnAnew() bool {
	s := j.s
	return s.Schema().Unit && s.UnitCount() < s.Rows() && j.protocol.DrawnBy() == schemas.DrawByRound &&
		s.UnitCount() <= mostUnits && s.Arms() < mostArms
}

// unitArms begins before the first round; nil where draws are not held against the
// arm of the unit's round before.
func (j *job) unitArms() *wager.UnitArms {
	if !j.drawnAnew() {
		return nil
	}
	return wager.NewUnitArms(j.s.UnitCount())
}

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
