package ingest

import (
	"math"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/role"
)

// timeRule takes the times of rounds from the first order column, as
// nanoseconds since 1970. A time without a zone counts as one in UTC.
type timeRule struct {
	want   int
	column string
	factor int64 // nanoseconds of one unit of the axis
}

// keepTimes adds the times of rounds to the tableau: where the first order column
// is a timestamp or a date, a propensity is declared, whose changes are held
// against them, and no time of the log leaves 64 bits in nanoseconds.
func (r *run) keepTimes() {
	if !r.log.has(role.Propensity) && !r.log.has(role.PropensityByArm) || len(r.first.keys.columns) == 0 {
		return
	}
	k := &r.first.keys.columns[0]
	a := r.log.axes[k.want]
	if k.text || a == nil || !a.Set {
		return
	}
	rule := &timeRule{want: k.want, column: k.name, factor: nanoseconds(a)}
	if rule.factor == 0 || !k.seen || k.least < math.MinInt64/rule.factor || k.most > math.MaxInt64/rule.factor {
		return
	}
	r.times = rule
	r.convert.rules = append(r.convert.rules, rule)
}

// nanoseconds are those of one unit of an axis; 0 where it has no times.
func nanoseconds(a *cell.Axis) int64 {
	const day = 24 * 3600 * 1_000_000_000
	switch a.Class {
	case cell.AxisDate:
		return day
	case cell.AxisInstant:
		factor := int64(1)
		for range 9 - a.Power {
			factor *= 10
		}
		return factor
	case cell.AxisInteger, cell.AxisFloat, cell.AxisText, cell.AxisClock:
	}
	return 0
}

func (rule *timeRule) apply(r *rows, out *converted, _ *fault.List) error {
	out.Time = cell.Resize(out.Time, r.n)
	b := r.cols[rule.want]
	for i, v := range b.Int[:r.n] { // that no value is missing or leaves 64 bits, the first pass has seen
		out.Time[i] = v * rule.factor
	}
	return nil
}
