package replay

import (
	"errors"
	"fmt"

	"banditaudit/replay/counter"
	"banditaudit/replay/policy"
)

// Fault is one thing in a protocol that keeps its policy from being built. New
// returns all of them at once, joined; errors.As finds the first, and the
// Unwrap of the join lists them.
type Fault struct { //nolint:errname // one fault of a list, not a failure of its own
	Path  string // of the protocol's key, such as "policy.width.delta"
	Value string
	Rule  string
	Mend  string
}

// Error names the key, its value, the rule and the mend.
func (f *Fault) Error() string {
	return fmt.Sprintf("%s is %s: %s; %s", f.Path, f.Value, f.Rule, f.Mend)
}

// faultsOf turns the joined parameter errors of a policy or a counter into
// faults with full paths.
func faultsOf(err error) []error {
	if err == nil {
		return nil
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var faults []error
		for _, e := range joined.Unwrap() {
			faults = append(faults, faultsOf(e)...)
		}
		return faults
	}
	if c, ok := errors.AsType[*counter.ParamError](err); ok {
		path := "counter." + c.Param
		if c.Param == "bound" {
			path = "policy.context_l1" // where a protocol declares it
		}
		return []error{&Fault{Path: path, Value: c.Value, Rule: c.Rule, Mend: c.Mend}}
	}
	if p, ok := errors.AsType[*policy.ParamError](err); ok {
		return []error{&Fault{Path: "policy." + p.Param, Value: p.Value, Rule: p.Rule, Mend: p.Mend}}
	}
	return []error{err}
}
