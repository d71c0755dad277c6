package param

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

// Rational is a number read exactly from its literal, so that ε = 0.1 is 1/10
// and not the float next to it. Accepted literals are decimals ("0.25",
// "1e-3"), quotients of whole numbers ("1/3"), powers of two ("2^-20") and
// "inf". The zero value means "not given". A Rational is immutable.
type Rational struct {
	text string
	rat  *big.Rat
}

// MaxExponent bounds decimal and binary exponents in a literal; without a
// bound "1e999999999" would take all memory.
const MaxExponent = 300

// maxLiteral bounds the characters of a literal, and with them the time that
// exact arithmetic on it takes.
const maxLiteral = 600

// The grammar is narrower than that of big.Rat, which also reads octal
// quotients ("010/3" is 8/3) and hexadecimal floats with unbounded exponents.
var (
	decimalLiteral  = regexp.MustCompile(`^[+-]?((?:0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE]([+-]?[0-9]+))?$`)
	quotientLiteral = regexp.MustCompile(`^([+-]?(?:0|[1-9][0-9]*))/(0|[1-9][0-9]*)$`)
	powerLiteral    = regexp.MustCompile(`^2\^([+-]?[0-9]+)$`)
)

// FractionPattern is the literal of a fraction: a quotient of whole numbers or a
// power of two.
const FractionPattern = `^[ \t]*([+-]?(0|[1-9][0-9]*)/[1-9][0-9]*|2\^[+-]?[0-9]+)[ \t]*$`

var fraction = regexp.MustCompile(FractionPattern)

// Fraction reports whether a text is the literal of a fraction. Its exponent may
// still be beyond what ParseRational reads.
func Fraction(text string) bool { return fraction.MatchString(text) }

// ParseRational reads a literal; spaces around it are ignored. Special cases
// are:
//
//	"inf", ".inf" and both with a plus sign are +∞ (Inf reports true, Rat is nil)
//	"-inf", "", "nan" and anything else that is not a literal is an error
//	an exponent beyond ±300, more than 600 characters, a quotient by 0 is an error
func ParseRational(text string) (Rational, error) {
	s := strings.TrimSpace(text)
	if strings.TrimPrefix(strings.TrimPrefix(s, "+"), ".") == "inf" {
		return Rational{text: "inf"}, nil
	}
	if len(s) > maxLiteral {
		return Rational{}, fmt.Errorf("param: a number of %d characters; write at most %d", len(s), maxLiteral)
	}
	r, err := exact(s)
	if err != nil {
		return Rational{}, err
	}
	return Rational{text: s, rat: r}, nil
}

func exact(s string) (*big.Rat, error) {
	if m := powerLiteral.FindStringSubmatch(s); m != nil {
		return powerOfTwo(s, m[1])
	}
	if m := quotientLiteral.FindStringSubmatch(s); m != nil {
		return quotient(s, m[1], m[2])
	}
	m := decimalLiteral.FindStringSubmatch(s)
	if m == nil {
		return nil, fmt.Errorf("param: %s is not a number; write a decimal (0.25), a quotient (1/3), a power (2^-20) or inf", strconv.Quote(s))
	}
	if _, err := exponent(s, cmp.Or(m[4], "0")); err != nil {
		return nil, err
	}
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		return nil, fmt.Errorf("param: %s is not a number", strconv.Quote(s))
	}
	return r, nil
}

func exponent(s, digits string) (int, error) {
	e, err := strconv.Atoi(digits)
	if err != nil || e > MaxExponent || e < -MaxExponent {
		return 0, fmt.Errorf("param: %s has an exponent beyond ±%d; write a smaller one", strconv.Quote(s), MaxExponent)
	}
	return e, nil
}

func powerOfTwo(s, digits string) (*big.Rat, error) {
	e, err := exponent(s, digits)
	if err != nil {
		return nil, err
	}
	power := new(big.Int).Lsh(big.NewInt(1), uint(max(e, -e)))
	if e < 0 {
		return new(big.Rat).SetFrac(big.NewInt(1), power), nil
	}
	return new(big.Rat).SetInt(power), nil
}

func quotient(s, over, under string) (*big.Rat, error) {
	a, okA := new(big.Int).SetString(over, 10)
	b, okB := new(big.Int).SetString(under, 10)
	if !okA || !okB || b.Sign() == 0 {
		return nil, fmt.Errorf("param: %s divides by zero; write a quotient of whole numbers such as 1/3", strconv.Quote(s))
	}
	return new(big.Rat).SetFrac(a, b), nil
}

// MustRational is ParseRational for literals in code; it panics on a bad one.
func MustRational(text string) Rational {
	r, err := ParseRational(text)
	if err != nil {
		panic(err)
	}
	return r
}

// Equal reports whether r and s are the same number, however they are written.
// Special cases are:
//
//	+∞ equals +∞ only
//	"not given" equals "not given" only
func (r Rational) Equal(s Rational) bool {
	if r.rat == nil || s.rat == nil {
		return r.rat == nil && s.rat == nil && r.text == s.text
	}
	return r.rat.Cmp(s.rat) == 0
}

// IsZero reports whether the value was not given (it is not a test for 0).
func (r Rational) IsZero() bool { return r.text == "" }

// Inf reports whether the value is +∞.
func (r Rational) Inf() bool { return r.text == "inf" }

// Rat returns a copy of the exact value; nil when it is infinite or not given.
func (r Rational) Rat() *big.Rat {
	if r.rat == nil {
		return nil
	}
	return new(big.Rat).Set(r.rat)
}

// Float returns the nearest float64; +Inf when infinite, NaN when not given.
func (r Rational) Float() float64 {
	switch {
	case r.Inf():
		return math.Inf(1)
	case r.rat == nil:
		return math.NaN()
	}
	f, _ := r.rat.Float64()
	return f
}

// String returns the literal as it was written.
func (r Rational) String() string { return r.text }

// SchemaForm is the JSON Schema of a literal.
func (Rational) SchemaForm() string {
	return `{"description": "A number read exactly from its literal: a decimal, a quotient \"1/3\", a power of two \"2^-20\", or \"inf\".", "anyOf": [
		{"type": "number"},
		{"type": "string", "pattern": "^[ \\t]*([+-]?((0|[1-9][0-9]*)([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]+)?|[+-]?(0|[1-9][0-9]*)/[1-9][0-9]*|2\\^[+-]?[0-9]+|[+]?[.]?inf)[ \\t]*$"}]}`
}

// MarshalJSON writes the literal as a JSON number where it is one, and as a
// string otherwise ("2^-20", "inf").
func (r Rational) MarshalJSON() ([]byte, error) {
	if r.IsZero() {
		return []byte("null"), nil
	}
	if json.Valid([]byte(r.text)) {
		return []byte(r.text), nil
	}
	return json.Marshal(r.text)
}

// UnmarshalJSON reads a number or a string literal; null is "not given".
func (r *Rational) UnmarshalJSON(b []byte) error {
	text := string(b)
	if text == "null" {
		*r = Rational{}
		return nil
	}
	if strings.HasPrefix(text, `"`) {
		if err := json.Unmarshal(b, &text); err != nil {
			return err
		}
	}
	v, err := ParseRational(text)
	if err != nil {
		return err
	}
	*r = v
	return nil
}
