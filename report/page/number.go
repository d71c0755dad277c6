package page

import (
	"math"
	"strconv"
	"strings"

	"banditaudit/replay/policy/bitexact"
	"banditaudit/schemas"
)

// Dash is printed where a value does not exist.
const Dash = "—"

// SignificantDigits is the number of significant digits in text; results.json holds all.
const SignificantDigits = 4

// decimal is a positive number rounded to a few significant digits:
//
//	value = 0.d1d2d3d4 × 10^(exp+1)
type decimal struct {
	digits string
	exp    int // decimal exponent of the first digit
}

// nearest rounds x > 0 to 4 significant digits.
func nearest(x float64) decimal { return rounded(x, SignificantDigits) }

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
		return Group(whole)
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

// Sig writes an estimate at 4 significant digits, trailing zeros kept.
//
// Special cases are:
//
//	Sig(0) = "0"
//	Sig(±Inf) = "∞" or "-∞"
//	Sig(NaN) = "—"
func Sig(x float64) string { return signed(x, nearest, decimal.String) }

// Short is Sig without trailing zeros, for declared and exact numbers.
func Short(x float64) string { return signed(x, nearest, decimal.trimmed) }

// Up writes a privacy parameter or a bound at 4 significant digits, rounded
// up, without trailing zeros.
func Up(x float64) string { return signed(x, above, decimal.trimmed) }

// Down writes a bound from below at 4 significant digits, rounded down, without trailing
// zeros.
func Down(x float64) string { return signed(x, floored, decimal.trimmed) }

func signed(x float64, round func(float64) decimal, write func(decimal) string) string {
	switch {
	case math.IsNaN(x):
		return Dash
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

// Significant writes an estimate at n significant digits, trailing zeros kept.
func Significant(x float64, n int) string {
	if x < 0 {
		return "-" + Significant(-x, n)
	}
	return signed(x, func(v float64) decimal { return rounded(v, n) }, decimal.String)
}

// Opt writes a number that may not exist.
func Opt(x *float64, write func(float64) string) string {
	if x == nil {
		return Dash
	}
	return write(*x)
}

// Count writes a whole number that may not exist.
func Count(n *int64) string {
	if n == nil {
		return Dash
	}
	return Group(*n)
}

// Ext writes an extended number that may not exist.
func Ext(x *schemas.Extended, write func(float64) string) string {
	if x == nil {
		return Dash
	}
	return write(float64(*x))
}

// Interval writes [lower, upper].
func Interval(ci *schemas.Interval) string {
	if ci == nil {
		return Dash
	}
	return "[" + Sig(ci[0]) + ", " + Sig(ci[1]) + "]"
}

// Group writes a count with commas between thousands.
func Group(n int64) string { return schemas.Grouped(n) }

// smallP is the p-value under which the logarithm is printed from: a float
// keeps no digits near 1e-320.
const smallP = 1e-4

// leastP is the p-value under which a float64 without its logarithm says no
// more than that: the analysis rounds up to the smallest number above 0.
const leastP = 1e-300

// PValue writes a p-value from p and its base-2 logarithm, whichever exists;
// far below the smallest float as m×10^-e:
//
//	log10 p = log2 p · log10 2
//
// Special cases are:
//
//	PValue(nil, nil) = "—"
//	PValue(0, nil) = "below 1e-300"
//	PValue(1e-310, nil) = "below 1e-300"
//	PValue of log2 p = -Inf is "below 1e-300"
func PValue(p *float64, log2p *schemas.Extended) string {
	if p != nil && log2p == nil && *p < leastP {
		return "below 1e-300"
	}
	if p != nil && (log2p == nil || *p >= smallP) {
		return Probability(*p)
	}
	if log2p == nil {
		return Dash
	}
	l := float64(float64(*log2p) * math.Log10(2))
	switch {
	case math.IsInf(l, -1):
		return "below 1e-300"
	case math.IsNaN(l):
		return Dash
	case l >= math.Log10(smallP):
		return Probability(bitexact.Pow(10, l))
	}
	e := math.Floor(l)
	m := nearest(bitexact.Pow(10, l-e))
	return decimal{m.digits, m.exp + int(e)}.trimmed()
}

// Probability writes a p-value that is not small. A p-value below 1 is never written as 1.
func Probability(p float64) string {
	if text := Short(p); text != "1" || p >= 1 {
		return text
	}
	return "> 0.9999"
}

// Share writes part of whole in per cent.
func Share(part, whole int64) string {
	if whole <= 0 {
		return Dash
	}
	return strconv.FormatFloat(100*float64(part)/float64(whole), 'f', 1, 64) + " %"
}

// Percent writes a share in words: in tenths of a per cent, or two digits below 10 %.
func Percent(v float64) string {
	const few, two = 0.1, 2
	if v < few {
		return signed(100*v, func(x float64) decimal { return rounded(x, two) }, decimal.trimmed) + " %"
	}
	return Short(math.Round(1000*v)/10) + " %"
}
