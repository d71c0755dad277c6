// Package decimals knows how finely a column of probabilities was written, and
// between which ends a written one lies. Whatever holds logged probabilities
// against something takes them from here, so that a log that rounds is judged
// alike by all.
package decimals

import "math"

// Most is the most decimals that a column is said to be written with: half a unit
// of the next is below what any comparison leaves to rounding.
const Most = 7

// least is how many decimals count where fewer write all values of a column: a
// column of .5 alone says .5 ± .0005, not .5 ± .05.
const least = 3

// Column finds how many decimals write every value of a column. The zero value
// has seen no value.
type Column int

// Take looks at more of the column.
func (c *Column) Take(values []float64) {
	last := math.NaN()
	for _, p := range values {
		if p == last {
			continue
		}
		last = p
		*c = max(*c, 1)
		for !c.Many() && !Write(p, int(*c)) {
			*c++
		}
		if c.Many() {
			return
		}
	}
}

// Merge joins what was found in another part of the column.
func (c *Column) Merge(o *Column) { *c = max(*c, *o) }

// Many reports whether more than Most decimals are needed: there is no more to
// find.
func (c *Column) Many() bool { return *c > Most }

// Number is how many decimals write every value. It is nil where more than Most
// are needed, or no value was seen.
func (c *Column) Number() *int64 {
	if *c == 0 || c.Many() {
		return nil
	}
	return new(int64(*c))
}

// Half is half a unit of the last decimal, and 0 where Number is nil.
func (c *Column) Half() float64 {
	if c.Number() == nil {
		return 0
	}
	return 0.5 / math.Pow10(int(*c))
}

// Window is how far probabilities that are written with so many decimals, nil
// where more than Most are needed, may be from recomputed ones:
//
//	the resolution, where it is declared, and not less than half a unit of the
//	last decimal of a column that is written with 3 to 7
//	half a unit of the last decimal, where none is declared
//	0 where more than 7 decimals are needed, and none is declared
func Window(number *int64, resolution *float64) float64 {
	half := 0.0
	if number != nil && (resolution == nil || *number >= least) {
		half = 0.5 / math.Pow10(int(*number))
	}
	if resolution == nil {
		return half
	}
	return max(half, *resolution)
}

// Write reports whether v is the float64 or the float32 nearest to a multiple of
// 10^−k.
func Write(v float64, k int) bool {
	unit := math.Pow10(k)
	n := math.Round(v*unit) / unit
	return v == n || v == float64(float32(n))
}

// Ends say between which ends a written probability p lies:
//
//	[p − Room − 2⁻²⁴·p, p + Room + 2⁻²⁴·p], cut to [0, 1]
//
// The relative part is half a unit in the last place of float32, in which many
// programs compute. The zero value is that of probabilities that are known
// exactly: both ends are p.
type Ends struct {
	Room     float64 // absolute
	Relative float64
}

// Of is what a column says of its values. resolution is what the protocol
// declares, log.propensity_resolution, nil where it declares none. Room is
//
//	the resolution, where it is declared, and not less than half a unit of the
//	last decimal of a column that is written with 3 to 7
//	half a unit of the last decimal, at least three counted
//	0 where more than 7 decimals are needed
func Of(c *Column, resolution *float64) Ends {
	e := Ends{Relative: 0x1p-24}
	if n := c.Number(); n != nil && (resolution == nil || *n >= least) {
		e.Room = 0.5 / math.Pow10(int(max(*n, least)))
	}
	if resolution != nil {
		e.Room = max(e.Room, *resolution)
	}
	return e
}

// Lower is the lower end.
func (e Ends) Lower(p float64) float64 { return max(0, p-e.Room-float64(e.Relative*p)) }

// Upper is the upper end.
func (e Ends) Upper(p float64) float64 { return min(1, p+e.Room+float64(e.Relative*p)) }

// Sum is how far the written probabilities of so many arms, which add up to 1,
// may be from it by their decimals.
func (e Ends) Sum(arms int) float64 { return float64(float64(arms) * e.Room) }

// Nearer moves a deviation of a sum of so many written probabilities from what was
// seen to 0, as far as their ends allow, and not beyond. Of the relative part
// nothing is used: over many rounds it is far below chance.
func (e Ends) Nearer(deviation, rounds float64) float64 {
	return math.Copysign(max(0, math.Abs(deviation)-float64(e.Room*rounds)), deviation)
}
