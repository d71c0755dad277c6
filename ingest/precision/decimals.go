// Package precision knows how finely a column of probabilities was written, and
// between which ends a written one lies. Whatever holds logged probabilities
// against something takes them from here, so that a log that rounds is judged
// alike by all.
package precision

import (
	"math"
	"slices"
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
// value of a column: the most that any value has of either. It counts too how many
// each value has of its own, for columns that were not all written alike (see
// Column.Own), and whether all are float16. The zero value has seen no value.
type Column struct {
	decimals, digits int
	own              [Most + 2]int64       // values by their own decimals; of more than Most, with digits, the last
	singles          [Most + 2]int64       // likewise of those that are float32 and no decimals in float64
	ownDigits        [MostDigits + 1]int64 // of both, by their own digits
	full             int64                 // values that neither writes
	wide, fine       bool                  // a value is no float16; one is finer than 2⁻¹¹
}

// dust is what sums and products in float64 leave on a decimal: .1 + .2 has one decimal.
const dust = 0x1p-50

// written is how a value is written: its own decimals and digits, one more than
// Most and MostDigits where there are more.
type written struct {
	decimals, digits int
	single, dyadic   bool // it is float32; and its decimals in float64 too, which says nothing of rounding
}

// of finds how a value is written.
func of(p float64) written {
	w := written{decimals: 1, digits: 1, single: p == float64(float32(p))}
	if !Write(p, Most) {
		w.decimals, w.digits = Most+1, MostDigits+1
		if p < 0.1 && digitsWrite(p, MostDigits) { // of others digits are decimals; what fewer digits write more do
			for w.digits = 1; !digitsWrite(p, w.digits); {
				w.digits++
			}
		}
		return w
	}
	for !Write(p, w.decimals) {
		w.decimals++
	}
	w.digits = w.decimals
	if p < 0.1 && p > 0 {
		w.digits = max(1, w.decimals-zeros(p))
	}
	w.digits = min(w.digits, MostDigits+1)
	w.dyadic = w.single && p == nearest(p, w.decimals)
	return w
}

// Take looks at more of the column.
func (c *Column) Take(values []float64) { c.take(values, 1) }

// take looks at values that come so often.
func (c *Column) take(values []float64, n int64) {
	var w written
	last := math.NaN()
	for _, p := range values {
		if p != last {
			w, last = c.look(p), p
		}
		c.count(&w, n)
	}
}

// TakeRows looks at more of a column of lists of k values, of which many are often those
// of the row before: again says of which rows that is known.
func (c *Column) TakeRows(values []float64, k int, again func(row int) bool) {
	var end int
	for row := 0; row*k < len(values); row = end {
		of := values[row*k : row*k+k]
		for end = row + 1; end*k < len(values) && (again(end) || slices.Equal(values[end*k:end*k+k], of)); {
			end++
		}
		c.take(of, int64(end-row))
	}
}

// look finds how a value is written, and takes up what any value of the column can be.
func (c *Column) look(p float64) written {
	w := of(p)
	c.decimals, c.digits = max(c.decimals, w.decimals), max(c.digits, w.digits)
	c.wide = c.wide || !isHalf(p)
	c.fine = c.fine || !c.wide && math.Float64bits(p*0x1p11) != math.Float64bits(math.Trunc(p*0x1p11))
	return w
}

// count counts n values.
func (c *Column) count(w *written, n int64) {
	switch {
	case w.dyadic:
		return
	case w.decimals > Most && w.digits > MostDigits:
		if w.single {
			c.singles[Most+1] += n
		}
		c.full += n
		return
	case w.single:
		c.singles[w.decimals] += n
	default:
		c.own[w.decimals] += n
	}
	if w.digits <= MostDigits {
		c.ownDigits[w.digits] += n
	}
}

// Merge joins what was found in another part of the column.
func (c *Column) Merge(o *Column) {
	c.decimals, c.digits = max(c.decimals, o.decimals), max(c.digits, o.digits)
	for k := range c.own {
		c.own[k] += o.own[k]
		c.singles[k] += o.singles[k]
	}
	for k := range c.ownDigits {
		c.ownDigits[k] += o.ownDigits[k]
	}
	c.full += o.full
	c.wide, c.fine = c.wide || o.wide, c.fine || o.fine
}

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

// surplus is how many more values than twice those that chance gives have to be
// written with fewer decimals or digits for a column to be a mixed one.
const surplus = 20

// rounded are the values by their own decimals, where these say that they were
// rounded. Of float32 next to 1 there is one in every 2⁻²⁴, so that some have few
// decimals by chance: these count where there are more.
func (c *Column) rounded() [Most + 2]int64 {
	out, singles := c.own, 0.0
	for _, n := range c.singles {
		singles += float64(n)
	}
	for k, n := range c.singles {
		if float64(n) > float64(2*singles*0x1p-24*math.Pow10(k))+surplus {
			out[k] += n
		}
	}
	return out
}

// Own is the fewest decimals, at least three, that rounded values of a mixed column
// have; nil of a column whose values share one precision. A mixed one has
//
//	values in full, and more than one other of 3 to 7 decimals: rows of a fallback, of a start,
//	or of another program that wrote a part of the log, or
//	few decimals or digits throughout, but more values with fewer than chance gives:
//	n_j > 2·Σ n_i·10^(j−i) over i > j, and 20 more
func (c *Column) Own() *int64 {
	n := c.rounded()
	some := int64(0)
	for _, m := range n[least : Most+1] {
		some += m
	}
	mixed := c.full > 0 && some > 1 || fewer(n[:], surplus) > 0 && (c.Digits() == nil || fewer(c.ownDigits[:], surplus) > 0)
	if j := fewer(n[:], 0); mixed && j > 0 && j <= Most && !c.Half() {
		return new(int64(j))
	}
	return nil
}

// fewer returns the first j, from least on, that more than surplus values have beyond twice
// the number that chance gives: values with more than j come out with j by chance. The last
// j has no values with more above it, and counts only where surplus is 0. 0: there is no
// such j.
func fewer(n []int64, surplus float64) int {
	for j := least; j < len(n); j++ {
		chance, more := surplus, false
		for i := j + 1; i < len(n); i++ {
			chance += 2 * float64(n[i]) / math.Pow10(i-j)
			more = more || n[i] > 0
		}
		if float64(n[j]) > chance && (more || surplus == 0) {
			return j
		}
	}
	return 0
}

// Half reports whether all values are float16, and need to be: some are finer than
// 2⁻¹¹, so that they are no shares of a power of two, and few decimals, or digits, do
// not write them.
func (c *Column) Half() bool {
	return c.fine && !c.wide && c.decimals > Most && c.digits > MostDigits
}

// Written is what a column is written with; see Column.Number, Digits, Own and Half.
type Written struct {
	Decimals, Digits, Own *int64
	Half                  bool
}

// Written returns what the column is written with.
func (c *Column) Written() Written {
	return Written{Decimals: c.Number(), Digits: c.Digits(), Own: c.Own(), Half: c.Half()}
}

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
// declared. Probabilities such as .9 and .05 are as often exact. Of a mixed column
// (Own) half a unit of a value's own last decimal counts beside, of 3 to 7 decimals,
// and of fewer decimals half a unit at the fewest that rounded values have; of float16 half
// a unit in the last place.
func (w Written) Window(resolution *float64) Ends {
	e := Ends{Half: w.Half}
	if w.Own != nil {
		e.Own = int(*w.Own)
	}
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
// 10^−k, but for what sums and products in float64 leave, where k is at most Most.
func Write(v float64, k int) bool {
	n := nearest(v, k)
	return v == n || v == float64(float32(n)) || k <= Most && n != 0 && math.Abs(v-n) <= dust
}

// nearest is the multiple of 10^−k that is nearest to v.
func nearest(v float64, k int) float64 {
	unit := math.Pow10(k)
	return math.Round(v*unit) / unit
}

// isHalf reports whether v in [0, 1] is a float16.
func isHalf(v float64) bool {
	const last = 1<<42 - 1 // the bits of a float64 that a float16 has not
	if v < 0x1p-14 {
		v *= 0x1p24
		return v == math.Trunc(v)
	}
	return math.Float64bits(v)&last == 0
}

// digitsWrite reports whether v is the float64 or the float32 nearest to a number
// of k significant digits. Of 0, and of what is below 10⁻¹⁶, it says nothing.
func digitsWrite(v float64, k int) bool {
	const exact = 22 // 10²² and what is below it are float64
	at := k + zeros(v)
	return v == 0 || at > exact || Write(v, at)
}

// Digits finds how many significant digits write every value of a column of any
// numbers, such as released sums: the most that any needs, at least three counted. The
// zero value has seen no value, and then says nothing.
type Digits struct{ most int }

// Take looks at one more value.
func (d *Digits) Take(v float64) {
	d.most = max(d.most, least)
	for d.most <= MostDigits && v != 0 && !sizedWrite(v, d.most) {
		d.most++
	}
}

// Unit is a unit of the last significant digit of v; 0 where more than MostDigits
// write the column, no value was seen, or v is 0.
func (d *Digits) Unit(v float64) float64 {
	if d.most == 0 || d.most > MostDigits || v == 0 {
		return 0
	}
	return math.Pow10(order(v) + 1 - d.most)
}

// Number is how many they are; nil where more than MostDigits are needed, or no value
// was seen.
func (d *Digits) Number() *int64 {
	if d.most == 0 || d.most > MostDigits {
		return nil
	}
	return new(int64(d.most))
}

// Numbers finds whether a column of any numbers, such as rewards, may have been rounded:
// whether at most Most decimals write every value, or all are float32. The zero value has
// seen no value.
type Numbers struct {
	decimals   int
	wide, bare bool // a value is no float32; one is no float64 next to its decimals
}

// Take looks at one more value.
func (n *Numbers) Take(v float64) {
	for n.decimals <= Most && !Write(v, n.decimals) {
		n.decimals++
	}
	n.wide = n.wide || v != float64(float32(v))
	n.bare = n.bare || n.decimals <= Most && v != nearest(v, n.decimals)
}

// Decimals returns how many decimals write every value; nil where more than most are
// needed.
func (n *Numbers) Decimals(most int) *int64 {
	if n.decimals > min(most, Most) {
		return nil
	}
	return new(int64(n.decimals))
}

// Float32 reports whether all values are float32, and float64 would have written some
// otherwise.
func (n *Numbers) Float32() bool { return !n.wide && (n.bare || n.decimals > Most) }

// sizedWrite reports whether v is the float64 or the float32 nearest to a number of k
// significant digits.
func sizedWrite(v float64, k int) bool {
	const bits = 64
	n, err := strconv.ParseFloat(strconv.FormatFloat(v, 'e', k-1, bits), bits)
	return err == nil && (v == n || v == float64(float32(n)))
}

// order is the exponent of 10 of the first digit of v: 2 of 914, −2 of .0143. What
// float32 made of 0.01 is no less than 0.01.
func order(v float64) int {
	v = math.Abs(v)
	return int(math.Floor(math.Log10(v + float64(0x1p-23*v))))
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
// programs compute. The zero value is for probabilities that are known exactly: both ends
// are p.
type Ends struct {
	Room     float64 // absolute, of every value
	Digits   int     // significant digits; 0: nothing is known by them
	Own      int     // a mixed column, and the fewest decimals of it; 0: it is none
	Half     bool    // float16
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
// and Digits, Own and Half are set as by Written.Window.
func Of(c *Column, resolution *float64) Ends {
	w := c.Written()
	if w.Decimals != nil && resolution == nil {
		w.Decimals = new(max(*w.Decimals, least))
	}
	e := w.Window(resolution)
	e.Relative = 0x1p-24
	return e
}

// At is how far a written p may be from the true one, but for the relative part: the
// most of
//
//	Room
//	half a unit of its last significant digit: with three .0143 is .0143 ± .00005,
//	and .914 is .914 ± .0005
//	half a unit of its own last decimal, in a mixed column
//	half a unit in the last place of float16, of these
func (e Ends) At(p float64) float64 {
	at := e.Room
	if e.Digits > 0 && p != 0 {
		at = max(at, 0.5/math.Pow10(e.Digits+zeros(p)))
	}
	if e.Own > 0 {
		at = max(at, e.ofOwn(p))
	}
	if e.Half {
		at = max(at, halfPlace(p))
	}
	return at
}

// Full reports whether every written p is known but for the relative part: At is 0.
func (e Ends) Full() bool { return e.Room == 0 && e.Digits == 0 && e.Own == 0 && !e.Half }

// ofOwn is half a unit of the last decimal of a value of a mixed column; 0 of one that
// is written in full.
func (e Ends) ofOwn(p float64) float64 {
	if Write(p, least-1) {
		return 0.5 / math.Pow10(e.Own)
	}
	for k := least; k <= Most; k++ {
		if Write(p, k) {
			return 0.5 / math.Pow10(k)
		}
	}
	return 0
}

// halfPlace is half a unit in the last place of float16 of p in [0, 1].
func halfPlace(p float64) float64 {
	const smallest = -13 // exponents of Frexp below mean subnormal numbers
	_, e := math.Frexp(p)
	if p == 0 {
		e = smallest
	}
	return math.Ldexp(1, max(e, smallest)-12)
}

// Most is At of the largest probabilities, and no less than At of any.
func (e Ends) Most() float64 {
	if e.Own > 0 {
		return max(e.At(1), 0.5/math.Pow10(least))
	}
	return e.At(1)
}

// Lower is the lower end.
func (e Ends) Lower(p float64) float64 { return max(0, p-e.At(p)-float64(e.Relative*p)) }

// Upper is the upper end.
func (e Ends) Upper(p float64) float64 { return min(1, p+e.At(p)+float64(e.Relative*p)) }

// Both are the lower end and the upper.
func (e Ends) Both(p float64) (lower, upper float64) {
	at := e.Room
	if e.Digits > 0 || e.Own > 0 || e.Half {
		at = e.At(p)
	}
	relative := float64(e.Relative * p)
	return max(0, p-at-relative), min(1, p+at+relative)
}

// Sum returns how far the written probabilities p of all arms, of which arms could be
// played, may be from adding up to 1: At of each that could be.
func (e Ends) Sum(p []float64, arms int) float64 {
	if e.Alike() {
		return float64(float64(arms) * e.Room)
	}
	sum := 0.0
	for _, v := range p {
		if v > 0 {
			sum += e.At(v)
			arms--
		}
	}
	return sum + float64(float64(max(0, arms))*e.At(0))
}

// Alike reports whether At is Room of all values.
func (e Ends) Alike() bool { return e.Digits == 0 && e.Own == 0 && !e.Half }

// Over returns how far the sum of an arm's written probabilities over a number of rounds
// may be from the sum of the true ones: Σ At(p), or what is no less. Half a unit of the
// last digit is at most 5·10^−Digits of a value, and half a unit in the last place of
// float16 2⁻¹¹ of it, or 2⁻²⁵.
func (e Ends) Over(rounds, sum float64) float64 {
	all := float64(e.Room * rounds)
	switch most := float64(e.Most() * rounds); {
	case e.Alike():
		return all
	case e.Own > 0:
		return most
	case e.Half:
		return min(most, all+float64(0x1p-25*rounds)+float64(0x1p-11*sum))
	default:
		return min(most, all+float64(5/math.Pow10(e.Digits)*sum))
	}
}

// Ordinal is the ordinal of a number of digits: 3rd of 3, 6th of 6.
func Ordinal(digits int) string {
	if digits == least {
		return "3rd"
	}
	return strconv.Itoa(digits) + "th"
}
