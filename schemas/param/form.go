package param

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
)

// Judge takes what is wrong with a declaration, and says what is known of it.
type Judge interface {
	// Fail reports that the value at path "what", because of why, and how to mend
	// it. It does nothing where something at, around or within path has been
	// reported already.
	Fail(path, what, why, mend string)
	// Sound reports whether nothing was reported at, around or within path.
	Sound(path string) bool
	// Word reports a value that is none of words.
	Word(path, value string, words []string)
	// Arms returns K, the number of arms; 0 where that is not known.
	Arms() int
}

// Key is a key that a policy has of its own.
type Key struct {
	Name   string
	Doc    string            // what it is, for the report's table of settings and the JSON Schema
	Needed bool              // the policy cannot do without it
	Unless func(Values) bool // with these values it can, and takes none; nil: it never can
	Why    string            // what the policy does with it, as the end of a sentence about the policy; of a needed key
	Mend   string            // how it is added; of a needed key
	Form   Form
	// Near returns values in which this option is another, as dialects of the policy
	// have it; v are those of the group in which the key stands. They are tried where a
	// log is not the declared policy's. nil: none.
	Near func(v Values) []Values
}

// Form is what the value of a key may be.
type Form interface {
	// Check judges the value at path.
	Check(j Judge, path string, value any)
	// Schema returns the JSON Schema of the value.
	Schema() Object
}

// The forms.
var (
	_ Form = Number{}
	_ Form = NumberOr{}
	_ Form = Exact{}
	_ Form = Word{}
	_ Form = Flag{}
	_ Form = Shares{}
	_ Form = Group{}
	_ Form = Either{}
	_ Form = Choice{}
	_ Form = Numbers{}
)

// mistyped reports a value that code, and not a protocol, declared of the wrong
// type.
func mistyped(j Judge, path string, value any, want string) {
	j.Fail(path, fmt.Sprintf("is %v", value), "it must be "+want, "write "+want)
}

// Number is a number in a range.
type Number struct {
	Lo, Hi float64 // Hi may be +Inf
	Open   bool    // neither Lo nor Hi is in the range
	Whole  bool    // it counts something
	Rule   string  // what it must be. Defaults to the range.
	Mend   string  // Defaults to "write a number in that range".
}

// Above0 is a number above 0.
func Above0() Number { return Number{Hi: math.Inf(1), Open: true} }

// Between is a number strictly between lo and hi.
func Between(lo, hi float64) Number { return Number{Lo: lo, Hi: hi, Open: true} }

// Whole is a whole number from lo to hi.
func Whole(lo, hi float64) Number {
	return Number{Lo: lo, Hi: hi, Whole: true, Mend: "write a whole number in that range"}
}

// Rescaled is a number from lo to hi that speaks of rewards rescaled to [0,1].
func Rescaled(lo, hi float64) Number {
	return Number{Lo: lo, Hi: hi, Mend: "write a number in that range, for rewards rescaled to [0,1]"}
}

// Probability is a number from 0 to 1.
func Probability() Number {
	return Number{Hi: 1, Rule: "it must be a probability", Mend: "write a number from 0 to 1"}
}

// Check judges the number.
func (f Number) Check(j Judge, path string, value any) {
	x, ok := value.(float64)
	if !ok {
		mistyped(j, path, value, "a number")
		return
	}
	inside := f.Open && x > f.Lo && x < f.Hi || !f.Open && x >= f.Lo && x <= f.Hi
	if inside && (!f.Whole || x == math.Trunc(x)) {
		return
	}
	mend := f.Mend
	if mend == "" {
		mend = "write a number in that range"
	}
	j.Fail(path, fmt.Sprintf("is %g", x), f.rule(), mend)
}

// rule says what the number must be.
func (f Number) rule() string {
	switch {
	case f.Rule != "":
		return f.Rule
	case f.Whole:
		return fmt.Sprintf("it must be a whole number from %g to %g", f.Lo, f.Hi)
	case math.IsInf(f.Hi, 1):
		return fmt.Sprintf("it must be more than %g", f.Lo)
	case f.Open:
		return fmt.Sprintf("it must lie strictly between %g and %g", f.Lo, f.Hi)
	}
	return fmt.Sprintf("it must be from %g to %g", f.Lo, f.Hi)
}

// Schema returns the schema of a number with its bounds.
func (f Number) Schema() Object {
	out := Object{{"type", "number"}}
	if f.Whole {
		out = Object{{"type", "integer"}}
	}
	lo, hi := "minimum", "maximum"
	if f.Open {
		lo, hi = "exclusiveMinimum", "exclusiveMaximum"
	}
	out = append(out, Member{lo, f.Lo})
	if !math.IsInf(f.Hi, 1) {
		out = append(out, Member{hi, f.Hi})
	}
	if f.Whole {
		return out
	}
	return Fractional(out)
}

// Fractional is the schema of a number in a protocol: a number, or a fraction, of
// which the schema does not know the bounds.
func Fractional(number Object) Object {
	return Object{{"anyOf", []any{number, Object{{"$ref", "#/$defs/Fraction"}}}}}
}

// NumberOr is a number, or one of a few words.
type NumberOr struct {
	Number Number
	Words  []string
}

// Check judges the number, or the word.
func (f NumberOr) Check(j Judge, path string, value any) {
	if word, ok := value.(string); ok {
		j.Word(path, word, f.Words)
		return
	}
	f.Number.Check(j, path, value)
}

// Schema returns the schema of the number or of one of the words.
func (f NumberOr) Schema() Object {
	return Object{{"anyOf", []any{f.Number.Schema(), Object{{"enum", f.Words}}}}}
}

// Exact is an exact number above 0 and at most Most.
type Exact struct{ Most int64 }

// Check judges the number. One that was not given is right.
func (f Exact) Check(j Judge, path string, value any) {
	x, ok := value.(Rational)
	switch {
	case !ok:
		mistyped(j, path, value, "an exact number")
	case !x.IsZero() && (x.Inf() || x.Rat().Sign() <= 0 || x.Rat().Cmp(big.NewRat(f.Most, 1)) > 0):
		j.Fail(path, "is "+x.String(), fmt.Sprintf("it must be more than 0 and at most %d", f.Most), "write a number in that range")
	}
}

// Schema refers to that of an exact number, which every protocol's schema has.
func (Exact) Schema() Object { return Object{{"$ref", "#/$defs/Rational"}} }

// Word is one of a few words.
type Word struct{ Words []string }

// Check judges the word.
func (f Word) Check(j Judge, path string, value any) {
	x, ok := value.(string)
	if !ok {
		mistyped(j, path, value, "a word")
		return
	}
	j.Word(path, x, f.Words)
}

// Schema lists the words.
func (f Word) Schema() Object { return Object{{"enum", f.Words}} }

// Flag is true or false.
type Flag struct{}

// Check judges the value.
func (Flag) Check(j Judge, path string, value any) {
	if _, ok := value.(bool); !ok {
		mistyped(j, path, value, "true or false")
	}
}

// Schema returns the schema of a boolean.
func (Flag) Schema() Object { return Object{{"type", "boolean"}} }

// Shares is a list of probabilities, one for each arm, that add up to 1.
type Shares struct{ Why, Mend string }

// sharesError bounds what decimal literals such as 0.1 add up to beside 1.
const sharesError = 1e-9

// Check judges the list.
func (f Shares) Check(j Judge, path string, value any) {
	probs, ok := value.([]float64)
	switch {
	case !ok:
		mistyped(j, path, value, "a list of numbers")
		return
	case !j.Sound(path):
		return
	case len(probs) == 0:
		j.Fail(path, "is missing", f.Why, f.Mend)
		return
	}
	sum := 0.0
	for i, x := range probs {
		if !(x >= 0 && x <= 1) {
			j.Fail(fmt.Sprintf("%s[%d]", path, i), fmt.Sprintf("is %g", x), "it must be a probability", "write a number from 0 to 1")
		}
		sum += x
	}
	if k := j.Arms(); k > 0 && k != len(probs) {
		j.Fail(path, Entries(len(probs)), fmt.Sprintf("there are %d arms", k), "write one probability for each arm")
		return
	}
	if math.Abs(sum-1) > sharesError {
		j.Fail(path, fmt.Sprintf("adds up to %g", sum), "probabilities add up to 1", "correct the list")
	}
}

// Schema returns the schema of a list of probabilities.
func (Shares) Schema() Object {
	return Object{{"type", "array"}, {"items", Probability().Schema()}}
}

// Group is a value with keys of its own.
type Group struct {
	Keys []Key
	// Whole judges which of the keys stand together, before each is judged: one
	// of its numbers must not hide that another is missing. It reports whether the
	// numbers are to be judged. nil: any keys may stand together.
	Whole func(j Judge, path string, v Values) bool
}

// Check judges which keys are there, and each of them.
func (f Group) Check(j Judge, path string, value any) {
	v, ok := value.(Values)
	if !ok {
		mistyped(j, path, value, "a mapping of "+strings.Join(Names(f.Keys), ", "))
		return
	}
	if f.Whole != nil && !f.Whole(j, path, v) {
		return
	}
	for _, key := range f.Keys {
		if v.Has(key.Name) {
			key.Form.Check(j, path+"."+key.Name, v[key.Name])
		}
	}
}

// Schema returns the schema of an object with these keys and no others.
func (f Group) Schema() Object {
	return Object{{"type", "object"}, {"additionalProperties", false}, {"properties", Properties(f.Keys)}}
}

// Either is a number, or a group of which some keys must be there.
type Either struct {
	Number     Number
	Group      Group
	Want, Mend string // what a value is that is neither
}

// Check judges the number or the group.
func (f Either) Check(j Judge, path string, value any) {
	switch value.(type) {
	case float64:
		f.Number.Check(j, path, value)
	case Values:
		f.Group.Check(j, path, value)
	default:
		mistyped(j, path, value, f.Want)
	}
}

// Schema returns the schema of the number or of the group.
func (f Either) Schema() Object {
	return Object{{"anyOf", []any{f.Number.Schema(), f.Group.Schema().With("minProperties", 1)}}}
}

// Entries says how many a list has that should have another number of them.
func Entries(n int) string {
	if n == 1 {
		return "has 1 entry"
	}
	return fmt.Sprintf("has %d entries", n)
}

// Numbers is a list of so many numbers, each of its own form.
type Numbers struct{ Each []Number }

// Check judges each of the numbers.
func (f Numbers) Check(j Judge, path string, value any) {
	list, ok := value.([]float64)
	want := fmt.Sprintf("a list of %d numbers", len(f.Each))
	switch {
	case !ok:
		mistyped(j, path, value, want)
	case !j.Sound(path):
	case len(list) != len(f.Each):
		j.Fail(path, Entries(len(list)), "it must be "+want, "write "+want)
	default:
		for i, form := range f.Each {
			form.Check(j, fmt.Sprintf("%s[%d]", path, i), list[i])
		}
	}
}

// Schema returns the schema of a list of as many numbers as there are forms.
func (f Numbers) Schema() Object {
	return Object{{"type", "array"}, {"minItems", len(f.Each)}, {"maxItems", len(f.Each)}, {"items", Fractional(Object{{"type", "number"}})}}
}

// Choice is one of a few words, or a group.
type Choice struct {
	Words      []string
	Group      Group
	Want, Mend string // what a value is that is neither
}

// Check judges the word or the group.
func (f Choice) Check(j Judge, path string, value any) {
	switch value := value.(type) {
	case string:
		j.Word(path, value, f.Words)
	case Values:
		f.Group.Check(j, path, value)
	default:
		mistyped(j, path, value, f.Want)
	}
}

// Schema returns the schema of the words or of the group.
func (f Choice) Schema() Object {
	return Object{{"anyOf", []any{Word{f.Words}.Schema(), f.Group.Schema()}}}
}

// Names returns the names of keys, in their order.
func Names(keys []Key) []string {
	out := make([]string, len(keys))
	for i, key := range keys {
		out[i] = key.Name
	}
	return out
}

// Find returns the key of a name; nil where there is none.
func Find(keys []Key, name string) *Key {
	i := slices.IndexFunc(keys, func(k Key) bool { return k.Name == name })
	if i < 0 {
		return nil
	}
	return &keys[i]
}

// Properties returns the JSON Schemas of keys by their names.
func Properties(keys []Key) Object {
	var out Object
	for _, key := range keys {
		schema := key.Form.Schema()
		if key.Doc != "" {
			schema = append(Object{{"description", key.Doc}}, schema...)
		}
		out = append(out, Member{key.Name, schema})
	}
	return out
}
