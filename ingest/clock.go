package ingest

import (
	"fmt"
	"math"

	"banditaudit/ingest/cell"
	"banditaudit/ingest/fault"
	"banditaudit/ingest/role"
)

// clock is the declared update by time, in units of the axis of the first order column:
// updates are made at whole multiples of every since 1970, and the one at a moment u
// learns the rows whose time plus attribution lies before u, and whose reward was known
// before u where log.reward_order says when.
type clock struct {
	want               int
	every, attribution int64
	first              int64 // period of the first moment of the log
}

// newClock returns the declared clock; nil where there is none, and where its axis has no
// times, or none so fine, which is a fault.
func (r *intake) newClock() *clock {
	u, w := r.p.Clock(), r.log.position(role.Clock)
	if u == nil || w < 0 || r.log.axes[w] == nil {
		return nil
	}
	const second = 1_000_000_000
	period, window := u.Seconds()
	unit := nanoseconds(r.log.axes[w])
	if unit == 0 { // a fault of the column
		return nil
	}
	if period*second%unit != 0 || window*second%unit != 0 {
		r.faults.File(&fault.InputError{
			RowGroup: -1, Row: -1, Column: r.log.wants[w].Name, Rule: fault.RuleType,
			What: fmt.Sprintf("has whole days, and policy.update has %s, and an attribution window of %q", u.Period, u.Attribution),
			Mend: "name a column of timestamps, or write days",
		})
		return nil
	}
	return &clock{want: w, every: period * second / unit, attribution: window * second / unit}
}

// tick is the number of the period that a moment lies in.
func (c *clock) tick(at int64) int64 {
	n := at / c.every
	if at%c.every < 0 {
		n--
	}
	return n
}

// until is the last moment at which what is at hand a window after a moment is not learned:
// the one before the next update. It is never where that is beyond 64 bits.
func (c *clock) until(at, window int64) int64 {
	if at > math.MaxInt64-window-2*c.every {
		return never
	}
	return (c.tick(at+window)+1)*c.every - 1
}

// clockRule numbers the periods of the rounds; the period of the first moment of the log
// comes first.
type clockRule struct {
	*clock // nil after a fault

	column string
}

func newClockRule(c *converter, i int) columnRule {
	return &clockRule{c.log.clock, c.log.wants[i].Name}
}

func (rule *clockRule) apply(r *rows, out *converted, f *fault.List) error {
	out.Batch = cell.Resize(out.Batch, r.n)
	if rule.clock == nil {
		return nil
	}
	for i, v := range r.cols[rule.want].Int[:r.n] { // that no value is missing or leaves 64 bits, the first pass has seen
		n := rule.tick(v) - rule.first
		if n < 0 || n > math.MaxInt32 {
			f.Row(fault.RuleType, rule.column, r.place(i), "more than 2^31 periods of policy.update after the first row", "write a longer period, or correct the time")
			n = -1
		}
		out.Batch[i] = int32(n)
	}
	return nil
}

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
func (r *intake) keepTimes() {
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

// orderSpan is the span of one order column that may hold times.
type orderSpan struct {
	cell.Span

	key int // among the order columns
}

// newSpans lists the order columns that may hold times: the first that does by its type,
// and the texts before it, which turn out to or not.
func newSpans(l *logFiles, k *keys) []orderSpan {
	var out []orderSpan
	for j := range k.columns {
		c := &k.columns[j]
		if c.text {
			out = append(out, orderSpan{cell.Span{Unit: 1}, j})
		} else if a := l.axes[c.want]; a != nil && a.Set && nanoseconds(a) > 0 {
			return append(out, orderSpan{cell.Span{Unit: nanoseconds(a)}, j})
		}
	}
	return out
}

// span takes the times of a block whose experiments are known.
func (f *firstPass) span(n int) {
	for j := range f.spans {
		s := &f.spans[j]
		c := &f.keys.columns[s.key]
		for i, code := range f.codes[:n] {
			switch {
			case s.Other || code < 0 || f.bad[i]:
			case c.text:
				s.AddText(code, c.raw[i])
			default:
				s.Add(code, c.numbers[i])
			}
		}
	}
}

// ends are the first and the last time of an experiment, by the first order column that
// holds times; "" where none does.
func (f *firstPass) ends(experiment int) (first, last string) {
	for j := range f.spans {
		if !f.spans[j].Other {
			return f.spans[j].Ends(experiment)
		}
	}
	return "", ""
}

// nanoseconds returns the nanoseconds in one unit of an axis; 0 where it has neither dates nor
// instants.
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
