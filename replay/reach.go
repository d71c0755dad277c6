package replay

import (
	"banditaudit/replay/policy"
)

// reach says which sequences of actions a mechanism can take, as far as that is known.
type reach struct {
	attained bool // see Attained
	any      bool // see TakesAny
	forced   bool // see PlaysEachFirst
}

// Attained reports whether released values lose, on every sequence of actions that the
// policy can take, the sum of the costs of any set of rows: where no choice changes when
// all released means fall alike, or any arm can be played whatever was released. Of
// policies that read vectors, or transform what they read and draw nothing, it is not
// known.
func (m *Mechanism) Attained() bool { return m.reach.attained }

// TakesAny reports whether the policy can take any sequence of actions, after the rounds
// of PlaysEachFirst, where rewards are known at once.
func (m *Mechanism) TakesAny() bool { return m.reach.any }

// PlaysEachFirst reports whether the policy plays every arm before any twice, where
// rewards are known at once.
func (m *Mechanism) PlaysEachFirst() bool { return m.reach.forced }

// reaches says which sequences the declared mechanism can take.
func (d *declaration) reaches(m *Mechanism) reach {
	own := d.Policy.Own
	if !d.noise || !d.kind.Learns() || d.kind.Linear() || d.kind.Scores {
		return reach{}
	}
	falls := d.kind.Falls != nil && d.kind.Falls(own)
	draws := m.floor.least > 0 || d.kind.AnyArm != nil && d.kind.AnyArm(own)
	renews := d.catalogue.Counter(d.Counter.Name).Renews
	inOrder := d.kind.Indexed && policy.Waits(own) && (renews || !policy.RandomStart(own) && !policy.AnyStart(own))
	free := m.schedule.plain() && !m.strata && d.Log.Eligible == "" && m.opening.Given == 0 && d.knownArms() > 0
	return reach{
		attained: falls || draws,
		any:      free && (draws || falls && d.kind.Indexed && renews && !m.opening.Draws()),
		forced:   free && inOrder && !d.kind.Drawn(own) && m.floor.value == 0 && !m.opening.Draws(),
	}
}
