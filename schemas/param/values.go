package param

import (
	"cmp"
	"maps"
	"math/big"
	"slices"
	"strconv"
)

// Values are the declared keys that a policy has of its own. A value is a
// float64, a Rational, a string, a bool, a []float64 or, where a key has keys in turn,
// Values. A key that is not declared is not in the map. What is done to Values
// that other code may hold is done to a copy.
type Values map[string]any

// Number returns the number of a key; nil where there is none.
func (v Values) Number(key string) *float64 {
	if x, ok := v[key].(float64); ok {
		return &x
	}
	return nil
}

// Float returns the number of a key; 0 where there is none.
func (v Values) Float(key string) float64 {
	x, _ := v[key].(float64)
	return x
}

// Exact returns the exact number of a key; "not given" where there is none.
func (v Values) Exact(key string) Rational {
	x, _ := v[key].(Rational)
	return x
}

// Word returns the word of a key; "" where there is none.
func (v Values) Word(key string) string {
	x, _ := v[key].(string)
	return x
}

// Flag returns the truth of a key; false where there is none.
func (v Values) Flag(key string) bool {
	x, _ := v[key].(bool)
	return x
}

// Numbers returns the list of a key; nil where there is none.
func (v Values) Numbers(key string) []float64 {
	x, _ := v[key].([]float64)
	return x
}

// Longest returns the length of the longest list.
func (v Values) Longest() int {
	longest := 0
	for key := range v {
		longest = max(longest, len(v.Numbers(key)))
	}
	return longest
}

// Group returns the keys below a key; nil where there are none.
func (v Values) Group(key string) Values {
	x, _ := v[key].(Values)
	return x
}

// Has reports whether a key is declared. A Rational that was not given is not,
// nor is an empty word.
func (v Values) Has(key string) bool {
	switch x := v[key].(type) {
	case nil:
		return false
	case Rational:
		return !x.IsZero()
	case string:
		return x != ""
	}
	return true
}

// With returns a copy in which a key has the given value.
func (v Values) With(key string, value any) Values {
	out := maps.Clone(v)
	if out == nil {
		out = Values{}
	}
	out[key] = value
	return out
}

// MarshalJSON writes the keys in the order of InOrder.
func (v Values) MarshalJSON() ([]byte, error) {
	out := Object{}
	for _, key := range InOrder(slices.Collect(maps.Keys(v))) {
		out = append(out, Member{key, v[key]})
	}
	return out.MarshalJSON()
}

// InOrder returns the keys of a policy in the order in which a protocol is
// written, those of its own and those that all policies have. A key that the
// order does not name stands behind those that it names, in the order of the
// alphabet, and before the last five, which all policies have.
func InOrder(keys []string) []string {
	first := []string{
		"name", "like", "width", "delta", "c", "bonus", "floor", "ties", "near_ties", "order", "start", "unseen", "explore", "epsilon", "decay",
		"prior", "alpha", "beta", "mean", "variance", "noise", "top", "min_rows", "cap", "eta", "temperature", "tau", "of", "shrink", "probabilities",
		"lambda", "theta_bound", "noise_sd", "unfit", "context_l1", "scale", "exponent", "clock", "offset", "horizon",
	}
	last := []string{"by", "update", "draw", "draws", "seed"}
	rank := func(key string) int {
		if i := slices.Index(first, key); i >= 0 {
			return i
		}
		return len(first) + 1 + slices.Index(last, key)
	}
	return slices.SortedFunc(slices.Values(keys), func(a, b string) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b))
	})
}

// Literal returns the number of a key as it was written: ε, η and floors are
// decimals, and 0.1 is 1/10. It is 0 where there is none.
func (v Values) Literal(key string) *big.Rat { return Literal(v.Float(key)) }

// Literal returns the shortest decimal that reads back as a finite x.
func Literal(x float64) *big.Rat {
	r, _ := new(big.Rat).SetString(strconv.FormatFloat(x, 'g', -1, 64))
	return r
}
