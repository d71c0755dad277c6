package conformance

import (
	"math"

	"banditaudit/schemas"
)

// Bounds of what is kept of units: two bytes for each, 128 MiB in all.
const (
	mostUnits = 1 << 26
	mostArms  = math.MaxUint16
)

// unitArms keeps the last arm of every unit.
type unitArms struct {
	arm []uint16 // and 1; 0: the unit was not met
}

// drawnAnew reports whether units own several rounds and each is declared to be
// drawn anew, and whether the last arm of every unit can be kept: not of more than
// 67,108,864 units or 65,534 arms.
func (j *job) drawnAnew() bool {
	s := j.s
	return s.Schema().Unit && s.UnitCount() < s.Rows() && j.protocol.DrawnBy() == schemas.DrawByRound && s.UnitCount() <= mostUnits && s.Arms() < mostArms
}

// unitArms begins before the first round; nil where draws are not held against the
// arm of the unit's round before.
func (j *job) unitArms() *unitArms {
	if !j.drawnAnew() {
		return nil
	}
	return &unitArms{arm: make([]uint16, j.s.UnitCount())}
}

// take takes up a round of a unit, and returns the arm of its round before; −1 where
// there is none.
func (u *unitArms) take(unit int64, arm int) int {
	before := int(u.arm[unit]) - 1
	u.arm[unit] = uint16(arm + 1) //nolint:gosec // see Declared.unitArms
	return before
}
