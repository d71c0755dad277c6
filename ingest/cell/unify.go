package cell

import (
	"math"

	"banditaudit/ingest/fault"
	"banditaudit/ingest/pages"
	"banditaudit/schemas"
)

// Typed are the files in which a column has one type.
type Typed struct {
	Column pages.Column
	Files  int
	First  string // URI of the first of them
}

// Axis is what values of order columns share so that they compare: one class,
// and for times one unit, for decimals one scale. The columns of one name in
// all files lie on one axis, and so does reward_order with the first column of
// the order.
type Axis struct {
	Set   bool
	name  string // of the first column
	file  string // that has it
	first pages.Column
	Class axisClass
	// Times is, of texts, what the first pass over them finds: see TextTimes.
	Times TextTimes
	Power int // of ten: of a second in times, the scale of decimals
}

type axisClass int

// The classes of axes: values of two classes do not compare.
const (
	AxisInteger axisClass = iota // whole numbers, booleans and decimals
	AxisFloat
	AxisText
	AxisInstant
	AxisDate
	AxisClock // time of day
)

// Join puts a column on the axis. It returns false where its values do not
// compare with those that are on it.
func (a *Axis) Join(c *pages.Column, name, file string) bool {
	class := axisClassOf(c.Kind)
	if !a.Set {
		*a = Axis{Set: true, name: name, file: file, first: *c, Class: class, Power: power(c)}
		return true
	}
	if class != a.Class || c.UTC != a.first.UTC {
		return false
	}
	a.Power = max(a.Power, power(c))
	return true
}

func axisClassOf(k pages.Kind) axisClass {
	switch k {
	case pages.Float:
		return AxisFloat
	case pages.Text:
		return AxisText
	case pages.Timestamp:
		return AxisInstant
	case pages.Date:
		return AxisDate
	case pages.Time:
		return AxisClock
	case pages.Bool, pages.Int, pages.Uint, pages.Decimal, pages.Null, pages.Other:
	}
	return AxisInteger
}

// power is the power of ten by which a column's integers exceed its values.
func power(c *pages.Column) int {
	switch {
	case c.Kind == pages.Decimal:
		return c.Scale
	case c.Unit == pages.Millisecond:
		return 3
	case c.Unit == pages.Microsecond:
		return 6
	case c.Unit == pages.Nanosecond:
		return 9
	}
	return 0
}

// Shown is a column as it is after its values were brought to the axis, and
// the factor that does it: 10^d, or 0 where that leaves 64 bits.
func (a *Axis) Shown(c *pages.Column) (*pages.Column, int64) {
	d := a.Power - power(c)
	if d <= 0 {
		return c, 1
	}
	as := *c
	switch a.Power {
	case 3:
		as.Unit = pages.Millisecond
	case 6:
		as.Unit = pages.Microsecond
	case 9:
		as.Unit = pages.Nanosecond
	}
	if a.Class == AxisInteger {
		as.Kind, as.Unit, as.Scale = pages.Decimal, pages.NoUnit, a.Power
	}
	factor := int64(1)
	for range d {
		if factor > math.MaxInt64/10 {
			return &as, 0
		}
		factor *= 10
	}
	return &as, factor
}

// Number brings one integer of a column to the axis, as scaled does with those
// of a block; false where it leaves 64 bits.
func (a *Axis) Number(c *pages.Column, v int64) (*pages.Column, int64, bool) {
	shown, factor := a.Shown(c)
	by := scaled{factor: factor, unsigned: c.Kind == pages.Uint}
	if factor == 1 {
		return shown, v, true
	}
	if !by.holds(v) {
		return shown, v, false
	}
	return shown, v * factor, true
}

// Mismatch is the fault of a column that does not compare with those before.
func (a *Axis) Mismatch(name, uri string, c *pages.Column) *fault.InputError {
	other := a.file
	if a.name != name {
		other = "the order column " + schemas.Quoted(a.name) + " in " + a.file
	}
	return &fault.InputError{
		File: uri, RowGroup: -1, Row: -1, Column: name, Rule: fault.RuleType,
		What: "is " + c.Type + " where " + other + " has " + a.first.Type + ", which does not compare",
		Mend: "cast it to one type in all files",
	}
}

// scaled multiplies the integers of a cursor where they lie: in the block, which
// is the caller's own, so that a cursor may fill one block while another is
// used. What leaves 64 bits is marked in Block.Over, as a decimal of too many
// digits is. Blocks with View set are not to be filled by it: their values may
// lie in a mapped file.
type scaled struct {
	Cursor
	factor   int64 // 0: only zero stays within 64 bits
	unsigned bool
}

// Scale returns a cursor whose integers are multiplied by a factor; 0 says that
// only zero stays within 64 bits.
func Scale(c Cursor, factor int64, unsigned bool) Cursor {
	return &scaled{Cursor: c, factor: factor, unsigned: unsigned}
}

// Next fills b with the next rows.
func (s *scaled) Next(b *pages.Block, n int) (int, error) {
	if b.View {
		panic(errScaledView)
	}
	n, err := s.Cursor.Next(b, n)
	if err != nil {
		return n, err
	}
	b.Over = Resize(b.Over, n)
	if b.Overs == 0 {
		clear(b.Over)
	}
	for i, v := range b.Int[:n] {
		if b.Over[i] || s.holds(v) {
			b.Int[i] = v * s.factor
			continue
		}
		b.Over[i] = true
		b.Overs++
	}
	return n, nil
}

// errScaledView is the message of the panic for a block that is a view.
const errScaledView = "ingest: a scaled column cannot be a view of its page"

// holds reports whether the product is within 64 bits.
func (s *scaled) holds(v int64) bool {
	switch {
	case s.unsigned && v < 0:
		return false // 2^63 or more
	case s.factor == 0:
		return v == 0
	}
	bound := math.MaxInt64 / s.factor
	return v <= bound && v >= -bound
}

// Cursor is what flat and list cursors have in common.
type Cursor interface {
	Next(b *pages.Block, n int) (int, error)
	Close()
}

// BlockRows is the number of rows that are decoded at once.
const BlockRows = 8192
