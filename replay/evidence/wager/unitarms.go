package wager

// UnitArms keeps the last arm of every unit.
type UnitArms struct {
	arm []uint16 // and 1; 0: the unit was not met
}

// NewUnitArms begins before the first round of a number of units.
func NewUnitArms(units int64) *UnitArms { return &UnitArms{arm: make([]uint16, units)} }

// Take takes up a round of a unit, and returns the arm of its round before; −1 where
// there is none.
func (u *UnitArms) Take(unit int64, arm int) int {
	before := int(u.arm[unit]) - 1
	u.arm[unit] = uint16(arm + 1) //nolint:gosec // there are fewer arms
	return before
}
