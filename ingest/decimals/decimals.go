// Package decimals knows how finely a column of probabilities was written, and
// between which ends a written one lies. Whatever holds logged probabilities
// against something takes them from here, so that a log that rounds is judged
// alike by all.
package decimals

import (
	"math"
	"strconv"
)

// Most is the most decimals that a column is said to be written with: half a unit
// of the next is below what any comparison leaves to rounding.
const Most = 7

// least is how many decimals, and how many significant digits, count where fewer
// write all values of a column: a column of .5 alone says .5 ± .0005, not .5 ± .05.
const least = 3

// MostDigits is the most significant digits that a column is said to be written
// with: half a unit of the next is at most 5·10⁻⁷ of a value, which every
// comparison leaves to rounding.
const MostDigits = 6

// Column finds how many decimals, and how many significant digits, write every
// value of a column: the most that any value has of either. The zero value has seen
// no value.
type Column struct{ decimals, digits int }

// Take looks at more of the column.
func (c *Column) Take(values []float64) {
	last := math.NaN()
	for _, p := range values {
		if p == last {
			continue
		}
		last = p
		c.decimals, c.digits = max(c.decimals, 1), max(c.digits, 1)
		for c.decimals <= Most && !Write(p, c.decimals) {
			c.decimals++
		}
		for c.digits <= MostDigits && !digitsWrite(p, c.digits) {
			c.digits++
		}
		if c.Many() {
			return
		}
	}
}

// Merge joins what was found in another part of the column.
func (c *Column) Merge(o *Column) {
	c.decimals, c.digits = max(c.decimals, o.decimals), max(c.digits, o.digits)
}

// Many reports whether more than Most decimals and more than MostDigits digits are
// needed: there is no more to find.
func (c *Column) Many() bool { return c.decimals > Most && c.digits > MostDigits }

// Number is how many decimals write every value. It is nil where more than Most
// are needed, or no value was seen.
func (c *Column) Number() *int64 {
	if c.decimals == 0 || c.decimals > Most {
		return nil
	}
	return new(int64(c.decimals))
}

// Digits is how many significant digits write every value. It is nil where more than
// MostDigits are needed, no value was seen, or the decimals are no more than the
// digits, at least three counted: then the decimals say all.
func (c *Column) Digits() *int64 {
	if c.digits == 0 || c.digits > MostDigits || max(c.digits, least) >= c.decimals {
		return nil
	}
	return new(int64(c.digits))
}

// Written is what a column is written with; see Column.Number and Column.Digits.
type Written struct{ Decimals, Digits *int64 }

// Written is both of a column.
func (c *Column) Written() Written { return Written{Decimals: c.Number(), Digits: c.Digits()} }

// Window is how far probabilities that are written so may be from recomputed ones,
// as Ends without a relative part. Room is
//
//	the resolution, where it is declared, and not less than half a unit of the
//	last decimal of a column that is written with 3 to 7
//	half a unit of the last decimal, where none is declared
//	0 where more than 7 decimals are needed, and none is declared
//
// and beside it half a unit of the last significant digit counts, where Digits has
// a number, of 3 to 6; of fewer it is the third, and none where a resolution is
// declared. Probabilities such as .9 and .05 are as often exact.
func (w Written) Window(resolution *float64) Ends {
	e := Ends{}
	if w.Decimals != nil && (resolution == nil || *w.Decimals >= least) {
		e.Room = 0.5 / math.Pow10(int(*w.Decimals))
	}
	if w.Digits != nil && (resolution == nil || *w.Digits >= least) {
		e.Digits = int(max(*w.Digits, least))
	}
	if resolution != nil {
		e.Room = max(e.Room, *resolution)
	}
	return e
}

// Write reports whether v is the float64 or the float32 nearest to a multiple of
// 10^−k.
func Write(v float64, k int) bool {
	unit := math.Pow10(k)
	n := math.Round(v*unit) / unit
	return v == n || v == float64(float32(n))
}

// digitsWrite reports whether v is the float64 or the float32 nearest to a number
// of k significant digits. Of 0, and of what is below 10⁻¹⁶, it says nothing.
func digitsWrite(v float64, k int) bool {
	const exact = 22 // 10²² and what is below it are float64
	at := k + zeros(v)
	return v == 0 || at > exact || Write(v, at)
}

// zeros is the number of 0 between the point and the first digit of p in (0, 1].
// 1 is at the end of the numbers below it, which have none.
func zeros(p float64) int {
	p += float64(0x1p-23 * p) // what float32 made of 0.01 is no less than 0.01
	return max(0, int(-math.Ceil(math.Log10(p))))
}

// Ends say between which ends a written probability p lies:
//
//	[p − At(p) − 2⁻²⁴·p, p + At(p) + 2⁻²⁴·p], cut to [0, 1]
//
// The relative part is half a unit in the last place of float32, in which many
// programs compute. The zero value is that of probabilities that are known
// exactly: both ends are p.
type Ends struct {
	Room     float64 // absolute, of every value
	Digits   int     // significant digits; 0: nothing is known by them
	Relative float64
}

// Of is what a column says of its values. resolution is what the protocol
// declares, log.propensity_resolution, nil where it declares none. Room is
//
//	the resolution, where it is declared, and not less than half a unit of the
//	last decimal of a column that is written with 3 to 7
//	half a unit of the last decimal, at least three counted
//	0 where more than 7 decimals are needed
//
// and Digits is that of Written.Window.
func Of(c *Column, resolution *float64) Ends {
	w := c.Written()
	if w.Decimals != nil && resolution == nil {
		w.Decimals = new(max(*w.Decimals, least))
	}
	e := w.Window(resolution)
	e.Relative = 0x1p-24
	return e
}

// At is how far a written p may be from the true one, but for the relative part:
// Room, or half a unit of its last significant digit, whichever is more. With three
// digits .0143 is .0143 ± .00005, and .914 is .914 ± .0005.
func (e Ends) At(p float64) float64 {
	if e.Digits == 0 || p == 0 {
		return e.Room
	}
	return max(e.Room, 0.5/math.Pow10(e.Digits+zeros(p)))
}

// Most is At of the largest probabilities, and more than At of none.
func (e Ends) Most() float64 { return e.At(1) }

// Lower is the lower end.
func (e Ends) Lower(p float64) float64 { return max(0, p-e.At(p)-float64(e.Relative*p)) }

// Upper is the upper end.
func (e Ends) Upper(p float64) float64 { return min(1, p+e.At(p)+float64(e.Relative*p)) }

// Sum is how far the written probabilities p of all arms, of which so many could be
// played, may be from adding up to 1: At of each that could be.
func (e Ends) Sum(p []float64, arms int) float64 {
	if e.Digits == 0 {
		return float64(float64(arms) * e.Room)
	}
	sum := 0.0
	for _, v := range p {
		if v > 0 {
			sum += e.At(v)
			arms--
		}
	}
	return sum + float64(float64(max(0, arms))*e.Room)
}

// Over is how far the sum of an arm's written probabilities over so many rounds may
// be from that of the true ones: Σ At(p), or what is no less. Half a unit of the
// last digit is at most 5·10^−Digits of a value.
func (e Ends) Over(rounds, sum float64) float64 {
	if e.Digits == 0 {
		return float64(e.Room * rounds)
	}
	return min(float64(e.Most()*rounds), float64(e.Room*rounds)+float64(5/math.Pow10(e.Digits)*sum))
}

// Ordinal is the ordinal of a number of digits: 3rd of 3, 6th of 6.
func Ordinal(digits int) string {
	if digits == least {
		return "3rd"
	}
	return strconv.Itoa(digits) + "th"
}
