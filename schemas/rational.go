package schemas

import "banditaudit/schemas/param"

// Rational is a number read exactly from its literal; see param.Rational.
type Rational = param.Rational

// ParseRational reads a literal as param.ParseRational does.
func ParseRational(text string) (Rational, error) { return param.ParseRational(text) }

// MustRational is ParseRational for literals in code; it panics on a bad one.
func MustRational(text string) Rational { return param.MustRational(text) }
