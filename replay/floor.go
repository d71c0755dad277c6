package replay

import (
	"fmt"
	"math"

	"banditaudit/replay/ledger"
	"banditaudit/replay/policy"
	"banditaudit/schemas"
	"banditaudit/schemas/param"
)

// declaredFloor is the declared exploration floor; its zero value is none.
type declaredFloor struct {
	kind  *policy.FloorKind
	value float64
	least float64 // see Mechanism.Floor
}

// newFloor reads a floor over the given number of arms, which are all where they are
// declared.
func newFloor(f *schemas.Floor, arms int, declared bool) declaredFloor {
	kind := policy.FloorOf(f.Kind)
	if !declared && f.Value > 0 {
		arms = max(arms, int(math.Min(1/f.Value, math.MaxInt32))) // of more, not all could have the floor
	}
	return declaredFloor{kind, f.Value, kind.Least(f.Value, arms)}
}

// Floor returns a number below which the propensity of no eligible arm is, by the declared
// exploration floor; 0 where there is none, or nothing is known of its kind.
func (m *Mechanism) Floor() float64 { return m.floor.least }

// FloorWords say what is declared, and what follows of every eligible arm where that is
// something else.
func (m *Mechanism) FloorWords() string {
	f := &m.floor
	switch out := fmt.Sprintf("policy.floor = %.6g", f.value); {
	case f.kind == nil || f.kind.Mixed():
		return out
	case f.least < f.value:
		return fmt.Sprintf("%s by %s, which is at least %.6g of every arm", out, f.kind.Name, f.least)
	default:
		return out + " by " + f.kind.Name
	}
}

// integralSteps is about how many times as long the propensities of a round take as a
// choice, where they are integrals.
const integralSteps = 500

// ChoiceSteps is about how many times as long a choice takes as one by sums: a floor that is
// not mixed in draws from propensities, which may be integrals.
func (m *Mechanism) ChoiceSteps() float64 {
	if m.integral && m.floor.kind != nil && !m.floor.kind.Mixed() {
		return integralSteps
	}
	return 1
}

// floor returns the declared exploration floor; the zero floor where there is none.
func (d *declaration) floor() schemas.Floor {
	if f := d.Policy.Floor; f != nil {
		return *f
	}
	return schemas.Floor{}
}

// floorLoss is what one decision costs a row under an exploration floor, however the
// policy moves; ∞ without one, or where no bound is known (policy.FloorKinds). It is
// largest of two arms where any may be missing, or their number is not known (k = 0).
func (d *declaration) floorLoss(k int) ledger.Loss {
	f := d.floor()
	if k == 1 {
		return ledger.Loss{}
	}
	if !(f.Value > 0) {
		return ledger.Infinite()
	}
	m := k
	if d.Log.Eligible != "" || k == 0 {
		m = 2
	}
	excess := policy.FloorOf(f.Kind).Excess(param.Literal(f.Value), m, k)
	switch {
	case excess == nil:
		return ledger.Infinite()
	case excess.Sign() == 0:
		return ledger.Loss{}
	}
	return log1p(excess)
}

// over is what one decision of a policy with a loss of its own costs over the declared
// floor; ∞ where the kind of the floor is not known to keep any of it.
func (d *declaration) over(own ledger.Loss) ledger.Loss {
	f := d.floor()
	if !(f.Value > 0) {
		return own
	}
	keeps := policy.FloorOf(f.Kind).Keeps
	if keeps == 0 {
		return ledger.Infinite()
	}
	out := own
	for range keeps - 1 {
		out = out.Add(own)
	}
	return out
}

// mixed reports whether what is played over the floor is a mixture of the policy's
// propensities and a law that reads nothing, or there is no floor.
func (d *declaration) mixed() bool {
	f := d.floor()
	return f.Value == 0 || policy.FloorOf(f.Kind).Mixed()
}
