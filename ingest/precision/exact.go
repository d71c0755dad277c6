package precision

import (
	"math"
	"slices"
)

const (
	// exactly is how far, times K, probabilities of K arms may be from adding up to 1 that
	// were not rounded.
	exactly = 1e-9
	// exactPlaces is the decimals at which two values are the same.
	exactPlaces = 1e12
	// mostPatterns is how many different rows a column of lists may have that is taken for
	// exact by them, and rarePattern the least share of the rows that each has.
	mostPatterns, rarePattern = 4, .01
	// mostPlayed is how many different values of a column of played arms are kept.
	mostPlayed = 4
)

// What shows that a column of probabilities was not rounded.
const (
	ExactEqual    = "the value times the number of arms is 1"
	ExactTwo      = "the two values are those of ε-greedy and add up to 1 over the arms"
	ExactByArm    = "each arm has one value, and those of all arms add up to 1"
	ExactPatterns = "every row adds up to 1, and the rows have at most four different sets of values"
	ExactFull     = "more than half of the values need more than 11 decimals"
)

// Exact tells whether a column of logged probabilities was rounded: .1 of ten arms is no
// number of one decimal, and .333 of three arms is. The column is exact where one of these
// holds, with sums to K·10⁻⁹ and values to 12 decimals:
//
//	of the played arm, one value v: Kv = 1
//	of the played arm, two values l < h: h + (K−1)l = 1
//	of the played arm, each arm has one value, and the K values add up to 1
//	of all arms, every row adds up to 1, and there are at most 4 sets of values, each in
//	1 % of the rows at least
//	more than half of the values need more than 11 decimals; of all arms where every row
//	adds up to 1. In a mixed column (Column.Own) the others may have been rounded, so that
//	there it counts for nothing
//
// Where it can differ which arms could be played the last two alone are used. Shares that
// were rounded so that they add up to 1, in at most four sets, pass. What was seen is
// bounded whatever the column holds; rows may be cut into parts that are merged. Formula
// sheet of answers with an interval, section 8. The zero value has seen nothing.
type Exact struct {
	values, full int64     // all values; values of more than 11 decimals
	played       []float64 // different ones, at most mostPlayed; of more nothing is known
	arms         []armValue
	off          bool // a row does not add up to 1
	rows         int64
	patterns     []pattern // of rows in order of size, at most one more than mostPatterns
	row          pattern   // memory
}

// armValue is the value of an arm.
type armValue struct {
	p     float64
	seen  bool
	other bool // it has another one too
}

// pattern is a row in order of size, in units of 10⁻¹².
type pattern struct {
	of   []int64
	rows int64
}

// Take joins the values of rows that played these arms of k.
func (e *Exact) Take(k int, arm []int32, values []float64) {
	if e.arms == nil {
		e.arms = make([]armValue, k)
	}
	for i, p := range values {
		e.count(p, 1)
		e.arms[arm[i]].take(p)
		e.see(p)
	}
}

func (a *armValue) take(p float64) {
	switch {
	case !a.seen:
		a.p, a.seen = p, true
	case !equal(a.p, p):
		a.other = true
	}
}

// equal compares at 12 decimals.
func equal(a, b float64) bool { return math.Abs(a-b)*exactPlaces < .5 }

// see keeps the first mostPlayed different values.
func (e *Exact) see(p float64) {
	if len(e.played) < mostPlayed && !slices.ContainsFunc(e.played, func(q float64) bool { return equal(p, q) }) {
		e.played = append(e.played, p)
	}
}

// count counts a value that comes so often.
func (e *Exact) count(p float64, n int64) {
	e.values += n
	if unrounded(p) {
		e.full += n
	}
}

// unrounded reports whether a value needs more than 11 decimals, and is no float32 of fewer
// decimals or digits: float32 has .001 as .00100000004749….
func unrounded(p float64) bool {
	const places, dust, small = 1e11, 1e-13, 1e-5
	if math.Abs(math.Round(p*places)/places-p) <= dust {
		return false
	}
	if p >= small && p != float64(float32(p)) { // 11 decimals are at least as many as its digits
		return true
	}
	w := of(p)
	return w.decimals > Most && w.digits > MostDigits
}

// TakeRows joins rows of k values. Many rows often equal the row before: again says of
// which rows this is known.
func (e *Exact) TakeRows(values []float64, k int, again func(row int) bool) {
	var end int
	for row := 0; row*k < len(values) && !e.off; row = end {
		of := values[row*k : row*k+k]
		for end = row + 1; end*k < len(values) && (again(end) || slices.Equal(values[end*k:end*k+k], of)); {
			end++
		}
		e.takeRow(of, int64(end-row))
	}
}

// takeRow joins a row that comes so often.
func (e *Exact) takeRow(of []float64, n int64) {
	sum := 0.0
	for _, p := range of {
		sum += p
		e.count(p, n)
	}
	e.rows += n
	if e.off = e.off || !(math.Abs(sum-1) <= exactly*float64(len(of))); e.off || len(e.patterns) > mostPatterns {
		return
	}
	e.row.of = e.row.of[:0]
	for _, p := range of {
		e.row.of = append(e.row.of, int64(math.Round(p*exactPlaces)))
	}
	slices.Sort(e.row.of)
	e.row.rows = n
	e.match(&e.row)
}

// match counts the rows of a pattern.
func (e *Exact) match(p *pattern) {
	for i := range e.patterns {
		if slices.Equal(e.patterns[i].of, p.of) {
			e.patterns[i].rows += p.rows
			return
		}
	}
	if len(e.patterns) <= mostPatterns {
		e.patterns = append(e.patterns, pattern{slices.Clone(p.of), p.rows})
	}
}

// Merge joins what was found in another part of the column; o stays as it is.
func (e *Exact) Merge(o *Exact) {
	e.values, e.full, e.rows, e.off = e.values+o.values, e.full+o.full, e.rows+o.rows, e.off || o.off
	for _, p := range o.played {
		e.see(p)
	}
	if e.arms == nil {
		e.arms = make([]armValue, len(o.arms))
	}
	for arm, v := range o.arms {
		if v.seen {
			e.arms[arm].take(v.p)
		}
		e.arms[arm].other = e.arms[arm].other || v.other
	}
	for i := range o.patterns {
		e.match(&o.patterns[i])
	}
}

// Played says what shows that a column of the propensities of played arms is exact; "" where
// nothing does. unequal says that it can differ which arms could be played.
func (e *Exact) Played(unequal bool) string {
	k := float64(len(e.arms))
	one := func(sum float64) bool { return math.Abs(sum-1) <= exactly*k }
	if !unequal {
		switch n := len(e.played); {
		case n == 1 && one(float64(k*e.played[0])):
			return ExactEqual
		case n == 2 && one(max(e.played[0], e.played[1])+float64((k-1)*min(e.played[0], e.played[1]))):
			return ExactTwo
		case len(e.arms) > 0 && one(e.sumByArm()):
			return ExactByArm
		}
	}
	return e.mostInFull()
}

// RoundedTo returns to how many decimals, 1 or 2, a column of the propensities of played arms
// was rounded; 0 where that is not known. It is known where the shares of the arms that were
// played do not add up to 1, and would if each were off by half a unit: .33 of three arms, .93
// and .03 of ε-greedy, .67, .17 and .17 of three arms with one value each. A share of 1, of
// rounds that left no choice, says nothing; nor does an even share 1/m of fewer arms. unequal
// says that it can differ which arms could be played.
func (e *Exact) RoundedTo(unequal bool) int {
	const most, single = 2, 1e-6 // by which sums of float32 are off, times K
	k := 0.0
	for _, a := range e.arms {
		if a.seen {
			k++
		}
	}
	sum := e.sum(k)
	if unequal || math.IsNaN(sum) {
		return 0
	}
	for decimals := 1; decimals <= most; decimals++ {
		if !e.writtenTo(decimals) {
			continue
		}
		if off := math.Abs(sum - 1); off > single*k && off <= k*.5/math.Pow10(decimals)+exactly {
			return decimals
		}
		return 0
	}
	return 0
}

// sum is what the shares of the k arms that were played add up to where they are an even one,
// those of ε-greedy, or one of each arm; NaN where they are neither, or a share is that of fewer
// arms.
func (e *Exact) sum(k float64) float64 {
	if len(e.played) == mostPlayed {
		return e.sumByArm()
	}
	shares := slices.DeleteFunc(slices.Clone(e.played), func(p float64) bool { return p == 1 })
	switch len(shares) {
	case 0:
		return math.NaN()
	case 1:
		if m := math.Round(1 / shares[0]); m < k && math.Abs(float64(m*shares[0])-1) <= 1e-6 {
			return math.NaN()
		}
		return float64(k * shares[0])
	case 2:
		if one := e.sumByArm(); !math.IsNaN(one) {
			return one
		}
		return max(shares[0], shares[1]) + float64((k-1)*min(shares[0], shares[1]))
	}
	return e.sumByArm()
}

// writtenTo reports whether so many decimals write every value that was seen.
func (e *Exact) writtenTo(decimals int) bool {
	write := func(p float64) bool { return Write(p, decimals) }
	for _, p := range e.played {
		if !write(p) {
			return false
		}
	}
	for _, a := range e.arms {
		if a.seen && !write(a.p) {
			return false
		}
	}
	return true
}

// sumByArm is the sum of the values of all arms; NaN where one has none, or several.
func (e *Exact) sumByArm() float64 {
	sum := 0.0
	for _, a := range e.arms {
		if !a.seen || a.other {
			return math.NaN()
		}
		sum += a.p
	}
	return sum
}

// Rows says what shows that a column of the propensities of all arms is exact; "" where
// nothing does.
func (e *Exact) Rows() string {
	if e.off || e.rows == 0 {
		return ""
	}
	rare := func(p pattern) bool { return float64(p.rows) < rarePattern*float64(e.rows) }
	if len(e.patterns) <= mostPatterns && !slices.ContainsFunc(e.patterns, rare) {
		return ExactPatterns
	}
	return e.mostInFull()
}

func (e *Exact) mostInFull() string {
	if 2*e.full > e.values {
		return ExactFull
	}
	return ""
}
