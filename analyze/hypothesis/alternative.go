package hypothesis

import "fmt"

// Alternative says against which side a null value is tested.
type Alternative int

// The alternatives. The zero value is two-sided.
const (
	TwoSided Alternative = iota // the parameter differs from the value
	Greater                     // the parameter is greater than the value
	Less                        // the parameter is less than the value
)

// ParseAlternative reads "two-sided", "greater" or "less"; "" is two-sided. It
// returns an error that lists these for anything else.
func ParseAlternative(s string) (Alternative, error) {
	switch s {
	case "", "two-sided":
		return TwoSided, nil
	case "greater":
		return Greater, nil
	case "less":
		return Less, nil
	}
	return TwoSided, fmt.Errorf("hypothesis: alternative %q is unknown; write two-sided, greater or less", s)
}

// String returns the name that ParseAlternative reads.
func (a Alternative) String() string {
	switch a {
	case Greater:
		return "greater"
	case Less:
		return "less"
	default:
		return "two-sided"
	}
}
