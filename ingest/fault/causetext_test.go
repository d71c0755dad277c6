package fault

import (
	"errors"
	"fmt"
	"testing"
)

func TestCauseText(t *testing.T) {
	one, two := errors.New("one"), errors.New("two")
	for want, err := range map[string]error{
		"one":                     one,
		"one; two":                errors.Join(one, two),
		"about: one; two":         fmt.Errorf("about: %w", errors.Join(one, two)),
		"one: two":                fmt.Errorf("%w: %w", one, two),
		"one; one; two; two: one": errors.Join(one, errors.Join(one, two), fmt.Errorf("%w: %w", two, one)),
	} {
		if got := causeText(err); got != want {
			t.Errorf("got %q, not %q", got, want)
		}
	}
}
