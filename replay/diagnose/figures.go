package diagnose

import (
	"fmt"
	"math"
	"strconv"
)

const (
	// figureDigits are the significant digits of a number in words, and mostDigits
	// those that any number is read back from.
	figureDigits, mostDigits = 6, 17
	// mostUnder is the largest denominator of a fraction in words.
	mostUnder = 100
)

// apart writes two numbers with as many digits as it takes to tell them apart.
// Equal ones are written alike.
func apart(x, y float64) (first, second string) {
	digits := figureDigits
	for digits < mostDigits && x != y && figure(x, digits) == figure(y, digits) {
		digits++
	}
	return figure(x, digits), figure(y, digits)
}

// figure writes a number with the given number of significant digits, or as the fraction
// that it is the float64 of, where that is shorter: 1/30. A protocol reads both.
func figure(x float64, digits int) string {
	text := strconv.FormatFloat(x, 'g', digits, 64)
	if back, err := strconv.ParseFloat(text, 64); err == nil && back == x {
		return text
	}
	over, under := fractionIn(math.Abs(x), math.Abs(x))
	switch {
	case under == 0:
		return text
	case x < 0:
		over = -over
	}
	return fmt.Sprintf("%d/%d", over, under)
}

// fractionIn returns the fraction with the smallest denominator, up to mostUnder,
// whose float64 lies in [lo, hi], of numbers from 0 to 1; 0/0 where there is none.
func fractionIn(lo, hi float64) (over, under int64) {
	if !(lo >= 0 && hi <= 1) {
		return 0, 0
	}
	for under = 1; under <= mostUnder; under++ {
		over = int64(math.Round(lo * float64(under)))
		for _, over := range []int64{over, over + 1} {
			if x := float64(over) / float64(under); x >= lo && x <= hi {
				return over, under
			}
		}
	}
	return 0, 0
}
