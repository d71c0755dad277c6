package conformance

import (
	"banditaudit/ingest/tableau"
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
