package replay

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"banditaudit/replay/counter"
	"banditaudit/schemas"
	"banditaudit/schemas/param"
)

// Fault is one thing in a protocol that keeps its policy from being built. New
// returns all of them at once, joined; errors.As finds the first, and the
// Unwrap of the join lists them.
type Fault struct { //nolint:errname // one fault of a list, not a failure of its own
	Path string // of the protocol's key, such as "policy.width.delta"
	What string // the end of a sentence that begins with the key
	Rule string
	Mend string
}

// Error names the key, what is wrong with it, the rule and the mend.
func (f *Fault) Error() string { return f.Path + " " + f.What + ": " + f.Rule + "; " + f.Mend }

// judge collects the faults of a declaration over the given number of arms.
type judge struct {
	arms   int
	faults []error
}

var _ param.Judge = (*judge)(nil)

// Fail adds a fault, unless there is one of the path, or of what it stands in or
// what stands in it.
func (j *judge) Fail(path, what, why, mend string) {
	if j.Sound(path) {
		j.faults = append(j.faults, &Fault{path, what, why, mend})
	}
}

// Sound reports whether there is no fault of the path, nor of what it stands in
// or what stands in it.
func (j *judge) Sound(path string) bool {
	return !slices.ContainsFunc(j.faults, func(err error) bool {
		f, ok := errors.AsType[*Fault](err)
		return ok && (within(f.Path, path) || within(path, f.Path))
	})
}

// within reports whether path is the path of outer, or of something in it.
func within(path, outer string) bool {
	rest, ok := strings.CutPrefix(path, outer)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// Word adds a fault for a word that is none of words.
func (j *judge) Word(path, value string, words []string) {
	if value != "" && !slices.Contains(words, value) {
		j.Fail(path, "is "+strconv.Quote(value), "it must be one of: "+strings.Join(words, ", "), "write one of them")
	}
}

// Arms returns the number of arms.
func (j *judge) Arms() int { return j.arms }

// err returns the faults, joined; nil where there are none.
func (j *judge) err() error { return errors.Join(j.faults...) }

// take adds the faults of a counter that cannot be built. A number is shown as
// the protocol writes it: 1e-12, not 1/1000000000000.
func (j *judge) take(err error, declared *schemas.Counter) {
	written := map[string]schemas.Rational{"epsilon": declared.Epsilon, "grid": declared.Grid, "exponent": declared.Exponent, "sensitivity": declared.Sensitivity}
	for _, e := range leaves(err) {
		f, ok := errors.AsType[*counter.ParamError](e)
		if !ok {
			j.faults = append(j.faults, e)
			continue
		}
		value := f.Value
		if number, ok := written[f.Param]; ok && !number.IsZero() {
			value = number.String()
		}
		path := "counter." + f.Param
		if f.Param == "bound" {
			path = "policy." + param.ContextBound // where a protocol declares it
		}
		j.Fail(path, "is "+value, f.Rule, f.Mend)
	}
}

// leaves are the errors that were joined into one.
func leaves(err error) []error {
	if err == nil {
		return nil
	}
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []error{err}
	}
	var all []error
	for _, e := range joined.Unwrap() {
		all = append(all, leaves(e)...)
	}
	return all
}
