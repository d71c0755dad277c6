package schemas

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"banditaudit/replay/policy/bitexact"
	"banditaudit/schemas/param"
)

// Extended is a real number that may be infinite. In JSON ±∞ are the strings
// "inf" and "-inf"; NaN cannot be written. Only ε-, ρ-, σ- and log-p fields of
// the results have this type.
type Extended float64

// SchemaForm is the JSON Schema of the number.
func (Extended) SchemaForm() string {
	return `{"description": "A real number that may be infinite.", "anyOf": [{"type": "number"}, {"enum": ["inf", "-inf"]}]}`
}

// errNaN is returned when a NaN would have to be written as JSON.
var errNaN = errors.New("schemas: NaN has no JSON form; use null and say why in warnings")

// MarshalJSON writes a finite value as a number and ±∞ as "inf" or "-inf".
func (x Extended) MarshalJSON() ([]byte, error) {
	v := float64(x)
	switch {
	case math.IsNaN(v):
		return nil, errNaN
	case math.IsInf(v, 1):
		return []byte(`"inf"`), nil
	case math.IsInf(v, -1):
		return []byte(`"-inf"`), nil
	}
	return json.Marshal(v)
}

// UnmarshalJSON reads what MarshalJSON writes. Special cases are:
//
//	null is an error; a field that may be null is a pointer, which null leaves nil
//	any string other than "inf" and "-inf" is an error
func (x *Extended) UnmarshalJSON(b []byte) error {
	switch string(b) {
	case "null":
		return errors.New("schemas: null where a number or \"inf\" is needed")
	case `"inf"`:
		*x = Extended(math.Inf(1))
		return nil
	case `"-inf"`:
		*x = Extended(math.Inf(-1))
		return nil
	}
	var v float64
	if err := json.Unmarshal(b, &v); err != nil {
		return err
	}
	*x = Extended(v)
	return nil
}

// Finite returns a pointer to v, or nil (JSON null) when v is NaN or infinite.
func Finite(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// Probability is e^logP, nil where logP is NaN. A p below the smallest float64
// is rounded up to it: 0 would claim more than is known.
func Probability(logP float64) *float64 {
	p := bitexact.Exp(logP)
	if p == 0 && !math.IsInf(logP, -1) {
		p = math.SmallestNonzeroFloat64
	}
	return Finite(p)
}

// Ext returns a pointer to v as an Extended, or nil (JSON null) when v is NaN.
func Ext(v float64) *Extended {
	if math.IsNaN(v) {
		return nil
	}
	x := Extended(v)
	return &x
}

// Interval is a closed interval [lower, upper] in the units of its field.
type Interval [2]float64

// NewInterval returns a pointer to [lo, hi], or nil (JSON null) when either
// end is NaN or infinite. It does not order its ends: an empty interval, as a
// confidence sequence can give, keeps lo > hi.
func NewInterval(lo, hi float64) *Interval {
	if Finite(lo) == nil || Finite(hi) == nil {
		return nil
	}
	return &Interval{lo, hi}
}

// Rational is a number read exactly from its literal; see param.Rational.
type Rational = param.Rational

// ParseRational reads a literal as param.ParseRational does.
func ParseRational(text string) (Rational, error) { return param.ParseRational(text) }

// MustRational is ParseRational for literals in code; it panics on a bad one.
func MustRational(text string) Rational { return param.MustRational(text) }

// Numbers of rewards are squared and divided by. Between these bounds that
// neither overflows nor vanishes.
const (
	smallestSize = 1e-150
	largestSize  = 1e150
)

// narrowest is the smallest width of a range in terms of its largest end. Half
// of the 53 bits of a reward are then left for how rewards differ.
const narrowest = 0x1p-30

// slack is how far a bound that was computed from two ends of a range can be
// off, in terms of the largest end: 0.3 − 0.1 is less than 0.2.
const slack = 0x1p-50

// rangeSize judges the size of an ordered range.
func (c *checker) rangeSize(lo, hi float64) {
	const path = "reward.range"
	what := fmt.Sprintf("is [%v, %v]", lo, hi)
	switch largest := max(math.Abs(lo), math.Abs(hi)); {
	case largest > largestSize, hi-lo < smallestSize:
		c.fail(path, what, fmt.Sprintf("squares of rewards and of their width must be numbers, so its ends are at most %g in size and at least %g apart", largestSize, smallestSize), "rescale the reward")
	case hi-lo < narrowest*largest:
		c.fail(path, what, fmt.Sprintf("its width is below 2^-30 of its end %v, which leaves too few digits for how rewards differ", largest), "rescale the reward, or subtract the lower end from it")
	}
}

// rewardRange is the declared range; false where there is none that is sound.
func (c *checker) rewardRange() (lo, hi float64, ok bool) {
	r := c.p.Reward.Range
	if !c.sound("reward.range") || len(r) != 2 {
		return 0, 0, false
	}
	return r[0], r[1], true
}

// differenceInRange judges the value of a difference of two means.
func (c *checker) differenceInRange(path string, value float64) {
	lo, hi, ok := c.rewardRange()
	if width := hi - lo; ok && math.Abs(value) > width+float64(slack*max(math.Abs(lo), math.Abs(hi))) {
		c.fail(path, fmt.Sprintf("is %g", value), fmt.Sprintf("no difference of means of rewards in [%g, %g] has that value", lo, hi), fmt.Sprintf("write a number from %g to %g", -width, width))
	}
}

// size judges a number that may have either sign.
func (c *checker) size(path string, value float64) {
	if math.Abs(value) >= largestSize {
		c.fail(path, fmt.Sprintf("is %g", value), fmt.Sprintf("its square must be a number, so it is below %g in size", largestSize), "rescale the reward or the column")
	}
}

// sigma judges the known standard deviation of a reward.
func (c *checker) sigma(path string, sigma *float64) {
	if sigma == nil {
		return
	}
	what := fmt.Sprintf("is %g", *sigma)
	lo, hi, ok := c.rewardRange()
	switch largest := max(math.Abs(lo), math.Abs(hi)); {
	case !(*sigma > 0):
		c.fail(path, what, "it must be more than 0", "write a number in that range")
	case *sigma < smallestSize || *sigma > largestSize:
		c.fail(path, what, fmt.Sprintf("its square must be a number, so it is from %g to %g", smallestSize, largestSize), "rescale the reward")
	case ok && *sigma > float64((hi-lo)/2)+float64(slack*largest):
		c.fail(path, what, fmt.Sprintf("the standard deviation of rewards in [%g, %g] is at most half the width", lo, hi), fmt.Sprintf("write a number up to %g", (hi-lo)/2))
	}
}
