package report

import (
	"math"
	"strconv"
	"strings"

	"banditaudit/replay/policy/bitexact"
	"banditaudit/schemas"
)

// digits is the number of significant digits in text; results.json holds all.
const digits = 4

// decimal is a positive number rounded to a few significant digits:
//
//	value = 0.d1d2d3d4 × 10^(exp+1)
type decimal struct {
	digits string
	exp    int // decimal exponent of the first digit
}

// nearest rounds x > 0 to 4 significant digits.
func nearest(x float64) decimal { return rounded(x, digits) }

// rounded rounds x > 0 to n significant digits.
func rounded(x float64, n int) decimal {
	s := strconv.FormatFloat(x, 'e', n-1, 64)
	mantissa, exponent, _ := strings.Cut(s, "e")
	e, _ := strconv.Atoi(exponent) // FormatFloat wrote it
	return decimal{strings.Replace(mantissa, ".", "", 1), e}
}

// above rounds x > 0 up to 4 significant digits. A value that differs from a
// shorter decimal by a few units in the last place of a float64 is that
// decimal: 0.1 is printed 0.1 although its float lies above 1/10.
func above(x float64) decimal {
	d := nearest(x)
	const ulps = 4
	if d.value() >= x-float64(ulps*(math.Nextafter(x, math.Inf(1))-x)) {
		return d
	}
	n, _ := strconv.Atoi(d.digits) // four digits
	next := strconv.Itoa(n + 1)
	if len(next) > len(d.digits) {
		return decimal{next[:len(d.digits)], d.exp + 1}
	}
	return decimal{next, d.exp}
}

// floored rounds x > 0 down to 4 significant digits, but for what above takes for a shorter
// decimal.
func floored(x float64) decimal {
	d := nearest(x)
	const ulps = 4
	if d.value() <= x+float64(ulps*(math.Nextafter(x, math.Inf(1))-x)) {
		return d
	}
	n, _ := strconv.Atoi(d.digits) // four digits
	if before := strconv.Itoa(n - 1); len(before) == len(d.digits) {
		return decimal{before, d.exp}
	}
	return decimal{strings.Repeat("9", len(d.digits)), d.exp - 1}
}

func (d decimal) value() float64 {
	v, _ := strconv.ParseFloat(d.digits[:1]+"."+d.digits[1:]+"e"+strconv.Itoa(d.exp), 64)
	return v
}

// String writes the number out where that is short, otherwise as m×10^e.
func (d decimal) String() string {
	switch {
	case d.exp < -4 || d.exp > 6:
		return d.digits[:1] + "." + d.digits[1:] + "×10^" + strconv.Itoa(d.exp)
	case d.exp < 0:
		return "0." + strings.Repeat("0", -d.exp-1) + d.digits
	case d.exp >= len(d.digits)-1:
		whole, _ := strconv.ParseInt(d.digits+strings.Repeat("0", d.exp-len(d.digits)+1), 10, 64)
		return group(whole)
	}
	return d.digits[:d.exp+1] + "." + d.digits[d.exp+1:]
}

// trimmed writes the number without trailing zeros after its point.
func (d decimal) trimmed() string {
	s, power, scientific := strings.Cut(d.String(), "×")
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	if scientific {
		return s + "×" + power
	}
	return s
}

// sig writes an estimate at 4 significant digits, trailing zeros kept.
//
// Special cases are:
//
//	sig(0) = "0"
//	sig(±Inf) = "∞" or "-∞"
//	sig(NaN) = "—"
func sig(x float64) string { return signed(x, nearest, decimal.String) }

// short is sig without trailing zeros, for declared and exact numbers.
func short(x float64) string { return signed(x, nearest, decimal.trimmed) }

// up writes a privacy parameter or a bound at 4 significant digits, rounded
// up, without trailing zeros.
func up(x float64) string { return signed(x, above, decimal.trimmed) }

// down writes a bound from below at 4 significant digits, rounded down, without trailing
// zeros.
func down(x float64) string { return signed(x, floored, decimal.trimmed) }

func signed(x float64, round func(float64) decimal, write func(decimal) string) string {
	switch {
	case math.IsNaN(x):
		return dash
	case math.IsInf(x, 1):
		return "∞"
	case math.IsInf(x, -1):
		return "-∞"
	case x == 0:
		return "0"
	case x < 0:
		return "-" + write(nearest(-x)) // a negative number is never a bound here
	}
	return write(round(x))
}

// opt writes a number that may not exist.
func opt(x *float64, write func(float64) string) string {
	if x == nil {
		return dash
	}
	return write(*x)
}

// count writes a whole number that may not exist.
func count(n *int64) string {
	if n == nil {
		return dash
	}
	return group(*n)
}

// ext writes an extended number that may not exist.
func ext(x *schemas.Extended, write func(float64) string) string {
	if x == nil {
		return dash
	}
	return write(float64(*x))
}

// interval writes [lower, upper].
func interval(ci *schemas.Interval) string {
	if ci == nil {
		return dash
	}
	return "[" + sig(ci[0]) + ", " + sig(ci[1]) + "]"
}

// group writes a count with commas between thousands.
func group(n int64) string { return schemas.Grouped(n) }

// smallP is the p-value under which the logarithm is printed from: a float
// keeps no digits near 1e-320.
const smallP = 1e-4

// leastP is the p-value under which a float64 without its logarithm says no
// more than that: the analysis rounds up to the smallest number above 0.
const leastP = 1e-300

// pvalue writes a p-value from p and its base-2 logarithm, whichever exists;
// far below the smallest float as m×10^-e:
//
//	log10 p = log2 p · log10 2
//
// Special cases are:
//
//	pvalue(nil, nil) = "—"
//	pvalue(0, nil) = "below 1e-300"
//	pvalue(1e-310, nil) = "below 1e-300"
//	pvalue of log2 p = -Inf is "below 1e-300"
func pvalue(p *float64, log2p *schemas.Extended) string {
	if p != nil && log2p == nil && *p < leastP {
		return "below 1e-300"
	}
	if p != nil && (log2p == nil || *p >= smallP) {
		return likely(*p)
	}
	if log2p == nil {
		return dash
	}
	l := float64(float64(*log2p) * math.Log10(2))
	switch {
	case math.IsInf(l, -1):
		return "below 1e-300"
	case math.IsNaN(l):
		return dash
	case l >= math.Log10(smallP):
		return likely(bitexact.Pow(10, l))
	}
	e := math.Floor(l)
	m := nearest(bitexact.Pow(10, l-e))
	return decimal{m.digits, m.exp + int(e)}.trimmed()
}

// likely writes a p that is not small. One below 1 is not written as 1, which
// would say that nothing is left of it.
func likely(p float64) string {
	if text := short(p); text != "1" || p >= 1 {
		return text
	}
	return "> 0.9999"
}

// log10p returns −log10 p for a figure, and whether it can be drawn.
func log10p(p *float64, log2p *schemas.Extended) (float64, bool) {
	v := math.NaN()
	switch {
	case log2p != nil:
		v = -float64(*log2p) * math.Log10(2)
	case p != nil:
		v = -math.Log10(*p)
	}
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, false
	}
	return max(v, 0), true
}

// share writes part of whole in per cent.
func share(part, whole int64) string {
	if whole <= 0 {
		return dash
	}
	return strconv.FormatFloat(100*float64(part)/float64(whole), 'f', 1, 64) + " %"
}
