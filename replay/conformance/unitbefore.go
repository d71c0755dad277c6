package conformance

import (
	"math"

	"banditaudit/replay/evidence/wager"
	"banditaudit/schemas"
)

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
	return s.Schema().Unit && s.UnitCount() < s.Rows() && j.protocol.DrawnBy() == schemas.DrawByRound && s.UnitCount() <= mostUnits && s.Arms() < mostArms
}

// unitArms begins before the first round; nil where draws are not held against the
// arm of the unit's round before.
func (j *job) unitArms() *wager.UnitArms {
	if !j.drawnAnew() {
		return nil
	}
	return wager.NewUnitArms(j.s.UnitCount())
}
