package hypothesis

import (
	"strings"
	"testing"
)

func TestParseAlternative(t *testing.T) {
	for _, a := range []Alternative{TwoSided, Greater, Less} {
		if got, err := ParseAlternative(a.String()); err != nil || got != a {
			t.Errorf("ParseAlternative(%q) = %v, %v", a.String(), got, err)
		}
	}
	if got, err := ParseAlternative(""); err != nil || got != TwoSided {
		t.Errorf("an absent alternative is two-sided, got %v, %v", got, err)
	}
	if _, err := ParseAlternative("bigger"); err == nil || !strings.Contains(err.Error(), "two-sided") {
		t.Errorf("an unknown name must be refused with the names that are known, got %v", err)
	}
}
