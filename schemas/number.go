package schemas

import (
	"encoding/json"
	"errors"
	"math"

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
	p := math.Exp(logP)
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
